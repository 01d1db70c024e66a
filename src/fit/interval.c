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
#include "fit/fit.h"

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
static void interval_fill(const struct sb_evidence *evidence, double alpha, const struct sb_row before[], size_t count,
                          struct sb_row *row)
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
    sb_binomial_interval(evidence->counts.u64[row->rank], evidence->total, alpha / (double)evidence->cells, &row->low,
                         &row->high);
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

/*
 * Finds those cells of a matrix whose confidence interval excludes the fair share. The intervals are Clopper
 * and Pearson's. Each has level 1 - alpha/K, where K is the number of all cells (Bonferroni), since the
 * listed cells are chosen by their counts. All cells have the same fair share, so the same two bounds on
 * counts decide for every cell. Cost: O(n k), and 100 intervals. Clopper and Pearson,
 * doi:10.1093/biomet/26.4.404.
 */

/* Returns -1 if the interval of this count is below the fair share, 1 if the interval is above the fair
 * share, and 0 if the interval contains the fair share. */
static int places_side(const struct sb_evidence *evidence, uint64_t count, double alpha)
{
    const double fair = 1 / (double)evidence->n;
    double low, high;

    sb_binomial_interval(count, evidence->total, alpha, &low, &high);
    return high < fair ? -1 : low > fair;
}

/* If `side` is 0, returns the least count that is not too small. If `side` is 1, returns the least count that
 * is too large, or total + 1 if no count is too large. */
static uint64_t places_bound(const struct sb_evidence *evidence, int side, double alpha)
{
    uint64_t low = 0, high = evidence->total + 1;

    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;

        if (places_side(evidence, middle, alpha) >= side)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* How far a count is from its expectation, times n. */
static double places_distance(const struct sb_evidence *evidence, uint64_t count)
{
    const double off = (double)count * (double)evidence->n - (double)evidence->total;

    return off < 0 ? -off : off;
}

/* Inserts a cell into the list, after the cells that are equally far from the expectation. */
static void places_insert(const struct sb_evidence *evidence, size_t cell, struct sb_places *places)
{
    const struct sb_place place = {
        .item = cell / evidence->deal,
        .position = cell % evidence->deal,
        .count = evidence->matrix.u64[cell],
    };
    const double distance = places_distance(evidence, place.count);
    size_t at = places->count;

    while (at > 0 && distance > places_distance(evidence, places->place[at - 1].count))
        at--;
    if (at == SB_PLACES_MOST)
        return;
    places->count += places->count < SB_PLACES_MOST;
    for (size_t i = places->count - 1; i > at; i--)
        places->place[i] = places->place[i - 1];
    places->place[at] = place;
}

void sb_places_find(const struct sb_evidence *evidence, double alpha, struct sb_places *places)
{
    const size_t cells = evidence->n * evidence->deal;
    const double level = alpha / (double)cells;

    *places = (struct sb_places) { .cells = 0 };
    if (evidence->total == 0 || cells == 0)
        return;
    const uint64_t least = places_bound(evidence, 0, level), most = places_bound(evidence, 1, level);

    places->cells = cells;
    for (size_t cell = 0; cell < cells; cell++)
        if (evidence->matrix.u64[cell] < least || evidence->matrix.u64[cell] >= most) {
            places->beyond++;
            places_insert(evidence, cell, places);
        }
    for (size_t i = 0; i < places->count; i++) {
        struct sb_place *const place = &places->place[i];

        place->share = (double)place->count / (double)evidence->total;
        place->ratio = place->share * (double)evidence->n;
        sb_binomial_interval(place->count, evidence->total, level, &place->low, &place->high);
    }
}
