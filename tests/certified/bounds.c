/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bounds on total variation are within the errors that fit/sequential/tv_low.h and tv_high.h state. */
#include "certified/exact_e.h"

#include "fit/sequential/e_process.h"
#include "fit/sequential/tv_coin.h"
#include "fit/sequential/tv_high.h"
#include "fit/sequential/tv_low.h"

#include <math.h>

static struct claim claim_low = { "sb_tv_low", .absolute = 1e-11 };
static struct claim claim_high_uneven = { "sb_tv_high, other cells: safe side", .absolute = 2e-11 };
static struct claim claim_high = { "sb_tv_high, equal cells", .absolute = 1e-12 };

/* The bound is the largest x with kl(p(S) || q(S) + x) >= r for a prefix S of the cells in falling order of
 * count. x[0]: ln_level. The sign of r - max kl, which rises with x. */
static void low_sign(const double x[], const arb_t at, slong bits, arb_t value)
{
    arb_t r, p, s, kl, term, prefix;
    uint64_t heads = 0;

    arb_init(prefix);
    arb_init(r);
    arb_init(p);
    arb_init(s);
    arb_init(kl);
    arb_init(term);
    exact_ln_e(1, bits, r); /* r t = ln_level + ln_best - ln((1 + E)/2) */
    arb_exp(r, r, bits);
    arb_add_ui(r, r, 1, bits);
    arb_log(r, r, bits);
    arb_const_log2(term, bits);
    arb_sub(term, term, r, bits);
    exact_ln_best(bits, r);
    arb_add(r, r, term, bits);
    arb_set_d(term, x[0]);
    arb_add(r, r, term, bits);
    arb_div_ui(r, r, (ulong)drawn.total, bits);
    arb_pos_inf(value);
    for (size_t m = 1; m < drawn.cells; m++) {
        heads += drawn_count[m - 1];
        arb_set_ui(p, (ulong)heads);
        arb_div_ui(p, p, (ulong)drawn.total, bits);
        exact_probability(m - 1, bits, term);
        arb_add(prefix, prefix, term, bits);
        arb_add(s, prefix, at, bits);
        arb_sub(term, p, s, bits);
        if (!arb_is_positive(term))
            continue;
        arb_div(kl, p, s, bits); /* p ln(p/s) */
        arb_log(kl, kl, bits);
        arb_mul(kl, kl, p, bits);
        if (heads < drawn.total) { /* (1-p) ln((1-p)/(1-s)) */
            arb_sub_ui(p, p, 1, bits);
            arb_sub_ui(s, s, 1, bits);
            arb_div(term, p, s, bits);
            arb_log(term, term, bits);
            arb_submul(kl, term, p, bits);
        }
        arb_sub(term, r, kl, bits);
        arb_min(value, value, term, bits);
    }
    arb_clear(prefix);
    arb_clear(term);
    arb_clear(kl);
    arb_clear(s);
    arb_clear(p);
    arb_clear(r);
}

/* The logarithm of E of a coin with `heads` of all deals, at theta: the average of L_v over the steps, as an
 * interval. */
static void exact_coin(const struct sb_tv_coin *coin, uint64_t heads, const arb_t theta, slong bits,
                       arb_t ln_e)
{
    arb_t sum, term, part, v;

    arb_init(sum);
    arb_init(term);
    arb_init(part);
    arb_init(v);
    for (size_t j = 0; j < SB_TV_COIN_STEPS; j++) {
        arb_set_d(v, coin->step[j]);
        arb_sub(v, theta, v, bits);
        if (!arb_is_positive(v))
            arb_zero(v);
        arb_div(term, v, theta, bits);
        arb_pow_ui(term, term, (ulong)heads, bits);
        arb_sub_ui(v, v, 1, bits);
        arb_sub_ui(part, theta, 1, bits);
        arb_div(part, v, part, bits);
        arb_pow_ui(part, part, (ulong)(drawn.total - heads), bits);
        arb_addmul(sum, term, part, bits);
    }
    arb_div_ui(sum, sum, SB_TV_COIN_STEPS, bits);
    arb_log(ln_e, sum, bits);
    arb_clear(v);
    arb_clear(part);
    arb_clear(term);
    arb_clear(sum);
}

/* The bound is the least x at which E of every prefix, at theta = q + x, reaches 1/delta. x[0]: ln_level. The
 * sign of the least ln E - ln_level, which rises with x. */
static void high_sign(const double x[], const arb_t at, slong bits, arb_t value)
{
    struct sb_tv_coin coin;
    uint64_t heads = 0;
    arb_t theta, ln_e, prefix;

    arb_init(prefix);
    arb_init(theta);
    arb_init(ln_e);
    arb_pos_inf(value);
    sb_tv_coin_open(&drawn, x[0], &coin);
    for (size_t m = 1; m < drawn.cells; m++) {
        heads += drawn_count[m - 1];
        exact_probability(m - 1, bits, ln_e);
        arb_add(prefix, prefix, ln_e, bits);
        arb_add(theta, prefix, at, bits);
        arb_sub_ui(ln_e, theta, 1, bits);
        if (!arb_is_negative(ln_e))
            continue;
        exact_coin(&coin, heads, theta, bits, ln_e);
        arb_min(value, value, ln_e, bits);
    }
    arb_set_d(theta, x[0]);
    arb_sub(value, value, theta, bits);
    arb_clear(prefix);
    arb_clear(ln_e);
    arb_clear(theta);
}

/* count/probability of a cell, up to a factor. */
static double ratio(size_t cell)
{
    return (double)drawn_count[cell] * (drawn.ln_p ? exp(-drawn_ln_p[cell]) : 1);
}

/* Sorts the cells of the tally by falling count/probability. */
static void sort_cells(void)
{
    for (size_t i = 1; i < drawn.cells; i++)
        for (size_t j = i; j > 0 && ratio(j) > ratio(j - 1); j--) {
            const uint64_t held = drawn_count[j];
            const double ln_p = drawn_ln_p[j];

            drawn_count[j] = drawn_count[j - 1];
            drawn_count[j - 1] = held;
            drawn_ln_p[j] = drawn_ln_p[j - 1];
            drawn_ln_p[j - 1] = ln_p;
        }
}

static void check_bounds(bool even, uint64_t *seed, double total, double bias)
{
    const double x[4] = { random_scale(seed, 1, 50), even };
    struct sb_e_value e;
    double low, high;

    random_law(seed, 2 + random_below(seed, 23), even);
    random_counts(seed, total, bias);
    if (drawn.total == 0)
        return;
    sort_cells();
    sb_e_process(&drawn, &e);
    assert_int_equal(sb_tv_low(&drawn, &e, x[0], &low), SB_OK);
    assert_int_equal(sb_tv_high(&drawn, x[0], &high), SB_OK);
    if (low > 0)
        certify_root(&claim_low, low, 0, 1, low_sign, x);
    if (even && high < 1 - 1 / (double)drawn.cells)
        certify_root(&claim_high, high, 0, 1, high_sign, x);
    if (!even &&
        high < 1) /* only from above: the bound may be larger than the vertices of the curve require */
        certify_root(&claim_high_uneven, high, HUGE_VAL, 1, high_sign, x);
}

static void bounds(void **state)
{
    uint64_t seed = 23;

    (void)state;
    for (size_t i = 0; i < certify_cases(120); i++)
        check_bounds(i % 3, &seed, random_scale(&seed, 10, 1e6), i % 4 ? random_scale(&seed, 1e-3, 0.5) : 1);
}

int main(int argc, char *argv[])
{
    static const struct CMUnitTest tests[] = { cmocka_unit_test(bounds) };
    static const struct claim *const claims[] = { &claim_low, &claim_high, &claim_high_uneven };

    return certify_run(argc, argv, tests, sizeof tests / sizeof tests[0], claims,
                       sizeof claims / sizeof claims[0]);
}
