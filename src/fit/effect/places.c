/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds those cells of a matrix whose confidence interval excludes the fair share. The intervals are Clopper
 * and Pearson's. Each has level 1 - alpha/K, where K is the number of all cells (Bonferroni), since the
 * listed cells are chosen by their counts. All cells have the same fair share, so the same two bounds on
 * counts decide for every cell. Cost: O(n k), and 100 intervals. Clopper and Pearson,
 * doi:10.1093/biomet/26.4.404.
 */
#include "fit/effect/places.h"

#include "fit/numeric/binomial.h"

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
