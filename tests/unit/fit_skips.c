/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a look skips changes no bit of it. The plain look takes one member at a time, for which nothing can be skipped:
 * each member's ln E, each member's bound, and the largest bound of a family. The families are those of fair
 * permutations, of permutations with a planted bias, and of permutations that are nearly all equal.
 */
#include "unit/test.h"

#include "fit/sequential.h"

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
    uint8_t small[CELLS];
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
    for (size_t j = 0; j < n; j++) {
        family.count[item[j] * n + j]++;
        family.small[item[j] * n + j]++;
    }
    family.tally.total++;
}

static void begin(size_t n, size_t lag, bool small)
{
    memset(&family, 0, sizeof family);
    family.tally = (struct sb_tally) {
        .statistic = "x",
        .members = n,
        .cells = n,
        .count = family.count,
        .small = small ? family.small : NULL,
        .lag = lag,
    };
}

static struct sb_tally member(size_t index)
{
    struct sb_tally one = family.tally;

    one.members = 1;
    one.count += index * one.cells;
    one.small = NULL;
    return one;
}

static void same(double a, double b)
{
    assert_memory_equal(&a, &b, sizeof a);
}

static void same_as_plain(void)
{
    static double high[ITEMS_MOST];
    static struct sb_e_value e[ITEMS_MOST];
    double largest = 0.1, plain_largest = 0.1;

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
            begin(items[i], plant == STAYS ? 2 : 0, items[i] >= 64);
            for (size_t t = 0; t < DEALS_MOST; t += t / 2 + 1) {
                while (family.tally.total < t)
                    add(items[i], plant);
                if (plant != FAIR && t > UINT8_MAX)
                    family.tally.small = NULL; /* some counts are above 255, and tallies drop the bytes then */
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

        begin(n, 0, true);
        for (size_t t = 0; t < 250 * (n - 1); t++) {
            for (size_t item = 0; item < n; item++) {
                const size_t cell = item * n + (item + 1 + t % (n - 1)) % n;

                family.count[cell]++;
                family.small[cell]++;
            }
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
        begin(52, 0, false);
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

/* The largest count, the excesses, and the sums of terms. */
TEST(passes_agree)
{
    enum { MEMBERS = 7, MOST = 131 };
    static double term[SB_SMALL_COUNTS][SB_SMALL_TERMS];
    uint8_t count[MEMBERS * MOST];

    for (size_t i = 0; i < SB_SMALL_COUNTS * SB_SMALL_TERMS; i++)
        term[i / SB_SMALL_TERMS][i % SB_SMALL_TERMS] = (double)below(1 << 30) / 7 - 1e7;
    for (size_t cells = 1; cells <= MOST; cells++) {
        const size_t levels = 1 + below(SB_SMALL_LEVELS_MOST);
        double sum[MEMBERS][SB_SMALL_TERMS];
        uint32_t excess[SB_SMALL_LEVELS_MOST];
        uint8_t largest = 0;

        for (size_t i = 0; i < MEMBERS * cells; i++) {
            count[i] = (uint8_t)below(levels);
            largest = count[i] > largest ? count[i] : largest;
        }
        const struct sb_tally tally = { .members = MEMBERS, .cells = cells, .small = count };

        assert_int_equal(sb_small_counts_largest(&tally), largest);
        sb_small_counts_sum(count, MEMBERS, cells, term, sum);
        sb_small_counts_excess(count, cells, levels, excess);
        for (size_t k = 0; k < MEMBERS * SB_SMALL_TERMS; k++) {
            double plain = 0;

            for (size_t i = 0; i < cells; i++)
                plain += term[count[k / SB_SMALL_TERMS * cells + i]][k % SB_SMALL_TERMS];
            same(sum[k / SB_SMALL_TERMS][k % SB_SMALL_TERMS], plain);
        }
        for (size_t j = 0; j < levels; j++) {
            uint32_t plain = 0;

            for (size_t i = 0; i < cells; i++)
                plain += count[i] > j ? (uint32_t)(count[i] - j) : 0;
            assert_int_equal(excess[j], plain);
        }
    }
}

/* In a fair family, the cover skips nearly all members once the bound is that of the largest. */
TEST(a_cover_covers)
{
    struct sb_tv_levels levels;
    struct sb_tv_coin coin;
    double largest = 0;
    size_t settled = 0;

    begin(ITEMS_MOST, 0, true);
    while (family.tally.total < 200)
        add(ITEMS_MOST, FAIR);
    assert_int_equal(sb_tv_high_largest(&family.tally, ln_level, &largest), SB_OK);
    sb_tv_coin_open(&family.tally, ln_level, &coin);
    assert_int_equal(sb_tv_levels_open(&family.tally, &coin, &levels), SB_OK);
    for (size_t i = 0; i < ITEMS_MOST; i++)
        settled += sb_tv_levels_settled(&levels, i, 1.0001 * largest);
    assert_int_equal(settled, ITEMS_MOST);
    assert_true(levels.covers);
    sb_tv_levels_close(&levels);
}

/* Two cells with equal counts: the only vertex lies on a line that goes on to the end of the curve. */
TEST(two_equal_cells)
{
    double largest = 0, plain = 0;

    begin(ITEMS_MOST, 0, true);
    family.tally.cells = 2;
    family.tally.total = 20;
    for (size_t i = 0; i < 2 * ITEMS_MOST; i++)
        family.count[i] = family.small[i] = 10;
    assert_int_equal(sb_tv_high_largest(&family.tally, 2, &largest), SB_OK);
    family.tally = member(0);
    assert_int_equal(sb_tv_high(&family.tally, 2, &plain), SB_OK);
    assert_true(plain > 0.2);
    same(largest, plain);
}
