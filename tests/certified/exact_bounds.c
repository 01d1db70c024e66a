/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The equations of the bounds on total variation, from their definitions in fit/tv_low.c and tv_coin.c. */
#include "certified/exact_bounds.h"

#include "fit/sequential.h"

#include <math.h>

/* ln(1/delta); the bounds from steps use delta/2. */
static void exact_ln_level(double ln_level, slong bits, arb_t level)
{
    ARBS(given);

    arb_set_d(given, ln_level);
    if (drawn.lag)
        arb_const_log2(level, bits);
    else
        arb_zero(level);
    arb_add(level, level, given, bits);
}

void exact_tv_low(const double x[], const arb_t at, slong bits, arb_t value)
{
    ARBS(r, p, s, kl, term, prefix);
    uint64_t heads = 0;

    const double part = drawn.lag ? 0.5 : 1;

    exact_ln_e(part, bits, r); /* r t = ln_level + ln_best - ln((1 + E)/2) */
    arb_exp(r, r, bits);
    arb_add_ui(r, r, 1, bits);
    arb_log(r, r, bits);
    arb_const_log2(term, bits);
    arb_sub(term, term, r, bits);
    exact_ln_best(bits, s);
    arb_set_d(r, part);
    arb_addmul(term, s, r, bits);
    exact_ln_level(x[0], bits, s);
    arb_add(r, s, term, bits);
    arb_div_ui(r, r, (ulong)drawn.total, bits);
    if (drawn.lag) /* half of the deals */
        arb_mul_2exp_si(r, r, 1);
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
}

/* The logarithm of E of a coin with `heads` of all deals, at theta: the weighted average of L_v over the steps, as an
 * interval. */
static void exact_coin(const struct sb_tv_coin *coin, uint64_t heads, const arb_t theta, slong bits, arb_t ln_e)
{
    ARBS(sum, term, part, v);

    for (size_t j = 0; j < coin->steps; j++) {
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
        arb_mul(term, term, part, bits);
        if (drawn.lag) /* half of each count */
            arb_sqrt(term, term, bits);
        arb_set_d(part, coin->ln_weight[j]);
        arb_exp(part, part, bits);
        arb_addmul(sum, term, part, bits);
    }
    arb_div_ui(sum, sum, SB_TV_COIN_STEPS, bits);
    arb_log(ln_e, sum, bits);
}

void exact_tv_high(const double x[], const arb_t at, slong bits, arb_t value)
{
    struct sb_tv_coin coin;
    uint64_t heads = 0;
    ARBS(theta, ln_e, prefix);

    arb_pos_inf(value);
    sb_tv_coin_open(&drawn, x[0], &coin);
    if (x[3] > 0)
        sb_tv_coin_tune(&drawn, x[3], &coin);
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
    exact_ln_level(x[0], bits, theta);
    arb_sub(value, value, theta, bits);
}

/* count/probability of a cell, up to a factor. */
static double ratio(size_t cell)
{
    return (double)drawn_count[cell] * (drawn.ln_p ? exp(-drawn_ln_p[cell]) : 1);
}

void sort_cells(void)
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
