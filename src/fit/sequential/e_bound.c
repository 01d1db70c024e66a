/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A bound on an e-value (fit/sequential/e_process.c) from sums of powers. Let K cells have the law q, and let
 * c be their counts among t deals. Let x = c - q t, and
 *   S = 1/2 sum x^2/(q t) + 1/2 sum_{x < 0} |x|^3/(q t)^2,
 *   D = sum_{x < 0} |x|/(q t),   d = (K - 1 - D)/2.
 * An empty cell adds 1 to D, so d is half the number of cells that count, less one. Then, up to the remainder
 * of Stirling's formula, which is less than 1/8,
 *   ln E <= S - d - d ln(S/d) if S > d, else 0.
 *
 * Proof: with a concentration A, k = q A + c, m = q (A+t) and r = t/(A+t),
 *   ln E = sum (k ln(k/m) + m - k) + 1/2 sum ln(m/k) + (K-1)/2 ln(1-r).
 * With s = (k-m)/m = r x/(q t), a term of the first sum is m f(s), f(s) = (1+s) ln(1+s) - s. For s >= 0, f(s)
 * <= s^2/2; for -1 <= s < 0, f is the sum of |s|^j/(j(j-1)), so f(s) <= s^2/2 + |s|^3/2. So the first sum is
 * at most r S. A term of the second sum is -ln(1+s)/2. It is negative for s > 0; and because it is convex, it is
 * at most -|x|/(q t) ln(1-r)/2 for -r <= s < 0. So the second sum is at most -D/2 ln(1-r), and ln E is at most
 * r S + d ln(1-r), which is largest at 1-r = d/S. The remainders are rest(k) - rest(q A) <= 0 for each cell, and
 * rest(A) - rest(A+t) < rest(A), where A is at least 0.7.
 *
 * Cost of S and D: a few multiplications for each count.
 */
#include "fit/sequential/e_bound.h"

#include <math.h>

/* number of independent sums, so that an addition need not wait for the previous one */
enum { BOUND_LANES = 4 };

/* An upper bound on the remainder of Stirling's formula. */
static const double bound_rest = 0.125;

/* Stands for 1/p of a cell that cannot occur, so that one deal in this cell exceeds every bound. A rarer cell that
 * can occur is left out of K, as if it were an empty cell of D. */
static const double bound_never = 1e100;

size_t sb_e_bound_cells(const struct sb_tally *tally, struct sb_e_cell cell[])
{
    size_t possible = 0;

    for (size_t i = 0; i < tally->cells; i++) {
        const double p = tally->ln_p ? exp(tally->ln_p[i]) : 1 / (double)tally->cells;

        cell[i].p = p;
        cell[i].inverse = fmin(1 / p, bound_never);
        possible += cell[i].inverse < bound_never;
    }
    return possible;
}

/* Adds the terms of one count: of S, without the factor 1/(2 t), and of D. `share` is 1/t. */
static inline void bound_add(const struct sb_e_cell *cell, double t, double share, uint64_t count,
                             double *sum, double *empty)
{
    const double x = (double)(int64_t)count - cell->p * t, y = x * cell->inverse;
    const double missing = (x < 0 ? -y : 0) * share; /* |x|/(q t) */

    *sum += x * y * (1 + missing);
    *empty += missing;
}

struct sb_e_bound sb_e_bound_of(const struct sb_e_cell cell[], size_t cells, const uint64_t now[],
                                const uint64_t then[], uint64_t total)
{
    const double t = (double)total, share = 1 / t;
    double sum[BOUND_LANES] = { 0 }, empty[BOUND_LANES] = { 0 };
    size_t i = 0;

    for (; i + BOUND_LANES <= cells; i += BOUND_LANES)
        for (size_t j = 0; j < BOUND_LANES; j++)
            bound_add(&cell[i + j], t, share, now[i + j] - then[i + j], &sum[j], &empty[j]);
    for (; i < cells; i++)
        bound_add(&cell[i], t, share, now[i] - then[i], &sum[0], &empty[0]);
    return (struct sb_e_bound) {
        .sum = ((sum[0] + sum[1]) + (sum[2] + sum[3])) / (2 * t),
        .empty = (empty[0] + empty[1]) + (empty[2] + empty[3]),
    };
}

double sb_e_bound_ln_e(const struct sb_e_bound *bound, size_t possible)
{
    const double d = fmax(0, 0.5 * ((double)possible - 1 - bound->empty)), s = bound->sum;

    if (s <= d)
        return bound_rest;
    return bound_rest + s - (d > 0 ? d + d * log(s / d) : 0);
}
