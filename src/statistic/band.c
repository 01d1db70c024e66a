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

static enum sb_status band_null_law(size_t n, size_t k, size_t member, double ln_p[])
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
