/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Power: how many shuffles a chi-square test needs to see a bias, and which bias N shuffles can show. */
#ifndef SB_FIT_NUMERIC_POWER_H
#define SB_FIT_NUMERIC_POWER_H

#include "core/evidence.h"
#include "fit/effect/spread.h"

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
 * Do the same for a statistic whose variance is known, where it may be larger than that of the noncentral law. The power
 * after `total` shuffles is the smaller one of the power by the noncentral law and the power by the law with this
 * variance.
 */
double sb_power_spread_at(const struct sb_power_test *test, const struct sb_spread *spread, double total);
double sb_power_spread_shuffles(const struct sb_power_test *test, double power,
                                const struct sb_spread *spread);

/*
 * The noncentrality per shuffle of the matrix test under an exact law whose matrix is known:
 *   (n-1)/n * sum over items and columns of (p - p0)^2 / p0,
 * where p0 is 1/n. A deal of k < n has the additional column "not dealt", where p0 is (n-k)/n. The result is
 * 0 for n < 2.
 */
double sb_power_matrix(const struct sb_evidence *evidence);

/* Suppose that the true law is `kl` nats from uniform. Returns a lower bound on the average number of shuffles after
 * which the outcomes so far are 1/alpha times as likely under the true law as under the uniform law, at least 1. NaN if `kl` is
 * 0. */
double sb_power_known(double alpha, double kl);

/* Chi-square per shuffle of a law over `cells` cells at total variation `tv` from uniform. 0 <= tv <= 1 -
 * 1/cells, and cells >= 2. The first function is for the law that is hardest to detect. The second function
 * is for a law that deviates in a random direction. */
double sb_power_worst(double tv, double cells);
double sb_power_typical(double tv, double cells);

/* The smallest tv for which sb_power_worst() or sb_power_typical() is `chi2`; NaN if there is no such tv. */
double sb_power_worst_tv(double chi2, double cells);
double sb_power_typical_tv(double chi2, double cells);

#endif
