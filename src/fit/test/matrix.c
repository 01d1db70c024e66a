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
#include "fit/test/fit.h"

#include <math.h>

/*
 * The spread of a matrix. |Y|^2 = dof for every permutation, so the effect is (X2 - dof)/(N - 1) without
 * bias. The slope is the variance over permutations of a sum over the items, each of whose terms is that of
 * Pearson's test of the item's row; how the rows depend on each other, the matrix does not say. By Cauchy and
 * Schwarz it is at most n times the sum of the rows' variances, which a mixture of rotations attains.
 */
static struct sb_spread matrix_spread(const struct sb_tally *tally, double value, double dof)
{
    const double n = (double)tally->members;
    struct sb_spread spread = { .effect = fmax(0, (value - dof) / fmax(1, (double)tally->total - 1)),
                                .trace = dof };

    for (size_t item = 0; item < tally->members; item++)
        spread.slope += sb_spread_cells(tally, item).slope;
    spread.slope *= (n - 1) * (n - 1) / n;
    return spread;
}

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
    if (n < 2 || sum.possible < 2) {
        *finding = sb_finding_of(tally, "matrix", 0, 0, &sum, NULL, alpha);
        return SB_OK;
    }
    const double dof = (n - 1) * (double)(sum.possible - 1), value = sum.value * (n - 1) / n;
    const struct sb_spread spread = matrix_spread(tally, value, dof);

    *finding = sb_finding_of(tally, "matrix", value, dof, &sum, &spread, alpha);
    return SB_OK;
}

const struct sb_test_type sb_test_matrix = {
    .name = "matrix",
    .title = "chi-square of the matrix of items by positions, (n-1)^2 degrees of freedom",
    .cite = "R. L. Anderson, Biometrics 15, 1959",
    .statistic = "position",
    .run = matrix_run,
};
