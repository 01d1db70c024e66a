/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bound on the steps between independent permutations, by exact probabilities. Permutations are odd with
 * probability p, independently, so a step is odd with probability 2p(1-p). But two odd steps follow each
 * other more often than independent steps would. The test computes the probability that the bound on the
 * parity of the steps is ever below the truth, at any time up to STEPS, over all series of parities: by the
 * parity of the last permutation and the number of odd steps. At delta = 1e-6 it is 3.6e-9 at most. If the
 * bound took the steps for independent, it would be up to 9.4e-5.
 */
#include "unit/test.h"

#include "gate/gate.h"

#include <math.h>
#include <string.h>

enum { STEPS = 400 };

static const double delta = 1e-6;

/* The upper bound after so many steps, of which so many were odd. */
static double bound(bool steps, uint64_t total, uint64_t odd)
{
    const struct sb_gate_terms terms = { .alpha = 1e-9, .delta = delta, .exclude = 0.01, .limit = 1000 };
    const uint64_t count[2] = { total - odd, odd };
    const struct sb_tally tally = {
        .statistic = "parity", .members = 1, .cells = 2, .total = total, .count = count, .lag = steps
    };
    struct sb_gate gate;

    assert_int_equal(sb_gate_open(&terms, &tally, 1, &gate), SB_OK);
    assert_int_equal(sb_gate_look(&tally, 1, &gate), SB_OK);
    const double high = gate.tv_high;
    sb_gate_close(&gate);
    return high;
}

/* The least number of odd steps at which the bound is below the truth, of fewer than half; total + 1: none
 * is. */
static uint64_t least_false(bool steps, uint64_t total, double truth)
{
    uint64_t low = 0, high = total / 2 + 1; /* the bound falls as the counts get more even */

    if (bound(steps, total, total / 2) >= truth)
        return total + 1;
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;

        if (bound(steps, total, middle) < truth)
            high = middle;
        else
            low = middle;
    }
    return high;
}

/* The probability that the bound is ever false. */
static double ever_false(bool steps, double p)
{
    static double now[2][STEPS + 2], next[2][STEPS + 2];
    const double truth = 0.5 - 2 * p * (1 - p), odd[2] = { p, 1 - p }; /* of a step from an even one, an odd one */
    double lost = 0;

    memset(now, 0, sizeof now);
    now[0][0] = 1 - p;
    now[1][0] = p;
    for (uint64_t t = 1; t <= STEPS; t++) {
        const uint64_t from = least_false(steps, t, truth);

        memset(next, 0, sizeof next);
        for (size_t x = 0; x < 2; x++)
            for (uint64_t k = 0; k < t; k++) {
                next[1 - x][k + 1] += now[x][k] * odd[x];
                next[x][k] += now[x][k] * (1 - odd[x]);
            }
        for (size_t x = 0; x < 2; x++)
            for (uint64_t k = from; k <= t; k++) {
                lost += next[x][k];
                next[x][k] = 0;
            }
        memcpy(now, next, sizeof now);
    }
    return lost;
}

TEST(a_bound_on_steps_holds)
{
    static const double p[] = { 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.4 };

    assert_true(ever_false(false, 0.01) > 90 * delta); /* were they taken for independent */
    for (size_t i = 0; i < sizeof p / sizeof p[0]; i++)
        assert_true(ever_false(true, p[i]) <= delta);
}

/* And is not much wider: no wider than that of half as many independent ones at half of delta. */
TEST(it_is_that_of_half_as_many)
{
    for (uint64_t total = 10; total <= 100000; total *= 10) {
        const double steps = bound(true, total, total / 2);

        assert_true(steps > bound(false, total, total / 2));
        assert_true(steps < 1.1 * bound(false, total / 2, total / 4));
    }
}
