/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The first few cards in their order: a cell for each deal of these cards, by rank. The number of cards is
 * the largest that gives at most 10,000 deals, but at most half of the deck and at least one card. The number
 * is four for a deck of ten cards, and two for a deck of 52.
 *
 * Null law: all deals are equally likely. Cost of classifying: the cost of sb_permutation_rank() for these
 * cards.
 *
 * D. E. Knuth, The Art of Computer Programming, vol. 2, 3.3.2 (permutation test).
 */
#include "statistic/statistic.h"

enum { FIRST_K_CELLS_MOST = 10000 };

size_t sb_first_k_cards(size_t n, size_t k)
{
    size_t cards = k > 0;

    while (cards < k && cards < n / 2 && sb_deals(n, cards + 1) <= FIRST_K_CELLS_MOST)
        cards++;
    return cards;
}

static size_t first_k_cells(size_t n, size_t k)
{
    return (size_t)sb_deals(n, sb_first_k_cards(n, k));
}

static enum sb_status first_k_null_law(size_t n, size_t k, size_t member, double ln_p[])
{
    sb_law_uniform(first_k_cells(n, k), ln_p);
    return SB_OK;
}

static void first_k_classify(size_t n, size_t k, const sb_item a[], uint32_t cell[])
{
    cell[0] = (uint32_t)sb_permutation_rank(n, sb_first_k_cards(n, k), a);
}

static void first_k_label(const struct sb_item_names *names, size_t n, size_t k, size_t member, size_t cell,
                          char text[SB_LABEL_ROOM])
{
    const size_t cards = sb_first_k_cards(n, k);
    sb_item a[SB_FIRST_K_CARDS_MOST];

    sb_permutation_unrank(n, cards, cell, a);
    sb_item_notation(names, n, cards, a, text, SB_LABEL_ROOM);
}

const struct sb_statistic_type sb_statistic_first_k = {
    .name = "first-k",
    .title = "the first few cards, in their order",
    .cite = "Knuth, TAOCP vol. 2, 3.3.2 (permutation test)",
    .obtained = "closed form",
    .range = "any deals",
    .members = sb_statistic_single,
    .cells = first_k_cells,
    .null_law = first_k_null_law,
    .classify = first_k_classify,
    .label = first_k_label,
};
