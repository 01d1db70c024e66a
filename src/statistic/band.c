/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Divides the deck into 64 bands of positions, and finds the band of each of 64 items. This statistic is for
 * more than SB_PLACED_ITEMS_MOST items, where the n^2 pairs of an item and a position would need too many
 * counts. The 64 items are the first, the last, and 62 that are evenly spaced between these two: member m
 * stands for item m (n-1)/63, rounded down. Band b holds the positions p for which 64 p/n, rounded down, is
 * b.
 *
 * Null law: the number of positions in the band, divided by n. Cost of classifying: n steps, in one pass that
 * looks for 64 items.
 *
 * For each of 64 items i, the distance to item i + 1, in 64 bands of distances. This statistic is for more
 * than SB_LAW_ITEMS_MOST items, where the successor of an item has too many possible values. Member m stands
 * for item i = m (n-2)/63, rounded down. d is the distance between the positions of items i and i + 1, in
 * either order. Band b holds the distances for which 64 (d-1)/(n-1), rounded down, is b.
 *
 * Null law: of the n (n-1)/2 pairs of positions, n - d have distance d, so d (2n-d-1)/2 pairs have a distance
 * of at most d. Cost of classifying: n steps, in one pass that looks for 128 items.
 */
#include "statistic/statistic.h"

#include <math.h>
#include <stdio.h>

enum { BANDS = 64 };

static size_t band_members(size_t n, size_t k)
{
    return k == n && n > SB_PLACED_ITEMS_MOST ? SB_SAMPLED_ITEMS : 0;
}

static size_t band_cells(size_t n, size_t k)
{
    return k == n && n > SB_PLACED_ITEMS_MOST ? BANDS : 0;
}

/* Returns the first position of a band: the least p with 64 p >= b n. */
static size_t band_begin(size_t n, size_t band)
{
    return (band * n + BANDS - 1) / BANDS;
}

static enum sb_status band_null_law(size_t n, size_t k, double ln_p[])
{
    for (size_t b = 0; b < BANDS; b++)
        ln_p[b] = log((double)(band_begin(n, b + 1) - band_begin(n, b)) / (double)n);
    return SB_OK;
}

static void band_classify(size_t n, size_t k, const sb_item a[], uint32_t cell[])
{
    for (size_t p = 0; p < n; p++) {
        const size_t member = sb_sampled_member(n, a[p]);

        if (sb_sampled_item(n, member) == a[p])
            cell[member] = (uint32_t)(p * BANDS / n);
    }
}

static void band_label(const struct sb_item_names *names, size_t n, size_t k, size_t member, size_t cell,
                       char text[SB_LABEL_ROOM])
{
    char item[SB_ITEM_ROOM];

    snprintf(text, SB_LABEL_ROOM, "%s at one of the positions %zu to %zu",
             sb_item_words(names, sb_sampled_item(n, member), item), band_begin(n, cell) + 1, band_begin(n, cell + 1));
}

const struct sb_statistic_type sb_statistic_band = {
    .name = "band",
    .title = "which 64th of the deck an item is in",
    .cite = "Knuth, TAOCP vol. 2, 3.3.2 (frequency test)",
    .obtained = "closed form",
    .range = "whole permutations of more than 8192 items",
    .each = "sampled item",
    .unmerged = SIZE_MAX, /* never merged, because there are only 64 cells */
    .members = band_members,
    .cells = band_cells,
    .null_law = band_null_law,
    .classify = band_classify,
    .label = band_label,
};

static size_t distance_members(size_t n, size_t k)
{
    return k == n && n > SB_LAW_ITEMS_MOST ? SB_SAMPLED_ITEMS : 0;
}

static size_t distance_cells(size_t n, size_t k)
{
    return k == n && n > SB_LAW_ITEMS_MOST ? BANDS : 0;
}

/* Returns the smallest distance of a band: the least d with 64 (d-1) >= b (n-1). */
static size_t distance_begin(size_t n, size_t band)
{
    return (band * (n - 1) + BANDS - 1) / BANDS + 1;
}

/* Returns the number of pairs of positions with a distance below d. This number is an integer below 2^53. */
static double distance_pairs(size_t n, size_t d)
{
    return (double)(d - 1) * (double)(2 * n - d) / 2;
}

static enum sb_status distance_null_law(size_t n, size_t k, double ln_p[])
{
    const double all = distance_pairs(n, n);

    for (size_t b = 0; b < BANDS; b++)
        ln_p[b] = log((distance_pairs(n, distance_begin(n, b + 1)) - distance_pairs(n, distance_begin(n, b))) / all);
    return SB_OK;
}

static void distance_classify(size_t n, size_t k, const sb_item a[], uint32_t cell[])
{
    size_t from[SB_SAMPLED_ITEMS] = { 0 }, to[SB_SAMPLED_ITEMS] = { 0 };

    if (n < 2) /* a single item has no successor, and so this statistic has no members */
        return;
    for (size_t p = 0; p < n; p++) {
        const size_t item = a[p];
        const size_t member = sb_sampled_member(n - 1, item);

        if (item + 1 < n && sb_sampled_item(n - 1, member) == item)
            from[member] = p;
        if (item > 0) {
            const size_t before = sb_sampled_member(n - 1, item - 1);

            if (sb_sampled_item(n - 1, before) == item - 1)
                to[before] = p;
        }
    }
    for (size_t m = 0; m < SB_SAMPLED_ITEMS; m++) {
        const size_t d = from[m] < to[m] ? to[m] - from[m] : from[m] - to[m];

        cell[m] = (uint32_t)((d - 1) * BANDS / (n - 1));
    }
}

static void distance_label(const struct sb_item_names *names, size_t n, size_t k, size_t member, size_t cell,
                           char text[SB_LABEL_ROOM])
{
    snprintf(text, SB_LABEL_ROOM, "%zu to %zu places", distance_begin(n, cell), distance_begin(n, cell + 1) - 1);
}

const struct sb_statistic_type sb_statistic_distance = {
    .name = "distance",
    .title = "how far an item is from the next item",
    .cite = "Knuth, TAOCP vol. 2, 3.3.2 (serial test)",
    .obtained = "closed form",
    .range = "whole permutations of more than 1000 items",
    .each = "sampled item",
    .unmerged = SIZE_MAX, /* never merged, because there are only 64 cells */
    .members = distance_members,
    .cells = distance_cells,
    .null_law = distance_null_law,
    .classify = distance_classify,
    .label = distance_label,
};
