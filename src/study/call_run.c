/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the requests of callers of the library. */
#include "study/call.h"

#include "core/core.h"
#include "gate/gate.h"
#include "study/explain/explain.h"
#include "study/gate/gate_page.h"
#include "study/report/report_result.h"
#include "study/results.h"
#include "study/watch/watch.h"
#include "study/zoo/zoo.h"

#include <stdlib.h>
#include <string.h>

/* The options of a report, a plan, a law and so on. */
static struct sb_request call_options(struct sb_request *request)
{
    struct sb_request options;

    sb_request_init(&options, SB_REPORT);
    sb_request_report(request, false, &options);
    options.stop = &request->call->stop;
    options.progress = sb_call_progress;
    options.progress_state = request->call;
    return options;
}

static struct sb_subject call_subject(struct sb_request *request)
{
    struct sb_call *const call = request->call;
    struct sb_subject subject = sb_request_subject(request);

    subject.n = sb_request_given(request, "n") ? request->n : 0;
    subject.deal = request->deal;
    subject.scheme = call->schemes.count ? call->schemes.text[0] : NULL;
    subject.command = call->program.text;
    subject.file = request->follow ? request->follow : call->file;
    subject.shuffle = call->shuffle;
    subject.state = call->shuffle_state;
    subject.name = call->name;
    subject.size = call->size;
    subject.cwd = call->cwd;
    subject.overheard = sb_call_line;
    subject.overheard_state = call;
    return subject;
}

static const char *call_scheme(const struct sb_request *request)
{
    return request->call->schemes.count ? request->call->schemes.text[0] : NULL;
}

static enum sb_status run_resumed(struct sb_request *request, struct sb_error *error,
                                  struct sb_reports **reports)
{
    struct sb_request options = call_options(request);
    struct sb_saved *saved;
    enum sb_status status = sb_saved_new(request->resume, error, &saved);

    if (status)
        return status;
    sb_saved_options(saved, &options);
    sb_request_report(request, true, &options);
    status = sb_saved_agrees(saved, call_scheme(request), &options, error);
    if (status == SB_OK)
        status = sb_reports_saved(saved, &options, error, reports);
    sb_saved_free(saved);
    return status;
}

static enum sb_status run_report(struct sb_request *request, struct sb_error *error, void **made)
{
    const struct sb_call *const call = request->call;
    struct sb_request options = call_options(request);
    struct sb_subject subject = call_subject(request);
    struct sb_reports *reports = NULL;
    enum sb_status status;

    if (request->resume) {
        status = run_resumed(request, error, &reports);
    } else if (request->matrix) {
        status = sb_reports_recorded(request->matrix, &options, error, &reports);
    } else if (subject.shuffle || subject.command || subject.file) {
        struct sb_request plain;

        sb_request_init(&plain, SB_REPORT); /* the subject has its own n, deal and cards */
        options.n = plain.n;
        options.deal = 0;
        options.cards = NULL;
        status = sb_reports_observe(&subject, &options, error, &reports);
    } else {
        status = sb_reports_new(call->schemes.text, call->schemes.count, &options, error, &reports);
    }
    *made = reports;
    return status;
}

static enum sb_status run_prove(struct sb_request *request, struct sb_error *error, void **made)
{
    struct sb_call *const call = request->call;
    struct sb_reports *reports = NULL;
    struct sb_request proof;

    sb_request_init(&proof, SB_PROVE);
    proof.n = request->n;
    proof.cells = (uint32_t)request->cells;
    proof.draws = (uint32_t)request->draws;
    proof.paths = request->paths;
    proof.counts = request->counts;
    proof.timeout = request->timeout;
    proof.size = call->size;
    proof.stop = &call->stop;
    proof.progress = sb_call_progress;
    proof.overheard = sb_call_line;
    proof.progress_state = proof.overheard_state = call;
    const enum sb_status status =
        call->drawn ? sb_prove_callback(call->name, call->drawn, call->shuffle_state, &proof, error, &reports)
                    : sb_prove_command(call->program.text, &proof, error, &reports);

    *made = reports;
    return status;
}

/* A gate is a suite of one subject, so that it has the formats of a suite. */
static enum sb_status run_gate(struct sb_request *request, struct sb_error *error, void **made)
{
    struct sb_call *const call = request->call;
    struct sb_gate_saved *saved = NULL;
    struct sb_subject subject = call_subject(request);
    struct sb_suite *const suite = calloc(1, sizeof *suite);
    struct sb_request options;
    enum sb_status status = SB_OK;

    if (suite)
        suite->item = calloc(1, sizeof *suite->item);
    if (!suite || !suite->item) {
        free(suite);
        return sb_error_memory(error, "the gate");
    }
    sb_request_init(&options, SB_GATE);
    if (request->resume)
        status = sb_gate_saved_new(request->resume, error, &saved);
    if (saved) {
        struct sb_subject own;

        sb_gate_saved_asked(saved, &own, &options);
        subject.seed = sb_request_given(request, "seed") ? subject.seed : own.seed;
    }
    sb_request_gate(request, saved, &options);
    options.stop = &call->stop;
    options.progress = sb_call_progress;
    options.progress_state = call;
    if (status == SB_OK)
        status = sb_gate_new(&subject, &options, error, &suite->item->gate);
    if (status == SB_OK) {
        suite->count = 1;
        suite->item->name = strdup(sb_gate_title(suite->item->gate));
        status = suite->item->name ? SB_OK : sb_error_memory(error, "the gate");
    }
    sb_gate_saved_free(saved);
    if (status)
        sb_suite_free(suite);
    else
        *made = suite;
    return status;
}

static enum sb_status run_watch(struct sb_request *request, struct sb_error *error, void **made)
{
    struct sb_call *const call = request->call;
    const struct sb_subject subject = call_subject(request);
    struct sb_request options = sb_request_watch(request);
    struct sb_watch *watch = NULL;

    options.stop = &call->stop;
    options.alarmed = sb_call_alarm;
    options.tell = sb_call_note;
    options.alarmed_state = options.tell_state = call;
    const enum sb_status status = sb_watch_new(&subject, &options, error, &watch);

    *made = watch;
    return status;
}

static enum sb_status run_explain(struct sb_request *request, struct sb_error *error, void **made)
{
    const char *const path = request->path ? request->path : request->step ? "first" : NULL;
    const struct sb_request options = call_options(request);
    struct sb_explain *explain = NULL;
    const enum sb_status status = sb_explain_new(call_scheme(request), path, &options, error, &explain);

    *made = explain;
    return status;
}

static enum sb_status run_odds(struct sb_request *request, struct sb_error *error, void **made)
{
    const struct sb_call_texts *const words = &request->call->words;
    const struct sb_request options = call_options(request);
    struct sb_odds *odds = NULL;
    const enum sb_status status =
        sb_odds_new(call_scheme(request), words->text, words->count, &options, error, &odds);

    *made = odds;
    return status;
}

static enum sb_status run_plan(struct sb_request *request, struct sb_error *error, void **made)
{
    const struct sb_aim aim = { .scheme = call_scheme(request),
                                .detect = request->detect,
                                .power = request->power };
    const struct sb_request options = call_options(request);
    struct sb_plan *plan = NULL;
    const enum sb_status status = sb_plan_new(&aim, &options, error, &plan);

    *made = plan;
    return status;
}

static enum sb_status run_law(struct sb_request *request, struct sb_error *error, void **made)
{
    const struct sb_request options = call_options(request);
    struct sb_null_law *law = NULL;
    const enum sb_status status =
        sb_null_law_new(call_scheme(request), (size_t)request->member - 1, &options, error, &law);

    *made = law;
    return status;
}

static enum sb_status run_zoo(struct sb_request *request, struct sb_error *error, void **made)
{
    struct sb_request options;
    struct sb_zoo *zoo = NULL;

    sb_request_init(&options, SB_ZOO);
    options.n = request->n;
    options.deal = request->deal;
    options.samples = request->samples;
    options.seeds = (unsigned)request->seeds;
    options.threads = (unsigned)request->threads;
    options.alpha = request->alpha;
    options.test = request->test;
    options.stop = &request->call->stop;
    options.progress = sb_call_progress;
    options.progress_state = request->call;
    const enum sb_status status = sb_zoo_new(&options, error, &zoo);

    *made = zoo;
    return status;
}

static enum sb_status run_bench(struct sb_request *request, struct sb_error *error, void **made)
{
    const struct sb_call_texts *const schemes = &request->call->schemes;
    struct sb_request options = call_options(request);
    struct sb_costs *costs = NULL;

    options.samples = request->samples;
    const enum sb_status status = sb_costs_new(schemes->text, schemes->count, &options, error, &costs);

    *made = costs;
    return status;
}

static enum sb_status run_merge(struct sb_request *request, struct sb_error *error, void **made)
{
    const struct sb_call_texts *const parts = &request->call->words;
    struct sb_request options = call_options(request);

    *made = NULL;
    options.save = request->output;
    return sb_saved_merge(parts->text, parts->count, request->partial, &options, error);
}

/* Defines a function that frees a result of a family. */
#define RUN_FREE(family)                      \
    static void run_free_##family(void *made) \
    {                                         \
        sb_##family##_free(made);             \
    }

RUN_FREE(reports)
RUN_FREE(suite)
RUN_FREE(watch)
RUN_FREE(explain)
RUN_FREE(odds)
RUN_FREE(plan)
RUN_FREE(null_law)
RUN_FREE(zoo)
RUN_FREE(costs)

struct sb_result *sb_run(struct sb_request *request)
{
    static const struct {
        unsigned of;
        enum sb_status (*run)(struct sb_request *request, struct sb_error *error, void **made);
        const struct sb_result_type *type;
        void (*free)(void *made);
    } runs[] = {
        { SB_REPORT, run_report, &sb_reports_result, run_free_reports },
        { SB_GATE, run_gate, &sb_suite_result, run_free_suite },
        { SB_WATCH, run_watch, &sb_watch_result, run_free_watch },
        { SB_PROVE, run_prove, &sb_reports_result, run_free_reports },
        { SB_EXPLAIN, run_explain, &sb_explain_result, run_free_explain },
        { SB_ODDS, run_odds, &sb_odds_result, run_free_odds },
        { SB_PLAN, run_plan, &sb_plan_result, run_free_plan },
        { SB_LAW, run_law, &sb_null_law_result, run_free_null_law },
        { SB_ZOO, run_zoo, &sb_zoo_result, run_free_zoo },
        { SB_BENCH, run_bench, &sb_costs_result, run_free_costs },
        { SB_MERGE, run_merge, NULL, NULL },
    };
    struct sb_error *const error = &request->call->error;
    struct sb_result *const result = calloc(1, sizeof *result);

    *error = (struct sb_error) { .status = SB_OK };
    if (!result) {
        sb_error_memory(error, "a result");
        return NULL;
    }
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++)
        if (runs[i].of == request->of) {
            result->type = runs[i].type;
            result->free = runs[i].free;
            if (runs[i].run(request, error, &result->made) == SB_OK)
                return result;
            free(result);
            return NULL;
        }
    sb_error_set(error, SB_INVALID, "a request to deal has no result: call sb_next()");
    free(result);
    return NULL;
}

const uint32_t *sb_next(struct sb_request *request)
{
    struct sb_call *const call = request->call;
    const struct sb_request options = call_options(request);
    const uint32_t *items = NULL;
    enum sb_status status = SB_OK;

    call->error = (struct sb_error) { .status = SB_OK };
    if (!call->dealer)
        status = sb_dealer_new(call_scheme(request), &options, &call->error, &call->dealer);
    if (status == SB_OK && (status = sb_dealer_next(call->dealer, &items)))
        sb_error_stuck(&call->error, status, call_scheme(request), request->seed);
    return items;
}
