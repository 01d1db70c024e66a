/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exact p-values for a few samples, where expected counts are too small for a chi-square test. Each p is conservative:
 * under the null law, P(p <= x) <= x for every x, for any number of samples N.
 *
 *   cells: the count of a cell of probability q is binomial. p is the smallest of Blaker's p-values of all cells of all
 *     members, times their number. The cells need not make up the whole law.
 *   ends: for a statistic whose cells are the values of a number. p is that of the sample whose value is farthest out,
 *     twice the smaller tail of the law, times the number of samples and of members.
 *   halves: also for a number. The cells are merged into two that are as equal as possible, and p is that of `cells`.
 *
 * The test of a number takes the smaller of `ends` and `halves`, times 2, and is then called `halves` if that is the
 * smaller one. A part takes no share of p if no outcome of N
 * samples can give it a p below alpha: the null law, N and alpha decide that, never the counts. If that leaves no part,
 * there is no p. The value is the count of the cell, the value that is farthest out, or the count of the lower half.
 *
 * Cost: O(members * cells), and 2 binomial p-values for each different probability. Blaker, Confidence curves and
 * improved exact confidence intervals for discrete distributions, Canadian Journal of Statistics 28 (2000) 783.
 */

#include "fit/fit.h"

#include <float.h>

static const double exact_ln_2 = 0.69314718055994530942;

/* One way to find a bias: its p, what stands out, and the smallest p that it can have. */
struct exact_part {
    const char *name;
    double ln_p, value;
    struct sb_least_p least;
};

/* The probability of a cell; of a cell that is possible, never 0. */
static double exact_q(const struct sb_tally *tally, size_t cell)
{
    if (!tally->ln_p)
        return 1 / (double)tally->cells;
    return tally->ln_p[cell] > -INFINITY ? fmax(exp(tally->ln_p[cell]), DBL_MIN) : 0;
}

/* The smallest and the largest count of a cell over all members; of all cells at once if all are equally likely. */
struct exact_range {
    uint64_t least, most;
};

static struct exact_range exact_range_of(const struct sb_tally *tally, size_t cell)
{
    const size_t first = tally->ln_p ? cell : 0, step = tally->ln_p ? tally->cells : 1;
    struct exact_range range = { UINT64_MAX, 0 };

    for (size_t i = first; i < tally->members * tally->cells; i += step) {
        range.least = tally->count[i] < range.least ? tally->count[i] : range.least;
        range.most = tally->count[i] > range.most ? tally->count[i] : range.most;
    }
    return range;
}

/* Takes a count of a cell of probability q into account. */
static void exact_count(const struct sb_tally *tally, uint64_t count, double q, struct exact_part *part)
{
    const double ln_p = sb_binomial_ln_p(count, tally->total, q);

    if (ln_p >= part->ln_p)
        return;
    part->ln_p = ln_p;
    part->value = (double)count;
}

/* Multiplies p by the number of cells of a member that count, and by the number of members. */
static void exact_times(const struct sb_tally *tally, double cells, struct exact_part *part)
{
    const double ln_factor = log((double)tally->members * cells);

    part->ln_p = fmin(0, part->ln_p + ln_factor);
    part->least.ln_factor += ln_factor;
}

/* Takes the smallest p of a cell into account: that of a count of N or 0. At q = 1/2, both have the same
 * probability. */
static void exact_least(double q, struct exact_part *part)
{
    const double share = fmin(q, 1 - q), ln_share = log(share);

    if (part->least.ln_share == 0 || ln_share < part->least.ln_share)
        part->least = (struct sb_least_p) { .ln_factor = share > 0.4999 ? exact_ln_2 : 0, .ln_share = ln_share };
}

/* Of two cells that make up the whole law, only one counts; likewise, one of equally likely cells stands for all. */
static struct exact_part exact_cells(const struct sb_tally *tally)
{
    struct exact_part part = { .name = "exact", .ln_p = INFINITY };
    double possible = 0, whole = 0;

    for (size_t cell = 0; cell < tally->cells; cell++) {
        const double q = exact_q(tally, cell);

        possible += q > 0;
        whole += q;
        if (q <= 0 || q >= 1 || (cell > 0 && !tally->ln_p))
            continue;
        const struct exact_range range = exact_range_of(tally, cell);

        exact_count(tally, range.least, q, &part);
        exact_count(tally, range.most, q, &part);
        exact_least(q, &part);
    }
    exact_times(tally, possible == 2 && whole > 1 - 1e-9 ? 1 : possible, &part);
    return part;
}

/* The first and the last cell that is possible or, if `occupied`, that has a count. */
static void exact_outer(const struct sb_tally *tally, bool occupied, size_t *first, size_t *last)
{
    *first = tally->cells;
    *last = 0;
    for (size_t cell = 0; cell < tally->cells; cell++) {
        if (occupied ? exact_range_of(tally, cell).most == 0 : !(tally->ln_p[cell] > -INFINITY))
            continue;
        *first = *first < cell ? *first : cell;
        *last = cell;
    }
}

static struct exact_part exact_ends(const struct sb_tally *tally)
{
    const double ln_factor = log((double)tally->members), ln_total = log((double)tally->total);
    size_t low, high, first, last;

    exact_outer(tally, true, &low, &high);
    exact_outer(tally, false, &first, &last);
    const double ln_low = sb_tails_cells(tally->ln_p, tally->cells, low);
    const double ln_high = sb_tails_cells(tally->ln_p, tally->cells, high);

    const size_t outer = ln_low < ln_high ? low : high;
    const bool several = (tally->below && outer == 0) || (tally->above && outer + 1 == tally->cells);

    return (struct exact_part) {
        .name = "exact",
        .ln_p = fmin(0, fmin(ln_low, ln_high) + ln_factor + ln_total),
        .value = several ? NAN : (double)(tally->low + outer),
        .least = { .ln_factor = ln_factor + exact_ln_2,
                   .ln_share = fmin(tally->ln_p[first], tally->ln_p[last]),
                   .single = true },
    };
}

/* Returns how many of the first cells have a total probability as near to 1/2 as possible, and sets *share to it. */
static size_t exact_half(const struct sb_tally *tally, double *share)
{
    double before = 0;
    size_t half = 0;

    *share = 0;
    for (size_t cell = 0; cell + 1 < tally->cells && before < 0.5; cell++) {
        before += sb_exp(tally->ln_p[cell]);
        if (fmin(before, 1 - before) > fmin(*share, 1 - *share)) {
            *share = before;
            half = cell + 1;
        }
    }
    return half;
}

static struct exact_part exact_halves(const struct sb_tally *tally)
{
    struct exact_part part = { .name = "halves", .ln_p = INFINITY };
    double share;
    const size_t half = exact_half(tally, &share);

    if (!(fmin(share, 1 - share) > 1e-12))
        return (struct exact_part) { .ln_p = 0 };
    for (size_t member = 0; member < tally->members; member++) {
        uint64_t below = 0;

        for (size_t cell = 0; cell < half; cell++)
            below += tally->count[member * tally->cells + cell];
        exact_count(tally, below, share, &part);
    }
    exact_least(share, &part);
    exact_times(tally, 1, &part);
    return part;
}

/* Sets p to the smallest p of those parts that can reach alpha, times their number. */
static void exact_conclude(const struct sb_tally *tally, double alpha, const struct exact_part parts[],
                           struct sb_finding *finding)
{
    double able = 0, ln_p = INFINITY;

    for (size_t i = 0; i < SB_LEAST_PARTS; i++) {
        finding->least[i] = parts[i].least;
        if (parts[i].least.ln_share == 0 || !(sb_least_ln_p(&parts[i].least, (double)tally->total) < log(alpha)))
            continue;
        able++;
        if (parts[i].ln_p < ln_p) {
            ln_p = parts[i].ln_p;
            finding->value = parts[i].value;
            finding->test = parts[i].name;
        }
    }
    if (able > 0) {
        finding->ln_p = fmin(0, ln_p + log(able));
        finding->p = exp(finding->ln_p);
    }
}

/* Returns whether a cell that cannot occur has a count. */
static bool exact_impossible(const struct sb_tally *tally)
{
    for (size_t cell = 0; tally->ln_p && cell < tally->cells; cell++)
        if (!(tally->ln_p[cell] > -INFINITY) && exact_range_of(tally, cell).most > 0)
            return true;
    return false;
}

static enum sb_status exact_run(const struct sb_tally *tally, double alpha, struct sb_finding *finding)
{
    struct exact_part parts[SB_LEAST_PARTS] = { { .ln_p = 0 }, { .ln_p = 0 } };
    const bool number = tally->number && tally->ln_p;

    if (tally->members == 0 || tally->cells == 0)
        return SB_INVALID;
    *finding = sb_finding_none(tally, "exact");
    if (tally->total == 0)
        return SB_OK;
    if (exact_impossible(tally))
        return SB_BROKEN;
    parts[0] = number ? exact_ends(tally) : exact_cells(tally);
    if (number)
        parts[1] = exact_halves(tally);
    finding->value = parts[0].value;
    exact_conclude(tally, alpha, parts, finding);
    return SB_OK;
}

const struct sb_test_type sb_test_exact = {
    .name = "exact",
    .title = "exact laws of counts and of single values, for few samples",
    .cite = "Blaker, Canadian Journal of Statistics 28 (2000) 783",
    .few = true,
    .run = exact_run,
};
