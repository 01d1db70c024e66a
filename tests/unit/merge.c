/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merging cells of small expected counts with their neighbours. */
#include "unit/test.h"

#include "core/numbers.h"
#include "statistic/statistic.h"

#include <math.h>
#include <stdlib.h>

enum { CELLS = 6 };

static void check(const double p[CELLS], double least, size_t count, const uint32_t map[CELLS],
                  const double merged[])
{
    double ln_p[CELLS], ln_merged[CELLS];
    uint32_t got[CELLS];

    for (size_t cell = 0; cell < CELLS; cell++)
        ln_p[cell] = log(p[cell]);
    assert_int_equal(sb_merge_cells(ln_p, CELLS, least, got, ln_merged), count);
    assert_memory_equal(got, map, sizeof got);
    for (size_t cell = 0; cell < count; cell++)
        assert_true(fabs(exp(ln_merged[cell]) - merged[cell]) < 1e-15);
}

TEST(test_cells_join_until_they_are_likely_enough)
{
    static const double p[CELLS] = { 0.01, 0.1, 0.4, 0.4, 0.08, 0.01 };

    check(p, 0.001, 6, (const uint32_t[]) { 0, 1, 2, 3, 4, 5 }, p);
    check(p, 0.05, 4, (const uint32_t[]) { 0, 0, 1, 2, 3, 3 }, (const double[]) { 0.11, 0.4, 0.4, 0.09 });
    check(p, 0.2, 2, (const uint32_t[]) { 0, 0, 0, 1, 1, 1 }, (const double[]) { 0.51, 0.49 });
    check(p, 0.8, 1, (const uint32_t[CELLS]) { 0 }, (const double[]) { 1 });
    check(p, 2, 1, (const uint32_t[CELLS]) { 0 }, (const double[]) { 1 });
}

/* They join a neighbour, at either end too. */
TEST(test_cells_that_cannot_occur)
{
    static const double p[CELLS] = { 0, 0.25, 0, 0.5, 0.25, 0 };

    check(p, 0.1, 3, (const uint32_t[]) { 0, 0, 1, 1, 2, 2 }, (const double[]) { 0.25, 0.5, 0.25 });
}

/* At most 1/least of them, each as likely as that, and together 1; 64 equal ones stay as they are. */
TEST(test_laws_of_statistics)
{
    for (size_t t = 0; t < sb_statistic_types_count; t++)
        for (size_t n = 1; n <= 130; n += 3) {
            const struct sb_statistic_type *const type = sb_statistic_types[t];
            const size_t cells = type->cells(n, n);
            double *const ln_p = calloc(cells + 1, sizeof *ln_p), total = 0;
            uint32_t *const map = calloc(cells + 1, sizeof *map);

            assert_non_null(ln_p);
            assert_non_null(map);
            if (cells) {
                assert_int_equal(type->null_law(n, n, 0, ln_p), SB_OK);
                const size_t count = sb_merge_cells(ln_p, cells, 1.0 / 64, map, ln_p);

                assert_true(count >= 1 && count <= 64);
                assert_int_equal(map[cells - 1], count - 1);
                for (size_t cell = 0; cell < count; cell++) {
                    assert_true(exp(ln_p[cell]) > 0.015624999);
                    total += exp(ln_p[cell]);
                }
                assert_true(fabs(total - 1) < 1e-12);
                assert_true(n != 64 || t != 1 || count == 64);
            }
            free(ln_p);
            free(map);
        }
}
