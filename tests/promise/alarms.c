/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A fair shuffle fails with a probability of at most alpha, over all looks of a gate. In most cases, a trial is
 * a gate as a C program runs it, with all statistics, lags, bets and the catalogue. "gate-3" runs the parts of
 * the gate itself, so that a million trials can share one catalogue. Alpha is large, so that some trials
 * fail; the code is the same for every alpha. rare.c measures small ones.
 */
#include "calibration/whole_trial.h"
#include "core/calls.h"
#include "promise/promise.h"

#include <stdlib.h>

static void whole_alarm(const struct promise_case *one, uint64_t index, double outcome[])
{
    static struct whole whole; /* of this process; never closed */

    if (!whole.rng) {
        whole_prepare();
        if (!whole_open(&whole))
            abort();
    }
    outcome[0] = whole_trial(&whole, one->about, true, (unsigned long)index + 1).verdict == SB_VERDICT_FAIL;
}

struct alarm_setting {
    size_t n, deal;
    double alpha, delta, exclude, tolerate;
    uint64_t limit, seeds;
    const char *cards, *profile, *fair;
    bool increments, chained;
    bool alarms_only; /* no gate passes, which saves the time for upper bounds */
    struct sb_grouping grouping;
};

static void alarm_trial(const struct promise_case *one, uint64_t index, double outcome[])
{
    const struct alarm_setting *const set = one->about;
    struct promise_random random = promise_seed(1, index);
    const struct sb_subject subject = {
        .name = "fair",
        .shuffle = set->fair ? promise_deranged : promise_fair,
        .state = &random,
        .n = set->n,
        .deal = set->deal,
        .cards = set->cards,
        .chained = set->chained,
        .grouping = set->grouping,
    };
    struct sb_request options;
    struct sb_error error;
    struct sb_gate *gate;

    sb_request_init(&options, SB_GATE);
    options.alpha = set->alpha;
    options.delta = set->delta;
    options.exclude = set->exclude;
    options.tolerate = set->tolerate;
    options.limit = set->limit ? set->limit : options.limit;
    options.seeds = set->seeds;
    options.profile = set->profile;
    options.fair = set->fair;
    promise_no_bounds = set->alarms_only;
    options.increments = set->increments;
    promise_check(sb_gate_new(&subject, &options, &error, &gate), one, &error);
    outcome[0] = gate->verdict == SB_VERDICT_FAIL;
    sb_gate_free(gate);
}

#define FAILS(level)                                              \
    {                                                             \
        {                                                         \
            .promise = "a fair shuffle fails", .allowed = (level) \
        }                                                         \
    }
#define GATE(...)                                                                     \
    .line = FAILS(0.05), .trial = alarm_trial, .about = &(const struct alarm_setting) \
    {                                                                                 \
        .alpha = 0.05, .delta = 0.05, __VA_ARGS__                                     \
    }

static const struct promise_case cases[] = {
    { .name = "gate-3",
      .setting = "3 items, `--exclude 0.4`",
      .full = 1000000,
      .brief = 1000,
      .line = FAILS(0.001),
      .trial = whole_alarm,
      .about = &(const struct sb_gate_terms) { .alpha = 0.001, .delta = 0.05, .exclude = 0.4, .limit = 100000 } },
    { "gate-2", "2 items", 10000, 0, GATE(.n = 2, .exclude = 0.2) },
    { "gate-4", "4 items", 4000, 40, GATE(.n = 4, .exclude = 0.3) },
    { "gate-limit", "3 items, no pass, `--limit 1000`", 4000, 0, GATE(.n = 3, .exclude = 0.001, .limit = 1000) },
    { "gate-tolerate", "3 items, `--tolerate 0.1`", 4000, 0, GATE(.n = 3, .exclude = 0.4, .tolerate = 0.1) },
    { "gate-chained", "4 items, `--chained`", 4000, 40, GATE(.n = 4, .exclude = 0.3, .chained = true) },
    { "gate-increments", "4 items, `--increments`", 4000, 0, GATE(.n = 4, .exclude = 0.4, .increments = true) },
    { "gate-deal-1", "one card of 5", 4000, 40, GATE(.n = 5, .deal = 1, .exclude = 0.3) },
    { "gate-hand", "5 cards of 52", 300, 0, GATE(.n = 52, .deal = 5, .exclude = 0.3) },
    { "gate-equal", "cards A A B B", 4000, 40, GATE(.cards = "A A B B", .exclude = 0.3) },
    { "gate-sets", "sets of 3 of 8, at most 400", 20000, 20, .line = FAILS(0.01), .trial = alarm_trial,
      .about = &(const struct alarm_setting) { .alpha = 0.01,
                                               .delta = 0.05,
                                               .n = 8,
                                               .deal = 3,
                                               .exclude = 0.4,
                                               .limit = 400,
                                               .grouping = { .sets = true } } },
    { "gate-lottery", "sets of 6 of 49, at most 300", 400, 4,
      GATE(.n = 49, .deal = 6, .exclude = 0.3, .limit = 300, .grouping = { .sets = true }) },
    { "gate-lottery-only", "sets of 6 of 49, no pass, `--limit 500`", 20000, 20, .line = FAILS(0.01),
      .trial = alarm_trial,
      .about = &(const struct alarm_setting) { .alpha = 0.01,
                                               .delta = 0.05,
                                               .n = 49,
                                               .deal = 6,
                                               .exclude = 0.3,
                                               .limit = 500,
                                               .alarms_only = true,
                                               .grouping = { .sets = true } } },
    { "gate-derangement", "6 items, `--fair derangement`, no pass, `--limit 500`", 20000, 20, .line = FAILS(0.01),
      .trial = alarm_trial,
      .about = &(const struct alarm_setting) { .alpha = 0.01,
                                               .delta = 0.05,
                                               .n = 6,
                                               .exclude = 0.3,
                                               .limit = 500,
                                               .alarms_only = true,
                                               .fair = "derangement" } },
    { "gate-hole", "sets of 2 of 52, at most 300", 400, 4,
      GATE(.n = 52, .deal = 2, .exclude = 0.3, .limit = 300, .grouping = { .sets = true }) },
    { "gate-bridge", "four hands of 13, at most 100", 200, 0,
      GATE(.n = 52, .exclude = 0.3, .limit = 100, .grouping = { .hands = "13,13,13,13" }) },
    { "gate-teams", "two teams of 4 without names, at most 400", 2000, 20,
      GATE(.n = 8, .exclude = 0.4, .limit = 400, .grouping = { .hands = "4,4", .unordered = true }) },
    { "gate-8", "8 items, with the bettor", 1000, 20, GATE(.n = 8, .exclude = 0.3, .limit = 5000) },
    { "gate-12", "12 items, with repeated decks", 1000, 0, GATE(.n = 12, .exclude = 0.3) },
    { "gate-52", "52 items", 500, 4, GATE(.n = 52, .exclude = 0.3) },
    { "gate-52-only", "52 items, no pass, `--limit 5000`", 10000, 10, .line = FAILS(0.001), .trial = alarm_trial,
      .about =
          &(const struct alarm_setting) {
              .alpha = 0.001, .delta = 0.05, .n = 52, .exclude = 0.3, .limit = 5000, .alarms_only = true } },
    { "gate-cards", "52 items, `--profile cards`", 200, 0, GATE(.n = 52, .exclude = 0.3, .profile = "cards") },
    { "gate-seeds", "52 items, `--seeds 1e5`", 200, 0, GATE(.n = 52, .exclude = 0.3, .seeds = 100000) },
    { "gate-200", "200 items", 100, 0, GATE(.n = 200, .exclude = 0.4) },
    { "gate-2000", "2,000 items, `--limit 60`", 30, 0, GATE(.n = 2000, .exclude = 0.5, .limit = 60) },
};

const struct promise_part promise_alarms = { .title = "Gates: false alarms",
                                             .count = sizeof cases / sizeof cases[0],
                                             .cases = cases };
