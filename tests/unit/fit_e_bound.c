/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bound on e-values against the e-values themselves, for counts that are fair, loaded, and as far off as
 * possible.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fit/sequential/e_bound.h"
#include "fit/sequential/e_process.h"
#include "unit/assert_near.h"

#include <math.h>

enum { CELLS_MOST = 120 };

/* Knuth's 64-bit linear congruential generator: a number below 1. */
static double number(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-53;
}

/* What S says of ln E at most, by the formula of docs and comments. */
static double bound(double s, size_t cells)
{
    const double d = 0.5 * ((double)cells - 1);

    return s > d ? s - d - d * log(s / d) : 0;
}

/* A law of so many cells: all alike, or in proportion to 1, 2, 3 and so on. */
static void law_of(size_t cells, bool rising, double ln_p[])
{
    for (size_t i = 0; i < cells; i++)
        ln_p[i] =
            rising ? log((double)(i + 1) / (0.5 * (double)cells * (double)(cells + 1))) : -log((double)cells);
}

/* How deals miss the law. */
enum off { OFF_NOT, OFF_LOADED, OFF_MISSING, OFF_HALF, OFF_ONE, OFFS };

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
    case OFF_ONE:
        return cells - 1;
    default:
        return cell;
    }
}

/* ln E is at most the bound and one, for what is left of Stirling's formula; and the sum of squares at least
 * the sum. Fixed seeds: the largest excess is 0.57, of 120 cells and two deals. */
static void it_is_a_bound(void **state)
{
    static const size_t some_cells[] = { 2, 3, 5, 24, CELLS_MOST };
    uint64_t random = 1;

    (void)state;
    for (size_t c = 0; c < 10; c++) {
        const size_t cells = some_cells[c / 2];
        double ln_p[CELLS_MOST];
        struct sb_e_cell cell[CELLS_MOST];

        law_of(cells, c % 2, ln_p);
        for (enum off off = OFF_NOT; off < OFFS; off++) {
            uint64_t count[CELLS_MOST] = { 0 }, then[CELLS_MOST];
            struct sb_tally tally = {
                .members = 1, .cells = cells, .count = count, .ln_p = c % 2 ? ln_p : NULL
            };

            assert_int_equal(sb_e_bound_cells(&tally, cell), cells);
            for (size_t i = 0; i < cells; i++)
                then[i] = 7 * i;
            for (tally.total = 1; tally.total <= 20000; tally.total++) {
                count[cell_of(off, cells, ln_p, &random)]++;
                if (tally.total > 20 && tally.total % 97)
                    continue;
                uint64_t now[CELLS_MOST];
                struct sb_e_value e;

                for (size_t i = 0; i < cells; i++)
                    now[i] = then[i] + count[i];
                sb_e_process(&tally, &e);
                const double sum = sb_e_bound_sum(cell, cells, now, then, tally.total);
                const double square = sb_e_bound_square(cell, cells, now, then, tally.total);
                assert_true(e.ln_e <= bound(sum, cells) + 1);
                assert_true(sum >= -1e-9 && square >= sum * (1 - 1e-9) - 1e-9);
            }
        }
    }
}

/* Counts that show less than is asked for are never worth as much. */
static void the_least_is_where_the_bound_is(void **state)
{
    (void)state;
    for (size_t cells = 2; cells < 1000; cells += 1 + cells / 3)
        for (double ln_e = 1.001; ln_e < 300; ln_e *= 1.7)
            assert_within(bound(sb_e_bound_least(cells, ln_e), cells), ln_e - 1, 1e-5);
    assert_true(sb_e_bound_least(5, 1) == 0 && sb_e_bound_least(5, -3) == 0);
}

/* One deal that cannot be is worth any evidence; a law of one cell says nothing else. */
static void cells_that_cannot_occur(void **state)
{
    const double ln_p[] = { -HUGE_VAL, 0, -HUGE_VAL };
    const uint64_t then[] = { 0, 5, 0 }, fine[] = { 0, 1005, 0 }, never[] = { 0, 1004, 1 };
    const struct sb_tally tally = { .members = 1, .cells = 3, .ln_p = ln_p };
    struct sb_e_cell cell[3];

    (void)state;
    assert_int_equal(sb_e_bound_cells(&tally, cell), 1);
    assert_within(sb_e_bound_sum(cell, 3, fine, then, 1000), 0, 1e-9);
    assert_true(sb_e_bound_sum(cell, 3, fine, then, 1000) < sb_e_bound_least(1, 2));
    assert_true(sb_e_bound_sum(cell, 3, never, then, 1000) > sb_e_bound_least(1, 1e6));
    assert_true(sb_e_bound_square(cell, 3, never, then, 1000) > sb_e_bound_least(1, 1e6));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_a_bound),
        cmocka_unit_test(the_least_is_where_the_bound_is),
        cmocka_unit_test(cells_that_cannot_occur),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
