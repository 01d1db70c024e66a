/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The likelihood-ratio G over the cells of one statistic.
 *
 * G = 2 sum O ln(O/E) = 2 sum (O ln(O/E) + E - O), since the counts and their expectations have the same sum;
 * no term of the second form is negative, so nothing cancels. Chi-square with one degree of freedom fewer
 * than cells that can occur. Cost: O(cells), a logarithm each. Wilks, doi:10.1214/aoms/1177732360.
 */
#include "fit/fit.h"

#include "fit/special.h"

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
    if (status == SB_OK)
        *finding = sb_finding_of(tally, "likelihood-ratio", sum.value,
                                 sum.possible ? (double)(sum.possible - 1) : 0, sum.least, alpha);
    return status;
}

const struct sb_test_type sb_test_likelihood_ratio = {
    .name = "likelihood-ratio",
    .title = "the likelihood-ratio G over the cells of a statistic",
    .cite = "doi:10.1214/aoms/1177732360",
    .run = likelihood_ratio_run,
};
