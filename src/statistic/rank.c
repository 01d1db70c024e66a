/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rank of the deal: one member, and a cell for every deal.
 *
 * Null law: each of the n!/(n-k)! deals has probability (n-k)!/n!.
 *
 * Cost of classifying: k(k-1)/2 comparisons.
 *
 * D. E. Knuth, The Art of Computer Programming, vol. 2, 3.3.2, the permutation test.
 */
#include "statistic/statistic.h"

enum { RANK_ITEMS_MOST = 10 }; /* the largest number of items in a deal that has a label */

static void rank_classify(size_t n, size_t k, const sb_item a[], uint32_t cell[])
{
    cell[0] = (uint32_t)sb_permutation_rank(n, k, a);
}

static void rank_label(const struct sb_item_names *names, size_t n, size_t k, size_t member, size_t cell,
                       char text[SB_LABEL_ROOM])
{
    sb_item a[RANK_ITEMS_MOST];

    sb_permutation_unrank(n, k, cell, a);
    sb_item_notation(names, n, k, a, text, SB_LABEL_ROOM);
}

/* ---- decks with equal items: the rank of the arrangement ---- */

static size_t rank_equal_members(const struct sb_multiset *multiset, size_t k)
{
    return k == multiset->n;
}

/* The first cards of a fairly shuffled deck with equal cards are not all equally likely, so deals have no ranks. */
static size_t rank_equal_cells(const struct sb_multiset *multiset, size_t k)
{
    return k == multiset->n ? multiset->arrangements : 0;
}

static void rank_equal_classify(const struct sb_multiset *multiset, size_t k, const sb_item a[], uint32_t cell[])
{
    cell[0] = (uint32_t)sb_multiset_rank(multiset, a);
}

static void rank_equal_label(const struct sb_item_names *names, size_t k, size_t cell, char text[SB_LABEL_ROOM])
{
    sb_item a[SB_ARRANGED_MOST];

    sb_multiset_unrank(names->multiset, cell, a);
    sb_item_notation(names, k, k, a, text, SB_LABEL_ROOM);
}

static const struct sb_statistic_equal rank_equal = {
    .members = rank_equal_members,
    .cells = rank_equal_cells,
    .classify = rank_equal_classify,
    .label = rank_equal_label,
};

const struct sb_statistic_type sb_statistic_rank = {
    .name = "rank",
    .title = "the deal itself, by its place in lexicographic order",
    .cite = "Knuth, TAOCP vol. 2, 3.3.2 (permutation test)",
    .obtained = "closed form",
    .range = "up to 3,628,800 different deals, and up to 64 cards if some are equal",
    .cells = sb_cells,
    .classify = rank_classify,
    .label = rank_label,
    .equal = &rank_equal,
};
