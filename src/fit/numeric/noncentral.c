/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The noncentral chi-square distribution, as a Poisson mixture of central chi-square distributions. With h =
 * lambda/2 and the weights w_j = e^-h h^j / j!,
 *   Q(x; dof, lambda) = sum over j of w_j Q(x; dof + 2j).
 * The code adds up the terms from the mode of the weights outwards. With a = dof/2 + j, y = x/2 and t(a) =
 * y^a e^-y / Gamma(a+1), one step is
 *   Q(a+1) = Q(a) + t(a), P(a+1) = P(a) - t(a), t(a+1) = t(a) y/(a+1).
 * The code subtracts from Q only as j falls, and from P only as j rises. In these directions the terms
 * vanish.
 *
 * Above lambda = 1e6, where the sum gets long, Sankaran's transformation makes the variable nearly normal.
 *
 * Cost: about 15 sqrt(lambda) steps and one central tail. An interval takes about 25 noncentral tails.
 * Sankaran, Approximations to the non-central chi-square distribution, Biometrika 50, 1963. Ding,
 * doi:10.2307/2347584. Kent and Hainsworth, Confidence intervals for the noncentral chi-squared distribution,
 * Journal of Statistical Planning and Inference 46, 1995.
 */
#include "fit/numeric/noncentral.h"

#include "fit/numeric/root.h"
#include "fit/numeric/special.h"

#include <math.h>
#include <stdbool.h>

static const double noncentral_sum_most = 1e6; /* the largest lambda for which the mixture is summed */

/* One term of the mixture. */
struct noncentral_term {
    double j;      /* index of the term */
    double weight; /* w_j */
    double tail;   /* tail of the central distribution */
    double step;   /* t(dof/2 + j): the change of the tail from j to j + 1 */
};

/* The sum of the terms after `term`; the next function sums the terms before `term`. `sign` is 1 for upper
 * tails, and -1 for lower tails. */
static double noncentral_sum_up(struct noncentral_term term, double a, double y, double h, double sign)
{
    double sum = 0, last = term.weight * term.tail, product = last;

    do {
        last = product;
        term.tail += sign * term.step;
        term.j++;
        term.step *= y / (a + term.j);
        term.weight *= h / term.j;
        product = term.weight * term.tail;
        sum += fmax(product, 0);
    } while (product > sum * 1e-17 || product > last);
    return sum;
}

static double noncentral_sum_down(struct noncentral_term term, double a, double y, double h, double sign)
{
    double sum = 0, last = term.weight * term.tail, product = last;

    while (term.j > 0 && (product > sum * 1e-17 || product > last)) {
        last = product;
        term.step *= (a + term.j) / y;
        term.tail -= sign * term.step;
        term.weight *= term.j / h;
        term.j--;
        product = term.weight * term.tail;
        sum += fmax(product, 0);
    }
    return sum;
}

static double noncentral_mixture(double x, double dof, double lambda, bool upper)
{
    const double a = 0.5 * dof, y = 0.5 * x, h = 0.5 * lambda, sign = upper ? 1 : -1;
    struct noncentral_term term = { .j = floor(h) };
    const double at = dof + 2 * term.j;

    term.weight = h > 0 ? exp(sb_ln_poisson(term.j, h)) : 1;
    term.tail = upper ? sb_chisq_q(x, at) : sb_chisq_p(x, at);
    term.step = exp(sb_ln_poisson(0.5 * at, y));
    return fmin(1, term.weight * term.tail + noncentral_sum_up(term, a, y, h, sign) +
                       noncentral_sum_down(term, a, y, h, sign));
}

/* Transforms a value x of X to a value of a nearly standard normal variable. */
static double noncentral_normal(double x, double dof, double lambda)
{
    const double mean = dof + lambda, spread = mean + lambda;
    const double h = 1 - 2 * mean * (mean + 2 * lambda) / (3 * spread * spread);
    const double p = spread / (mean * mean), m = (h - 1) * (1 - 3 * h);
    const double raised = expm1(h * log(x / mean)); /* (x/mean)^h - 1 */

    return (raised - h * p * (h - 1 - 0.5 * (2 - h) * m * p)) / (h * sqrt(2 * p) * (1 + 0.5 * m * p));
}

static double noncentral_tail(double x, double dof, double lambda, bool upper)
{
    if (isnan(x) || isnan(dof) || isnan(lambda))
        return NAN;
    if (x <= 0)
        return upper ? 1 : 0;
    if (lambda > noncentral_sum_most) {
        const double z = noncentral_normal(x, dof, lambda);

        return 0.5 * erfc((upper ? z : -z) * 0.70710678118654752440);
    }
    return noncentral_mixture(x, dof, lambda, upper);
}

double sb_noncentral_q(double x, double dof, double lambda)
{
    return noncentral_tail(x, dof, lambda, true);
}

double sb_noncentral_p(double x, double dof, double lambda)
{
    return noncentral_tail(x, dof, lambda, false);
}

/* The equation "tail = level", which is solved for lambda. */
struct noncentral_end {
    double x, dof, level;
};

static double noncentral_low(const void *state, double lambda)
{
    const struct noncentral_end *const end = state;

    return log(sb_noncentral_q(end->x, end->dof, lambda) / end->level);
}

/* The lower tail falls as lambda rises, but sb_root_find() needs a rising function. So this function returns
 * the negative logarithm. */
static double noncentral_high(const void *state, double lambda)
{
    const struct noncentral_end *const end = state;

    return -log(sb_noncentral_p(end->x, end->dof, lambda) / end->level);
}

void sb_noncentral_interval(double x, double dof, double alpha, double *low, double *high)
{
    const struct noncentral_end end = { .x = x, .dof = dof, .level = 0.5 * alpha };
    /* the probability that a normal variable exceeds sqrt(reach) is below the level */
    const double reach = -2 * log(end.level), centre = fmax(x - dof, 0);
    double step = sqrt(reach * (2 * dof + 4 * centre)) + 2 * reach;

    *low = 0;
    *high = 0;
    if (noncentral_low(&end, 0) < 0) {
        const double from = fmax(centre - step, 0), to = noncentral_low(&end, centre) > 0 ? centre : x;

        *low = sb_root_find(noncentral_low, &end, noncentral_low(&end, from) < 0 ? from : 0, to, 1e-12);
    }
    if (noncentral_high(&end, 0) < 0) {
        while (noncentral_high(&end, centre + step) < 0)
            step *= 2;
        const double from = noncentral_high(&end, centre) < 0 ? centre : 0;

        *high = sb_root_find(noncentral_high, &end, from, centre + step, 1e-12);
    }
}
