/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of counts in 16 and in 20 bits: what is stored is read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "exact/convolve/convolve_run.h"

#include <string.h>

enum { RUN = SB_CONVOLVE_RUN, RUNS = 3, BITS = 20 };

static uint32_t count[RUNS][RUN];
static uint16_t stored[RUNS * SB_CONVOLVE_RUN20], one_by_one[RUNS * SB_CONVOLVE_RUN20];

/* Stores runs of counts of so many bits, all at once and one by one, and reads each run with a weight. */
static void check_runs(unsigned bits)
{
    uint64_t random = 1;

    for (size_t r = 0; r < RUNS; r++)
        for (size_t i = 0; i < RUN; i++) {
            random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            count[r][i] = (uint32_t)(random >> (64 - bits));
        }
    memset(one_by_one, 0, sizeof one_by_one);
    for (size_t r = 0; r < RUNS; r++) {
        (bits > 16 ? sb_convolve_run20_put : sb_convolve_run16_put)(r, count[r], stored);
        for (size_t i = 0; i < RUN; i++)
            sb_convolve_run_set(r * RUN + i, bits > 16, count[r][i], one_by_one);
    }
    for (size_t r = 0; r < RUNS; r++) {
        uint32_t sum[RUN] = { 0 };

        sb_convolve_run_add(r, bits > 16, stored, 3, sum);
        sb_convolve_run_add(r, bits > 16, one_by_one, 1, sum);
        for (size_t i = 0; i < RUN; i++)
            assert_int_equal(sum[i], 4 * count[r][i]);
    }
}

static void stored_counts_are_read(void **state)
{
    (void)state;
    check_runs(16);
    check_runs(BITS);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(stored_counts_are_read) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
