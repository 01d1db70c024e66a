/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ends of an effect's interval, from the spread of its statistic: the equations of fit/spread.c. */
#include "certified/exact_spread.h"

#include "fit/fit.h"

#include <math.h>

enum { BITS = SPREAD_BITS };

static const double interval_far = 2000, interval_rounding = 1e-12;
static const ulong interval_small = 4;

/* The equation of an end: the tail at `x` with `dof` degrees of freedom is `level`. */
static struct {
    arb_t x, dof, level; /* zeroes are valid numbers */
} end;

static void end_sign(const arb_t lambda, bool upper, slong bits, arb_t value)
{
    exact_noncentral(end.x, end.dof, lambda, upper, bits, value);
    arb_div(value, value, end.level, bits);
    arb_log(value, value, bits);
    if (!upper)
        arb_neg(value, value);
}

static void low_sign(const double x[], const arb_t lambda, slong bits, arb_t value)
{
    end_sign(lambda, true, bits, value);
}

static void high_sign(const double x[], const arb_t lambda, slong bits, arb_t value)
{
    end_sign(lambda, false, bits, value);
}

static double middle(const arb_t x)
{
    return arf_get_d(arb_midref(x), ARF_RND_NEAR);
}

/* The end near the guess. An end of nearly 0 becomes indeterminate: the guess itself has an error of 1e-10. */
static void noncentral_end(exact_sign *sign, double guess, arb_t root)
{
    if (guess == 0)
        arb_zero(root);
    else if (guess < 1e-3)
        arb_indeterminate(root);
    else
        enclose_root(sign, NULL, guess, 1e-6 * guess, root);
}

/* The ends for the variable x/c, where z is the normal quantile of the level. Returns whether they are in closed
 * form. */
static bool noncentral_ends(const arb_t z, arb_t low, arb_t high)
{
    const double alpha = 2 * middle(end.level), d = middle(end.x) - middle(end.dof);
    double guess_low, guess_high;

    if (d >= interval_far && d >= middle(end.dof)) {
        ARBS(root);

        arb_mul_2exp_si(root, end.x, 2); /* z sqrt(2 dof + 4 d) = z sqrt(4 x - 2 dof) */
        arb_submul_ui(root, end.dof, 2, BITS);
        arb_sqrt(root, root, BITS);
        arb_mul(root, root, z, BITS);
        arb_sub(low, end.x, end.dof, BITS);
        arb_addmul(low, z, z, BITS);
        arb_add_ui(low, low, 1, BITS);
        arb_add(high, low, root, BITS);
        arb_sub(low, low, root, BITS);
        return true;
    }
    sb_noncentral_interval(middle(end.x), middle(end.dof), alpha, &guess_low, &guess_high);
    arb_zero(low);
    arb_zero(high);
    noncentral_end(low_sign, guess_low, low);
    noncentral_end(high_sign, guess_high, high);
    return false;
}

/* The larger of the slope of the counts, and that after ln(2/alpha) fair deals were added. */
static void raise_slope(const struct exact_spread *spread, const arb_t effect, arb_t slope)
{
    ARBS(share, cube, term);

    arb_log(share, end.level, BITS); /* N/(N + ln(2/alpha)) */
    arb_sub_ui(share, share, (ulong)drawn.total, BITS);
    arb_neg(share, share);
    arb_ui_div(share, (ulong)drawn.total, share, BITS);
    arb_mul(term, effect, effect, BITS); /* share (slope + effect^2) + (1 - share) effect */
    arb_add(cube, spread->slope, term, BITS);
    arb_sub(cube, cube, effect, BITS);
    arb_mul(cube, cube, share, BITS);
    arb_add(cube, cube, effect, BITS);
    arb_mul(share, share, share, BITS);
    arb_submul(cube, term, share, BITS);
    arb_mul(cube, cube, share, BITS);
    arb_max(slope, spread->slope, cube, BITS);
}

/* The larger of the width above and of bend + sqrt(z^2 variance/N^2 + bend^2), with bend = 2 z^2 curve/N. */
static void raise_width(const struct exact_spread *spread, const arb_t variance, const arb_t z, arb_t width)
{
    ARBS(bend, root);

    arb_max(bend, spread->curve, bend, BITS);
    arb_mul(root, z, z, BITS);
    arb_mul(bend, bend, root, BITS);
    arb_mul_2exp_si(bend, bend, 1);
    arb_div_ui(bend, bend, (ulong)drawn.total, BITS);
    arb_mul(root, root, variance, BITS);
    arb_div_ui(root, root, (ulong)drawn.total, BITS);
    arb_div_ui(root, root, (ulong)drawn.total, BITS);
    arb_addmul(root, bend, bend, BITS);
    arb_sqrt(root, root, BITS);
    arb_add(root, root, bend, BITS);
    arb_max(width, width, root, BITS);
}

/* effect (low c/(N effect))^widen, where `low` is the end for x/c; `shift` is N effect. */
static void lower_end(const arb_t effect, const arb_t shift, const arb_t scale, const arb_t widen, arb_t low)
{
    if (arb_is_zero(low))
        return;
    arb_mul(low, low, scale, BITS);
    arb_div(low, low, shift, BITS);
    arb_pow(low, low, widen, BITS);
    arb_mul(low, low, effect, BITS);
}

/* The ends of the interval at level 1 - alpha of an effect, for a statistic with `dof` degrees of freedom. An end that
 * is nearly 0 is indeterminate. Returns whether the ends are in closed form. */
static bool exact_spread_interval(const struct exact_spread *spread, double dof, const arb_t alpha, arb_t low,
                                  arb_t high)
{
    const ulong total = (ulong)drawn.total;
    arb_ptr v = _arb_vec_init(9);
    arb_ptr effect = v, noise = v + 1, trace = v + 2, slope = v + 3, variance = v + 4, scale = v + 5, z = v + 6,
            widen = v + 7, shift = v + 8;

    arb_mul_2exp_si(end.level, alpha, -1);
    arb_max(effect, spread->effect, effect, BITS);
    arb_set_d(noise, interval_rounding * dof);
    arb_max(noise, spread->noise, noise, BITS);
    arb_set_d(scale, dof);
    arb_mul(trace, noise, noise, BITS);
    arb_div(trace, trace, scale, BITS);
    arb_max(trace, spread->trace, trace, BITS);
    raise_slope(spread, effect, slope);
    arb_mul_ui(variance, slope, 2 * total, BITS);
    arb_add(variance, variance, trace, BITS);
    arb_mul_2exp_si(variance, variance, 1);
    arb_mul_ui(shift, effect, total, BITS);
    arb_mul_2exp_si(scale, shift, 1);
    arb_add(scale, scale, noise, BITS);
    arb_mul_2exp_si(scale, scale, 1);
    arb_div(scale, variance, scale, BITS);
    arb_mul_ui(end.x, spread->effect, total, BITS);
    arb_add(end.x, end.x, noise, BITS);
    arb_max(end.x, end.x, widen, BITS); /* which is still 0 */
    arb_div(end.x, end.x, scale, BITS);
    arb_div(end.dof, noise, scale, BITS);
    arb_hypgeom_erfcinv(z, alpha, BITS); /* P(Z > z) = erfc(z/sqrt 2)/2 */
    arb_sqrt_ui(widen, 2, BITS);
    arb_mul(z, z, widen, BITS);
    const bool closed = noncentral_ends(z, low, high);

    arb_mul(high, high, scale, BITS);
    arb_div_ui(high, high, total, BITS);
    arb_sub(high, high, effect, BITS);
    raise_width(spread, variance, z, high);
    arb_set_ui(widen, total + interval_small);
    arb_div_ui(widen, widen, total, BITS);
    arb_mul(high, high, widen, BITS);
    arb_add(high, high, effect, BITS);
    lower_end(effect, shift, scale, widen, low);
    _arb_vec_clear(v, 9);
    return closed;
}

/* Checks a number as a share of the upper end. */
static void check_share(struct claim *claim, double got, const arb_t truth, const arb_t high,
                        const struct sb_finding *finding)
{
    const double x[4] = { (double)drawn.cells, (double)drawn.total, finding->effect, finding->effect_high };
    ARBS(error);

    arb_set_d(error, got);
    arb_sub(error, error, truth, BITS);
    arb_div(error, error, high, BITS);
    certify_enclosed(claim, 0, error, x);
}

bool certify_interval(struct claim claim[3], const struct sb_finding *finding, const struct exact_spread *spread,
                      double level)
{
    ARBS(low, high, alpha, effect);

    if (isnan(finding->effect_high))
        return false;
    arb_set_d(alpha, level);
    const bool closed = exact_spread_interval(spread, finding->dof, alpha, low, high);
    if (finding->value > finding->dof)
        arb_max(effect, spread->effect, effect, BITS);
    if (arb_is_zero(effect) || (!sb_finding_expects(finding) && finding->p > level / 2)) /* too few counts */
        arb_zero(low);
    if (arb_is_finite(high)) {
        check_share(&claim[0], finding->effect, effect, high, finding);
        if (arb_is_finite(low))
            check_share(&claim[1], finding->effect_low, low, high, finding);
        check_share(&claim[2], finding->effect_high, high, high, finding);
    }
    return closed;
}
