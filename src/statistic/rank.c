/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rank of the deal: one member, and a cell for every deal.
 *
 * Null law: each of the n!/(n-k)! deals has probability (n-k)!/n!.
 *
 * Cost of classifying: for n <= 16, k multiplications, since one word holds the Lehmer digits of all items
 * not yet dealt; for larger n, k(k-1)/2 comparisons.
 *
 * D. E. Knuth, The Art of Computer Programming, vol. 2, 3.3.2, the permutation test.
 */
#include "statistic/statistic.h"

enum {
    RANK_SMALL = 16,      /* up to 16 items, a digit fits in four bits */
    RANK_ITEMS_MOST = 10, /* the largest number of items in a deal that has a label */
};

/* The factorials 0! to 15!, which are the weights (n-1-i)! of the digits for n <= 16. */
static const uint64_t rank_factorials[RANK_SMALL] = {
    1, 1, 2, 6, 24, 120, 720, 5040, 40320, 362880, 3628800, 39916800, 479001600, 6227020800, 87178291200, 1307674368000
};

/*
 * Does what sb_permutation_rank() does, for n <= 16. `below` has four bits for each item: the number of
 * smaller items that are not dealt yet. This is the item's Lehmer digit if the item comes next. Dealing an
 * item subtracts 1 from the digits of all larger items. The code adds up products of a digit and a factorial.
 * These products do not depend on each other, while in Horner's scheme each multiplication would wait for the
 * previous one.
 */
static uint64_t rank_small(size_t n, size_t k, const sb_item a[])
{
    const uint64_t ones = 0x1111111111111111;
    const uint64_t *weight = rank_factorials + n;
    uint64_t below = 0xfedcba9876543210, rank = 0;

    for (size_t i = 0; i < k; i++) {
        const unsigned at = 4U * a[i];

        rank += (below >> at & 15) * *--weight;
        below -= ones << at << 4;
    }
    return k < n ? rank / rank_factorials[n - k] : rank;
}

static void rank_classify(size_t n, size_t k, const sb_item a[], uint32_t cell[])
{
    cell[0] = (uint32_t)(n <= RANK_SMALL ? rank_small(n, k, a) : sb_permutation_rank(n, k, a));
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
