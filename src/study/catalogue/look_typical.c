/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tests of whether permutations are typical of a law, and their use on a law of permutations by rank. For
 * K possible ranks, the fit has the mean K - 1 and the variance 2(K - 1) + (sum 1/p - K^2 - 2K + 2)/N.
 */
#include "study/catalogue/look_typical.h"

#include "core/core.h"
#include "fit/numeric.h"
#include "tally/order.h"

#include <math.h>

static const double typical_level = 0.01 / 3; /* the level of each of the three tests */
static const double typical_same = 1e-9;      /* a smaller relative variance is a rounding error */

double sb_typical_divergence(double count, double total, double share)
{
    const double mean = total * share, rest = total - mean;

    if (mean <= 0)
        return count > 0 ? HUGE_VAL : 0;
    if (rest <= 0)
        return count < total ? HUGE_VAL : 0;
    return sb_divergence(count, mean, mean - count) + sb_divergence(total - count, rest, count - mean);
}

bool sb_typical_cells(double divergence, double tests)
{
    return divergence <= log(2 * tests / typical_level);
}

bool sb_typical_likelihood(const struct sb_typical_sum *sum, double tests)
{
    const double away = fabs(sum->value - sum->mean);

    return away <= typical_same * (1 + fabs(sum->mean)) ||
           away <= sb_normal_upper(typical_level / tests / 2) * sqrt(sum->variance);
}

bool sb_typical_fit(const struct sb_typical_sum *sum, double tests)
{
    if (sum->value <= sum->mean * (1 + typical_same))
        return true;
    if (sum->variance <= sum->mean * typical_same)
        return false;
    /* a gamma variable is a multiple of a chi-square variable, whose degrees of freedom need not be whole */
    return sb_chisq_q(2 * sum->mean * sum->value / sum->variance,
                      2 * sum->mean * sum->mean / sum->variance) >= typical_level / tests;
}

/* Returns the largest divergence of the count of an item at a position. */
static double typical_places(const struct sb_evidence *evidence, const double p[])
{
    double count[SB_CATALOGUE_RANKED][SB_CATALOGUE_RANKED] = { { 0 } };
    double share[SB_CATALOGUE_RANKED][SB_CATALOGUE_RANKED] = { { 0 } };
    const size_t n = evidence->n;
    sb_item a[SB_CATALOGUE_RANKED];
    double most = 0;

    for (size_t rank = 0; rank < evidence->cells; rank++) {
        sb_permutation_unrank(n, n, rank, a);
        for (size_t j = 0; j < n; j++) {
            count[a[j]][j] += (double)evidence->counts.u64[rank];
            share[a[j]][j] += p[rank];
        }
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) /* a sum of all probabilities may be 1 but for rounding */
            most = fmax(most, sb_typical_divergence(count[i][j], (double)evidence->total,
                                                    share[i][j] > 1 - typical_same ? 1 : share[i][j]));
    return most;
}

bool sb_typical_of_law(const struct sb_evidence *evidence, const double p[])
{
    const double total = (double)evidence->total, all = (double)evidence->cells;
    const double places = (double)(evidence->n * evidence->n);
    struct sb_typical_sum ln = { 0 }, fit = { 0 };
    double most = typical_places(evidence, p), possible = 0, inverse = 0, square = 0;

    for (size_t rank = 0; rank < evidence->cells; rank++) {
        const double count = (double)evidence->counts.u64[rank];
        const double ln_ratio = p[rank] > 0 ? log(p[rank] * all) : 0, away = count - total * p[rank];

        most = fmax(most, sb_typical_divergence(count, total, p[rank]));
        if (p[rank] <= 0)
            continue;
        possible++;
        inverse += 1 / p[rank];
        fit.value += away * away / (total * p[rank]);
        ln.value += count * ln_ratio;
        ln.mean += total * p[rank] * ln_ratio;
        square += p[rank] * ln_ratio * ln_ratio;
    }
    ln.variance = fmax(0, total * square - ln.mean * ln.mean / total);
    fit.mean = possible - 1;
    fit.variance = 2 * (possible - 1) + (inverse - possible * possible - 2 * possible + 2) / total;
    return sb_typical_cells(most, possible + places) && sb_typical_likelihood(&ln, 1) &&
           sb_typical_fit(&fit, 1);
}
