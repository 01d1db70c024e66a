/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * E-processes as the martingales that they are: their mean over all series of cells is 1. tests/certified encloses
 * their values.
 */
#include "unit/test.h"

#include "fit/sequential.h"
#include "unit/assert_near.h"

#include <gmp.h>
#include <math.h>

enum { CELLS_MOST = 8 };

/* A null law of `cells`, weight/sum each; NULL weights: equally likely. */
struct law {
    size_t cells;
    const unsigned *weight;
};

static const struct law laws[] = {
    { 1, NULL },
    { 2, NULL },
    { 3, NULL },
    { 6, NULL },
    { 7, NULL },
    { 8, NULL },
    { 2, (const unsigned[]) { 1, 3 } },
    { 3, (const unsigned[]) { 1, 2, 3 } },
    { 4, (const unsigned[]) { 1, 0, 50, 3 } },
    { 7, (const unsigned[]) { 1, 2, 3, 4, 5, 6, 7 } },
    { 8, (const unsigned[]) { 0, 2, 3, 0, 5, 6, 7, 1 } },
};

static unsigned law_weight(const struct law *law, size_t cell)
{
    return law->weight ? law->weight[cell] : 1;
}

static unsigned law_sum(const struct law *law)
{
    unsigned sum = 0;

    for (size_t i = 0; i < law->cells; i++)
        sum += law_weight(law, i);
    return sum;
}

/* The e-value of one member under the law. */
static struct sb_e_value value_of(const struct law *law, const uint64_t count[])
{
    double ln_p[CELLS_MOST];
    struct sb_tally tally = { .statistic = "x", .members = 1, .cells = law->cells, .count = count };
    struct sb_e_value value;

    for (size_t i = 0; i < law->cells; i++) {
        ln_p[i] = log((double)law_weight(law, i) / law_sum(law));
        tally.total += count[i];
    }
    tally.ln_p = law->weight ? ln_p : NULL;
    sb_e_process(&tally, &value);
    return value;
}

/* One that has been seen settles the matter; as long as it is not, it is as if it were not there. */
TEST(impossible_cells)
{
    static const unsigned without[] = { 1, 3 }, with[] = { 1, 0, 3 };
    static const struct law two = { 2, without }, more = { 3, with };

    assert_true(value_of(&more, (uint64_t[]) { 7, 0, 9 }).ln_e == value_of(&two, (uint64_t[]) { 7, 9 }).ln_e);
    const struct sb_e_value seen = value_of(&more, (uint64_t[]) { 7, 1, 9 });

    assert_true(isinf(seen.ln_e) && seen.ln_e > 0 && isinf(seen.ln_best));
}

TEST(nothing_to_tell)
{
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++) {
        const struct sb_e_value value = value_of(&laws[i], (uint64_t[CELLS_MOST]) { 0 });

        assert_true(fabs(value.ln_e) < 1e-14 && value.ln_best == 0);
    }
    assert_true(fabs(value_of(&laws[0], (uint64_t[]) { 1000 }).ln_e) < 1e-14); /* a single cell */
}

/* A statistic without members has no values; counts in bytes change nothing. */
TEST(no_members)
{
    const uint8_t small[1] = { 0 };
    const uint64_t count[1] = { 0 };
    const struct sb_tally none = { .statistic = "x", .cells = 9, .total = 5, .count = count, .small = small };
    struct sb_e_value untouched = { .ln_e = 7 };

    sb_e_process(&none, &untouched);
    assert_true(untouched.ln_e == 7);
}

/* Members share a table of counts: each has the value that it has alone, also where counts collide in it. */
TEST(members_are_apart)
{
    enum { MEMBERS = 40, CELLS = 30 };
    uint64_t count[MEMBERS * CELLS];
    struct sb_tally all = { .statistic = "x", .members = MEMBERS, .cells = CELLS, .total = 30 * 1000, .count = count };
    struct sb_e_value together[MEMBERS];

    for (size_t i = 0; i < MEMBERS; i++)
        for (size_t j = 0; j < CELLS; j++) /* pairs of 1000 + d and 1000 - d, up to 1000 away */
            count[i * CELLS + j] = j % 2 ? 1000 - (i * 25 + j / 2) : 1000 + (i * 25 + j / 2);
    sb_e_process(&all, together);
    for (size_t i = 0; i < MEMBERS; i++) {
        struct sb_tally one = all;
        struct sb_e_value alone;

        one.members = 1;
        one.count = count + i * CELLS;
        sb_e_process(&one, &alone);
        assert_true(alone.ln_e == together[i].ln_e && alone.ln_best == together[i].ln_best);
    }
}

/* ---- fit e bound ---- */

/*
 * The bound on e-values against the e-values themselves, for counts that are fair, loaded, and as far off as
 * possible.
 */

enum { E_BOUND_CELLS_MOST = 120 };

/* Knuth's 64-bit linear congruential generator: a number below 1. */
static double number(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-53;
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
