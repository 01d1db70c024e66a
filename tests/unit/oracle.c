/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Proofs of functions: exact laws, what stays open, and the errors for functions that violate the contract. */
#include "unit/ask.h"

#include <math.h>

/* ---- shuffles ---- */

static void swap(uint16_t items[], size_t i, size_t j)
{
    items_swap(items, sizeof items[0], i, j);
}

static int fisher_yates(void *items, size_t n, size_t size, struct sb_draws *draws, void *state)
{
    for (size_t i = n; i > 0; i--) /* the last draw is below 1 */
        swap(items, i - 1, sb_draws_below(draws, (uint32_t)i));
    return 0;
}

/* Half the share for the first and the last, as Math.round(Math.random() * i) has it. */
static int rounds(void *items, size_t n, size_t size, struct sb_draws *draws, void *state)
{
    for (size_t i = n - 1; i > 0; i--)
        swap(items, i, (size_t)round(sb_draws_uniform(draws) * (double)i));
    return 0;
}

/* Sorts by random keys, which is fair; but two keys in one cell are no tie. */
static int keys(void *items, size_t n, size_t size, struct sb_draws *draws, void *state)
{
    double key[16];

    for (size_t i = 0; i < n; i++)
        key[i] = sb_draws_uniform(draws);
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j > 0 && key[j - 1] > key[j]; j--) {
            const double above = key[j - 1];

            key[j - 1] = key[j];
            key[j] = above;
            swap(items, j - 1, j);
        }
    return 0;
}

/* Draws again while 2 comes up, and then exchanges the first two or not. */
static int again(void *items, size_t n, size_t size, struct sb_draws *draws, void *state)
{
    uint32_t drawn;

    do
        drawn = sb_draws_below(draws, 3);
    while (drawn == 2);
    swap(items, 0, drawn);
    return 0;
}

static int again_twice(void *items, size_t n, size_t size, struct sb_draws *draws, void *state)
{
    return again(items, n, size, draws, state) || again(items, n, size, draws, state);
}

/* The naive swap with Math.floor(Math.random() * 100) % 2, on two items. */
static int hundredths(void *items, size_t n, size_t size, struct sb_draws *draws, void *state)
{
    for (size_t i = 0; i < n; i++)
        swap(items, i, (size_t)(sb_draws_uniform(draws) * 100) % n);
    return 0;
}

/* Exchanges two items up to four times, each time with probability 3/10. */
static int exchanges(void *items, size_t n, size_t size, struct sb_draws *draws, void *state)
{
    for (int i = 0; i < 4; i++)
        if (sb_draws_uniform(draws) < 0.3)
            swap(items, 0, 1);
    return 0;
}

/* Fisher-Yates with draws below 4 that are drawn again if they are too large. */
static int rejects(void *items, size_t n, size_t size, struct sb_draws *draws, void *state)
{
    for (size_t i = n; i > 1; i--) {
        uint32_t drawn;

        do
            drawn = sb_draws_below(draws, 4);
        while (drawn >= i);
        swap(items, i - 1, drawn);
    }
    return 0;
}

static struct sb_request *proof_of(sb_drawn_shuffle *shuffle, void *state, const char *options)
{
    struct sb_request *const request = ask("prove", options);

    put(request, "name", "mine");
    sb_set_draws(request, shuffle, state);
    return request;
}

/* ---- laws ---- */

/* Checks the counts of a law, their denominator, and the probability that is not resolved. */
static void check_law(sb_drawn_shuffle *shuffle, const char *options, const char *counts, const char *denominator,
                      const char *open)
{
    struct sb_result *const result = answer(proof_of(shuffle, NULL, options));

    assert_string_equal(sb_get(result, "reports.0.evidence.counts"), counts);
    assert_string_equal(sb_get(result, "reports.0.evidence.denominator"), denominator);
    assert_string_equal(sb_get(result, "reports.0.evidence.unresolved"), open);
    sb_result_free(result);
}

TEST(numbers_that_do_not_fit_their_cells_are_seen)
{
    /* Position 3 gets 0, 1, 2 for u below 1/4, below 3/4, and from there on; 1/4 and 3/4 are within sixths. */
    check_law(rounds, "n=3", "[\"1\",\"2\",\"1\",\"1\",\"2\",\"1\"]", "12", "1/3");
    check_law(rounds, "n=3 cells=4", "[\"1\",\"2\",\"1\",\"1\",\"2\",\"1\"]", "8", "0");
    /* Of 216 triples of sixths 120 are all different; a tie at the middle is none at the ends. */
    check_law(keys, "n=3", "[\"5\",\"5\",\"5\",\"5\",\"5\",\"5\"]", "54", "4/9");
}

TEST(trees_without_end_are_cut)
{
    /* Each draw is the last with 2/3: after 5 of them 3^-5 is left. */
    check_law(again, "n=2 max-draws=5", "[\"121\",\"121\"]", "243", "1/243");
    /* Of 41 draws, at most one is not 2 with (1 + 2 * 41) / 3^41. The denominator is beyond 64 bits. */
    check_law(again_twice, "n=2 max-draws=41", "[\"18236498188585393160\",\"18236498188585393160\"]",
              "36472996377170786403", "83/36472996377170786403");
    /* After 38 draws, 3^-38 is left, which is below 2^-60. One answer to draw 39 was tried already. */
    check_law(again, "n=2 max-draws=1000", "[\"2026277576509488133\",\"2026277576509488132\"]", "4052555153018976267",
              "2/4052555153018976267");
}

TEST(large_trees_are_refused_with_an_estimate)
{
    check_refused(proof_of(naive_drawn, NULL, "n=7 max-paths=100000"), SB_TOO_LARGE,
                  "about 8.2e+05 series of answers"); /* 7^7 */
    /* three numbers, with six cells each or with two */
    check_refused(proof_of(keys, NULL, "n=3 cells=6 max-paths=100"), SB_TOO_LARGE, "about 2.2e+02 series of answers");
    check_refused(proof_of(keys, NULL, "n=3 cells=6 max-paths=100"), SB_TOO_LARGE,
                  "or use `cells=2` (about 8 series) if it is but a coin");
}

/* ---- verdicts ---- */

/* A law that is open in part is biased if one deal has too much already, and only then. */
TEST(verdicts_do_not_lean_on_what_is_open)
{
    static const struct {
        sb_drawn_shuffle *shuffle;
        const char *options, *verdict, *says;
    } cases[] = {
        { naive_drawn, "", "biased", "132, 213 and 231 come up 11% too often" },
        { fisher_yates, "", "uniform", "each of the 6 orders is equally likely" },
        { keys, "", "inconclusive", "nothing shows a bias yet" },
        { rounds, "", "inconclusive", "nothing shows a bias yet" },
        { rounds, "cells=49", "biased", "whatever the rest of the probability does" },
        /* 50 of the 100 numbers are even, so each draw is fair, and so is the naive swap of two items */
        { hundredths, "n=2 cells=2", "inconclusive", "" },
        { hundredths, "n=2 cells=100", "uniform", "" },
        /* an even number of exchanges has probability (1 + (1 - 6/10)^4) / 2 = 641/1250; effects that cancel out are
           seen */
        { exchanges, "n=2 cells=1", "inconclusive", "" },
        { exchanges, "n=2 cells=10", "biased", "" },
        /* 2 comes up 25 times in a row with probability 3^-25 = 1.2e-12, and 26 times with probability 3.9e-13: the
         * limit of a law that is called uniform is 1e-12 */
        { again, "n=2 max-draws=25", "inconclusive", "bias is at most 1.2e-12 in total variation" },
        { again, "n=2 max-draws=26", "uniform", "to within 4.0e-13" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sb_result *const result = answer(proof_of(cases[i].shuffle, NULL, cases[i].options));

        check_value(result, "reports.0.verdict", cases[i].verdict);
        if (!strstr(sb_get(result, "reports.0.sentence"), cases[i].says))
            fail_msg("%zu: %s", i, sb_get(result, "reports.0.sentence"));
        sb_result_free(result);
    }
}

/* ---- broken words ---- */

static int doubled(void *items, size_t n, size_t size, struct sb_draws *draws, void *state)
{
    naive_drawn(items, n, size, draws, state);
    if (((uint16_t *)items)[0] == 2)
        ((uint16_t *)items)[1] = 2;
    return 0;
}

static int outside(void *items, size_t n, size_t size, struct sb_draws *draws, void *state)
{
    naive_drawn(items, n, size, draws, state);
    ((uint16_t *)items)[0] = (uint16_t)n;
    return 0;
}

static int boundless(void *items, size_t n, size_t size, struct sb_draws *draws, void *state)
{
    swap(items, 0, sb_draws_below(draws, 0));
    return 0;
}

/* Draws more often than the oracle has patience for. */
static int endless(void *items, size_t n, size_t size, struct sb_draws *draws, void *state)
{
    for (int i = 0; i < 10000; i++)
        sb_draws_below(draws, 2);
    return 0;
}

TEST(broken_words_are_named)
{
    check_refused(proof_of(doubled, NULL, "n=3"), SB_SUBJECT, "item 2 stands twice");
    check_refused(proof_of(outside, NULL, "n=3"), SB_SUBJECT, "item 3 at position 0 of a deck of 3");
    check_refused(proof_of(boundless, NULL, "n=3"), SB_SUBJECT, "bounds are 1 or more");
    check_refused(proof_of(endless, NULL, "n=3 max-draws=100"), SB_SUBJECT, "does it end?");
}

struct counter {
    unsigned calls;
    unsigned late; /* the call that asks for one more draw */
};

/* Asks for a draw, and leaves all items where they are. */
static int asks(void *items, size_t n, size_t size, struct sb_draws *draws, void *state)
{
    struct counter *const counter = state;

    sb_draws_below(draws, 3);
    if (++counter->calls == counter->late)
        sb_draws_below(draws, 3);
    return 0;
}

/* After a proof has followed all paths, it repeats some. A function that asks otherwise then has a hidden state, even
 * if its decks are as before. */
TEST(a_question_too_many_is_found_in_any_repeat)
{
    enum { REPEATS = 64 }; /* the last calls of a proof with few paths */
    struct counter steady = { .late = 0 };

    sb_result_free(answer(proof_of(asks, &steady, "n=2")));
    assert_true(steady.calls > REPEATS + 3); /* first an estimate, and the three paths */
    for (unsigned late = steady.calls - REPEATS + 1; late <= steady.calls; late++) {
        struct counter counter = { .late = late };

        check_refused(proof_of(asks, &counter, "n=2"), SB_SUBJECT, "the same answers do not lead to the same shuffle");
    }
}

/* The error shows the run that was repeated, and what came in its place. */
TEST(both_runs_are_shown)
{
    struct counter steady = { .late = 0 };
    unsigned then, now;

    sb_result_free(answer(proof_of(asks, &steady, "n=2")));
    struct counter counter = { .late = steady.calls };
    struct sb_request *const request = proof_of(asks, &counter, "n=2");

    assert_null(sb_run(request));
    const char *const shown = strstr(sb_error(request), "first '");
    int end = 0;

    assert_non_null(shown);
    sscanf(shown, "first 'draw 3: %u, deck 0 1', then 'draw 3: %u, draw 3'%n", &then, &now, &end);
    if (end == 0 || shown[end] != '\0' || then != now || then > 2)
        fail_msg("%s", shown);
    sb_request_free(request);
}

enum { DIGITS = 4, BASE = 8, PATHS = 4096, PROBES = 64, FROM = 512, TO = 2048 };

struct visits {
    unsigned calls;
    unsigned first[PATHS]; /* the call in which the answers came first, from 1; the calls for an estimate not counted */
};

/* Leaves all items where they are, but exchanges two if it is asked again what it was asked in calls FROM to TO. */
static int remembers(void *items, size_t n, size_t size, struct sb_draws *draws, void *state)
{
    struct visits *const visits = state;
    unsigned path = 0;

    for (int i = 0; i < DIGITS; i++)
        path = BASE * path + sb_draws_below(draws, BASE);
    if (++visits->calls <= PROBES)
        return 0;
    if (visits->first[path] == 0)
        visits->first[path] = visits->calls - PROBES;
    else if (visits->first[path] > FROM && visits->first[path] <= TO)
        swap(items, 0, 1);
    return 0;
}

/* The repeats are from all of the 4,096 paths, not from the first and the last alone. Of 1,024 of them, none is among
 * the 1,536 with probability 0.625^1024. */
TEST(repeats_are_from_all_paths)
{
    struct visits visits = { .calls = 0 };

    check_refused(proof_of(remembers, &visits, "n=2"), SB_SUBJECT, "the same answers do not lead to the same shuffle");
    assert_true(visits.calls > PROBES + PATHS);
}

/* ---- progress ---- */

struct seen {
    uint64_t calls, total, halfway; /* `halfway` is the total after 500 paths */
};

static int look(void *state, const char *event, const char *text, uint64_t done, uint64_t total)
{
    struct seen *const seen = state;

    if (strcmp(event, "progress") != 0)
        return 0;
    assert_string_equal(text, "mine");
    assert_int_equal(done, ++seen->calls);
    assert_true(done <= total);
    seen->total = total;
    if (done == 500)
        seen->halfway = total;
    return 0;
}

/* The paths so far, and how many there will probably be: to the end of a tree, or to the limit. */
TEST(progress_is_told)
{
    struct seen with_end = { 0 }, without_end = { 0 };
    struct sb_request *const one = proof_of(naive_drawn, NULL, "n=4"), *const other = proof_of(rejects, NULL,
                                                                                               "n=3 max-paths=1000");

    sb_on(one, look, &with_end);
    sb_on(other, look, &without_end);
    sb_result_free(answer(one));
    sb_result_free(answer(other));
    assert_true(with_end.calls == 256 && with_end.total == 256);
    assert_true(without_end.calls == 1000 && without_end.total == 1000 && without_end.halfway == 1000);
}
