/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the requests of callers of the library, and hands out the results. */
#include "core/system.h"
#include "study/explain/explain.h"
#include "study/gate/gate_page.h"
#include "study/report/report_result.h"
#include "study/watch/watch.h"
#include "study/zoo/zoo.h"

/* Sets what hears of a run: the caller of the request `told`. */
static void call_listen(struct sb_request *request, struct sb_call *told)
{
    request->stop = &told->stop;
    request->reopen = &told->reopen;
    request->group = &request->call->group;
    request->ranks = told->ranks;
    request->size = request->call->size;
    request->progress = sb_call_progress;
    request->bound = sb_call_bound;
    request->overheard = sb_call_line;
    request->tell = sb_call_note;
    request->alarmed = sb_call_alarm;
    request->idle = sb_call_idle;
    request->progress_state = request->bound_state = request->overheard_state = told;
    request->tell_state = request->alarmed_state = request->idle_state = told;
}

static struct sb_subject call_subject(const struct sb_request *request)
{
    const struct sb_call *const call = request->call;
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
    subject.group = request->group;
    subject.overheard = request->overheard;
    subject.overheard_state = request->overheard_state;
    return subject;
}

static const char *call_scheme(const struct sb_request *request)
{
    return request->call->schemes.count ? request->call->schemes.text[0] : NULL;
}

static enum sb_status run_report(struct sb_request *request, struct sb_error *error, struct sb_reports **reports)
{
    const struct sb_call *const call = request->call;
    const struct sb_subject subject = call_subject(request);

    if (request->evidence)
        return sb_reports_saved(request->evidence, NULL, request, error, reports);
    if (request->matrix)
        return sb_reports_recorded(request->matrix, request, error, reports);
    if (request->counts)
        return sb_reports_counted(request->counts, request, error, reports);
    if (subject.shuffle || subject.command || subject.file)
        return sb_reports_observe(&subject, request, error, reports);
    if (call->schemes.count <= 1 && sb_saved_resumes(request->save))
        return sb_reports_saved(request->save, call_scheme(request), request, error, reports);
    return sb_reports_new(call->schemes.text, call->schemes.count, request, error, reports);
}

/* A gate is a suite of one subject, so that it has the formats of a suite. */
static enum sb_status run_gates(struct sb_request *request, struct sb_error *error, struct sb_suite **suite)
{
    const struct sb_call *const call = request->call;
    const bool single = call->gates_count == 0;
    struct sb_request *const *const gates = single ? &request : call->gates;
    const size_t count = single ? 1 : call->gates_count;
    struct sb_suite_case *const cases = calloc(count, sizeof *cases);
    struct sb_subject *const subjects = calloc(count, sizeof *subjects);
    enum sb_status status = cases && subjects ? SB_OK : sb_error_memory(error, "a suite");

    for (size_t i = 0; cases && subjects && i < count; i++) {
        subjects[i] = call_subject(gates[i]);
        cases[i] = (struct sb_suite_case) {
            .name = single ? NULL : gates[i]->call->name,
            .subject = &subjects[i],
            .options = gates[i],
            .finished = single ? NULL : call->finished,
            .finished_state = call->finished_state,
        };
    }
    if (status == SB_OK)
        status = sb_suite_new(cases, count, request->jobs, error, suite);
    free(cases);
    free(subjects);
    return status;
}

static enum sb_status call_make(struct sb_request *request, struct sb_error *error, struct sb_result *result)
{
    const struct sb_call *const call = request->call;
    const struct sb_call_texts *const schemes = &call->schemes, *const words = &call->words;
    const char *const scheme = call_scheme(request);
    const struct sb_subject subject = call_subject(request);
    const struct sb_aim aim = { .scheme = scheme, .detect = request->detect, .power = request->power };
    struct sb_request options = *request;

    switch (request->of) {
    case SB_REPORT:
        return run_report(request, error, &result->reports);
    case SB_GATE:
        return run_gates(request, error, &result->suite);
    case SB_WATCH:
        return sb_watch_new(&subject, request, error, &result->watch);
    case SB_PROVE:
        return call->drawn
                   ? sb_prove_callback(call->name, call->drawn, call->shuffle_state, request, error, &result->reports)
                   : sb_prove_command(call->program.text, request, error, &result->reports);
    case SB_EXPLAIN:
        return sb_explain_new(scheme, request->step && !request->path ? "first" : request->path, request, error,
                              &result->explain);
    case SB_ODDS:
        return sb_odds_new(scheme, words->text, words->count, request, error, &result->odds);
    case SB_PLAN:
        return sb_plan_new(&aim, request, error, &result->plan);
    case SB_LAW:
        return sb_null_law_new(scheme, (size_t)request->member - 1, request, error, &result->law);
    case SB_ZOO:
        return sb_zoo_new(request, error, &result->zoo);
    case SB_BENCH:
        return sb_costs_new(schemes->text, schemes->count, request, error, &result->costs);
    case SB_MERGE:
        options.save = request->output;
        return sb_saved_merge(words->text, words->count, request->partial, &options, error);
    default:
        return sb_error_set(error, SB_INVALID, "a request to deal has no result: call sb_next()");
    }
}

struct sb_result *sb_call_run(struct sb_request *request, struct sb_error *error)
{
    static const struct {
        unsigned of;
        const struct sb_result_type *type;
    } types[] = {
        { SB_REPORT | SB_PROVE, &sb_reports_result },
        { SB_GATE, &sb_suite_result },
        { SB_WATCH, &sb_watch_result },
        { SB_EXPLAIN, &sb_explain_result },
        { SB_ODDS, &sb_odds_result },
        { SB_PLAN, &sb_plan_result },
        { SB_LAW, &sb_null_law_result },
        { SB_ZOO, &sb_zoo_result },
        { SB_BENCH, &sb_costs_result },
    };
    struct sb_result *const result = calloc(1, sizeof *result);

    if (!result) {
        sb_error_memory(error, "a result");
        return NULL;
    }
    if (call_make(request, error, result)) {
        free(result);
        return NULL;
    }
    result->of = request->of;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (types[i].of & request->of)
            result->type = types[i].type;
    return result;
}

struct sb_result *sb_run(struct sb_request *request)
{
    struct sb_call *const call = request->call;

    call->error = (struct sb_error) { .status = SB_OK };
    call->finished = sb_call_finished;
    call->finished_state = call;
    call_listen(request, call);
    for (size_t i = 0; i < call->gates_count; i++)
        call_listen(call->gates[i], call);
    struct sb_result *const result = sb_call_run(request, &call->error);

    if (!result || result->of != SB_GATE || call->gates_count || result->suite->item->gate)
        return result;
    call->error = result->suite->item->error; /* the request fails if the run of its only gate fails */
    sb_result_free(result);
    return NULL;
}

const uint32_t *sb_next(struct sb_request *request)
{
    struct sb_call *const call = request->call;
    enum sb_status status = SB_OK;

    call->error = (struct sb_error) { .status = SB_OK };
    if (!call->dealt)
        status = sb_request_group(request, &call->error, request);
    if (!call->dealt && status == SB_OK)
        status = sb_scheme_feed(call_scheme(request), request, &call->error, &call->dealt);
    return status || sb_feed_next(call->dealt, 1, &call->error) ? NULL : call->dealt->items;
}

enum sb_status sb_ranks_help(const struct sb_ranks *ranks, char error[], size_t room)
{
    struct sb_error own = { .status = SB_OK };
    const enum sb_status status = sb_ranks_serve(ranks, &own);

    if (error && room)
        snprintf(error, room, "%s", own.text);
    return status;
}

/* The results of callers of the library: texts in all formats, and single values. */

void sb_result_free(struct sb_result *result)
{
    if (!result)
        return;
    switch (result->of) {
    case SB_REPORT:
    case SB_PROVE:
        sb_reports_free(result->reports);
        break;
    case SB_GATE:
        sb_suite_free(result->suite);
        break;
    case SB_WATCH:
        sb_watch_free(result->watch);
        break;
    case SB_EXPLAIN:
        sb_explain_free(result->explain);
        break;
    case SB_ODDS:
        sb_odds_free(result->odds);
        break;
    case SB_PLAN:
        sb_plan_free(result->plan);
        break;
    case SB_LAW:
        sb_null_law_free(result->law);
        break;
    case SB_ZOO:
        sb_zoo_free(result->zoo);
        break;
    case SB_BENCH:
        sb_costs_free(result->costs);
        break;
    default:
        break;
    }
    json_decref(result->json);
    sb_call_texts_free(&result->values);
    free(result->figure);
    sb_text_free(result->text);
    free(result);
}

bool sb_look(struct sb_result *result, const char *name, const char *value)
{
    struct sb_look *const look = &result->look;
    const bool is = strcmp(value, "0") != 0;
    uint64_t columns = 0;

    if (strcmp(name, "unicode") == 0) {
        look->unicode = is;
    } else if (strcmp(name, "colour") == 0) {
        look->colour = is;
    } else if (strcmp(name, "details") == 0) {
        look->details = is;
    } else if (strcmp(name, "columns") == 0) {
        look->columns = sb_whole_number(value, 0, INT32_MAX, &columns) ? (size_t)columns : 0;
    } else if (strcmp(name, "figure") == 0) {
        free(result->figure);
        look->figure = result->figure = *value ? strdup(value) : NULL; /* "": the usual figure */
    } else {
        return false;
    }
    return true;
}

enum sb_status sb_write(struct sb_result *result, const char *format, FILE *stream)
{
    if (!result->type)
        return sb_error_set(&result->error, SB_INVALID, "a merge has no formats: report on its file");
    return sb_result_write(result->type, result->made, format, &result->look, &result->error, stream);
}

const char *sb_text(struct sb_result *result, const char *format, size_t *length)
{
    sb_text_free(result->text);
    result->text = NULL;
    if (!result->type)
        sb_error_set(&result->error, SB_INVALID, "a merge has no formats: report on its file");
    else
        sb_result_text(result->type, result->made, format, &result->look, &result->error, &result->text, length);
    return result->text;
}

const char *sb_result_error(const struct sb_result *result)
{
    return result->error.text;
}

json_t *sb_call_json(struct sb_result *result)
{
    json_error_t fault;
    size_t length = 0;

    if (!result->json && sb_text(result, "json", &length))
        result->json = sb_json_load_text(result->text, length, &fault);
    return result->json;
}

/* Finds a value by its path; NULL if there is none. */
static const json_t *result_find(struct sb_result *result, const char *path)
{
    const json_t *value = sb_call_json(result);

    while (value && *path) {
        char name[64];
        const size_t used = strcspn(path, ".");
        uint64_t index;

        snprintf(name, sizeof name, "%.*s", (int)used, path);
        value = json_is_array(value) && sb_whole_number(name, 0, SIZE_MAX / 2, &index)
                    ? json_array_get(value, (size_t)index)
                    : json_object_get(value, name);
        path += used + (path[used] == '.');
    }
    return value;
}

const char *sb_get(struct sb_result *result, const char *path)
{
    const json_t *const value = result_find(result, path);

    if (!value || json_is_null(value))
        return NULL;
    if (json_is_string(value))
        return json_string_value(value);
    char *const text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
    const char *const kept = text ? sb_call_texts_copy(&result->values, text) : NULL;

    free(text);
    return kept;
}

double sb_number(struct sb_result *result, const char *path)
{
    const json_t *const value = result_find(result, path);

    return json_is_number(value) ? json_number_value(value) : NAN;
}
