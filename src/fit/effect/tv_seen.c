/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The total variation of the observed counts: 1/2 sum |c/t - q|, for counts c of t deals and the null law q.
 * It is above 0 for a fair shuffle, too: the average is 1/2 sum E|c - q t|/t, where each c is binomial
 * (fit/numeric/binomial.c).
 *
 * Cost: a few logarithms for each cell; if all cells are equally likely, for one cell.
 */
#include "fit/effect/tv_seen.h"

#include "fit/numeric/binomial.h"

#include <math.h>

struct sb_tv_seen sb_tv_seen(const struct sb_tally *tally, size_t member)
{
    const uint64_t *const count = tally->count + member * tally->cells;
    const double total = (double)tally->total;
    struct sb_tv_seen made = { .seen = 0, .fair = 0 };

    if (tally->total == 0)
        return (struct sb_tv_seen) { .seen = NAN, .fair = NAN };
    for (size_t i = 0; i < tally->cells; i++) {
        const double q = tally->ln_p ? exp(tally->ln_p[i]) : 1 / (double)tally->cells;

        made.seen += 0.5 * fabs((double)count[i] / total - q);
        if (tally->ln_p)
            made.fair += 0.5 * sb_binomial_deviation_of(tally->total, q) / total;
    }
    if (!tally->ln_p)
        made.fair = sb_total_variation_fair(tally->total, tally->cells);
    return made;
}
