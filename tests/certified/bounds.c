/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bounds on total variation are within the errors that fit/sequential.h and tv_high.h state. */
#include "certified/exact_bounds.h"

#include "fit/sequential.h"

#include <math.h>
#include <string.h>

static struct claim claim_low = { "sb_tv_low", .absolute = 1e-11 };
static struct claim claim_low_steps = { "sb_tv_low, steps", .absolute = 1e-11 };
static struct claim claim_low_error = { "sb_tv_low_error", .absolute = 0 }; /* the program's own bound */
static struct claim claim_high_uneven = { "sb_tv_high, other cells: safe side", .absolute = 2e-11 };
static struct claim claim_high = { "sb_tv_high, equal cells", .absolute = 1e-12 };
static struct claim claim_high_steps = { "sb_tv_high, steps", .absolute = 1e-12 };
static struct claim claim_largest = { "sb_tv_high_largest: safe side", .absolute = 2e-11 };

enum { MEMBERS = 6, CELLS = 24 };

/* Checks the lower bound against the program's own bound on its error, with a law that is off by 1e-11. */
static void check_low_error(uint64_t *seed, double ln_level)
{
    struct sb_tally tally = drawn;
    double law[CELLS], low;
    struct sb_e_value e;

    law_off(seed, 1e-11, law);
    tally.ln_p = tally.ln_p ? law : NULL;
    sb_e_process(&tally, &e);
    assert_int_equal(sb_tv_low(&tally, &e, ln_level, &low), SB_OK);
    const struct sb_e_error error = sb_e_process_error(&tally);
    const double x[4] = { ln_level, (double)drawn.total, low };

    claim_low_error.absolute = sb_tv_low_error(sb_e_error_of(&error, &e), ln_level);
    if (low > 0)
        certify_root(&claim_low_error, low, 0, 1, exact_tv_low, x);
}

static void check_bounds(bool even, bool steps, uint64_t *seed, double total, double bias)
{
    const double x[4] = { random_scale(seed, 1, 50), even, steps };
    struct sb_e_value e;
    double low, high;

    random_law(seed, 2 + random_below(seed, CELLS - 1), even);
    random_counts(seed, total, bias);
    if (drawn.total == 0)
        return;
    drawn.lag = steps;
    sort_cells();
    sb_e_process(&drawn, &e);
    assert_int_equal(sb_tv_low(&drawn, &e, x[0], &low), SB_OK);
    assert_int_equal(sb_tv_high(&drawn, x[0], &high), SB_OK);
    if (low > 0)
        certify_root(steps ? &claim_low_steps : &claim_low, low, 0, 1, exact_tv_low, x);
    if (low > 0 && !steps)
        check_low_error(seed, x[0]);
    const double most = 1 - 1 / (double)drawn.cells;

    if (even && high < most)
        certify_root(steps ? &claim_high_steps : &claim_high, high, 0, most, exact_tv_high, x);
    if (!even && high < 1) /* only from above: the bound may be larger than the vertices of the curve require */
        certify_root(&claim_high_uneven, high, HUGE_VAL, 1, exact_tv_high, x);
}

TEST(bounds)
{
    uint64_t seed = 23;

    for (size_t i = 0; i < certify_cases(120); i++)
        check_bounds(i % 3, false, &seed, random_scale(&seed, 10, 1e6), i % 4 ? random_scale(&seed, 1e-3, 0.5) : 1);
}

/* Counts of steps between permutations. */
TEST(bounds_from_steps)
{
    uint64_t seed = 24;

    for (size_t i = 0; i < certify_cases(60); i++)
        check_bounds(i % 3, true, &seed, random_scale(&seed, 10, 1e6), i % 4 ? random_scale(&seed, 1e-3, 0.5) : 1);
}

/* What a look of a gate uses: the largest bound of several members, which is at least that of each. */
TEST(largest_of_members)
{
    uint64_t seed = 25;

    for (size_t i = 0; i < certify_cases(40); i++) {
        const double x[4] = { random_scale(&seed, 1, 50) }, total = random_scale(&seed, 1e3, 1e6);
        const size_t cells = 2 + random_below(&seed, CELLS - 1);
        uint64_t counts[MEMBERS * CELLS];
        double law[CELLS], largest = 0;

        random_law(&seed, cells, i % 2);
        struct sb_tally tally = drawn;

        tally.members = MEMBERS;
        tally.count = counts;
        tally.total = (uint64_t)(3 * total);
        for (size_t member = 0; member < MEMBERS; member++) {
            do {
                random_counts(&seed, total, random_scale(&seed, 1e-3, 0.5));
            } while (drawn.total > tally.total);
            for (uint64_t left = tally.total - drawn.total, k = 0; left; left -= left / 2 + 1, k++)
                drawn_count[k % cells] += left / 2 + 1;
            memcpy(counts + member * cells, drawn_count, cells * sizeof counts[0]);
        }
        memcpy(law, drawn_ln_p, cells * sizeof law[0]);
        tally.ln_p = tally.ln_p ? law : NULL;
        assert_int_equal(sb_tv_high_largest(&tally, x[0], 0, &largest), SB_OK);
        for (size_t member = 0; member < MEMBERS && largest < 1; member++) {
            memcpy(drawn_count, counts + member * cells, cells * sizeof counts[0]);
            memcpy(drawn_ln_p, law, cells * sizeof law[0]);
            drawn.total = tally.total;
            sort_cells();
            certify_root(&claim_largest, largest, HUGE_VAL, 1, exact_tv_high, x);
        }
    }
}
