/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A suite: the gate on several subjects, in sequence or in parallel. Each of `count` subjects has 1/count of alpha and
 * delta, so by the union bound these bound the error probabilities of the whole, even if the subjects depend on each
 * other. With a ledger, each subject is a run of it and takes its share from it. The findings do not depend on how
 * many gates run at once. */
#include "core/system.h"
#include "core/text.h"
#include "study/gate/gate_page.h"
#include "study/gate/gate_run.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { SUITE_NAME = 200 }; /* the most bytes of a name */

static struct sb_request suite_options(const struct sb_suite_case *one)
{
    struct sb_request options;

    sb_request_init(&options, SB_GATE);
    return one->options ? *one->options : options;
}

static bool suite_again(char *const name[], size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (name[i] && name[j] && strcmp(name[i], name[j]) == 0)
            return true;
    return false;
}

/* Rejects repeated names. Results have the names without control characters, and cut, so these must differ. */
static enum sb_status suite_check_names(const struct sb_suite_case cases[], size_t count, struct sb_error *error)
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
            status =
                sb_error_set(error, SB_INVALID, "two subjects are called '%s': give each a name of its own", name[i]);
    }
    for (size_t i = 0; i < count; i++)
        free(name[i]);
    free(name);
    return status;
}

/* Before any gate runs, rejects impossible options. Each gate has 1/shares of alpha and delta. */
static enum sb_status suite_check(const struct sb_suite_case cases[], size_t count, size_t shares,
                                  struct sb_error *error)
{
    for (size_t i = 0; i < count; i++) {
        const struct sb_request options = suite_options(&cases[i]);
        struct sb_error wrong = { 0 };

        if (!(fmin(options.alpha, options.delta) >= 1e-100 * (double)count))
            return sb_error_set(error, SB_INVALID,
                                "alpha and delta must be at least 1e-100 for each of %zu subjects: ask for more",
                                count);
        for (size_t j = 0; options.save && j < i; j++)
            if (cases[j].options && cases[j].options->save && strcmp(cases[j].options->save, options.save) == 0)
                return sb_error_set(error, SB_INVALID, "'%.200s' is the evidence of two subjects: save each elsewhere",
                                    options.save);
        const enum sb_status status = sb_gate_check(cases[i].subject, &options, shares, &wrong);

        if (status)
            return cases[i].name ? sb_error_set(error, status, "subject '%.200s': %.300s", cases[i].name, wrong.text)
                                 : sb_error_set(error, status, "%s", wrong.text);
    }
    return SB_OK;
}

static char *suite_name(const struct sb_suite_case *asked, const struct sb_gate *gate)
{
    if (asked->name || gate)
        return sb_sanitize_text(asked->name ? asked->name : sb_gate_title(gate), SUITE_NAME);
    char *const own = sb_subject_name(asked->subject), *const name = own ? sb_sanitize_text(own, SUITE_NAME) : NULL;

    free(own);
    return name;
}

static bool suite_has_ledger(const struct sb_suite_case cases[], size_t count)
{
    const char *const ledger = suite_options(&cases[0]).ledger;

    for (size_t i = 0; i < count; i++)
        if (!ledger || !suite_options(&cases[i]).ledger || strcmp(suite_options(&cases[i]).ledger, ledger) != 0)
            return false;
    return true;
}

/* State that the threads share. */
struct suite_run {
    const struct sb_suite_case *cases;
    struct sb_suite *suite;
    size_t shares;
    atomic_size_t next; /* next subject to take */
};

static void suite_try(struct suite_run *run, size_t index)
{
    const struct sb_suite_case *const asked = &run->cases[index];
    struct sb_suite_item *const item = &run->suite->item[index];
    struct sb_request options = suite_options(asked);

    if (run->shares > 1) {
        options.alpha /= (double)run->shares;
        options.delta /= (double)run->shares;
        options.given[sb_option_find(SB_GATE, "alpha") - sb_options_table] = "a share"; /* not that of saved evidence */
        options.given[sb_option_find(SB_GATE, "delta") - sb_options_table] = "a share";
    }
    if (sb_gate_new(asked->subject, &options, &item->error, &item->gate)) {
        item->gate = NULL;
        item->alpha = options.ledger ? 0 : options.alpha;
    }
    item->name = suite_name(asked, item->gate);
    if (asked->finished && item->name)
        asked->finished(asked->finished_state, item);
}

static void suite_work(void *state, size_t thread)
{
    struct suite_run *const run = state;
    size_t i;

    while ((i = atomic_fetch_add(&run->next, 1)) < run->suite->count)
        suite_try(run, i);
}

static enum sb_status suite_run(const struct sb_suite_case cases[], size_t count, size_t shares, unsigned jobs,
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

enum sb_status sb_suite_new(const struct sb_suite_case cases[], size_t count, unsigned jobs, struct sb_error *error,
                            struct sb_suite **suite)
{
    if (!cases)
        return sb_error_null(error, "the list of cases");
    if (count == 0)
        return sb_error_set(error, SB_INVALID, "a suite of no subjects: give one or more");
    const size_t shares = suite_has_ledger(cases, count) ? 1 : count;
    enum sb_status status = suite_check_names(cases, count, error);

    if (status == SB_OK)
        status = suite_check(cases, count, shares, error);
    return status ? status : suite_run(cases, count, shares, jobs, error, suite);
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
