/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a look skips, and cells that are grouped by their counts, change no number. The plain look takes one member at
 * a time, for which nothing can be skipped: each member's ln E, each member's bound, and the largest bound of a
 * family. The families are those of fair permutations, of permutations with a planted bias, and of permutations that
 * are nearly all equal.
 */
#include "unit/test.h"

#include "fit/sequential.h"

#include <math.h>
#include <string.h>

enum { ITEMS_MOST = 200, CELLS = ITEMS_MOST * ITEMS_MOST, DEALS_MOST = 700 };

enum plant { FAIR, STAYS, EQUAL, PLANTS };

static const double ln_level = 20;

static uint64_t state = 1;

static size_t below(size_t bound)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (size_t)(state >> 33) % bound;
}

static struct family {
    struct sb_tally tally;
    uint64_t count[CELLS];
    uint16_t times[ITEMS_MOST * SB_TIMES];
} family;

/* Shuffles; plant STAYS often leaves an item in place, and EQUAL nearly always. */
static void deal(size_t n, enum plant plant, size_t item[])
{
    for (size_t i = 0; i < n; i++)
        item[i] = i;
    for (size_t i = n; i-- > 1;) {
        const bool stays = plant == STAYS ? below(4) == 0 : plant == EQUAL && below(50) > 0;
        const size_t j = stays ? i : below(i + 1), here = item[i];

        item[i] = item[j];
        item[j] = here;
    }
}

/* Adds a permutation to the positions of the items. */
static void add(size_t n, enum plant plant)
{
    size_t item[ITEMS_MOST];

    deal(n, plant, item);
    for (size_t j = 0; j < n; j++)
        family.count[item[j] * n + j]++;
    family.tally.total++;
}

static void begin(size_t n, size_t lag)
{
    memset(&family, 0, sizeof family);
    family.tally = (struct sb_tally) {
        .statistic = "x",
        .members = n,
        .cells = n,
        .count = family.count,
        .lag = lag,
    };
}

/* Groups the cells by their counts, unless a count is too large. */
static void group(void)
{
    const size_t cells = family.tally.cells;

    family.tally.times = family.times;
    memset(family.times, 0, sizeof family.times);
    for (size_t i = 0; i < family.tally.members * cells; i++) {
        if (family.count[i] >= SB_TIMES)
            family.tally.times = NULL;
        family.times[i / cells * SB_TIMES + family.count[i] % SB_TIMES]++;
    }
}

static struct sb_tally member(size_t index)
{
    struct sb_tally one = family.tally;

    one.members = 1;
    one.count += index * one.cells;
    one.times = NULL;
    return one;
}

/* Equal but for the order in which terms are added up. */
static void same(double a, double b)
{
    assert_true(fabs(a - b) <= 1e-11 * (1 + fabs(b)));
}

static void same_as_plain(void)
{
    static double high[ITEMS_MOST];
    static struct sb_e_value e[ITEMS_MOST];
    double largest = 0.1, plain_largest = 0.1;

    group();
    sb_e_process(&family.tally, e);
    assert_int_equal(sb_tv_high(&family.tally, ln_level, high), SB_OK);
    assert_int_equal(sb_tv_high_largest(&family.tally, ln_level, &largest), SB_OK);
    for (size_t i = 0; i < family.tally.members; i++) {
        const struct sb_tally one = member(i);
        struct sb_e_value plain_e;
        double plain_high;

        sb_e_process(&one, &plain_e);
        same(e[i].ln_e, plain_e.ln_e);
        same(e[i].ln_best, plain_e.ln_best);
        assert_int_equal(sb_tv_high(&one, ln_level, &plain_high), SB_OK);
        same(high[i], plain_high);
        assert_int_equal(sb_tv_high_largest(&one, ln_level, &plain_largest), SB_OK);
    }
    same(largest, plain_largest);
}

TEST(looks_equal_the_plain_look)
{
    static const size_t items[] = { 2, 7, 52, 64, 100, ITEMS_MOST };

    for (size_t i = 0; i < sizeof items / sizeof items[0]; i++)
        for (enum plant plant = FAIR; plant < PLANTS; plant++) {
            begin(items[i], plant == STAYS ? 2 : 0);
            for (size_t t = 0; t < DEALS_MOST; t += t / 2 + 1) {
                while (family.tally.total < t)
                    add(items[i], plant);
                same_as_plain();
            }
        }
}

/* Turns the deck by 1, 2 ... n - 1 positions in turn, so no item stays. Then the bound of each member comes from
 * the set of all cells but one, the last that a look examines. */
TEST(a_cell_that_never_comes_is_seen)
{
    static const size_t items[] = { 3, 4, 5, 7, 16, 64 };

    for (size_t i = 0; i < sizeof items / sizeof items[0]; i++) {
        const size_t n = items[i];

        begin(n, 0);
        for (size_t t = 0; t < 250 * (n - 1); t++) {
            for (size_t item = 0; item < n; item++)
                family.count[item * n + (item + 1 + t % (n - 1)) % n]++;
            family.tally.total++;
            if (t % (25 * (n - 1)) < 2)
                same_as_plain();
        }
    }
}

/* Two families share a table: the second one's terms are those of the first. */
TEST(a_shared_table_changes_nothing)
{
    struct sb_e_table *const table = sb_e_table_new();
    static struct sb_e_value shared[ITEMS_MOST], own[ITEMS_MOST];

    assert_non_null(table);
    for (int times = 0; times < 20; times++) {
        begin(52, 0);
        for (int t = 0; t < 300 + times / 2; t++)
            add(52, times % 2 ? STAYS : FAIR);
        sb_e_process_by(table, &family.tally, shared);
        sb_e_process(&family.tally, own);
        for (size_t i = 0; i < 52; i++) {
            same(shared[i].ln_e, own[i].ln_e);
            same(shared[i].ln_best, own[i].ln_best);
        }
    }
    sb_e_table_free(table);
}

/* Two cells with equal counts: the only vertex lies on a line that goes on to the end of the curve. */
TEST(two_equal_cells)
{
    double largest = 0, plain = 0;

    begin(ITEMS_MOST, 0);
    family.tally.cells = 2;
    family.tally.total = 20;
    for (size_t i = 0; i < 2 * ITEMS_MOST; i++)
        family.count[i] = 10;
    group();
    assert_int_equal(sb_tv_high_largest(&family.tally, 2, &largest), SB_OK);
    family.tally = member(0);
    assert_int_equal(sb_tv_high(&family.tally, 2, &plain), SB_OK);
    assert_true(plain > 0.2);
    same(largest, plain);
}
