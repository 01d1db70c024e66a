/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tests of coins compute only the terms that matter. The plain tests here compute all of them. Both must give the
 * same answers, and the same bounds to the last bit.
 */
#include "unit/test.h"

#include "fit/numeric.h"
#include "fit/sequential.h"

#include <math.h>
#include <stdlib.h>

enum { CELLS_MOST = 70 };

static const double ln_level = 20;

static uint64_t state = 1;

static double uniform(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(state >> 11) * 0x1p-53;
}

struct plain {
    const struct sb_tv_coin *coin;
    struct sb_tv_set set;
};

/* ln(E delta), with all terms. */
static double plain_ln_e(const void *state_of, double bound)
{
    const struct plain *const plain = state_of;
    const struct sb_tv_coin *const coin = plain->coin;
    const double theta = plain->set.q + bound, a = plain->set.count;
    double term[SB_TV_COIN_STEPS], most = -HUGE_VAL, sum = 0;

    if (theta >= 1)
        return HUGE_VAL;
    for (size_t j = 0; j < SB_TV_COIN_STEPS; j++) {
        const double step = fmin(coin->step[j], theta), heads = a > 0 ? a * log1p(-step / theta) : 0;

        term[j] = heads + (coin->total - a) * log1p(step / (1 - theta));
        most = fmax(most, term[j]);
    }
    for (size_t j = 0; j < SB_TV_COIN_STEPS; j++)
        sum += exp(term[j] - most);
    return most + log(sum) - coin->ln_level;
}

static bool plain_settles(const struct sb_tv_coin *coin, struct sb_tv_set set, double bound)
{
    const struct plain plain = { coin, set };

    return set.q + bound >= 1 || (set.q + bound > set.count / coin->total && plain_ln_e(&plain, bound) >= 0);
}

static double plain_raise(const struct sb_tv_coin *coin, struct sb_tv_set set, double bound)
{
    const struct plain plain = { coin, set };
    const double most = 1 - set.q;
    double raised = sb_root_find(plain_ln_e, &plain, bound, most, 1e-14);

    for (double step = 1e-14; raised < most && plain_ln_e(&plain, raised) < 0; step *= 2)
        raised += step;
    return fmin(raised, most);
}

static void same(double a, double b)
{
    assert_memory_equal(&a, &b, sizeof a);
}

/* Sets of all sizes, with bounds just below and just above the one that settles the set. */
TEST(coins_agree)
{
    for (int times = 0; times < 4000; times++) {
        struct sb_tally tally = { .total = 1 + (uint64_t)exp(uniform() * 25), .lag = (size_t)(times % 2) };
        const double q = times % 5 ? uniform() : uniform() * 1e-3;
        struct sb_tv_coin coin;

        sb_tv_coin_open(&tally, ln_level, &coin);
        const double noise = (2 * uniform() - 0.5) * sqrt(8 * q * (1 - q) / coin.total);
        const struct sb_tv_set set = { .count = floor(fmin(1, fmax(0, q + noise)) * coin.total), .q = q };
        const double bound = plain_raise(&coin, set, 0);

        if (!plain_settles(&coin, set, 0))
            same(sb_tv_coin_raise(&coin, set, 0), bound);
        for (double factor = 0.5; factor < 2;
             factor = factor < 0.9999999 ? (1 + factor) / 2 : factor * 1.0001 + 1e-9) {
            assert_int_equal(sb_tv_coin_settles(&coin, set, bound * factor),
                             plain_settles(&coin, set, bound * factor));
            /* what is settled soon is settled */
            if (sb_tv_coin_settles_soon(&coin, set, set, bound * factor, 1e-6))
                assert_true(plain_settles(&coin, set, bound * factor));
            if (factor > 1.01)
                break;
        }
    }
}

/* From a start just below the root, where E of so many deals rises by orders of magnitude within a step: the bound is
 * not below the root by bisection. */
TEST(a_raised_bound_is_settled)
{
    const struct sb_tally tally = { .total = UINT64_C(10000000000) };
    const struct sb_tv_set set = { .count = 1463700000, .q = 0.0964 };
    struct sb_tv_coin coin;
    double low = 0.0499, high = 0.0501;

    sb_tv_coin_open(&tally, log(1e6), &coin);
    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;

        if (plain_settles(&coin, set, middle))
            high = middle;
        else
            low = middle;
    }
    for (double below = 1e-2; below > 1e-13; below /= 3) {
        const double raised = sb_tv_coin_raise(&coin, set, high - below);

        assert_true(raised >= high - 1e-15 && raised <= high + 1e-10);
    }
}

static int falling(const void *a, const void *b)
{
    const uint64_t *const x = a, *const y = b;

    return (*x < *y) - (*x > *y);
}

/* The bound of equally likely cells with these counts, which are sorted in place: first the vertex with the largest guess,
 * then all vertices. */
static double plain_high(const struct sb_tally *tally, uint64_t count[])
{
    const size_t cells = tally->cells;
    double most = -HUGE_VAL, bound = 0;
    struct sb_tv_set vertex[CELLS_MOST];
    struct sb_tv_coin coin;

    sb_tv_coin_open(tally, ln_level, &coin);
    qsort(count, cells, sizeof count[0], falling);
    for (size_t m = 1; m < cells; m++) {
        count[m] += count[m - 1];
        vertex[m] = (struct sb_tv_set) { coin.share * (double)count[m - 1], (double)m / (double)cells };
        const double p = (double)count[m - 1] / (double)tally->total, q = vertex[m].q;
        const double guess = p - q + sqrt(2 * p * (1 - p) * coin.ln_level / coin.total);

        if (guess > most) {
            most = guess;
            vertex[0] = vertex[m];
        }
    }
    for (size_t m = 0; m < cells; m++)
        if (!plain_settles(&coin, vertex[m], bound))
            bound = plain_raise(&coin, vertex[m], bound);
    return fmin(bound, 1 - 1 / (double)cells);
}

TEST(bounds_agree)
{
    for (int times = 0; times < 1500; times++) {
        uint64_t count[CELLS_MOST] = { 0 };
        struct sb_tally tally = {
            .members = 1,
            .cells = 2 + (size_t)(uniform() * (CELLS_MOST - 2)),
            .count = count,
            .lag = (size_t)(times % 3 == 0),
        };
        const double scale = exp(uniform() * 15), spread = times % 4 ? 1 / sqrt(scale) : uniform();
        double high;

        for (size_t i = 0; i < tally.cells; i++) {
            count[i] = (uint64_t)(scale * fmax(0, 1 + 2 * spread * (uniform() - 0.5)));
            tally.total += count[i];
        }
        if (tally.total == 0)
            continue;
        assert_int_equal(sb_tv_high(&tally, ln_level, &high), SB_OK);
        same(high, plain_high(&tally, count));
    }
}
