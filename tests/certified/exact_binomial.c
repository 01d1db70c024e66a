/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tails of the binomial law, and the equations of Clopper and Pearson's interval. */
#include "certified/certify.h"

enum { COUNT, TOTAL, LEVEL, INTERVALS };

/*
 * ln P(X >= c) for X binomial with N trials of probability p: b(c) (1 + r1 + r1 r2 + ...), with the ratios
 * r_j = (N - c - j + 1)/(c + j) p/(1-p), which fall as j rises. As soon as they are below 1, a geometric
 * series bounds the terms that are left out. The terms left out are small relative to the sum, which is 1 or more.
 */
static void exact_ln_tail(double count, double total, const arb_t p, slong bits, arb_t value)
{
    ARBS(odds, term, sum, part);
    double j = 0;

    arb_sub_ui(odds, p, 1, bits);
    arb_neg(odds, odds);
    arb_log(value, odds, bits); /* (N - c) ln q */
    arb_set_d(part, total - count);
    arb_mul(value, value, part, bits);
    arb_div(odds, p, odds, bits);
    arb_log(sum, p, bits); /* c ln p */
    arb_set_d(part, count);
    arb_addmul(value, sum, part, bits);
    arb_add_ui(part, part, 1, bits); /* ln of the binomial coefficient */
    arb_lgamma(part, part, bits);
    arb_sub(value, value, part, bits);
    arb_set_d(part, total - count);
    arb_add_ui(part, part, 1, bits);
    arb_lgamma(part, part, bits);
    arb_sub(value, value, part, bits);
    arb_set_d(part, total);
    arb_add_ui(part, part, 1, bits);
    arb_lgamma(part, part, bits);
    arb_add(value, value, part, bits);
    arb_one(sum);
    arb_one(term);
    do {
        j++;
        arb_set_d(part, total - count - j + 1);
        arb_mul(part, part, odds, bits);
        arb_div_si(part, part, (slong)(count + j), bits);
        arb_mul(term, term, part, bits);
        arb_add(sum, sum, term, bits);
    } while (j < total - count &&
             (arf_cmpabs_2exp_si(arb_midref(term), -bits) > 0 || arf_cmp_d(arb_midref(part), 0.999) > 0));
    if (j < total - count) {
        arb_sub_ui(part, part, 1, bits);
        arb_neg(part, part);
        arb_div(term, term, part, bits);
        arb_add_error(sum, term);
    }
    arb_log(sum, sum, bits);
    arb_add(value, value, sum, bits);
}

/* Subtracts ln(alpha/2), where alpha is the part of one of several intervals. */
static void subtract_ln(const double x[], slong bits, arb_t value)
{
    ARBS(part, intervals);

    arb_set_d(part, x[LEVEL]);
    arb_mul_2exp_si(part, part, -1);
    arb_set_d(intervals, x[INTERVALS]);
    arb_div(part, part, intervals, bits);
    arb_log(part, part, bits);
    arb_sub(value, value, part, bits);
}

void exact_binomial_low(const double x[], const arb_t p, slong bits, arb_t value)
{
    exact_ln_tail(x[COUNT], x[TOTAL], p, bits, value);
    subtract_ln(x, bits, value);
}

void exact_binomial_high(const double x[], const arb_t p, slong bits, arb_t value)
{
    ARBS(q);

    arb_sub_ui(q, p, 1, bits);
    arb_neg(q, q);
    exact_ln_tail(x[TOTAL] - x[COUNT], x[TOTAL], q, bits, value);
    subtract_ln(x, bits, value);
    arb_neg(value, value);
}
