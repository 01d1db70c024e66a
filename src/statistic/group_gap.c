/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The smallest difference between two numbers of a group: 1 if it has neighbours, such as 17 and 18.
 *
 * Sets of k of n numbers that are all at least g apart become sets of any k of n - (k-1)(g-1) numbers if g - 1 numbers
 * are taken away before each number but the first. So P(gap >= g) = C(n - (k-1)(g-1), k) / C(n, k). Cell c is the gap
 * c + 1. Riordan, An Introduction to Combinatorial Analysis (1958), problem 8.3.
 */
#include "core/numbers.h"
#include "statistic/statistic.h"

#include <math.h>

static size_t group_gap_members(const struct sb_multiset *multiset, size_t k)
{
    return sb_multiset_copies(multiset, 0) > 1 ? sb_groups_alike(multiset) : 0;
}

static size_t group_gap_cells(const struct sb_multiset *multiset, size_t k)
{
    const size_t size = sb_multiset_copies(multiset, 0);

    return size > 1 ? (multiset->n - 1) / (size - 1) : 0;
}

static enum sb_status group_gap_null_law(const struct sb_multiset *multiset, size_t k, double ln_p[])
{
    const size_t n = multiset->n, size = sb_multiset_copies(multiset, 0), cells = group_gap_cells(multiset, k);
    const double ln_all = sb_ln_choose((double)n, (double)size);
    double ln_above = 0; /* ln P(gap >= c + 1) */

    for (size_t c = 0; c < cells; c++) {
        const double ln_next =
            c + 1 < cells ? sb_ln_choose((double)(n - (size - 1) * (c + 1)), (double)size) - ln_all : -HUGE_VAL;

        ln_p[c] = ln_above + log(-expm1(ln_next - ln_above));
        ln_above = ln_next;
    }
    return SB_OK;
}

static void group_gap_classify(const struct sb_multiset *multiset, size_t k, const sb_item a[], uint32_t cell[])
{
    const size_t members = sb_groups_alike(multiset);

    for (size_t g = 0; g < members; g++) {
        size_t last = k, least = k;

        for (size_t j = 0; j < k; j++) {
            if (multiset->kind[a[j]] != g)
                continue;
            if (last < k && j - last < least)
                least = j - last;
            last = j;
        }
        cell[g] = (uint32_t)least - 1;
    }
}

static void group_gap_label(const struct sb_item_names *names, size_t k, size_t cell, char text[SB_LABEL_ROOM])
{
    snprintf(text, SB_LABEL_ROOM, "%zu", cell + 1);
}

static const struct sb_statistic_equal group_gap_equal = {
    .members = group_gap_members,
    .cells = group_gap_cells,
    .null_law = group_gap_null_law,
    .classify = group_gap_classify,
    .label = group_gap_label,
};

const struct sb_statistic_type sb_statistic_group_gap = {
    .name = "group-gap",
    .title = "the smallest difference between two numbers of a group",
    .cite = "Riordan, An Introduction to Combinatorial Analysis (1958), ch. 8",
    .obtained = "closed form",
    .range = "sets and hands",
    .each = "hand",
    .equal = &group_gap_equal,
};
