/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Power: how many shuffles a chi-square test needs to see a bias, and what so many shuffles can see. */
#ifndef SB_FIT_NUMERIC_POWER_H
#define SB_FIT_NUMERIC_POWER_H

#include "core/evidence.h"

/* A test at a level: rejects where a chi-square variable with so many degrees of freedom goes beyond its
 * critical value. Fill it with sb_power_test(). */
struct sb_power_test {
    double dof;      /* > 0 */
    double alpha;    /* in (0, 1) */
    double critical; /* exceeded with probability alpha under the null law */
};

struct sb_power_test sb_power_test(double dof, double alpha);

/* The probability that the test rejects at noncentrality lambda >= 0. */
double sb_power_at(const struct sb_power_test *test, double lambda);

/* The noncentrality at which it rejects with that probability, in (0, 1); 0 where `power` is at most alpha.
 */
double sb_power_noncentrality(const struct sb_power_test *test, double power);

/*
 * The smallest number of shuffles N >= 1 with sb_power_at(N * effect) >= power, a whole number as long as it
 * is below 2^53. `effect` is the noncentrality per shuffle; where it is 0, or the number beyond a double,
 * NaN.
 */
double sb_power_shuffles(const struct sb_power_test *test, double power, double effect);

/*
 * The noncentrality per shuffle of the test of the matrix under an exact law whose matrix is there:
 *   (n-1)/n * sum over items and columns of (p - p0)^2 / p0,
 * p0 = 1/n, and (n-k)/n in the column "not dealt" of a deal of k < n. 0 for n < 2.
 */
double sb_power_matrix(const struct sb_evidence *evidence);

/* How many shuffles it takes on average until a law that is `kl` nats from uniform is 1/alpha times as likely
 * as the uniform one; NaN where kl is 0. */
double sb_power_known(double alpha, double kl);

/* Chi-square per shuffle of a law of `cells` that is `tv` away from uniform in total variation, 0 <= tv <=
 * 1 - 1/cells, cells >= 2: of the one that is hardest to see, and of one in a random direction. */
double sb_power_worst(double tv, double cells);
double sb_power_typical(double tv, double cells);

/* The smallest tv whose worst or typical direction has this chi-square per shuffle; NaN where none has. */
double sb_power_worst_tv(double chi2, double cells);
double sb_power_typical_tv(double chi2, double cells);

#endif
