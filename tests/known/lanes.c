/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decks side by side, on every instruction set of this machine, against one deck at a time: a second
 * implementation, in scalar C with Random123's own Philox, of the words that sample/lanes/lanes.h promises
 * to each deck.
 */
#include "unit/test.h"

#include "known/lanes_one.h"
#include "sample/lanes/lanes.h"

#include <stdlib.h>
#include <string.h>

/* ---- plans
 * -------------------------------------------------------------------------------------------------- */

enum plan { FISHER_YATES, FORWARD, NAIVE, SATTOLO, TRANSPOSITIONS, TWO_ENDS, FIXED };

static void plan_make(enum plan plan, size_t n, size_t deal, struct sb_shuffler *shuffler)
{
    struct sb_swap *const steps = calloc(n, sizeof *steps);
    size_t count = 0;

    assert_non_null(steps);
    for (size_t i = 0; i < n; i++)
        switch (plan) {
        case FISHER_YATES:
            if (i > 0)
                steps[count++] = (struct sb_swap) { n - i, 1, 0, n - i + 1 };
            break;
        case FORWARD:
            if (i < deal && i + 1 < n)
                steps[count++] = (struct sb_swap) { i, 1, i, n - i };
            break;
        case NAIVE:
            steps[count++] = (struct sb_swap) { i, 1, 0, n };
            break;
        case SATTOLO: /* the last step has nothing to choose */
            if (i > 0)
                steps[count++] = (struct sb_swap) { n - i, 1, 0, n - i };
            break;
        case TRANSPOSITIONS:
            steps[count++] = (struct sb_swap) { 0, n, 0, n };
            break;
        case TWO_ENDS: /* the ranges of both places differ */
            steps[count++] = (struct sb_swap) { 0, n / 2, n / 2, n - n / 2 };
            break;
        case FIXED: /* no draw at all */
            steps[count++] = (struct sb_swap) { i, 1, n - 1 - i, 1 };
            break;
        }
    *shuffler = (struct sb_shuffler) { .n = n, .deal = deal, .count = count, .steps = steps };
}

static const struct {
    enum plan plan;
    size_t n, deal, decks;
} cases[] = {
    { FISHER_YATES, 2, 2, 300 },     { FISHER_YATES, 3, 3, 65536 },
    { FISHER_YATES, 5, 5, 20000 },   { FISHER_YATES, 8, 8, 20000 },
    { FISHER_YATES, 9, 9, 20000 },   { FISHER_YATES, 10, 10, 65536 },
    { FISHER_YATES, 11, 6, 20000 },  { FISHER_YATES, 16, 5, 20000 },
    { FISHER_YATES, 128, 3, 3000 },  { FORWARD, 4, 4, 1 },
    { FORWARD, 12, 6, 20000 },       { FORWARD, 52, 3, 20000 },
    { FORWARD, 128, 1, 1000 },       { FORWARD, 128, 3, 20000 },
    { FORWARD, 20, 5, 1000 },        { NAIVE, 3, 3, 65536 },
    { NAIVE, 7, 7, 20000 },          { NAIVE, 10, 10, 20000 },
    { NAIVE, 10, 3, 20000 },         { NAIVE, 6, 0, 1000 },
    { SATTOLO, 2, 2, 255 },          { SATTOLO, 5, 5, 256 },
    { SATTOLO, 10, 10, 257 },        { TRANSPOSITIONS, 3, 3, 65536 },
    { TRANSPOSITIONS, 8, 8, 20000 }, { TRANSPOSITIONS, 52, 2, 2000 },
    { TWO_ENDS, 7, 7, 20000 },       { FIXED, 9, 9, 1000 },
    { FISHER_YATES, 52, 52, 3000 },  { FISHER_YATES, 128, 128, 300 },
    { FORWARD, 52, 9, 16384 },       { FORWARD, 18, 9, 1000 },
    { FORWARD, 17, 9, 1000 },        { NAIVE, 52, 52, 1000 },
    { TRANSPOSITIONS, 52, 26, 300 }, { FIXED, 52, 52, 1 },
};

/* ---- decks
 * -------------------------------------------------------------------------------------------------- */

static void check_tally(const struct sb_lanes_isa *isa, const struct sb_lanes_program *program, bool series,
                        uint64_t seed, uint64_t block, size_t decks, const uint64_t by_rank[])
{
    uint64_t *const count = calloc(program->cells, sizeof *count);
    struct sb_lanes_tally tally;

    assert_non_null(count);
    assert_int_equal(sb_lanes_tally_open(program, series, &tally), SB_OK);
    isa->tally(program, seed, block, decks, &tally);
    sb_lanes_tally_add(program, &tally, count);
    assert_memory_equal(count, by_rank, program->cells * sizeof *count);
    sb_lanes_tally_close(&tally);
    free(count);
}

/* The tallies by rank and by series, where there are such, and the matrix alone. */
static void check_tallies(const struct sb_lanes_isa *isa, const struct sb_lanes_program *program, uint64_t seed,
                          uint64_t block, size_t decks, const uint64_t by_rank[], const uint64_t by_position[])
{
    const size_t n = program->n, deal = program->deal;
    uint64_t *const matrix = calloc(deal * (n + 1) + 1, sizeof *matrix);

    assert_non_null(matrix);
    isa->deal(program, seed, block, decks, NULL, matrix);
    for (size_t j = 0; j < deal; j++)
        assert_memory_equal(matrix + j * (n + 1), by_position + j * n, n * sizeof *matrix);
    free(matrix);
    if (program->cells > 0)
        check_tally(isa, program, false, seed, block, decks, by_rank);
    if (program->series > 0)
        check_tally(isa, program, true, seed, block, decks, by_rank);
}

/* The same decks as one at a time, in the same order, and the same tallies. */
static void check_case(const struct sb_lanes_isa *isa, const struct sb_shuffler *shuffler, uint64_t seed,
                       uint64_t block, size_t decks)
{
    const size_t n = shuffler->n, deal = shuffler->deal;
    struct sb_lanes_program program;
    sb_item a[SB_LANES_ITEMS_MOST] = { 0 };
    uint32_t d = 0;

    assert_int_equal(sb_lanes_prepare(shuffler, &program), SB_OK);
    assert_int_equal(program.cells, sb_cells(n, deal));
    sb_item *const items = malloc((decks * deal + 1) * sizeof *items);
    uint64_t *const by_rank = calloc(program.cells + 1, sizeof *by_rank);
    uint64_t *const by_position = calloc(n * deal + 1, sizeof *by_position);
    assert_true(items && by_rank && by_position);
    isa->deal(&program, seed, block, decks, items, NULL);
    for (size_t k = 0; k < decks; k++) {
        while (!deck_shuffle(shuffler, seed, block, d++, a)) {
        }
        assert_memory_equal(items + k * deal, a, deal * sizeof *a);
        for (size_t j = 0; j < deal; j++)
            by_position[j * n + a[j]]++;
        if (program.cells > 0)
            by_rank[sb_permutation_rank(n, deal, a)]++;
    }
    check_tallies(isa, &program, seed, block, decks, by_rank, by_position);
    free(items);
    free(by_rank);
    free(by_position);
}

TEST(decks_are_those_of_one_at_a_time)
{
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct sb_shuffler shuffler;

        plan_make(cases[k].plan, cases[k].n, cases[k].deal, &shuffler);
        for (size_t i = 0; sb_lanes_get(i); i++)
            check_case(sb_lanes_get(i), &shuffler, UINT64_C(0xdeadbeef00000001) + k, (UINT64_C(1) << 40) + k,
                       cases[k].decks);
        free(shuffler.steps);
    }
}

/* Tallies of several blocks add up, also where one byte cell gets all of them and wraps many times. */
TEST(tallies_add_up)
{
    static const size_t sizes[] = { 0, 1, 255, 256, 257, 1000, 65535, 65536 };
    const enum plan plans[] = { NAIVE, FIXED };

    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; sb_lanes_get(i); i++) {
            struct sb_shuffler shuffler;
            struct sb_lanes_program program;
            struct sb_lanes_tally tally;
            uint64_t count[24] = { 0 }, sum = 0, wanted = 0;

            plan_make(plans[k], 4, 4, &shuffler);
            assert_int_equal(sb_lanes_prepare(&shuffler, &program), SB_OK);
            assert_int_equal(sb_lanes_tally_open(&program, false, &tally), SB_OK);
            for (size_t block = 0; block < sizeof sizes / sizeof *sizes; block++) {
                sb_lanes_get(i)->tally(&program, 1, block, sizes[block], &tally);
                wanted += sizes[block];
            }
            sb_lanes_tally_add(&program, &tally, count);
            for (size_t rank = 0; rank < 24; rank++)
                sum += count[rank];
            assert_int_equal(sum, wanted);
            if (plans[k] == FIXED) /* 1234 turned around twice */
                assert_int_equal(count[0], wanted);
            sb_lanes_tally_close(&tally);
            free(shuffler.steps);
        }
}

TEST(some_plans_are_not_for_lanes)
{
    static const struct {
        size_t n, deal;
        enum sb_status expected;
    } sizes[] = {
        { 10, 10, SB_OK },   { 11, 11, SB_OK }, /* 11! deals, which have no cells */
        { 128, 128, SB_OK }, { 129, 1, SB_TOO_LARGE }, { 1, 1, SB_TOO_LARGE },
    };
    struct sb_lanes_program program;
    struct sb_shuffler shuffler;

    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        plan_make(FISHER_YATES, sizes[k].n, sizes[k].deal, &shuffler);
        assert_int_equal(sb_lanes_prepare(&shuffler, &program), sizes[k].expected);
        free(shuffler.steps);
    }
    shuffler = (struct sb_shuffler) { .n = 5, .deal = 5 }; /* plain C */
    assert_int_equal(sb_lanes_prepare(&shuffler, &program), SB_TOO_LARGE);
}

/* The number of series is the product of all bounds. There are none where they are more than 65,535, or without
 * ranks. */
TEST(few_series_are_numbered)
{
    static const struct {
        enum plan plan;
        size_t n, deal, series;
    } known[] = {
        { FISHER_YATES, 2, 2, 2 },
        { FISHER_YATES, 8, 8, 40320 },
        { FISHER_YATES, 9, 9, 0 },
        { FORWARD, 52, 2, 2652 },
        { FORWARD, 52, 3, 0 },
        { NAIVE, 6, 6, 46656 },
        { NAIVE, 7, 7, 0 },
        { SATTOLO, 5, 5, 24 },
        { TRANSPOSITIONS, 3, 3, 729 },
        { TRANSPOSITIONS, 4, 4, 0 },
        { FIXED, 9, 9, 1 },
    };
    struct sb_lanes_program program;
    struct sb_shuffler shuffler;

    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        plan_make(known[k].plan, known[k].n, known[k].deal, &shuffler);
        assert_int_equal(sb_lanes_prepare(&shuffler, &program), SB_OK);
        assert_int_equal(program.series, known[k].series);
        free(shuffler.steps);
    }
}
