/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A shuffle whose bias is as large as `exclude` passes with a probability of at most delta. The subjects here
 * have a statistic whose total variation from fair is exactly `exclude`: in a set of decks with the fair
 * probability q, they have the probability q + exclude. Alpha is tiny, so that hardly any failure
 * prevents a pass. rare.c measures small deltas.
 */
#include "gate/gate.h"
#include "promise/promise.h"
#include "study/results.h"

#include <string.h>

enum { ITEMS_MOST = 52 };

struct pass_setting {
    size_t n, deal;
    double exclude, q; /* q: probability of the set under a fair shuffle */
    bool (*in)(const uint16_t items[]);
    uint64_t limit;
    const char *cards;
    bool increments, chained;
};

struct biased_subject {
    const struct pass_setting *set;
    struct promise_random random;
    uint16_t last[ITEMS_MOST]; /* of a subject whose steps are biased: its last deck */
    bool begun;
};

/* ---- the sets, of items from 0 ---- */

static bool is_even(const uint16_t items[], size_t n)
{
    bool even = true;

    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            even ^= items[j] > items[i];
    return even;
}

static bool even_3(const uint16_t items[])
{
    return is_even(items, 3);
}

static bool even_8(const uint16_t items[])
{
    return is_even(items, 8);
}

static bool sorted_3(const uint16_t items[])
{
    return items[0] < items[1] && items[1] < items[2];
}

static bool unsorted_3(const uint16_t items[])
{
    return !sorted_3(items);
}

static bool first_half_8(const uint16_t items[])
{
    return items[0] == 0 || items[1] == 0 || items[2] == 0 || items[3] == 0;
}

static bool in_hand(const uint16_t items[])
{
    return first_half_8(items) || items[4] == 0;
}

static bool pairs(const uint16_t items[])
{
    return items[0] < 2 && items[1] < 2;
}

/* ---- the subjects ---- */

/* A fair deck; if it is outside the set, one from the set instead, with probability exclude/(1 - q). */
static int biased(void *items, size_t n, size_t size, void *state)
{
    struct biased_subject *const subject = state;
    const struct pass_setting *const set = subject->set;
    uint16_t start[ITEMS_MOST];

    memcpy(start, items, n * size);
    promise_fair(items, n, size, &subject->random);
    if (set->in(items) || promise_uniform(&subject->random) >= set->exclude / (1 - set->q))
        return 0;
    do {
        memcpy(items, start, n * size);
        promise_fair(items, n, size, &subject->random);
    } while (!set->in(items));
    return 0;
}

/* Each deck is the one before, shuffled by `biased`. The first deck is fair, so each deck is fair by itself. */
static int biased_steps(void *items, size_t n, size_t size, void *state)
{
    struct biased_subject *const subject = state;
    uint16_t *const item = items;
    uint16_t step[ITEMS_MOST];

    for (uint16_t i = 0; i < n; i++)
        step[i] = i;
    if (!subject->begun)
        promise_fair(items, n, size, &subject->random);
    else
        biased(step, n, size, state);
    for (size_t i = 0; subject->begun && i < n; i++)
        item[i] = subject->last[step[i]];
    subject->begun = true;
    memcpy(subject->last, items, n * size);
    return 0;
}

/* One of FEW decks, all equally likely. */
enum { FEW = 299 };

static int few_decks(void *items, size_t n, size_t size, void *state)
{
    struct biased_subject *const subject = state;
    struct promise_random deck = promise_seed(3, promise_below(&subject->random, FEW));

    return promise_fair(items, n, size, &deck);
}

/* ---- the trials ---- */

static struct sb_gate *gate(const struct promise_case *one, sb_own_shuffle *shuffle, uint64_t index)
{
    const struct pass_setting *const set = one->about;
    struct biased_subject state = { .set = set, .random = promise_seed(2, index) };
    const struct sb_subject subject = {
        .name = "biased",
        .shuffle = shuffle,
        .state = &state,
        .n = set->n,
        .deal = set->deal,
        .cards = set->cards,
        .chained = set->chained,
    };
    struct sb_request options;
    struct sb_error error;
    struct sb_gate *gate;

    sb_request_init(&options, SB_GATE);
    options.alpha = 1e-100;
    options.delta = 0.05;
    options.exclude = set->exclude;
    options.limit = set->limit;
    options.increments = set->increments;
    promise_check(sb_gate_new(&subject, &options, &error, &gate), one, &error);
    return gate;
}

static void pass_trial(const struct promise_case *one, uint64_t index, double outcome[])
{
    const struct pass_setting *const set = one->about;
    struct sb_gate *const found = gate(one, set->chained || set->increments ? biased_steps : biased, index);

    outcome[0] = found->verdict == SB_VERDICT_PASS;
    sb_gate_free(found);
}

/* Whether the gate rules out as many decks as there are. */
static void seeds_trial(const struct promise_case *one, uint64_t index, double outcome[])
{
    struct sb_gate *const found = gate(one, few_decks, index);

    outcome[0] = found->seeds_low > FEW;
    sb_gate_free(found);
}

#define PASSES .line = { { .promise = "a shuffle with this bias passes", .allowed = 0.05 } }, .trial = pass_trial
#define BIAS(...)                         \
    .about = &(const struct pass_setting) \
    {                                     \
        __VA_ARGS__                       \
    }

static const struct promise_case cases[] = {
    { "pass-half", "3 items, even orders up by 0.3", 5000, 40, PASSES,
      BIAS(.n = 3, .exclude = 0.3, .q = 0.5, .in = even_3, .limit = 2000) },
    { "pass-up", "3 items, one order up by 0.3", 5000, 0, PASSES,
      BIAS(.n = 3, .exclude = 0.3, .q = 1 / 6.0, .in = sorted_3, .limit = 2000) },
    { "pass-down", "3 items, one order down by 0.15", 4000, 0, PASSES,
      BIAS(.n = 3, .exclude = 0.15, .q = 5 / 6.0, .in = unsorted_3, .limit = 6000) },
    { "pass-place", "8 items, item 1 in the first half up by 0.3", 1000, 10, PASSES,
      BIAS(.n = 8, .exclude = 0.3, .q = 0.5, .in = first_half_8, .limit = 2000) },
    { "pass-parity", "8 items, even orders up by 0.3", 1000, 0, PASSES,
      BIAS(.n = 8, .exclude = 0.3, .q = 0.5, .in = even_8, .limit = 2000) },
    { "pass-hand", "5 cards of 52, one card up by 0.3", 300, 0, PASSES,
      BIAS(.n = 52, .deal = 5, .exclude = 0.3, .q = 5 / 52.0, .in = in_hand, .limit = 2000) },
    { "pass-equal", "cards A A B B, the order AABB up by 0.3", 5000, 40, PASSES,
      BIAS(.cards = "A A B B", .exclude = 0.3, .q = 1 / 6.0, .in = pairs, .limit = 2000) },
    { "pass-chained", "3 items, `--chained`, even steps up by 0.3", 5000, 0, PASSES,
      BIAS(.n = 3, .exclude = 0.3, .q = 0.5, .in = even_3, .limit = 2000, .chained = true) },
    { "pass-increments", "3 items, `--increments`, even steps up by 0.3", 3000, 0, PASSES,
      BIAS(.n = 3, .exclude = 0.3, .q = 0.5, .in = even_3, .limit = 4000, .increments = true) },
    { .name = "pass-seeds",
      .setting = "12 items, 299 decks, 43 permutations",
      .full = 5000,
      .brief = 100,
      .line = { { .promise = "a gate rules out 299 decks", .allowed = 0.05 } },
      .trial = seeds_trial,
      BIAS(.n = 12, .exclude = 0.3, .limit = 43) },
};

const struct promise_part promise_passes = { .title = "Gates: false passes",
                                             .count = sizeof cases / sizeof cases[0],
                                             .cases = cases };
