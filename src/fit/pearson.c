/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pearson's chi-square over the cells of one statistic.
 *
 * X2 = sum (O - E)^2/E over the possible cells. If every E is 5 or more, X2 is approximately chi-square, with
 * one degree of freedom fewer than there are possible cells. Cost: O(cells). Pearson, On the criterion that a
 * given system of deviations ..., Philosophical Magazine 50, 1900.
 */
#include "fit/fit.h"

static enum sb_status pearson_run(const struct sb_tally *tally, double alpha, struct sb_finding *finding)
{
    struct sb_spread spread;
    struct sb_cells_sum sum;
    enum sb_status status;

    if (tally->members != 1 || tally->cells == 0)
        return SB_INVALID;
    status = sb_cells_add(tally, sb_cell_pearson, &sum);
    if (status)
        return status;
    spread = sb_spread_cells(tally, 0);
    *finding =
        sb_finding_of(tally, "pearson", sum.value, sum.possible ? (double)(sum.possible - 1) : 0, &sum, &spread, alpha);
    return SB_OK;
}

const struct sb_test_type sb_test_pearson = {
    .name = "pearson",
    .title = "Pearson's chi-square over the cells of a statistic",
    .cite = "doi:10.1080/14786440009463897",
    .statistic = "rank",
    .run = pearson_run,
};
