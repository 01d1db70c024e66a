/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The matrix of items by positions: whether every item comes to every position equally often.
 *
 * X2 = (n-1)/n sum (O - E)^2/E over all items and positions. The entries of one permutation depend on each
 * other: rows and columns both sum to 1, and the covariance is that of the uniform doubly stochastic matrix,
 * of rank (n-1)^2 with all its eigenvalues 1/(n-1). Hence the factor, and chi-square with (n-1)^2 degrees of
 * freedom; neither n^2 - 1 nor the sum without the factor. A deal of k < n has a column more, "not dealt",
 * with E = N(n-k)/n: the same factor, (n-1)k degrees of freedom. Both are (rows - 1)(columns - 1).
 *
 * A uniform matrix does not prove a fair shuffle: a random rotation has one. Cost: O(n k).
 * R. L. Anderson, Use of contingency tables in the analysis of consumer preference studies, Biometrics 15,
 * 1959.
 */
#include "fit/fit.h"

static enum sb_status matrix_run(const struct sb_tally *tally, double alpha, struct sb_finding *finding)
{
    const double n = (double)tally->members;
    struct sb_cells_sum sum;
    enum sb_status status;

    if (tally->cells == 0 && tally->members > 0)
        return SB_INVALID;
    status = sb_cells_add(tally, sb_cell_pearson, &sum);
    if (status != SB_OK)
        return status;
    *finding = n < 2 || sum.possible < 2 ? sb_finding_of(tally, "matrix", 0, 0, &sum, alpha)
                                         : sb_finding_of(tally, "matrix", sum.value * (n - 1) / n,
                                                         (n - 1) * (double)(sum.possible - 1), &sum, alpha);
    return SB_OK;
}

const struct sb_test_type sb_test_matrix = {
    .name = "matrix",
    .title = "chi-square of the matrix of items by positions, (n-1)^2 degrees of freedom",
    .cite = "R. L. Anderson, Biometrics 15, 1959",
    .statistic = "position",
    .run = matrix_run,
};
