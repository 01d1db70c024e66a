/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The likelihood-ratio G over the cells of one statistic, with Williams' correction.
 *
 * G = 2 sum O ln(O/E) = 2 sum (O ln(O/E) + E - O), since the counts and their expectations have the same sum.
 * No term of the second form is negative, so nothing cancels. Under the null law, the mean of G exceeds the K
 * - 1 degrees of freedom by the factor
 *   q = 1 + (sum 1/p - 1)/(6 N (K-1)), which is 1 + (K+1)/(6 N) for K equally likely cells,
 * up to terms in 1/N^2. The value of the test is G/q, which is approximately chi-square with K - 1 degrees of
 * freedom. Cost: a logarithm for each cell. Wilks, doi:10.1214/aoms/1177732360. Williams,
 * doi:10.1093/biomet/63.1.33.
 *
 * The remaining error of the mean is K/(6 E^2) for K cells with expected counts E. So in units of the
 * standard deviation, sqrt(2 K), the error depends only on E / K^(1/4). p counts as reliable if this ratio is
 * at least 5. From this ratio on, measured p-values are uniform (docs/accuracy.md).
 *
 * The interval of the effect requires twice the expected count that p requires. If the expected counts are
 * smaller than that, cells that a biased law rarely reaches give G a bias that the interval does not allow
 * for. In experiments (tests/bench/effect_coverage.c), a 95% interval contained the true effect in 93% of the
 * samples whose expected counts were just large enough for p. With 5 shuffles for each of 720 cells, the
 * interval contained the true effect in only 55% of the samples.
 */
#include "fit/fit.h"

#include "core/numbers.h"
#include "fit/numeric.h"

#include <math.h>

/* p requires an expected count of at least 5 K^(1/4) and at least 20. The interval of the effect requires
 * twice that count. */
static const double likelihood_ratio_needed = 5, likelihood_ratio_least = 20, likelihood_ratio_interval = 2;

static double likelihood_ratio_term(const struct sb_cell *cell)
{
    return 2 * sb_divergence(cell->count, cell->expected, cell->excess);
}

/* 1/E of a cell. The correction is a series in 1/E, which is useless for E below 1, so a smaller E counts as
 * 1. */
static double likelihood_ratio_inverse(const struct sb_cell *cell)
{
    return 1 / fmax(cell->expected, 1);
}

/* Williams' q; 1 if there is nothing to correct. */
static double likelihood_ratio_correction(const struct sb_tally *tally, size_t cells)
{
    const double total = (double)tally->total;
    struct sb_cells_sum inverse;

    if (tally->total == 0 || cells < 2 || sb_cells_add(tally, likelihood_ratio_inverse, &inverse))
        return 1;
    return 1 + (inverse.value - 1 / total) / (6 * ((double)cells - 1));
}

/*
 * The spread of G, for N samples of a law p. The mean of G is about 2 N KL + S - 1, where KL is the
 * divergence of p from the null law q, and S is the number of cells that p reaches. Let m2 and m3 be the
 * variance and the third central moment of ln(p/q) over samples. The slope is m2 - (S - 1)/N, where (S - 1)/N
 * is the part of m2 that the noise of the counts causes. The curve is 1 + m3/(2 m2).
 */
static struct sb_spread likelihood_ratio_spread(const struct sb_tally *tally, double value)
{
    const double total = (double)tally->total;
    struct sb_sum first = { 0 }, square = { 0 }, cube = { 0 }, inverse = { 0 };
    double reached = 0;

    if (tally->total == 0)
        return (struct sb_spread) { 0 };
    for (size_t i = 0; i < tally->cells; i++) {
        const struct sb_cell cell = sb_cell_get(tally, 0, i);

        if (!(cell.count > 0))
            continue;
        const double share = cell.count / total, ln = log(cell.count / cell.expected);

        reached++;
        sb_sum_add(&first, share * ln);
        sb_sum_add(&square, share * ln * ln);
        sb_sum_add(&cube, share * ln * ln * ln);
        sb_sum_add(&inverse, 1 / cell.count);
    }
    const double mean = sb_sum_value(&first), noise = reached - 1 + (sb_sum_value(&inverse) - 1 / total) / 6;
    const double variance = sb_sum_value(&square) - mean * mean;
    const double third = sb_sum_value(&cube) - 3 * mean * sb_sum_value(&square) + 2 * mean * mean * mean;

    return (struct sb_spread) {
        .effect = (value - noise) / total,
        .noise = noise,
        .trace = reached - 1,
        .slope = fmax(0, variance - (reached - 1) / total),
        .curve = variance > 0 ? 1 + 0.5 * third / variance : 1,
    };
}

static enum sb_status likelihood_ratio_run(const struct sb_tally *tally, double alpha, struct sb_finding *finding)
{
    struct sb_cells_sum sum;
    enum sb_status status;

    if (tally->members != 1 || tally->cells == 0)
        return SB_INVALID;
    status = sb_cells_add(tally, likelihood_ratio_term, &sum);
    if (status)
        return status;
    const double correction = likelihood_ratio_correction(tally, sum.possible);
    const struct sb_spread spread = likelihood_ratio_spread(tally, sum.value);

    *finding = sb_finding_of(tally, "likelihood-ratio", sum.value / correction,
                             sum.possible ? (double)(sum.possible - 1) : 0, &sum, &spread, alpha);
    if (sum.possible < 2)
        return SB_OK;
    finding->expected_needed = fmax(likelihood_ratio_least, likelihood_ratio_needed * sqrt(sqrt((double)sum.possible)));
    if (finding->expected_least < likelihood_ratio_interval * finding->expected_needed)
        finding->effect_low = finding->effect_high = NAN;
    return SB_OK;
}

const struct sb_test_type sb_test_likelihood_ratio = {
    .name = "likelihood-ratio",
    .title = "the likelihood-ratio G over the cells of a statistic, with Williams' correction",
    .cite = "doi:10.1093/biomet/63.1.33",
    .statistic = "rank",
    .run = likelihood_ratio_run,
};
