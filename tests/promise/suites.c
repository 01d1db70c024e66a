/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A suite of fair shuffles has a failure with a probability of at most alpha, however many subjects it has and
 * however they depend on each other. In half of the trials, all subjects have the same random numbers. A subject
 * with the excluded bias passes with a probability of at most delta.
 */
#include "gate/gate.h"
#include "promise/promise.h"
#include "study/results.h"

enum { SUBJECTS = 5 };

struct suite_setting {
    bool biased; /* the first subject is a shuffle of three items with even orders up by 0.3 */
};

static void suite_trial(const struct promise_case *one, uint64_t index, double outcome[])
{
    static const size_t n[SUBJECTS] = { 3, 3, 2, 0, 6 }, deal[SUBJECTS] = { 0, 1, 0, 0, 2 };
    static const char *const names[SUBJECTS] = { "a", "b", "c", "d", "e" };
    const struct suite_setting *const set = one->about;
    struct promise_random random[SUBJECTS];
    struct sb_subject subject[SUBJECTS];
    struct sb_suite_case cases[SUBJECTS];
    struct sb_request options;
    struct sb_suite *suite;
    struct sb_error error;

    sb_request_init(&options, SB_GATE);
    options.alpha = set->biased ? 1e-99 : 0.1;
    options.delta = 0.1;
    options.exclude = 0.3;
    options.limit = 400;
    for (size_t i = 0; i < SUBJECTS; i++) {
        random[i] = promise_seed(6, index % 2 ? index : index * SUBJECTS + i);
        subject[i] = (struct sb_subject) { .shuffle = set->biased && i == 0 ? promise_biased : promise_fair,
                                           .state = &random[i],
                                           .n = n[i],
                                           .deal = deal[i],
                                           .cards = n[i] ? NULL : "A A B" };
        cases[i] = (struct sb_suite_case) { .name = names[i], .subject = &subject[i], .options = &options };
    }
    promise_check(sb_suite_new(cases, SUBJECTS, 1, &error, &suite), one, &error);
    outcome[0] = false;
    for (size_t i = 0; i < suite->count; i++) {
        const struct sb_suite_item *const item = &suite->item[i];

        promise_check(item->gate ? SB_OK : item->error.status, one, &item->error);
        if (item->gate->verdict == (set->biased && i == 0 ? SB_VERDICT_PASS : SB_VERDICT_FAIL))
            outcome[0] = true;
    }
    sb_suite_free(suite);
}

static const struct promise_case cases[] = {
    { .name = "suite",
      .setting = "five subjects",
      .full = 8000,
      .brief = 40,
      .line = { { .promise = "a suite of fair shuffles fails", .allowed = 0.1 } },
      .trial = suite_trial,
      .about = &(const struct suite_setting) { false } },
    { .name = "suite-biased",
      .setting = "five subjects, one biased by 0.3",
      .full = 2000,
      .brief = 0,
      .line = { { .promise = "the biased subject passes", .allowed = 0.1 } },
      .trial = suite_trial,
      .about = &(const struct suite_setting) { true } },
};

const struct promise_part promise_suites = { .title = "Suites",
                                             .count = sizeof cases / sizeof cases[0],
                                             .cases = cases };
