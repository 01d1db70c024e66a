/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tails of the gamma law, enclosed. Both sums below have positive terms, and a geometric series bounds
 * the terms that are left out. With t = y^a e^-y/Gamma(a+1):
 *
 *   P(a, y) = t (1 + y/(a+1) + y^2/((a+1)(a+2)) + ...)            for y < a,
 *   Q(a, y) = t a/y (1 + (a-1)/y + (a-1)(a-2)/y^2 + ...)          for y >= a, where the rest after j terms is
 *                                                                  Q(a-j, y) <= (its first term)/(1 - (a-j-1)/y).
 *
 * The other tail is 1 minus this. For a small shape the second sum would not end: there, Arb's own function
 * gives Q. NIST Digital Library of Mathematical Functions, 8.8.2 and 8.7.1.
 */
#include "certified/certify.h"

static const double gamma_shape_small = 1000;

/* ln t */
static void gamma_ln_term(const arb_t a, const arb_t y, slong bits, arb_t value)
{
    ARBS(part);

    arb_add_ui(part, a, 1, bits);
    arb_lgamma(part, part, bits);
    arb_log(value, y, bits);
    arb_mul(value, value, a, bits);
    arb_sub(value, value, y, bits);
    arb_sub(value, value, part, bits);
}

/* Whether a positive term is below 2^-bits; the sum is 1 or more. */
static bool gamma_is_small(const arb_t term, slong bits)
{
    return arf_cmpabs_2exp_si(arb_midref(term), -bits) < 0;
}

/* Adds the interval from 0 to term/(1 - ratio), which contains the terms that are left out. */
static void gamma_add_rest(const arb_t term, const arb_t ratio, slong bits, arb_t sum)
{
    ARBS(rest);

    arb_sub_ui(rest, ratio, 1, bits);
    arb_neg(rest, rest);
    arb_div(rest, term, rest, bits);
    arb_add_error(sum, rest);
}

/* The first sum, without the factor t. */
static void gamma_sum_p(const arb_t a, const arb_t y, slong bits, arb_t sum)
{
    ARBS(term, ratio);

    arb_one(sum);
    arb_one(term);
    for (ulong i = 1; !gamma_is_small(term, bits); i++) {
        arb_add_ui(ratio, a, i, bits);
        arb_div(ratio, y, ratio, bits);
        arb_mul(term, term, ratio, bits);
        arb_add(sum, sum, term, bits);
    }
    gamma_add_rest(term, ratio, bits, sum);
}

/* The second sum, without the factor t a/y; a must be so large that the terms become small before a - j does.
 * */
static void gamma_sum_q(const arb_t a, const arb_t y, slong bits, arb_t sum)
{
    ARBS(term, ratio);

    arb_one(sum);
    arb_one(term);
    for (ulong i = 1; !gamma_is_small(term, bits); i++) {
        arb_sub_ui(ratio, a, i, bits);
        if (!arb_is_positive(ratio)) { /* nothing is known about the rest */
            arb_indeterminate(sum);
            break;
        }
        arb_div(ratio, ratio, y, bits);
        arb_mul(term, term, ratio, bits);
        arb_add(sum, sum, term, bits);
    }
    gamma_add_rest(term, ratio, bits, sum);
}

/* ln of the tail that has a sum of positive terms; *lower says which tail this is. */
static void gamma_ln_summed(const arb_t a, const arb_t y, slong bits, arb_t value, bool *lower)
{
    ARBS(sum);

    *lower = arb_lt(y, a);
    gamma_ln_term(a, y, bits, value);
    if (*lower) {
        gamma_sum_p(a, y, bits, sum);
    } else {
        gamma_sum_q(a, y, bits, sum);
        arb_mul(sum, sum, a, bits);
        arb_div(sum, sum, y, bits);
    }
    arb_log(sum, sum, bits);
    arb_add(value, value, sum, bits);
}

/* value becomes ln(1 - e^value), for a negative value. */
static void gamma_ln_rest(slong bits, arb_t value)
{
    const bool far = arf_cmp_si(arb_midref(value), -1) < 0;

    if (far)
        arb_exp(value, value, bits);
    else
        arb_expm1(value, value, bits);
    arb_neg(value, value);
    if (far)
        arb_log1p(value, value, bits);
    else
        arb_log(value, value, bits);
}

static void gamma_ln_tail(const arb_t a, const arb_t y, bool lower, slong bits, arb_t value)
{
    bool found_lower = false;

    if (arf_cmp_d(arb_midref(a), gamma_shape_small) < 0 && !arb_lt(y, a)) {
        arb_hypgeom_gamma_upper(value, a, y, 1, bits);
        arb_log(value, value, bits);
    } else {
        gamma_ln_summed(a, y, bits, value, &found_lower);
    }
    if (found_lower != lower)
        gamma_ln_rest(bits, value);
}

void exact_ln_gamma_p(const arb_t a, const arb_t y, slong bits, arb_t value)
{
    gamma_ln_tail(a, y, true, bits, value);
}

void exact_ln_gamma_q(const arb_t a, const arb_t y, slong bits, arb_t value)
{
    gamma_ln_tail(a, y, false, bits, value);
}
