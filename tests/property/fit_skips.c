/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a look skips changes no bit of it. The plain look takes one member at a time, for which nothing can be skipped:
 * each member's ln E, each member's bound, and the largest bound of a family. The families are those of fair
 * permutations, of permutations with a planted bias, and of permutations that are nearly all equal.
 */
#include "unit/test.h"

#include "fit/sequential.h"
#include "known/assert_near.h"

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

/* E-values whose terms are added up in another order; their error is documented as 1e-9. */
static void nearly_same(double a, double b)
{
    assert_true(a == b || fabs(a - b) <= 1e-10 * fmax(1, fabs(a)));
}

static void same_as_plain(void)
{
    static double high[ITEMS_MOST];
    static struct sb_e_value e[ITEMS_MOST];
    double largest = 0.1, plain_largest = 0.1;

    sb_e_process(&family.tally, e);
    assert_int_equal(sb_tv_high(&family.tally, ln_level, high), SB_OK);
    assert_int_equal(sb_tv_high_largest(&family.tally, ln_level, 0, &largest), SB_OK);
    for (size_t i = 0; i < family.tally.members; i++) {
        const struct sb_tally one = member(i);
        struct sb_e_value plain_e;
        double plain_high;

        sb_e_process(&one, &plain_e);
        nearly_same(e[i].ln_e, plain_e.ln_e);
        nearly_same(e[i].ln_best, plain_e.ln_best);
        assert_int_equal(sb_tv_high(&one, ln_level, &plain_high), SB_OK);
        same(high[i], plain_high);
        assert_int_equal(sb_tv_high_largest(&one, ln_level, 0, &plain_largest), SB_OK);
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
    static double term[SB_SMALL_COUNT_MOST + 1][SB_SMALL_TERMS];
    uint8_t count[MEMBERS * MOST];

    for (size_t i = 0; i < (SB_SMALL_COUNT_MOST + 1) * SB_SMALL_TERMS; i++)
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
        sb_small_counts_sum(count, MEMBERS, cells, largest, term, sum);
        sb_small_counts_excess(count, cells, levels, excess);
        for (size_t k = 0; k < MEMBERS * SB_SMALL_TERMS; k++) {
            double plain = 0, size = 0;

            for (size_t i = 0; i < cells; i++) {
                plain += term[count[k / SB_SMALL_TERMS * cells + i]][k % SB_SMALL_TERMS];
                size += fabs(term[count[k / SB_SMALL_TERMS * cells + i]][k % SB_SMALL_TERMS]);
            }
            assert_true(fabs(sum[k / SB_SMALL_TERMS][k % SB_SMALL_TERMS] - plain) <= 1e-14 * size);
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
    assert_int_equal(sb_tv_high_largest(&family.tally, ln_level, 0, &largest), SB_OK);
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
    assert_int_equal(sb_tv_high_largest(&family.tally, 2, 0, &largest), SB_OK);
    family.tally = member(0);
    assert_int_equal(sb_tv_high(&family.tally, 2, &plain), SB_OK);
    assert_true(plain > 0.2);
    same(largest, plain);
}

/* ---- the bound on e-values, which lets a look skip them ---- */

/*
 * The bound on e-values against the e-values themselves, for counts that are fair, loaded, and as far off as
 * possible.
 */

enum { E_BOUND_CELLS_MOST = 120 };

/* Knuth's 64-bit linear congruential generator: a number below 1. */
static double number(uint64_t *word)
{
    *word = *word * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*word >> 11) * 0x1p-53;
}

/* A law of so many cells: all alike; in proportion to 1, 2, 3 and so on; or each 30 times as likely as the next. */
enum shape { SHAPE_EVEN, SHAPE_RISING, SHAPE_STEEP, SHAPES };

static void law_of(size_t cells, enum shape shape, double ln_p[])
{
    double sum = 0;

    for (size_t i = 0; i < cells; i++) {
        ln_p[i] = shape == SHAPE_RISING ? log((double)i + 1) : shape == SHAPE_STEEP ? -(double)i * log(30) : 0;
        sum += exp(ln_p[i]);
    }
    for (size_t i = 0; i < cells; i++)
        ln_p[i] -= log(sum);
}

/* How deals miss the law. */
enum off { OFF_NOT, OFF_LOADED, OFF_MISSING, OFF_HALF, OFF_FIRST, OFF_LAST, OFFS };

/* A cell that the law gives, or that comes in its place. */
static size_t cell_of(enum off off, size_t cells, const double ln_p[], uint64_t *random)
{
    double u = number(random);
    size_t cell = 0;

    while (cell + 1 < cells && u >= exp(ln_p[cell]))
        u -= exp(ln_p[cell++]);
    switch (off) {
    case OFF_LOADED:
        return number(random) < 0.1 ? 0 : cell;
    case OFF_MISSING:
        return cell == 0 ? cells - 1 : cell;
    case OFF_HALF:
        return cell / 2;
    case OFF_FIRST:
        return 0;
    case OFF_LAST:
        return cells - 1;
    default:
        return cell;
    }
}

/* ln E is at most the bound. Fixed seed. */
TEST(it_is_a_bound)
{
    static const size_t some_cells[] = { 2, 3, 5, 24, E_BOUND_CELLS_MOST };
    uint64_t random = 1;

    for (size_t c = 0; c < 5 * SHAPES; c++) {
        const size_t cells = some_cells[c / SHAPES];
        double ln_p[E_BOUND_CELLS_MOST];
        struct sb_e_cell cell[E_BOUND_CELLS_MOST];

        law_of(cells, c % SHAPES, ln_p);
        for (enum off off = OFF_NOT; off < OFFS; off++) {
            uint64_t count[E_BOUND_CELLS_MOST] = { 0 }, then[E_BOUND_CELLS_MOST];
            struct sb_tally tally = { .members = 1, .cells = cells, .count = count, .ln_p = c % SHAPES ? ln_p : NULL };
            const size_t possible = sb_e_bound_cells(&tally, cell);

            for (size_t i = 0; i < cells; i++)
                then[i] = 7 * i;
            for (tally.total = 1; tally.total <= 20000; tally.total++) {
                count[cell_of(off, cells, ln_p, &random)]++;
                if (tally.total > 20 && tally.total % 97)
                    continue;
                uint64_t now[E_BOUND_CELLS_MOST];
                struct sb_e_value e;

                for (size_t i = 0; i < cells; i++)
                    now[i] = then[i] + count[i];
                sb_e_process(&tally, &e);
                const struct sb_e_bound bound = sb_e_bound_of(cell, cells, now, then, tally.total);

                assert_true(e.ln_e <= sb_e_bound_ln_e(&bound, possible));
                assert_true(bound.sum >= -1e-9 && bound.empty >= 0 && bound.empty <= (double)cells);
            }
        }
    }
}

/* Counts of a sum that can be done by hand: 2 of 4 deals in one of three cells, 2 in another. */
TEST(sums_by_hand)
{
    const uint64_t now[] = { 2, 2, 0 }, then[] = { 0, 0, 0 };
    const struct sb_tally tally = { .members = 1, .cells = 3 };
    struct sb_e_cell cell[3];

    assert_int_equal(sb_e_bound_cells(&tally, cell), 3);
    const struct sb_e_bound bound = sb_e_bound_of(cell, 3, now, then, 4); /* x = 2/3, 2/3, -4/3; q t = 4/3 */

    assert_within(bound.sum, (1.0 / 3 + 1.0 / 3 + 4.0 / 3) / 2 + 4.0 / 3 / 2, 1e-15);
    assert_within(bound.empty, 1, 1e-15);
    assert_within(sb_e_bound_ln_e(&bound, 3), 5.0 / 3 - 0.5 - 0.5 * log(10.0 / 3) + 0.125, 1e-14);
}

/* One deal that cannot be is worth any evidence; a law of one cell says nothing else. */
TEST(cells_that_cannot_occur)
{
    const double ln_p[] = { -HUGE_VAL, 0, -HUGE_VAL };
    const uint64_t then[] = { 0, 5, 0 }, fine[] = { 0, 1005, 0 }, never[] = { 0, 1004, 1 };
    const struct sb_tally tally = { .members = 1, .cells = 3, .ln_p = ln_p };
    struct sb_e_cell cell[3];

    assert_int_equal(sb_e_bound_cells(&tally, cell), 1);
    const struct sb_e_bound nothing = sb_e_bound_of(cell, 3, fine, then, 1000);
    const struct sb_e_bound much = sb_e_bound_of(cell, 3, never, then, 1000);

    assert_within(sb_e_bound_ln_e(&nothing, 1), 0.125, 1e-9);
    assert_true(sb_e_bound_ln_e(&much, 1) > 1e6);
}

/* A cell that is too rare for its probability to be a double, and empty: it does not count, as in D. */
TEST(extremely_rare_cells)
{
    const double ln_p[] = { 0, -1e5, -1e4, -300 };
    const uint64_t now[] = { 1000, 0, 0, 0 }, then[] = { 0, 0, 0, 0 };
    const struct sb_tally tally = { .members = 1, .cells = 4, .ln_p = ln_p };
    struct sb_e_cell cell[4];

    assert_int_equal(sb_e_bound_cells(&tally, cell), 1);
    const struct sb_e_bound bound = sb_e_bound_of(cell, 4, now, then, 1000);

    assert_within(sb_e_bound_ln_e(&bound, 1), 0.125, 1e-9);
}
