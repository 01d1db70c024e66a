/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A suite: the gate on several subjects, in sequence or in parallel. Each of `count` subjects has 1/count of
 * alpha and delta. So by the union bound, alpha and delta bound the error probabilities of the suite as a
 * whole, even if the subjects depend on each other. If the subjects use a ledger, each subject is a run of
 * the ledger and takes its share from the ledger. No gate uses another gate's findings, so the findings do
 * not depend on how many gates run at once.
 */
#include "core/core.h"
#include "core/system.h"
#include "core/text.h"
#include "gate/gate.h"
#include "study/gate/gate_page.h"
#include "study/gate/gate_run.h"
#include "subject/subject.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { SUITE_NAME = 200 }; /* the most bytes of a name */

/* A case of the caller, copied. */
struct suite_case {
    const char *name;
    struct sb_subject subject;
    struct sb_request options;
    sb_suite_finished *finished;
    void *finished_state;
};

/* Copies the caller's cases. The caller frees *own, also after an error. */
static enum sb_status suite_read(const struct sb_suite_case cases[], size_t count, struct sb_error *error,
                                 struct suite_case **own)
{
    *own = NULL;
    if (count == 0)
        return sb_error_set(error, SB_INVALID, "a suite of no subjects: give one or more");
    *own = calloc(count, sizeof **own);
    if (!*own)
        return sb_error_memory(error, "a suite");
    for (size_t i = 0; i < count; i++) {
        struct suite_case *const one = &(*own)[i];

        *one = (struct suite_case) {
            .name = cases[i].name,
            .subject = *cases[i].subject,
            .finished = cases[i].finished,
            .finished_state = cases[i].finished_state,
        };
        sb_request_init(&one->options, SB_GATE);
        if (cases[i].options)
            one->options = *cases[i].options;
    }
    return SB_OK;
}

/* Returns whether an earlier name is the same; NULL is no name. */
static bool suite_again(char *const name[], size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (name[i] && name[j] && strcmp(name[i], name[j]) == 0)
            return true;
    return false;
}

/* Rejects repeated names. Results have the names without control characters, and cut, so these must differ. */
static enum sb_status suite_check_names(const struct suite_case cases[], size_t count, struct sb_error *error)
{
    char **const name = calloc(count, sizeof *name);
    enum sb_status status = SB_OK;

    if (!name)
        return sb_error_memory(error, "a suite");
    for (size_t i = 0; status == SB_OK && i < count; i++) {
        name[i] = cases[i].name ? sb_sanitize_text(cases[i].name, SUITE_NAME) : NULL;
        if (cases[i].name && !name[i])
            status = sb_error_memory(error, "a suite");
        else if (suite_again(name, i))
            status = sb_error_set(error, SB_INVALID,
                                  "two subjects are called '%s': give each a name of its own", name[i]);
    }
    for (size_t i = 0; i < count; i++)
        free(name[i]);
    free(name);
    return status;
}

/* Before any gate runs, rejects impossible options. Each gate has 1/shares of alpha and delta. */
static enum sb_status suite_check(const struct suite_case cases[], size_t count, size_t shares,
                                  struct sb_error *error)
{
    for (size_t i = 0; i < count; i++) {
        struct sb_error wrong = { 0 };
        const char *const name = cases[i].name;

        if (!(fmin(cases[i].options.alpha, cases[i].options.delta) >= 1e-100 * (double)count))
            return sb_error_set(
                error, SB_INVALID,
                "alpha and delta must be at least 1e-100 for each of %zu subjects: ask for more", count);
        if (count > 1 && cases[i].options.save)
            return sb_error_set(error, SB_INVALID,
                                "'%.200s': the evidence of a suite is not saved: save that of one subject",
                                cases[i].options.save);
        const enum sb_status status = sb_gate_check(&cases[i].subject, &cases[i].options, shares, &wrong);
        if (status && name)
            return sb_error_set(error, status, "subject '%.200s': %.300s", name, wrong.text);
        if (status)
            return sb_error_set(error, status, "%s", wrong.text);
    }
    return SB_OK;
}

static char *suite_name(const struct suite_case *asked, const struct sb_gate *gate)
{
    if (asked->name || gate)
        return sb_sanitize_text(asked->name ? asked->name : sb_gate_title(gate), SUITE_NAME);
    char *const own = sb_subject_name(&asked->subject), *const name =
                                                            own ? sb_sanitize_text(own, SUITE_NAME) : NULL;

    free(own);
    return name;
}

/* Returns whether all subjects use the same ledger. */
static bool suite_has_ledger(const struct suite_case cases[], size_t count)
{
    const char *const ledger = cases[0].options.ledger;

    for (size_t i = 0; i < count; i++)
        if (!ledger || !cases[i].options.ledger || strcmp(cases[i].options.ledger, ledger) != 0)
            return false;
    return true;
}

static void suite_try(const struct suite_case *asked, size_t shares, struct sb_suite_item *item)
{
    struct sb_request options = asked->options;

    options.alpha /= (double)shares;
    options.delta /= (double)shares;
    if (sb_gate_new(&asked->subject, &options, &item->error, &item->gate)) {
        item->gate = NULL;
        item->alpha = options.ledger ? 0 : options.alpha;
    }
    item->name = suite_name(asked, item->gate);
    if (asked->finished && item->name) {
        const struct sb_suite_part part = {
            .name = item->name,
            .gate = item->gate,
            .error = item->gate ? NULL : &item->error,
        };

        asked->finished(asked->finished_state, &part);
    }
}

/* State that the threads share. */
struct suite_run {
    const struct suite_case *cases;
    struct sb_suite *suite;
    size_t shares;
    atomic_size_t next; /* next subject to take */
};

static void suite_work(void *state, size_t thread)
{
    struct suite_run *const run = state;
    size_t i;

    while ((i = atomic_fetch_add(&run->next, 1)) < run->suite->count)
        suite_try(&run->cases[i], run->shares, &run->suite->item[i]);
}

static enum sb_status suite_run(const struct suite_case cases[], size_t count, size_t shares, unsigned jobs,
                                struct sb_error *error, struct sb_suite **suite)
{
    struct sb_suite *const made = calloc(1, sizeof *made);

    if (made)
        made->item = calloc(count, sizeof *made->item);
    if (!made || !made->item) {
        free(made);
        return sb_error_memory(error, "a suite");
    }
    made->count = count;
    struct suite_run run = {
        .cases = cases,
        .suite = made,
        .shares = shares,
    };

    sb_threads_run(jobs < count ? jobs : count, suite_work, &run);
    for (size_t i = 0; i < count; i++)
        if (!made->item[i].name || (!made->item[i].gate && made->item[i].error.status == SB_NO_MEMORY)) {
            sb_suite_free(made);
            return sb_error_memory(error, "a suite");
        }
    *suite = made;
    return SB_OK;
}

enum sb_status sb_suite_new(const struct sb_suite_case cases[], size_t count, unsigned jobs,
                            struct sb_error *error, struct sb_suite **suite)
{
    struct suite_case *own;

    if (!cases)
        return sb_error_null(error, "the list of cases");
    enum sb_status status = suite_read(cases, count, error, &own);
    if (status || !own) { /* `own` is there unless there was an error */
        free(own);
        return status;
    }
    const size_t shares = suite_has_ledger(own, count) ? 1 : count;

    status = suite_check_names(own, count, error);
    if (status == SB_OK)
        status = suite_check(own, count, shares, error);
    if (status == SB_OK)
        status = suite_run(own, count, shares, jobs, error, suite);
    free(own);
    return status;
}

void sb_suite_free(struct sb_suite *suite)
{
    if (!suite)
        return;
    for (size_t i = 0; i < suite->count; i++) {
        sb_gate_free(suite->item[i].gate);
        free(suite->item[i].name);
    }
    free(suite->item);
    free(suite);
}

void sb_suite_summary_get(const struct sb_suite *suite, struct sb_suite_summary *summary)
{
    *summary = (struct sb_suite_summary) {
        .verdict = sb_verdict_name(sb_suite_verdict(suite)),
        .interrupted = sb_suite_interrupted(suite),
        .count = suite->count,
    };
}

bool sb_suite_get(const struct sb_suite *suite, size_t index, struct sb_suite_part *part)
{
    if (index >= suite->count)
        return false;
    const struct sb_suite_item *const item = &suite->item[index];

    *part = (struct sb_suite_part) {
        .name = item->name,
        .gate = item->gate,
        .error = item->gate ? NULL : &item->error,
    };
    return true;
}
