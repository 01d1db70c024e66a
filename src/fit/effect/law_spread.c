/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The variance of the statistics of tests under an exact law p of K deals, in the terms of fit/effect/spread.h. With r =
 * p K, D = sum p r and sums over deals:
 *
 *   Pearson            noise = K - D, trace = sum r^2 - 2 sum p r^2 + D^2, slope = sum p r^2 - D^2,
 *   likelihood ratio   noise = trace = K - 1, slope = the variance of ln r over shuffles,
 *   matrix             noise = trace = dof, slope = the variance of (n-1)/n sum over items of d/q, where q is the fair
 *                      probability of the item's column and d = its probability - q.
 *
 * Cost: O(K), for the matrix O(K n).
 */
#include "fit/effect/law_spread.h"

#include "core/sum.h"

#include <math.h>
#include <stdlib.h>

struct sb_spread sb_law_spread_pearson(const struct sb_evidence *evidence, double effect)
{
    const double cells = (double)evidence->cells;
    struct sb_sum square = { 0 }, cube = { 0 };

    for (size_t rank = 0; rank < evidence->cells; rank++) {
        const double ratio = sb_evidence_share(evidence, rank) * cells;

        sb_sum_add(&square, ratio * ratio);
        sb_sum_add(&cube, ratio * ratio * ratio / cells);
    }
    const double d = 1 + effect, third = sb_sum_value(&cube);

    return (struct sb_spread) {
        .effect = effect,
        .noise = cells - d,
        .trace = sb_sum_value(&square) - 2 * third + d * d,
        .slope = fmax(0, third - d * d),
    };
}

struct sb_spread sb_law_spread_likelihood_ratio(const struct sb_evidence *evidence, double effect)
{
    const double cells = (double)evidence->cells;
    struct sb_sum first = { 0 }, square = { 0 };

    for (size_t rank = 0; rank < evidence->cells; rank++) {
        const double share = sb_evidence_share(evidence, rank), ln = share > 0 ? log(share * cells) : 0;

        sb_sum_add(&first, share * ln);
        sb_sum_add(&square, share * ln * ln);
    }
    const double mean = sb_sum_value(&first);

    return (struct sb_spread) {
        .effect = effect,
        .noise = cells - 1,
        .trace = cells - 1,
        .slope = fmax(0, sb_sum_value(&square) - mean * mean),
    };
}

/* Sets value[item * (k+1) + column] to (n-1)/n d/q; column k is "not dealt". */
static void law_spread_values(const struct sb_evidence *evidence, double value[])
{
    const size_t k = evidence->deal, columns = k + 1;
    const double n = (double)evidence->n, fair = 1 / n, rest = 1 - (double)k / n;

    for (size_t item = 0; item < evidence->n; item++) {
        double off = 0;

        for (size_t j = 0; j < k; j++) {
            const double d = sb_evidence_matrix_share(evidence, item, j) - fair;

            value[item * columns + j] = (n - 1) / n * d / fair;
            off -= d;
        }
        value[item * columns + k] = k < evidence->n ? (n - 1) / n * off / rest : 0;
    }
}

/* Returns the sum of the values of a deal. */
static double law_spread_of(const struct sb_evidence *evidence, const double value[], const sb_item deal[])
{
    const size_t k = evidence->deal, columns = k + 1;
    double sum = 0;

    for (size_t item = 0; item < evidence->n; item++)
        sum += value[item * columns + k];
    for (size_t j = 0; j < k; j++)
        sum += value[deal[j] * columns + j] - value[deal[j] * columns + k];
    return sum;
}

enum sb_status sb_law_spread_matrix(const struct sb_evidence *evidence, double effect,
                                    struct sb_spread *spread)
{
    const double n = (double)evidence->n, k = (double)evidence->deal;
    double *const value = calloc(evidence->n * (evidence->deal + 1), sizeof *value);
    sb_item *const deal = calloc(evidence->n, sizeof *deal);
    struct sb_sum first = { 0 }, square = { 0 };

    if (!value || !deal) {
        free(value);
        free(deal);
        return SB_NO_MEMORY;
    }
    law_spread_values(evidence, value);
    for (size_t rank = 0; rank < evidence->cells; rank++) {
        const double share = sb_evidence_share(evidence, rank);

        if (share == 0)
            continue;
        sb_evidence_unrank(evidence, rank, deal);
        const double sum = law_spread_of(evidence, value, deal);

        sb_sum_add(&first, share * sum);
        sb_sum_add(&square, share * sum * sum);
    }
    free(value);
    free(deal);
    const double mean = sb_sum_value(&first), dof = (n - 1) * (k < n ? k : n - 1);

    *spread = (struct sb_spread) {
        .effect = effect,
        .noise = dof,
        .trace = dof,
        .slope = fmax(0, sb_sum_value(&square) - mean * mean),
    };
    return SB_OK;
}
