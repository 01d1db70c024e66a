/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tails of noncentral chi-square, as a Poisson mixture of central tails. */
#include "certified/certify.h"

#include <math.h>

/* The Poisson weight and the central terms at one index j of the mixture. */
struct mixture {
    arb_t a, y, h;            /* dof/2 + j, x/2, lambda/2 */
    arb_t weight, tail, step; /* w_j, the central tail at a, and y^a e^-y / Gamma(a+1) */
};

static void mixture_open(const arb_t x, const arb_t dof, const arb_t lambda, double j, bool upper, slong bits,
                         struct mixture *at)
{
    arb_init(at->a);
    arb_init(at->y);
    arb_init(at->h);
    arb_init(at->weight);
    arb_init(at->tail);
    arb_init(at->step);
    arb_mul_2exp_si(at->a, dof, -1);
    arb_mul_2exp_si(at->y, x, -1);
    arb_mul_2exp_si(at->h, lambda, -1);
    arb_set_d(at->step, j);
    arb_add(at->a, at->a, at->step, bits);
    arb_log(at->weight, at->h, bits); /* j ln h - h - lgamma(j+1) */
    arb_mul(at->weight, at->weight, at->step, bits);
    arb_sub(at->weight, at->weight, at->h, bits);
    arb_add_ui(at->step, at->step, 1, bits);
    arb_lgamma(at->step, at->step, bits);
    arb_sub(at->weight, at->weight, at->step, bits);
    arb_exp(at->weight, at->weight, bits);
    if (upper)
        exact_ln_gamma_q(at->a, at->y, bits, at->tail);
    else
        exact_ln_gamma_p(at->a, at->y, bits, at->tail);
    arb_exp(at->tail, at->tail, bits);
    arb_add_ui(at->step, at->a, 1, bits);
    arb_lgamma(at->step, at->step, bits);
    arb_neg(at->step, at->step);
    arb_sub(at->step, at->step, at->y, bits);
    arb_log(at->h, at->y, bits);
    arb_addmul(at->step, at->h, at->a, bits);
    arb_exp(at->step, at->step, bits);
    arb_mul_2exp_si(at->h, lambda, -1);
}

static void mixture_close(struct mixture *at)
{
    arb_clear(at->a);
    arb_clear(at->y);
    arb_clear(at->h);
    arb_clear(at->weight);
    arb_clear(at->tail);
    arb_clear(at->step);
}

/* The sum of w_j tail_j over j = first..last. The weights outside add up to at most the two geometric series
 * with the weights just outside and the ratios first/h and h/(last+1); a tail is at most 1. */
void exact_noncentral(const arb_t x, const arb_t dof, const arb_t lambda, bool upper, slong bits, arb_t sum)
{
    const double h = arf_get_d(arb_midref(lambda), ARF_RND_NEAR) / 2,
                 reach = sqrt(2 * 0.7 * (double)bits * (h + 1)) + 0.7 * (double)bits;
    const double first = fmax(0, floor(h - reach)), last = ceil(h + reach);
    struct mixture at;
    ARBS(part);

    mixture_open(x, dof, lambda, first, upper, bits, &at);
    arb_zero(sum);
    if (first > 0) { /* the weights below `first`: at most w_first times (first/h)/(1 - first/h) */
        arb_set_d(part, first);
        arb_div(part, part, at.h, bits);
        arb_sub_ui(sum, part, 1, bits);
        arb_neg(sum, sum);
        arb_div(part, part, sum, bits);
        arb_mul(part, part, at.weight, bits);
        arb_zero(sum);
        arb_add_error(sum, part);
    }
    for (double j = first; j <= last; j++) {
        arb_addmul(sum, at.weight, at.tail, bits);
        if (upper)
            arb_add(at.tail, at.tail, at.step, bits);
        else
            arb_sub(at.tail, at.tail, at.step, bits);
        arb_add_ui(at.a, at.a, 1, bits);
        arb_mul(at.step, at.step, at.y, bits);
        arb_div(at.step, at.step, at.a, bits);
        arb_mul(at.weight, at.weight, at.h, bits);
        arb_div_si(at.weight, at.weight, (slong)j + 1, bits);
    }
    arb_set_d(part, last + 1); /* the weights above: at most w_(last+1)/(1 - h/(last+1)) */
    arb_div(part, at.h, part, bits);
    arb_sub_ui(part, part, 1, bits);
    arb_neg(part, part);
    arb_div(part, at.weight, part, bits);
    arb_add_error(sum, part);
    mixture_close(&at);
}
