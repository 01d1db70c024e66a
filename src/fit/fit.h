/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Goodness-of-fit tests, effect sizes and power. */
#ifndef SB_FIT_FIT_H
#define SB_FIT_FIT_H

#include "core/evidence.h"

/*
 * A cell and its expected count.
 *
 * For K equally likely cells and N = q K + r deals, the code computes the expected minus the observed count,
 * E - O, as (q - O) + r/K. This form keeps all digits. The form N/K - O would lose the digits that N/K and O
 * have in common. Cost: a few operations and a division.
 */

/* One cell of one member of a tally, and its expected count. */
struct sb_cell {
    double count;
    double expected; /* 0 for a cell that cannot occur */
    double excess;   /* expected - count, computed without cancellation if all cells are equally likely */
};

/* A lower limit on the expected count of a possible cell. The limit keeps terms finite if a probability
 * underflows. One deal in such a cell decides the test. */
static const double sb_cell_floor = 1e-100;

struct sb_cell sb_cell_get(const struct sb_tally *tally, size_t member, size_t cell);

/*
 * The mean and the variance of a statistic N |mean of Y|^2 over N samples, where the vector Y of each sample
 * has mean M and covariance S:
 *   mean       N |M|^2 + tr S
 *   variance   2 tr S^2 + 4 N M'SM, up to terms that vanish as N grows.
 */
struct sb_spread {
    double effect; /* an unbiased estimate of |M|^2, which noise may make negative */
    double noise;  /* tr S; equal to dof under the null law */
    double trace;  /* tr S^2; equal to dof under the null law */
    double slope;  /* M'SM; equal to the effect near the null law */
    double curve;  /* how much the slope grows per unit of effect; 1 near the null law */
};

/* Returns the spread of Pearson's statistic over the cells of one member. The tally must not be empty. */
struct sb_spread sb_spread_cells(const struct sb_tally *tally, size_t member);

/* Computes only the slope and the curve of sb_spread_cells(), at half the cost. */
void sb_spread_slope(const struct sb_tally *tally, size_t member, double *slope, double *curve);

/* Sets effect, effect_low and effect_high of a finding whose value and dof are known; 0 < alpha < 1, dof > 0,
 * total > 0. */
void sb_spread_interval(const struct sb_spread *spread, double total, double alpha, struct sb_finding *finding);

/* These functions set everything but the curve, for a law whose deals have counts. `effect` is the noncentrality per
 * shuffle. */
struct sb_spread sb_law_spread_pearson(const struct sb_evidence *evidence, double effect);
struct sb_spread sb_law_spread_likelihood_ratio(const struct sb_evidence *evidence, double effect);

/* The law must have its matrix, too. SB_NO_MEMORY. */
enum sb_status sb_law_spread_matrix(const struct sb_evidence *evidence, double effect, struct sb_spread *spread);

/*
 * Goodness-of-fit tests, which compare the tallies of one statistic with its null law. Each test has a file
 * of its own. The last thing in this file is a constant of the type below. A new test needs a new file, and a
 * line in meson.build.
 */

struct sb_test_type {
    const char *name, *title, *cite;
    /* the statistic that the test is for; NULL: all statistics that have no other test */
    const char *statistic;
    /* whether the test is for tallies of so few samples that no other test of them is reliable */
    bool few;
    /*
     * Fills the finding. The interval of the effect has the level 1 - alpha, 0 < alpha < 1. An empty tally,
     * or a single cell, is not evidence: in this case p, ln_p and the effects are NaN. If the tally is empty,
     * `value` is NaN, too. For up to 10^7 deals, `value` and ln_p have errors of at most 1e-12 of themselves,
     * and 1e-11 more. The effect of a chi-square test and the ends of its interval are the solutions of the
     * equations in fit/spread.c. For up to 10^12 deals and 10^6 cells, rounding moves them by at most
     * 1e-10 of the upper end. SB_INVALID: the test cannot take a tally with these members and cells. SB_BROKEN:
     * a cell that cannot occur has a count.
     */
    enum sb_status (*run)(const struct sb_tally *tally, double alpha, struct sb_finding *finding);
};

/* Two tests that other code calls directly. The first is Pearson's chi-square of the rank; the second is
 * Pearson's chi-square of the merged cells of any statistic, over all its members. */
extern const struct sb_test_type sb_test_pearson, sb_test_merged;

/* The chi-square of the matrix of items by positions or, of sets and hands, of items by groups. */
extern const struct sb_test_type sb_test_matrix;

/* The exact test, for a few samples. */
extern const struct sb_test_type sb_test_exact;

/* The test of decks that are equal, by the bound of birthday.h. */
extern const struct sb_test_type sb_test_birthday;

/* The test of a bettor, which uses the bettor's tally at the moment of the largest E. */
extern const struct sb_test_type sb_test_betting;

/* All tests in the order of src/fit/meson.build, and their number. */
extern const struct sb_test_type *const sb_test_types[];
extern const size_t sb_test_types_count;

/* A sum over cells: see sb_cells_add(). */
struct sb_cells_sum {
    double value;    /* the sum of the terms */
    double least;    /* the smallest expected count */
    size_t possible; /* number of possible cells of one member */
};

/*
 * Computes the sum of term(cell) over all possible cells of all members. The terms are added in order, so the
 * sum depends neither on threads nor on the width of vectors. SB_BROKEN: a cell that cannot occur has a
 * count.
 */
enum sb_status sb_cells_add(const struct sb_tally *tally, double (*term)(const struct sb_cell *cell),
                            struct sb_cells_sum *sum);

/* A term of Pearson's chi-square: (O - E)^2/E. */
double sb_cell_pearson(const struct sb_cell *cell);

/* A finding without numbers: all of them are NaN. */
struct sb_finding sb_finding_none(const struct sb_tally *tally, const char *test);

/*
 * The finding of a test statistic that is chi-square with `dof` degrees of freedom under the null law, if all
 * expected counts are 5 or more. Chi-square is an approximation that may be far too small where p is tiny. So p is at
 * least the probability of the least likely sample, which no p-value of the sample can be below. `spread` describes the
 * variance of the statistic, as estimated from the counts.
 */
struct sb_finding sb_finding_of(const struct sb_tally *tally, const char *test, double value, double dof,
                                const struct sb_cells_sum *sum, const struct sb_spread *spread, double alpha);

/* Alternatives: four numbers of seeds, three shares of decks that are copies of earlier ones, and four shares of runs
 * that come again. */
enum {
    SB_BIRTHDAY_SEEDS = 4,
    SB_BIRTHDAY_COPIES = 3,
    SB_BIRTHDAY_REPLAYS = 4,
    SB_BIRTHDAY_ALTERNATIVES = SB_BIRTHDAY_SEEDS + SB_BIRTHDAY_COPIES + SB_BIRTHDAY_REPLAYS
};

/* The state of the test after the decks so far. */
struct sb_birthday {
    double ln_pair; /* ln of the probability that a deck of a fair shuffle equals a given other deck */
    double ln_part; /* ln of the share of possible decks that are compared; 0 if all decks are compared */
    double ln_each; /* ln of the probability, at most, that a deck is the one that was predicted */
    double ln_run;  /* ln of what the predictions of a run turned 1 into so far */
    uint64_t decks, repeats;
    double pairs; /* number of compared pairs of decks; 0 if only a part of the decks is compared */
    double ln_e[SB_BIRTHDAY_ALTERNATIVES];
};

/* Adds a deck that was compared with `known` distinct decks. `again` says whether the deck equals one of
 * these decks. */
void sb_birthday_step(struct sb_birthday *birthday, uint64_t known, bool again);

/* Bets on a deck that was predicted to come again; `hit` says whether it did. A miss ends the run. If the deck is not
 * `counted`, E has this bet. */
void sb_birthday_follow(struct sb_birthday *birthday, bool hit, bool counted);

/* ln E, where E is the average of the e-processes against all alternatives. For a fair shuffle, the
 * probability that E ever reaches 1/alpha is at most alpha. ln E is 0 at the start. */
double sb_birthday_ln_e(const struct sb_birthday *birthday);

/* An upper bound on the rounding error of sb_birthday_ln_e(). */
double sb_birthday_ln_e_error(const struct sb_birthday *birthday);

/* bet_range of core/evidence.h: no partial sum of an alternative's steps is larger than |ln E| plus this. So the
 * rounding error of `steps` steps is at most 2 (steps + 2^13) 2^-53 (|ln E| + range). */
double sb_birthday_range(const struct sb_birthday *birthday);

/*
 * A lower bound on the number of equally likely decks. The probability that the bound is ever wrong is at
 * most delta, however often it is computed before the first repeat. The reason: independent draws from m
 * decks show no repeat in `pairs` pairs with probability at most exp(-pairs/m). After a repeat, the bound is
 * 0.
 */
double sb_birthday_seeds_low(const struct sb_birthday *birthday, double delta);

/* The number of decks after which sb_birthday_seeds_low() is `seeds`, if no deck repeats and each deck is
 * compared only with the first `kept` decks. */
double sb_birthday_decks_needed(double seeds, double delta, double kept);

/* An upper bound on the average number of repeats for a fair shuffle: the number of pairs, N(N-1)/2, times
 * exp(ln_pair). */
double sb_birthday_expected(uint64_t decks, double ln_pair);

/* ln of an upper bound on the probability that a fair shuffle has this many repeats or more. The bound is
 * close to this probability as long as N^2 is small relative to D^(3/2), where N is the number of decks so
 * far, and D is the number of possible decks. The bound is ln P(X >= r) for a Poisson variable X whose mean
 * is the sum of -ln(1 - t/D) over t < N. It is never smaller than that, except by a rounding error of at most
 * 1e-11 of itself, and 1e-11 more; and it is larger by at most r (N/D)^2/6. */
double sb_birthday_ln_p(const struct sb_birthday *birthday);

/* Garwood's interval at level 1 - alpha for the mean of a Poisson count. Each end has a relative error of at
 * most 1e-12. */
void sb_birthday_interval(uint64_t repeats, double alpha, double *low, double *high);

/* A test at a given level. Under the null law, the statistic of the test is chi-square with `dof` degrees of
 * freedom. The test rejects if the statistic exceeds the critical value, whose relative error is at most
 * 1e-12. sb_power_test() initialises this struct. */
struct sb_power_test {
    double dof;      /* > 0 */
    double alpha;    /* level of the test, in (0, 1) */
    double critical; /* the value that is exceeded with probability alpha under the null law */
};

struct sb_power_test sb_power_test(double dof, double alpha);

/* The probability that the test rejects at noncentrality lambda >= 0. */
double sb_power_at(const struct sb_power_test *test, double lambda);

/* The noncentrality at which the test rejects with probability `power`, in (0, 1); 0 if `power` is at most
 * alpha. The relative error is at most 1e-10 up to a noncentrality of 1e6. */
double sb_power_noncentrality(const struct sb_power_test *test, double power);

/*
 * The smallest number of shuffles N >= 1 for which sb_power_at(N * effect) >= power. `effect` is the
 * noncentrality per shuffle. NaN if `effect` is 0 or N is too large for a double.
 */
double sb_power_shuffles(const struct sb_power_test *test, double power, double effect);

/*
 * Do the same for a statistic whose variance is known, where it may be larger than that of the noncentral law. The
 * power after `total` shuffles is the smaller one of the power by the noncentral law and the power by the law with this
 * variance.
 */
double sb_power_spread_at(const struct sb_power_test *test, const struct sb_spread *spread, double total);
double sb_power_spread_shuffles(const struct sb_power_test *test, double power, const struct sb_spread *spread);

/*
 * The noncentrality per shuffle of the matrix test under an exact law whose matrix is known:
 *   (n-1)/n * sum over items and columns of (p - p0)^2 / p0,
 * where p0 is 1/n. A deal of k < n has the additional column "not dealt", where p0 is (n-k)/n. The result is
 * 0 for n < 2.
 */
double sb_power_matrix(const struct sb_evidence *evidence);

/* Suppose that the true law is `kl` nats from uniform. Returns a lower bound on the average number of shuffles after
 * which the outcomes so far are 1/alpha times as likely under the true law as under the uniform law, at least 1. NaN if
 * `kl` is 0. */
double sb_power_known(double alpha, double kl);

/* Chi-square per shuffle of a law over `cells` cells at total variation `tv` from uniform. 0 <= tv <= 1 -
 * 1/cells, and cells >= 2. The first function is for the law that is hardest to detect. The second function
 * is for a law that deviates in a random direction. */
double sb_power_worst(double tv, double cells);
double sb_power_typical(double tv, double cells);

/* The smallest tv for which sb_power_worst() or sb_power_typical() is `chi2`; NaN if there is no such tv. */
double sb_power_worst_tv(double chi2, double cells);
double sb_power_typical_tv(double chi2, double cells);

/*
 * Computes the effect sizes of exact or sampled counts. After SB_OK, total_variation_exact is initialised,
 * and sb_report_close() or the caller clears it. If nothing was counted, every double is NaN,
 * total_variation_exact is 0, and no deal is listed. The doubles are accurate to ten digits even if they are
 * tiny.
 *
 * SB_INVALID if only the matrix is known; in this case nothing is initialised.
 */
enum sb_status sb_effect_of(const struct sb_evidence *evidence, struct sb_effect *effect);

/* Sets the fields of `effect` whose names end in _fair, for `total` shuffles and `cells` >= 1 equally likely
 * deals. If total is 0, these fields are NaN. */
void sb_effect_fair(uint64_t total, size_t cells, struct sb_effect *effect);

/*
 * Selects the deals that a table shows, by their counts in `order`. `order` is `evidence` itself, or other
 * evidence on the same deals that the table shows beside `evidence`. If there are at most SB_ROWS_ALL deals,
 * the table shows all, in the order of their ranks. If there are more deals, the code sorts them in
 * descending order of their counts; deals with equal counts are in the order of their ranks. The table then
 * shows the first and the last SB_ROWS_END deals. So the table begins with the most frequent deal, ends with
 * the least frequent deal, and shows no deal twice.
 *
 * For sampled evidence, each share has a confidence interval. The intervals of all deals are valid
 * simultaneously at level 1 - alpha, 0 < alpha < 1, whichever rows are shown. Each end has a relative error of at
 * most 1e-12. If the sample is empty, shares and ratios are NaN, and intervals are 0..1.
 *
 * *rows becomes an array of *count rows, which the caller frees. SB_INVALID if only the matrix is known.
 * SB_NO_MEMORY.
 */
enum sb_status sb_rows_of(const struct sb_evidence *evidence, const struct sb_evidence *order, double alpha,
                          struct sb_row **rows, size_t *count);

/*
 * Compares every cell of evidence->matrix with the fair share 1/n. The confidence intervals of all cells are
 * valid simultaneously at level 1 - alpha, 0 < alpha < 1. Each end has a relative error of at most 1e-12. If the
 * sample is empty, no cell is examined.
 */
void sb_places_find(const struct sb_evidence *evidence, double alpha, struct sb_places *places);

/* A test that fails if any count is outside low..high. */
struct sb_tolerance {
    double columns, cells; /* equally likely cells of each column; a whole number, as are the others */
    double total;          /* shuffles */
    double low, high;      /* the counts that pass */
};

/* Sets the total, and the counts that are at most `share` from their expectation, in parts of it. */
void sb_tolerance_set(double share, double total, struct sb_tolerance *tolerance);

/* Returns the probability that a count of probability p is outside. */
double sb_tolerance_outside(const struct sb_tolerance *tolerance, double p);

/* Sets *low and *high to bounds on the probability that a fair shuffle fails. SB_NO_MEMORY. */
enum sb_status sb_tolerance_alarm(const struct sb_tolerance *tolerance, double *low, double *high);

/* Returns the smallest number in low..high that is enough, if all larger ones are, to nine digits; NaN: none is. */
double sb_tolerance_bisect(bool (*enough)(const void *state, double number), const void *state, double low,
                           double high);

/* An estimate without a confidence interval. */
struct sb_tv_seen {
    double seen; /* total variation of the observed shares from the null law; NaN if no deal was counted */
    double fair; /* the average of `seen` for the same number of fair deals */
};

/* Computes `seen` and `fair` for one member of a tally with cells. */
struct sb_tv_seen sb_tv_seen(const struct sb_tally *tally, size_t member);

/* Tests whether member `member` of two tallies of the same cells, which are not empty, has the same law. `least` is the
 * fewest counts of both in a merged cell. p is NaN if there are too few counts for two merged cells. */
struct sb_finding sb_two_samples(const struct sb_tally *one, const struct sb_tally *other, size_t member, double least);

/* Special functions, laws and their tails. */

/*
 * Special functions. Only special.c calls gsl_cdf_* and gsl_sf_*, and only with arguments for which these
 * functions have no error to report. So GSL's global error handler can stay unchanged. Any thread may call
 * the functions of this header.
 */

/*
 * The upper tail of the central chi-square distribution with `dof` degrees of freedom. The first function
 * returns ln Q at x, and the second returns Q.
 *
 * dof > 0 need not be whole. For dof from 1 to 4e9 and every x, Q has a relative error of at most 1e-11. ln Q
 * has one of at most 1e-12, even where Q underflows or rounds to 1; where 1 - Q is below 1e-300, ln Q may be
 * 0. Q = 1 and ln Q = 0 for x <= 0 and for dof <= 0. The result is NaN if an argument is NaN.
 */
double sb_chisq_ln_q(double x, double dof);
double sb_chisq_q(double x, double dof);

/* The lower tail, P = 1 - Q, with the same relative accuracy even if P is small; 0 if P is below 1e-308. */
double sb_chisq_p(double x, double dof);

/*
 * Returns k ln(k/mean) + mean - k, for k >= 0 and mean > 0. This is half the deviance of a Poisson count. The
 * result is never negative, and its relative error is at most 2e-15 however near k is to the mean. `excess`
 * is mean - k; the caller may know `excess` more exactly than a subtraction would compute it.
 */
double sb_divergence(double k, double mean, double excess);

/* Stirling's remainder, ln Gamma(k) - ((k - 1/2) ln k - k + ln(2 pi)/2), k > 0: about 1/(12 k). Its
 * error is at most 2e-15, and 1e-15 of its value more. */
double sb_stirling_rest(double k);

/* ln(mean^k e^-mean / Gamma(k+1)), k >= 0, mean > 0: the Poisson law for whole k, without cancellation. Its
 * error is at most 1e-14, and 2e-15 of its value more. */
double sb_ln_poisson(double k, double mean);

/* The z that a standard normal variable exceeds with probability `tail`, 0 < tail < 1. The relative
 * error is at most 1e-14 for a tail from 1e-300 to 0.49. */
double sb_normal_upper(double tail);

/* The zero of a rising function, by secants and bisection. */

/* A function that rises with t. Its values may be infinite. */
typedef double sb_rising(const void *state, double t);

/*
 * Returns the t in low..high at which f crosses 0. f(low) <= 0 <= f(high) is required. The search ends after
 * a step of at most tolerance * (1 + |t|). The remaining error is several times smaller than this step. If
 * f(low) and f(high) are finite, their ratio must be far below 1/tolerance. Otherwise the first secants move
 * less than the tolerance, far from the root.
 */
double sb_root_find(sb_rising *f, const void *state, double low, double high, double tolerance);

/* Binomial counts: a confidence interval for the probability of success, an exact p-value, and the mean deviation
 * of a count. */

/*
 * Clopper and Pearson's interval at level 1 - alpha for the probability of success, if `count` of `total`
 * trials succeeded. count <= total < 2^53, 0 < alpha < 1. P(X >= count) = alpha/2 at *low, and P(X <= count)
 * = alpha/2 at *high. Each end has a relative error of at most 1e-12. If count is 0, *low is 0; if count =
 * total, *high is 1.
 */
void sb_binomial_interval(uint64_t count, uint64_t total, double alpha, double *low, double *high);

/*
 * Returns ln of Blaker's exact two-sided p-value of `count` successes in `total` trials of probability p, 0 < p < 1:
 * P(p <= x) <= x for every x. count <= total < 2^53. The error is at most 1e-9. If the interval above, at level 1 -
 * alpha, excludes p, then the p-value is below alpha (1 + 1e-9).
 */
double sb_binomial_ln_p(uint64_t count, uint64_t total, double p);

/* Returns ln P(X >= count) of a binomial X, 0 < p < 1, for any whole count. */
double sb_binomial_ln_at_least(double count, double total, double p);

/* ln of the probability of `count` successes, C(N, c) p^c q^(N-c), 0 < c < N, q = 1 - p. The means are Np and Nq;
 * `excess` is Np - c. */
double sb_binomial_ln(double count, double total, double mean, double rest_mean, double excess);

/*
 * Returns E|X - N/K|, where X is binomial with N = `total` trials of probability 1/K, and K = `cells` >= 1.
 * The relative error is at most 1e-12. The result is 0 if `total` is 0.
 */
double sb_binomial_deviation(uint64_t total, size_t cells);

/* Returns E|X - Np|, where X is binomial with N = `total` trials of probability p, 0 <= p <= 1. The relative error is
 * at most 1e-9. */
double sb_binomial_deviation_of(uint64_t total, double p);

/*
 * Returns the average total variation that `total` shuffles show if there are `cells` equally likely deals.
 * The result is NaN if `total` is 0.
 */
double sb_total_variation_fair(uint64_t total, size_t cells);

/*
 * The divergence of two coins is kl(a||s) = a ln(a/s) + (1-a) ln((1-a)/(1-s)). These functions solve kl(a||s)
 * = r for s. The solution bounds the true probability of an event whose observed share is a.
 */

/*
 * Returns the largest d with kl(a || a+d) <= r, accurate to 1e-13. 0 <= a <= 1, and r > 0. So sup{s :
 * kl(a||s) <= r} is a + d, and inf{s : kl(a||s) <= r} is a - sb_kl_rise(1-a, r).
 */
double sb_kl_rise(double a, double r);

/* A lower bound on sb_kl_rise(). Its only costly operation is a square root. */
double sb_kl_rise_least(double a, double r);

/* The noncentral chi-square distribution. A chi-square statistic has this distribution if the null hypothesis
 * is wrong. */

/*
 * The tails at x: the first function returns Q = P(X > x), and the second returns P = 1 - Q. x < 1e150, dof >
 * 0, noncentrality lambda >= 0. The mean of X is dof + lambda.
 *
 * For lambda up to 1e6, the relative error is at most 1e-10 if the tail is above 1e-40. For a far smaller
 * tail, the result may be 0. For larger lambda, Sankaran's approximation has a relative error of at most 2e-5
 * within 6 standard deviations of the mean. The result is NaN if an argument is NaN.
 */
double sb_noncentral_q(double x, double dof, double lambda);
double sb_noncentral_p(double x, double dof, double lambda);

/*
 * The equal-tailed confidence interval at level 1 - alpha for lambda, given the value x: Q = alpha/2 at *low,
 * and P = alpha/2 at *high. If no lambda satisfies the equation of an end, this end is 0. 0 <= x < 1e150, dof
 * > 0, 0 < alpha < 1. For ends up to 1e6, the error is at most 1e-10 of the end, and 1e-10 more.
 */
void sb_noncentral_interval(double x, double dof, double alpha, double *low, double *high);

/*
 * Tails of laws, for p-values of a single observation. Each function returns ln p for both sides together. p
 * is twice the probability of a value at least as far out on the same side, but at most 1. So P(p <= x) <= x
 * for every x. The error of ln p is at most 1e-14 of its value, and 1e-12 more, if a function does not state
 * another error.
 */

/* Poisson's law with mean 1. */
double sb_tails_poisson(size_t value);

/* The law of how many of `width` given items are at `width` given positions, in a random order of n items. 2
 * width <= n. For n up to 10^6, the error of ln p is at most 1e-14 of its value, and 1e-8 more, because ln of
 * a factorial has up to eight digits before the point. */
double sb_tails_hypergeometric(size_t n, size_t width, size_t value);

/* ln of the sum of exp(ln_x[i]), i < count, count >= 1. */
double sb_ln_sum(const double ln_x[], size_t count);

/* A law on `cells` values in ascending order: ln_p[i] is ln of the probability of value i. `cell` is the
 * index of the observed value. Tails may be far below the smallest double. */
double sb_tails_cells(const double ln_p[], size_t cells, size_t cell);

/*
 * An upper bound on p for any strictly sub-Gaussian law, that is, a law for which ln E exp(s (X - mean)) is
 * at most s^2 variance/2. Sums of independent uniform numbers have such a law; the numbers may be continuous,
 * or integers from 0 to m - 1. z is the distance from the mean in standard deviations.
 */
double sb_tails_subgaussian(double z);

/* An upper bound on p for a sum of independent bits with this mean, by Chernoff's bound. `value` must be
 * above the mean. */
double sb_tails_bits_above(double mean, double value);

/* Sorts cells by their keys, in linear time. */

struct sb_keyed {
    uint64_t key;
    size_t cell;
};

/* Sorts the items item[count] by their keys, in descending order. The sort is stable. spare[count] is
 * scratch. */
void sb_order_falling(size_t count, struct sb_keyed item[], struct sb_keyed spare[]);

#endif
