/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A bound on an e-value (fit/sequential/e_process.c) from sums of powers. Let K cells have the law q, and let
 * c be their counts among t deals. Let
 *   x = c - q t,   d = (K-1)/2,   S = 1/2 sum x^2/(q t) + 1/2 sum_{x < 0} |x|^3/(q t)^2.
 * Then, up to the remainder of Stirling's formula, which is less than one,
 *   ln E <= S - d - d ln(S/d) if S > d, else 0.
 *
 * Proof: with a concentration A, k = q A + c, m = q (A+t) and r = t/(A+t),
 *   ln E = sum (k ln(k/m) + m - k) + d ln(1-r).
 * A term of the sum is m f(s) with s = (k-m)/m = r x/(q t) and f(s) = (1+s) ln(1+s) - s. For s >= 0, f(s) <=
 * s^2/2; for -1 <= s < 0, f is the sum of |s|^j/(j(j-1)), so f(s) <= s^2/2 + |s|^3/2. So the sum is at most r
 * S, and r S + d ln(1-r) is largest at 1-r = d/S.
 *
 * Cost of S: a few multiplications for each count.
 */
#include "fit/sequential/e_bound.h"

#include "fit/numeric/root.h"

#include <math.h>

/* number of independent sums, so that an addition need not wait for the previous one */
enum { BOUND_LANES = 4 };

/* An upper bound on the remainder of Stirling's formula. */
static const double bound_rest = 1;

/* Stands for 1/p of a cell that cannot occur, so that one deal in this cell exceeds every bound. */
static const double bound_never = 1e100;

size_t sb_e_bound_cells(const struct sb_tally *tally, struct sb_e_cell cell[])
{
    size_t possible = 0;

    for (size_t i = 0; i < tally->cells; i++) {
        const double p = tally->ln_p ? exp(tally->ln_p[i]) : 1 / (double)tally->cells;

        cell[i].p = p;
        cell[i].inverse = fmin(1 / p, bound_never);
        possible += !tally->ln_p || !isinf(tally->ln_p[i]);
    }
    return possible;
}

/* The term of one count in sum c^2/q. With x = c - q t, sum x^2/(q t) is this sum divided by t, minus t. */
static inline double bound_square(const struct sb_e_cell *cell, uint64_t count)
{
    const double c = (double)(int64_t)count;

    return c * c * cell->inverse;
}

double sb_e_bound_square(const struct sb_e_cell cell[], size_t cells, const uint64_t now[],
                         const uint64_t then[], uint64_t total)
{
    const double t = (double)total;
    double sum[BOUND_LANES] = { 0 };
    size_t i = 0;

    for (; i + BOUND_LANES <= cells; i += BOUND_LANES)
        for (size_t j = 0; j < BOUND_LANES; j++)
            sum[j] += bound_square(&cell[i + j], now[i + j] - then[i + j]);
    for (; i < cells; i++)
        sum[0] += bound_square(&cell[i], now[i] - then[i]);
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) / t - t;
}

/* The term of one count in S, without the factor 1/(2 t). `share` is 1/t. */
static inline double bound_term(const struct sb_e_cell *cell, double t, double share, uint64_t count)
{
    const double x = (double)(int64_t)count - cell->p * t, y = x * cell->inverse;

    return x * y * (1 - (x < 0 ? y : 0) * share);
}

double sb_e_bound_sum(const struct sb_e_cell cell[], size_t cells, const uint64_t now[],
                      const uint64_t then[], uint64_t total)
{
    const double t = (double)total, share = 1 / t;
    double sum[BOUND_LANES] = { 0 };
    size_t i = 0;

    for (; i + BOUND_LANES <= cells; i += BOUND_LANES)
        for (size_t j = 0; j < BOUND_LANES; j++)
            sum[j] += bound_term(&cell[i + j], t, share, now[i + j] - then[i + j]);
    for (; i < cells; i++)
        sum[0] += bound_term(&cell[i], t, share, now[i] - then[i]);
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) / (2 * t);
}

/* The equation to be solved: the bound equals the requested ln E. */
struct bound_asked {
    double d, ln_e;
};

/* The bound as a function of t = S/d - 1, minus the requested value. */
static double bound_excess(const void *state, double t)
{
    const struct bound_asked *const asked = state;

    return asked->d * (t - log1p(t)) - asked->ln_e;
}

double sb_e_bound_least(size_t cells, double ln_e)
{
    const struct bound_asked asked = { .d = 0.5 * ((double)cells - 1), .ln_e = ln_e - bound_rest };

    if (!(asked.ln_e > 0))
        return 0;
    if (cells < 2)
        return asked.ln_e;
    /* for t >= 4, t - log1p(t) is above t/2 */
    return asked.d * (1 + sb_root_find(bound_excess, &asked, 0, 4 + 2 * asked.ln_e / asked.d, 1e-9));
}
