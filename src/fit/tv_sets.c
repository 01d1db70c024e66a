/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether counts rule out that the true law s of K equally likely cells is at a total variation of x or more from
 * fair. That is so if, for each m from 1 to K - 1, it is ruled out that S = {s > 1/K} has m cells.
 *
 * Let q = m/K and theta = q + x. Of t deals, a(S) are in the set S. By what factor are the deals likelier under the law
 * with the probability theta in S, evenly spread within S and outside of S, than under a fair shuffle? For a set S that
 * is drawn at random among all of m cells, this is
 *   F_m = mean over S of (theta/q)^a(S) ((1-theta)/(1-q))^(t-a(S))
 *       = e^(-t KL(q||theta)) times the mean over S of the product over S of z_i,
 * where KL(q||theta) = q ln(q/theta) + (1-q) ln((1-q)/(1-theta)), z_i = c^(count_i - t/K), and c = theta (1-q)/(q
 * (1-theta)). If s is at a distance of x or more, F_m of the number m of its cells ever falls to the level delta with
 * probability at most delta (docs/how-it-decides.md, "Why a pass holds").
 *
 * The mean of the products over the subsets of j of the first i cells is A(i, j) = ((i-j) A(i-1, j) + j z_i A(i-1,
 * j-1))/i. The product of all z_i is 1, so m may be replaced by K - m if each z_i is replaced by 1/z_i. The mean is at
 * least 1, because the mean of the logarithms is 0; so m is open as long as t KL(q||theta) < ln(1/delta).
 *
 * Alternatively, m is settled if the coins of all sets of m cells are (fit/tv_coin.c): if that of the m fullest cells
 * is. Most of delta is for F, since F falls to it much sooner unless s is biased or m is far from K/2.
 *
 * Rounding: let u = 2^-53. All terms of A are positive, so it has a relative error of at most (4K + 8 h) u, where h is
 * the sum of the sizes of the m logarithms of the z_i, at most m times the largest. They and t KL(q||theta) are sums of
 * terms with relative errors of at most 16u, if 1 - theta is at least x/64; otherwise m is left to the coin.
 * `sets_error` is 2^15 u, and covers all of this for at most 1,000 cells. If A overflows, m is open. As the largest z_i
 * come first, what is lost by underflow is multiplied only by factors below 1, and the mean at the end is at least 1.
 *
 * Cost: K min(m, K-m) steps for each m and member, at the looks at which F of K/2 is low enough; at the others and if
 * it is not, those of K/2 for the member whose counts vary most.
 */
#include "fit/sequential.h"

#include "fit/numeric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double sets_part = 0.8; /* of delta, for F; the rest is for the coins */
static const double sets_work = 1e9; /* the most steps */
static const double sets_error = 0x1p-38;

struct sets {
    const uint64_t *count; /* [cells] in descending order */
    size_t cells;
    double total, exclude, ln_level;
    struct sb_tv_coin coin;
    double *mean, *z; /* [cells] scratch */
};

bool sb_tv_sets_join(const struct sb_tally *tally)
{
    const double cells = (double)tally->cells;

    return !tally->ln_p && !tally->lag && tally->cells > 1 &&
           (double)tally->members * cells * cells * cells < sets_work;
}

double sb_tv_sets_ln_rest(double ln_level)
{
    return ln_level - log(1 - sets_part);
}

struct sets_fair {
    double freedom, ln_level;
};

static double sets_evidence(const void *state, double ln_size)
{
    const struct sets_fair *const fair = state;
    const double size = exp(ln_size), s = sqrt(1 + 4 * size / fair->freedom);

    return log((0.5 * size - 0.5 * fair->freedom * (s - 1 - log(0.5 + 0.5 * s)) + 0.5 * log(s)) / fair->ln_level);
}

/*
 * For many deals, F of half the cells is the mean of e^(<u,W> - l/2) over all u of length sqrt(l) in K - 1 dimensions,
 * where l = 4 t x^2, and W is a normal vector, of length sqrt(K-1). This is a Bessel function, here by Debye's
 * expansion (DLMF 10.41.3).
 */
double sb_tv_sets_fair(double cells, double ln_level, double exclude)
{
    const struct sets_fair fair = { .freedom = cells - 1, .ln_level = ln_level - log(sets_part) };

    return exp(sb_root_find(sets_evidence, &fair, -5, 40, 1e-6)) / (4 * exclude * exclude);
}

/* Returns the mean over all sets of m <= cells/2 cells of the products of z. */
static double sets_mean(const struct sets *sets, size_t m)
{
    double *const mean = sets->mean;

    memset(mean, 0, (m + 1) * sizeof mean[0]);
    mean[0] = 1;
    for (size_t i = 1; i <= sets->cells; i++) {
        const double part = 1 / (double)i, z = sets->z[i - 1] * part;

        for (size_t j = i < m ? i : m; j > 0; j--)
            mean[j] = (double)(i - j) * part * mean[j] + (double)j * z * mean[j - 1];
        mean[0] = 1;
    }
    return mean[m];
}

/* Whether F of m is at most the level. */
static bool sets_fall(const struct sets *sets, size_t m)
{
    const double cells = (double)sets->cells, x = sets->exclude, q = (double)m / cells, theta = q + x;

    if (1 - theta < x / 64)
        return false;
    const double inside = q * log1p(-x / theta), outside = (1 - q) * log1p(x / (1 - theta));
    const double evidence = sets->total * (inside + outside), step = log1p(x / q) + log1p(x / (1 - theta));
    const size_t few = m < sets->cells - m ? m : sets->cells - m;
    const double sign = few == m ? step : -step, mean = sets->total / cells;
    const double range = (double)sets->count[0] - (double)sets->count[sets->cells - 1];
    const double error =
        sets_error * (sets->total * (fabs(inside) + outside) + cells + (double)few * step * (range + mean));

    if (evidence < sets->ln_level)
        return false;
    for (size_t i = 0; i < sets->cells; i++) /* in descending order */
        sets->z[i] = exp(sign * ((double)sets->count[few == m ? i : sets->cells - 1 - i] - mean));
    return evidence - log(sets_mean(sets, few)) >= sets->ln_level + error;
}

/* Whether it is ruled out that m cells, of which the fullest have this count, are up. */
static bool sets_settle(const struct sets *sets, size_t m, uint64_t count)
{
    const struct sb_tv_set set = { .count = (double)count, .q = (double)m / (double)sets->cells };

    return sb_tv_coin_settles(&sets->coin, set, sets->exclude - SB_TV_HIGH_ERROR) || sets_fall(sets, m);
}

static int sets_compare(const void *a, const void *b)
{
    const uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;

    return (one < other) - (one > other);
}

/* Whether all m are ruled out, or, if `half` is set, cells/2; sorts the counts. Begins with the m that are hardest. */
static bool sets_settle_member(struct sets *sets, const uint64_t count[], uint64_t sorted[], bool half)
{
    const size_t middle = sets->cells / 2;
    uint64_t sum = 0, below;

    memcpy(sorted, count, sets->cells * sizeof sorted[0]);
    qsort(sorted, sets->cells, sizeof sorted[0], sets_compare);
    sets->count = sorted;
    for (size_t i = 0; i < middle; i++)
        sum += sorted[i];
    below = sum;
    bool settled = sets_settle(sets, middle, sum);

    for (size_t m = middle + 1; !half && settled && m < sets->cells; m++)
        settled = sets_settle(sets, m, sum += sorted[m - 1]);
    for (size_t m = middle; !half && settled && m-- > 1;)
        settled = sets_settle(sets, m, below -= sorted[m]);
    return settled;
}

/* The member whose counts vary most: that with the largest sum of squares. */
static size_t sets_hardest(const struct sb_tally *tally)
{
    double most = -1;
    size_t hardest = 0;

    for (size_t member = 0; member < tally->members; member++) {
        double sum = 0;

        for (size_t i = 0; i < tally->cells; i++) {
            const double count = (double)tally->count[member * tally->cells + i];

            sum += count * count;
        }
        if (sum > most) {
            most = sum;
            hardest = member;
        }
    }
    return hardest;
}

enum sb_status sb_tv_sets_exclude(const struct sb_tally *tally, double ln_level, double exclude, bool *excluded)
{
    const size_t cells = tally->cells, hardest = sets_hardest(tally);
    struct sets sets = {
        .cells = cells,
        .total = (double)tally->total,
        .exclude = exclude,
        .ln_level = ln_level - log(sets_part),
        .mean = calloc(2 * cells, sizeof(double)),
    };
    uint64_t *const sorted = calloc(cells, sizeof sorted[0]);

    if (!sets.mean || !sorted) {
        free(sets.mean);
        free(sorted);
        return SB_NO_MEMORY;
    }
    sets.z = sets.mean + cells;
    sb_tv_coin_open(tally, sb_tv_sets_ln_rest(ln_level), &sets.coin);
    *excluded = sets_settle_member(&sets, tally->count + hardest * cells, sorted, true);
    for (size_t member = 0; *excluded && member < tally->members; member++)
        *excluded = sets_settle_member(&sets, tally->count + member * cells, sorted, false);
    free(sets.mean);
    free(sorted);
    return SB_OK;
}
