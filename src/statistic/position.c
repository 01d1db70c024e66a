/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The position of each item: n members, each with a cell for each position 0..k-1. For a deal of k < n cards,
 * each member also has a last cell, k, which means "not dealt". The tallies of all members form the
 * item-by-position matrix.
 *
 * Null law: 1/n for each position, (n-k)/n for the last cell.
 *
 * Cost of classifying: n + k writes, or n for a whole permutation.
 *
 * D. P. Robbins, E. D. Bolker, The bias of three pseudo-random shuffles, Aequationes Mathematicae 22 (1981)
 * 268.
 */
#include "statistic/statistic.h"

#include <math.h>
#include <stdio.h>

static size_t position_members(size_t n, size_t k)
{
    return n;
}

static size_t position_cells(size_t n, size_t k)
{
    return k + (k < n);
}

static enum sb_status position_null_law(size_t n, size_t k, double ln_p[])
{
    for (size_t j = 0; j < k; j++)
        ln_p[j] = -log((double)n);
    if (k < n) /* chooses, of two equal forms, the form that loses no digits */
        ln_p[k] = k < n - k ? log1p(-(double)k / (double)n) : log((double)(n - k) / (double)n);
    return SB_OK;
}

static void position_classify(size_t n, size_t k, const sb_item a[], uint32_t cell[])
{
    if (k < n)
        for (size_t i = 0; i < n; i++)
            cell[i] = (uint32_t)k;
    for (size_t j = 0; j < k; j++)
        cell[a[j]] = (uint32_t)j;
}

static void position_label(const struct sb_item_names *names, size_t n, size_t k, size_t member, size_t cell,
                           char text[SB_LABEL_ROOM])
{
    if (cell < k)
        snprintf(text, SB_LABEL_ROOM, "%zu", cell + 1);
    else
        snprintf(text, SB_LABEL_ROOM, "not dealt");
}

const struct sb_statistic_type sb_statistic_position = {
    .name = "position",
    .title = "the position of each item",
    .cite = "Robbins and Bolker, Aequationes Mathematicae 22 (1981) 268",
    .obtained = "closed form",
    .range = "any deals",
    .unmerged = SB_UNMERGED_ITEMS_MOST,
    .members = position_members,
    .cells = position_cells,
    .null_law = position_null_law,
    .classify = position_classify,
    .label = position_label,
};
