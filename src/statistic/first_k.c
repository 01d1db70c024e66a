/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The first few cards: in their order, with a cell for each deal of these cards, by rank; and in any order, as in a
 * hand of cards, with a cell for each set. The number of cards is the largest that gives at most 10,000 cells, but at
 * most half of the deck and at least one card. For a deck of ten cards it is four in order and five in any order; for
 * a deck of 52, two.
 *
 * The cell of the set c_1 < c_2 < ... is the sum of C(c_i, i) (the combinatorial number system). Null law: all cells
 * are equally likely. Cost of classifying: the cost of sb_permutation_rank() for these cards; for a set, a sort of a
 * few cards, and a binomial coefficient for each.
 *
 * D. E. Knuth, The Art of Computer Programming, vol. 2, 3.3.2 (permutation test), and vol. 4A, 7.2.1.3.
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
    .cells = first_k_cells,
    .classify = first_k_classify,
    .label = first_k_label,
};

/* Returns C(n, r), which must fit in a size_t. */
static size_t first_k_set_binomial(size_t n, size_t r)
{
    size_t binomial = 1;

    for (size_t i = 0; i < r; i++)
        binomial = binomial * (n - i) / (i + 1);
    return r > n ? 0 : binomial;
}

size_t sb_first_k_set_cards(size_t n, size_t k)
{
    size_t cards = k > 0;

    while (cards < k && cards < n / 2 && first_k_set_binomial(n, cards + 1) <= FIRST_K_CELLS_MOST)
        cards++;
    return cards;
}

static size_t first_k_set_cells(size_t n, size_t k)
{
    if (n > SB_LAW_ITEMS_MOST) /* the set would have one card, so first-k has the same cells */
        return 0;
    return first_k_set_binomial(n, sb_first_k_set_cards(n, k));
}

static void first_k_set_classify(size_t n, size_t k, const sb_item a[], uint32_t cell[])
{
    const size_t cards = sb_first_k_set_cards(n, k);
    size_t sum = 0;

    for (size_t j = 0; j < cards; j++) {
        size_t place = 1; /* rank of a[j] among the cards in ascending order */

        for (size_t i = 0; i < cards; i++)
            place += a[i] < a[j];
        sum += first_k_set_binomial(a[j], place);
    }
    cell[0] = (uint32_t)sum;
}

static void first_k_set_label(const struct sb_item_names *names, size_t n, size_t k, size_t member, size_t cell,
                              char text[SB_LABEL_ROOM])
{
    const size_t cards = sb_first_k_set_cards(n, k);
    sb_item a[SB_FIRST_K_CARDS_MOST];
    size_t below = n; /* the largest card is found first; what is left of `cell` stays below C(below, i) */

    for (size_t i = cards; i > 0; i--) {
        do
            below--;
        while (first_k_set_binomial(below, i) > cell);
        cell -= first_k_set_binomial(below, i);
        a[i - 1] = (sb_item)below;
    }
    sb_item_notation(names, n, cards, a, text, SB_LABEL_ROOM);
}

const struct sb_statistic_type sb_statistic_first_k_set = {
    .name = "first-k-set",
    .title = "the first few cards, in any order",
    .cite = "Knuth, TAOCP vol. 4A, 7.2.1.3",
    .obtained = "closed form",
    .range = "deals of up to 1000 items",
    .cells = first_k_set_cells,
    .classify = first_k_set_classify,
    .label = first_k_set_label,
};
