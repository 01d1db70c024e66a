/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rows of a table of deals, with their confidence intervals.
 *
 * Each share has Clopper and Pearson's interval at level 1 - alpha/K, where K is the number of all cells. The
 * table chooses its rows by their counts, so Bonferroni's correction must include the rows not shown. Deals
 * with equal counts have the same interval, which is computed only once. Cost: one pass over the cells, and
 * an interval for each row. Clopper and Pearson, doi:10.1093/biomet/26.4.404. Dunn,
 * doi:10.1080/01621459.1961.10482090.
 */
#include "fit/effect/interval.h"

#include "fit/numeric/binomial.h"

#include <math.h>
#include <stdlib.h>

/* Returns a negative number if rank `a` comes before rank `b` in the table. Ranks are in descending order of
 * their counts. Ranks with equal counts are in ascending order. */
static int interval_order(const struct sb_evidence *evidence, size_t a, size_t b)
{
    const int order = sb_numbers_compare(&evidence->counts, b, a);

    return order ? order : (a > b) - (a < b);
}

/* If `sign` is 1, sets rank[] to the first `most` ranks in the order of interval_order(). If `sign` is -1,
 * sets rank[] to the last `most` ranks, beginning with the last. */
static void interval_select(const struct sb_evidence *evidence, int sign, size_t most, size_t rank[])
{
    size_t held = 0;

    for (size_t i = 0; i < evidence->cells; i++) {
        size_t at = held;

        while (at > 0 && sign * interval_order(evidence, i, rank[at - 1]) < 0)
            at--;
        if (at == most)
            continue;
        held += held < most;
        for (size_t j = held - 1; j > at; j--)
            rank[j] = rank[j - 1];
        rank[at] = i;
    }
}

/* Fills in the row for the deal of rank row->rank. The rows before[0..count-1] are already filled in. */
static void interval_fill(const struct sb_evidence *evidence, double alpha, const struct sb_row before[],
                          size_t count, struct sb_row *row)
{
    row->share = sb_evidence_share(evidence, row->rank);
    row->low = row->high = NAN;
    if (evidence->by == SB_BY_SAMPLE && evidence->total == 0)
        row->share = NAN;
    row->ratio = row->share * (double)evidence->cells;
    if (evidence->by != SB_BY_SAMPLE)
        return;
    for (size_t i = 0; i < count; i++)
        if (evidence->counts.u64[before[i].rank] == evidence->counts.u64[row->rank]) {
            row->low = before[i].low;
            row->high = before[i].high;
            return;
        }
    sb_binomial_interval(evidence->counts.u64[row->rank], evidence->total, alpha / (double)evidence->cells,
                         &row->low, &row->high);
}

enum sb_status sb_rows_of(const struct sb_evidence *evidence, const struct sb_evidence *order, double alpha,
                          struct sb_row **rows, size_t *count)
{
    const bool all = evidence->cells <= SB_ROWS_ALL;
    const size_t shown = all ? evidence->cells : 2 * SB_ROWS_END;
    struct sb_row *made;

    if (evidence->cells == 0)
        return SB_INVALID;
    made = calloc(shown, sizeof *made);
    if (!made)
        return SB_NO_MEMORY;
    if (all) {
        for (size_t i = 0; i < shown; i++)
            made[i].rank = i;
    } else {
        size_t first[SB_ROWS_END] = { 0 }, last[SB_ROWS_END] = { 0 };

        interval_select(order, 1, SB_ROWS_END, first);
        interval_select(order, -1, SB_ROWS_END, last);
        for (size_t i = 0; i < SB_ROWS_END; i++) {
            made[i].rank = first[i];
            made[shown - 1 - i].rank = last[i];
        }
    }
    for (size_t i = 0; i < shown; i++)
        interval_fill(evidence, alpha, made, i, &made[i]);
    *rows = made;
    *count = shown;
    return SB_OK;
}
