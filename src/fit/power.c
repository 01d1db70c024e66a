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

#include "fit/fit.h"

#include <float.h>

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

/*
 * Power: how many shuffles a chi-square test needs to see a bias, and which bias N shuffles can show.
 *
 * Under a law p near the null law p0 the statistics are nearly noncentral chi-square, with a noncentrality of
 * N times an effect per shuffle:
 *   Pearson            sum (p - p0)^2/p0, as the mean of X2 is exactly dof + (N-1) effect if p0 is uniform;
 *   likelihood ratio   2 sum p ln(p/p0), as the mean of G is about 2N KL + dof;
 *   matrix             (n-1)/n sum (p - p0)^2/p0 over items and columns. For p0 = 1/n, let s be the sum of
 *                      (p - 1/n)^2. The mean of X2 is (n-1) (sum p(1-p) + N s). Since sum p(1-p) = n - 1 - s,
 *                      the mean is (n-1)^2 + (N-1)(n-1) s, which is again dof + (N-1) effect.
 * The number of shuffles is the smallest N with P(chi2(dof, N effect) > critical) >= power. This tail rises
 * with the noncentrality, so N is the noncentrality at which the test has this power, divided by the effect
 * and rounded up.
 *
 * The noncentral law has the variance 2 dof + 4 N effect. That of the statistic is 2 trace + 4 N slope
 * (fit/fit.h), which may be larger, and then the power is smaller: 0.88 instead of 0.9 for Pearson's test of
 * the naive swap of five items. So the code also takes X2/c as noncentral chi-square with noise/c degrees of freedom,
 * where c makes the variance right (Satterthwaite, doi:10.2307/3002019), and believes the smaller power.
 *
 * Suppose that the alternative p is known. Under p0, the product of p/p0 over shuffles is a martingale with
 * mean 1, and the probability that this product ever exceeds 1/alpha is at most alpha (Ville). Under p, the
 * logarithm of the product grows by KL per shuffle on average. So the product takes ln(1/alpha)/KL shuffles
 * on average to reach 1/alpha, plus a few shuffles, because the product overshoots 1/alpha (Wald).
 *
 * Directions: consider all p at total variation TV from uniform over K cells, with `a` cells above 1/K and b
 * = K - a cells below 1/K. For a given `a`, the chi-square is smallest if all cells above 1/K have the same
 * probability, and all cells below 1/K have the same probability. It is then K (TV^2/a + TV^2/b) = TV^2
 * K^2/(a b). Of these values, the one for a = floor(K/2) is the smallest: 4 TV^2 for even K, and 4
 * K^2/(K^2-1) TV^2 for odd K. No probability is negative, so b >= K TV; this matters for TV > 1/2.
 *
 * A random direction: the deviations, whose sum is 0, are a random point on the sphere of radius r in K - 1
 * dimensions, so the chi-square is K r^2. A deviation is sqrt((K-1)/K) times a coordinate of that point, whose
 * mean size is r m with m = Gamma((K-1)/2)/(sqrt(pi) Gamma(K/2)). So the mean of TV is K/2 sqrt((K-1)/K) r m, and
 * the chi-square is 4/((K-1) m^2) times the square of that mean: 4 for two cells, 2 pi for very many. Far from uniform,
 * most directions would make probabilities negative; then the code takes the least chi-square, if that is larger.
 *
 * Cost: a number of shuffles takes about 30 tails, each of about sqrt(dof) + 15 sqrt(noncentrality) steps.
 * The matrix takes O(n k) operations on rationals.
 *
 * Cohen, Statistical power analysis for the behavioral sciences, 2nd edition, 1988, chapter 7. Wald,
 * Sequential tests of statistical hypotheses, Annals of Mathematical Statistics 16, 1945.
 */

static const double power_two_by_pi = 0.63661977236758134308;

static double power_ln_tail(const void *state, double x)
{
    const struct sb_power_test *const test = state;

    return log(test->alpha) - sb_chisq_ln_q(x, test->dof);
}

struct sb_power_test sb_power_test(double dof, double alpha)
{
    struct sb_power_test test = { .dof = dof, .alpha = alpha };
    const double reach = -log(alpha);
    /* a chi-square variable exceeds this with probability at most e^-reach (Laurent and Massart, Annals of
     * Statistics 28, 2000, lemma 1) */
    const double high = dof + 2 * sqrt(dof * reach) + 2 * reach;

    test.critical = sb_root_find(power_ln_tail, &test, 0, high, 1e-14);
    return test;
}

double sb_power_at(const struct sb_power_test *test, double lambda)
{
    return sb_noncentral_q(test->critical, test->dof, lambda);
}

/* The equation "power at a noncentrality = requested power". For accuracy, the code compares the tails that
 * are below 1/2. */
struct power_goal {
    const struct sb_power_test *test;
    double power;
};

static double power_beyond(const void *state, double lambda)
{
    const struct power_goal *const goal = state;
    const struct sb_power_test *const test = goal->test;

    if (goal->power < 0.5)
        return log(sb_noncentral_q(test->critical, test->dof, lambda) / goal->power);
    return -log(sb_noncentral_p(test->critical, test->dof, lambda) / (1 - goal->power));
}

double sb_power_noncentrality(const struct sb_power_test *test, double power)
{
    const struct power_goal goal = { .test = test, .power = power };
    double low = 0, high = sqrt(test->dof) - 2 * log(test->alpha);

    if (power <= test->alpha)
        return 0;
    while (power_beyond(&goal, high) < 0) {
        low = high;
        high *= 2;
    }
    return sb_root_find(power_beyond, &goal, low, high, 1e-13);
}

double sb_power_shuffles(const struct sb_power_test *test, double power, double effect)
{
    const double shuffles = ceil(sb_power_noncentrality(test, power) / effect);

    if (!(effect > 0) || !isfinite(shuffles))
        return NAN;
    return fmax(shuffles, 1);
}

double sb_power_spread_at(const struct sb_power_test *test, const struct sb_spread *spread, double total)
{
    const double lambda = total * spread->effect;
    const double scale = (spread->trace + 2 * total * spread->slope) / (spread->noise + 2 * lambda);
    const double usual = sb_power_at(test, lambda);

    if (!(scale > 1))
        return usual;
    return fmin(usual, sb_noncentral_q(test->critical / scale, spread->noise / scale, lambda / scale));
}

double sb_power_spread_shuffles(const struct sb_power_test *test, double power, const struct sb_spread *spread)
{
    double low = sb_power_shuffles(test, power, spread->effect), high = low;

    if (isnan(low) || low >= 0x1p53 || sb_power_spread_at(test, spread, low) >= power)
        return low;
    while (sb_power_spread_at(test, spread, high) < power && high < 0x1p53) {
        low = high;
        high = ceil(1.25 * high);
    }
    while (high - low > 1) {
        const double middle = floor(low + (high - low) / 2);

        *(sb_power_spread_at(test, spread, middle) < power ? &low : &high) = middle;
    }
    return high;
}

/* p - 1/n of one cell of the matrix; 0 if the difference may be a rounding error. `fraction` and `even` are
 * scratch. */
static double power_deviation(const struct sb_evidence *evidence, size_t item, size_t position, mpq_t fraction,
                              mpq_t even)
{
    if (evidence->matrix.form == SB_NUMBERS_SHARE) {
        const double share = evidence->matrix.share[item * evidence->deal + position];
        const double deviation = share - 1 / (double)evidence->n;

        return fabs(deviation) > 2 * (evidence->error + DBL_EPSILON) * share ? deviation : 0;
    }
    sb_evidence_matrix_fraction(evidence, item, position, fraction);
    mpq_set_ui(even, 1, evidence->n);
    mpq_sub(fraction, fraction, even);
    return mpq_get_d(fraction);
}

double sb_power_matrix(const struct sb_evidence *evidence)
{
    const double n = (double)evidence->n, rest = (double)(evidence->n - evidence->deal);
    struct sb_sum sum = { 0 };
    mpq_t fraction, even;

    if (evidence->n < 2)
        return 0;
    mpq_inits(fraction, even, NULL);
    for (size_t i = 0; i < evidence->n; i++) {
        struct sb_sum row = { 0 }; /* the deviation of the column "not dealt" */

        for (size_t j = 0; j < evidence->deal; j++) {
            const double deviation = power_deviation(evidence, i, j, fraction, even);

            sb_sum_add(&row, deviation);
            sb_sum_add(&sum, deviation * deviation * n);
        }
        if (rest > 0)
            sb_sum_add(&sum, sb_sum_value(&row) * sb_sum_value(&row) * n / rest);
    }
    mpq_clears(fraction, even, NULL);
    return sb_sum_value(&sum) * (n - 1) / n;
}

double sb_power_known(double alpha, double kl)
{
    const double shuffles = -log(alpha) / kl;

    return kl > 0 && isfinite(shuffles) ? fmax(shuffles, 1) : NAN;
}

double sb_power_worst(double tv, double cells)
{
    const double least = ceil(cells * tv * (1 - 1e-15)); /* adjusts for rounding if cells * tv is a whole number */
    const double below = fmin(fmax(ceil(0.5 * cells), least), cells - 1), above = cells - below;

    return tv * tv * (cells / above) * (cells / below);
}

/* The mean size m of a coordinate of a random point on the unit sphere: 1 in one dimension, 2/pi in two, and d/(d + 1)
 * times as large in two more than d. */
static double power_coordinate(size_t dimensions)
{
    size_t d = dimensions % 2 ? 1 : 2;
    double mean = d == 1 ? 1 : power_two_by_pi;

    for (; d < dimensions; d += 2)
        mean *= (double)d / (double)(d + 1);
    return mean;
}

/* Chi-square over the squared TV in a random direction. */
static double power_typical_ratio(double cells)
{
    const double mean = power_coordinate((size_t)cells - 1);

    return 4 / ((cells - 1) * mean * mean);
}

double sb_power_typical(double tv, double cells)
{
    return fmax(power_typical_ratio(cells) * tv * tv, sb_power_worst(tv, cells));
}

/* Finds b, the number of cells below 1/K, and computes TV from b and chi2. b must be at least K TV. At TV =
 * b/K the chi-square is b/(K-b). So b is the larger of two numbers: the least b with b/(K-b) >= chi2, and K/2
 * rounded up. If b is above K/2 rounded up, then TV > (b-1)/K. */
double sb_power_worst_tv(double chi2, double cells)
{
    const double half = ceil(0.5 * cells), least = ceil(cells * (chi2 / (1 + chi2)) * (1 - 1e-15));
    const double below = fmax(half, least), above = cells - below;
    const double tv = sqrt(chi2 * above * below) / cells;

    if (!(above >= 1))
        return NAN;
    return below > half ? fmax(tv, (below - 1) / cells) : tv;
}

double sb_power_typical_tv(double chi2, double cells)
{
    const double worst = sb_power_worst_tv(chi2, cells);

    return isnan(worst) ? NAN : fmin(worst, sqrt(chi2 / power_typical_ratio(cells)));
}
