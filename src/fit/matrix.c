/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The matrix of items by positions: tests whether every item comes to every position equally often.
 *
 * X2 = (n-1)/n sum (O - E)^2/E over all items and positions. The entries of the matrix of one permutation
 * depend on each other, since each row and each column sums to 1. The covariance of a random permutation
 * matrix has rank (n-1)^2, and all its eigenvalues are 1/(n-1). So X2 has the factor (n-1)/n, and is
 * chi-square with (n-1)^2 degrees of freedom. The sum without this factor, or with n^2 - 1 degrees of
 * freedom, would be wrong. For a deal of k < n there is an additional column, "not dealt", with E = N(n-k)/n;
 * the factor is the same, and there are (n-1)k degrees of freedom. In both cases the degrees of freedom are
 * (rows - 1)(columns - 1).
 *
 * A uniform matrix does not prove a fair shuffle: the matrix of a random rotation is uniform, too. Cost: O(n
 * k).
 * R. L. Anderson, Use of contingency tables in the analysis of consumer preference studies, Biometrics 15,
 * 1959.
 */
#include "fit/fit.h"

enum { MATRIX_ITEMS_MOST = 10, MATRIX_PLACES_MOST = MATRIX_ITEMS_MOST * (MATRIX_ITEMS_MOST + 1) };

/*
 * The spread of a matrix whose deals are unknown. With the Y of fit/spread.c, |Y|^2 = dof for every
 * permutation, so (X2 - dof)/(N - 1) is an unbiased estimate of the effect. The slope is the variance, over
 * permutations, of a sum with one term for each item: the term of the item's cell in Pearson's test of the
 * item's row. The matrix does not show how the rows depend on each other. By the Cauchy-Schwarz inequality,
 * the slope is at most n times the sum of the variances of these terms; a mixture of rotations attains this
 * bound. The trace is set to that of a fair shuffle, which may be too small.
 */
static struct sb_spread matrix_spread_bound(const struct sb_tally *tally, double value, double dof)
{
    const double n = (double)tally->members, effect = (value - dof) / fmax(1, (double)tally->total - 1);
    struct sb_spread spread = { .effect = effect, .noise = dof - effect, .trace = dof };

    for (size_t item = 0; item < tally->members; item++) {
        double slope, curve;

        sb_spread_slope(tally, item, &slope, &curve);
        spread.slope += slope;
        spread.curve = fmax(spread.curve, curve);
    }
    spread.slope *= (n - 1) * (n - 1) / n;
    return spread;
}

/* Values of a matrix that are computed from counts by rank, in units of (n-1)/n. */
struct matrix_work {
    size_t n, columns, deal;
    /* 1/q of each place. A place is an item at a column; its index is item * columns + column. */
    double weight[MATRIX_PLACES_MOST];
    double excess[MATRIX_PLACES_MOST]; /* p/q - 1 of each place */
    /* E[g I]/q, where I is 1 if the deal takes this place, else 0; for g see matrix_spread_ranks() */
    double lean[MATRIX_PLACES_MOST];
    /* number of deals that take both places */
    double pairs[MATRIX_PLACES_MOST][MATRIX_PLACES_MOST];
};

/* The places that the deal of a rank takes, one for each item. */
static void matrix_places(const struct matrix_work *work, size_t rank, size_t place[])
{
    sb_item item[MATRIX_ITEMS_MOST];

    sb_permutation_unrank(work->n, work->deal, rank, item);
    for (size_t i = 0; i < work->n; i++)
        place[i] = i * work->columns + work->deal; /* not dealt */
    for (size_t j = 0; j < work->deal; j++)
        place[item[j]] = item[j] * work->columns + j;
}

/* The sum of value[] over the places of a deal. */
static double matrix_sum(const struct matrix_work *work, const double value[], const size_t place[])
{
    double sum = 0;

    for (size_t i = 0; i < work->n; i++)
        sum += value[place[i]];
    return sum;
}

/*
 * The spread of a matrix whose deals are counted by rank. For two deals, let T = n/(n-1) Y.Y' + n. T is the
 * sum of 1/q over the items that both deals put in the same place. For one deal, let n + g be the sum of p/q over
 * the deal's places, so g = n/(n-1) M.Y; near a fair shuffle, g is small, and so no digits cancel. In units of
 * ((n-1)/n)^2, the slope is the variance of g, and the trace is E[T^2] - 2 E[(n+g)^2] + E[T]^2, with E[T] = n + E[g].
 * The influence function of the slope is g^2 + 2 h - 4 E[g] g, where h is the sum of work->lean over the deal's places.
 * The covariance of this function with g gives the curve.
 */
static struct sb_spread matrix_spread_ranks(const struct sb_tally *tally, struct matrix_work *work, double value,
                                            double dof)
{
    const struct sb_tally *const ranks = tally->ranks;
    const double total = (double)tally->total, unit = 1 - 1 / (double)work->n;
    struct sb_spread spread = matrix_spread_bound(tally, value, dof);
    struct sb_sum g1 = { 0 }, g2 = { 0 }, g3 = { 0 }, hg = { 0 }, square = { 0 };
    size_t place[MATRIX_ITEMS_MOST];

    for (size_t rank = 0; rank < ranks->cells; rank++) {
        const double count = (double)ranks->count[rank];

        if (ranks->count[rank] == 0)
            continue;
        matrix_places(work, rank, place);
        const double g = matrix_sum(work, work->excess, place);

        sb_sum_add(&g1, count * g);
        for (size_t i = 0; i < work->n; i++) {
            work->lean[place[i]] += count / total * g * work->weight[place[i]];
            for (size_t j = 0; j < work->n; j++)
                work->pairs[place[i]][place[j]] += count;
        }
    }
    const double m1 = sb_sum_value(&g1) / total;

    for (size_t rank = 0; rank < ranks->cells; rank++) {
        const double count = (double)ranks->count[rank];

        if (ranks->count[rank] == 0)
            continue;
        matrix_places(work, rank, place);
        const double g = matrix_sum(work, work->excess, place) - m1, h = matrix_sum(work, work->lean, place);

        sb_sum_add(&g2, count * g * g);
        sb_sum_add(&g3, count * g * g * g);
        sb_sum_add(&hg, count * h * g);
    }
    for (size_t i = 0; i < work->n * work->columns; i++)
        for (size_t j = 0; j < work->n * work->columns; j++)
            if (work->pairs[i][j] > 1)
                sb_sum_add(&square, work->pairs[i][j] * (work->pairs[i][j] - 1) * work->weight[i] * work->weight[j]);
    const double variance = sb_sum_value(&g2) / total, third = sb_sum_value(&g3) / total;
    const double lean = sb_sum_value(&hg) / total, mean = (double)work->n + m1;
    const double trace = sb_sum_value(&square) / (total * fmax(1, total - 1)) - 2 * variance - mean * mean;

    spread.trace = unit * unit * fmax(0, trace);
    spread.slope = unit * unit * fmax(0, variance - trace / total);
    spread.curve = variance > 0 ? unit * (third + 2 * lean - 2 * m1 * variance) / (2 * variance) : 1;
    return spread;
}

static enum sb_status matrix_spread(const struct sb_tally *tally, double value, double dof, struct sb_spread *spread)
{
    const struct sb_tally *const ranks = tally->ranks;
    struct matrix_work *work;

    if (!ranks || tally->members > MATRIX_ITEMS_MOST) {
        *spread = matrix_spread_bound(tally, value, dof);
        return SB_OK;
    }
    work = calloc(1, sizeof *work);
    if (!work)
        return SB_NO_MEMORY;
    work->n = tally->members;
    work->columns = tally->cells;
    /* with n columns, the deal has n or n - 1 items, because n - 1 items determine the last item */
    work->deal = work->columns == work->n ? work->n : work->columns - 1;
    for (size_t item = 0; item < work->n; item++)
        for (size_t j = 0; j < work->columns; j++) {
            const struct sb_cell cell = sb_cell_get(tally, item, j);

            work->weight[item * work->columns + j] = (double)tally->total / cell.expected;
            work->excess[item * work->columns + j] = -cell.excess / cell.expected;
        }
    *spread = matrix_spread_ranks(tally, work, value, dof);
    free(work);
    return SB_OK;
}

static enum sb_status matrix_find(const struct sb_tally *tally, double alpha, struct sb_finding *finding)
{
    const double n = (double)tally->members;
    struct sb_cells_sum sum;
    enum sb_status status;

    status = sb_cells_add(tally, sb_cell_pearson, &sum);
    if (status != SB_OK)
        return status;
    if (n < 2 || sum.possible < 2) {
        *finding = sb_finding_of(tally, "matrix", 0, 0, &sum, NULL, alpha);
        return SB_OK;
    }
    const double dof = (n - 1) * (double)(sum.possible - 1), value = sum.value * (n - 1) / n;
    struct sb_spread spread;

    status = matrix_spread(tally, value, dof, &spread);
    if (status != SB_OK)
        return status;
    *finding = sb_finding_of(tally, "matrix", value, dof, &sum, &spread, alpha);
    return SB_OK;
}

/* Returns an array [cells] of the expected count of each cell. All members have the same expected counts, so
 * the exponentials are computed only once. The caller frees the array. NULL if memory runs out. */
static double *matrix_expected(const struct sb_tally *tally)
{
    double *const expected = calloc(tally->cells, sizeof *expected);

    for (size_t cell = 0; expected && cell < tally->cells; cell++)
        expected[cell] = sb_cell_get(tally, 0, cell).expected;
    return expected;
}

static enum sb_status matrix_run(const struct sb_tally *tally, double alpha, struct sb_finding *finding)
{
    struct sb_tally expected = *tally;
    enum sb_status status;

    if (tally->cells == 0 && tally->members > 0)
        return SB_INVALID;
    if (!tally->ln_p || tally->members == 0)
        return matrix_find(tally, alpha, finding);
    double *const own = matrix_expected(tally);

    expected.expected = own;
    status = own ? matrix_find(&expected, alpha, finding) : SB_NO_MEMORY;
    free(own);
    return status;
}

const struct sb_test_type sb_test_matrix = {
    .name = "matrix",
    .title = "chi-square of the matrix of items by positions, (n-1)^2 degrees of freedom",
    .cite = "R. L. Anderson, Biometrics 15, 1959",
    .statistic = "position",
    .run = matrix_run,
};
