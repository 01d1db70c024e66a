/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The total variation of counts, and that of a fair shuffle's counts, against sums computed here. */
#include "unit/test.h"

#include "fit/fit.h"
#include "unit/assert_near.h"

#include <math.h>

/* All 27 ways of the naive swap of three: 4 5 5 5 4 4, a total variation of 1/18. Of 27 fair deals each order
 * has E|X - 27/6| = 1.5671481..., the sum over k of |k - 4.5| C(27,k) 5^(27-k)/6^27. */
TEST(equally_likely_cells)
{
    const uint64_t count[] = { 9, 9, 9, 9, 9, 9, 4, 5, 5, 5, 4, 4 };
    const struct sb_tally fair = { .members = 2, .cells = 6, .total = 54, .count = count };
    const struct sb_tally naive = { .members = 2, .cells = 6, .total = 27, .count = count };
    double deviation = 0;

    for (int k = 0; k <= 27; k++)
        deviation += fabs(k - 4.5) *
                     exp(lgamma(28) - lgamma(k + 1) - lgamma(28 - k) + (27 - k) * log(5) - 27 * log(6));
    assert_within(sb_tv_seen(&fair, 0).seen, 0, 1e-15);
    assert_within(sb_tv_seen(&naive, 1).seen, 1.0 / 18, 1e-15);
    assert_within(sb_tv_seen(&naive, 1).fair, 3 * deviation / 27, 1e-12);
}

/* Cells of 1/2, 1/3 and 1/6, and one that cannot occur: the mean of counts is the sum over all that a count can be; of
 * one deal it is sum q (1-q). */
TEST(other_cells)
{
    const double q[] = { 1.0 / 2, 1.0 / 3, 1.0 / 6 };
    const double ln_p[] = { log(q[0]), log(q[1]), log(q[2]), -HUGE_VAL };
    const uint64_t many[] = { 60, 40, 20, 0 }, one[] = { 0, 0, 1, 0 }, none[] = { 0, 0, 0, 0 };
    struct sb_tally tally = { .members = 1, .cells = 4, .ln_p = ln_p, .total = 120, .count = many };
    double fair = 0;

    for (int i = 0; i < 3; i++)
        for (int k = 0; k <= 120; k++)
            fair +=
                0.5 / 120 * fabs(k - 120 * q[i]) *
                exp(lgamma(121) - lgamma(k + 1) - lgamma(121 - k) + k * log(q[i]) + (120 - k) * log1p(-q[i]));
    assert_within(sb_tv_seen(&tally, 0).seen, 0, 1e-15);
    assert_within(sb_tv_seen(&tally, 0).fair, fair, 1e-11);
    /* ten deals; normal counts would have 0.6% less */
    tally.total = 10;
    fair = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k <= 10; k++)
            fair += 0.5 / 10 * fabs(k - 10 * q[i]) * exp(lgamma(11) - lgamma(k + 1) - lgamma(11 - k)) *
                    pow(q[i], k) * pow(1 - q[i], 10 - k);
    assert_within(sb_tv_seen(&tally, 0).fair, fair, 1e-12);
    tally.total = 1;
    tally.count = one;
    assert_within(sb_tv_seen(&tally, 0).seen, 5.0 / 6, 1e-15);
    assert_within(sb_tv_seen(&tally, 0).fair, 1.0 / 4 + 2.0 / 9 + 5.0 / 36, 1e-14);
    tally.total = 0;
    tally.count = none;
    assert_true(isnan(sb_tv_seen(&tally, 0).seen) && isnan(sb_tv_seen(&tally, 0).fair));
}
