/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The likelihood-ratio G over the cells of one statistic.
 *
 * G = 2 sum O ln(O/E) = 2 sum (O ln(O/E) + E - O), since the counts and their expectations have the same sum;
 * no term of the second form is negative, so nothing cancels. Chi-square with one degree of freedom fewer
 * than cells that can occur. Cost: O(cells), a logarithm each. Wilks, doi:10.1214/aoms/1177732360.
 *
 * Its mean is above the degrees of freedom by about sum 1/(6 E), K/(6 E) for K cells of equal expectation,
 * while Pearson's is exact. That is a tenth of the standard deviation sqrt(2 K) at E = 1.18 sqrt(K), which is
 * asked for before its p is relied on. Williams, doi:10.1093/biomet/63.1.33.
 */
#include "fit/fit.h"

#include "fit/special.h"

#include <math.h>

/* E over sqrt(K): 1/(6 sqrt(2) 0.1). */
static const double likelihood_ratio_needed = 1.18;

static double likelihood_ratio_term(const struct sb_cell *cell)
{
    return 2 * sb_divergence(cell->count, cell->expected, cell->excess);
}

static enum sb_status likelihood_ratio_run(const struct sb_tally *tally, double alpha,
                                           struct sb_finding *finding)
{
    struct sb_cells_sum sum;
    enum sb_status status;

    if (tally->members != 1 || tally->cells == 0)
        return SB_INVALID;
    status = sb_cells_add(tally, likelihood_ratio_term, &sum);
    if (status)
        return status;
    *finding = sb_finding_of(tally, "likelihood-ratio", sum.value,
                             sum.possible ? (double)(sum.possible - 1) : 0, &sum, alpha);
    finding->expected_needed = fmax(5, likelihood_ratio_needed * sqrt((double)sum.possible));
    return SB_OK;
}

const struct sb_test_type sb_test_likelihood_ratio = {
    .name = "likelihood-ratio",
    .title = "the likelihood-ratio G over the cells of a statistic",
    .cite = "doi:10.1214/aoms/1177732360",
    .statistic = "rank",
    .run = likelihood_ratio_run,
};
