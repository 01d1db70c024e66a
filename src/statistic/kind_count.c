/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many of the cards that are dealt are of the first kind: lands in an opening hand, aces in a flop.
 *
 * Of n cards, m are of this kind. Of k cards, c are with probability C(m, c) C(n-m, k-c) / C(n, k), the hypergeometric
 * law. W. Feller, An Introduction to Probability Theory and Its Applications, vol. 1 (1968), II.6.
 */
#include "core/numbers.h"
#include "statistic/statistic.h"

#include <math.h>

static size_t kind_count_members(const struct sb_multiset *multiset, size_t k)
{
    return !multiset->groups && k < multiset->n;
}

static size_t kind_count_cells(const struct sb_multiset *multiset, size_t k)
{
    const size_t copies = sb_multiset_copies(multiset, 0);

    return kind_count_members(multiset, k) ? (copies < k ? copies : k) + 1 : 0;
}

static enum sb_status kind_count_null_law(const struct sb_multiset *multiset, size_t k, double ln_p[])
{
    const double n = (double)multiset->n, copies = (double)sb_multiset_copies(multiset, 0), dealt = (double)k;

    for (size_t c = 0; c < kind_count_cells(multiset, k); c++)
        ln_p[c] =
            sb_ln_choose(copies, (double)c) + sb_ln_choose(n - copies, dealt - (double)c) - sb_ln_choose(n, dealt);
    return SB_OK;
}

static void kind_count_classify(const struct sb_multiset *multiset, size_t k, const sb_item a[], uint32_t cell[])
{
    cell[0] = 0;
    for (size_t j = 0; j < k; j++)
        cell[0] += multiset->kind[a[j]] == 0;
}

static const struct sb_statistic_equal kind_count_equal = {
    .members = kind_count_members,
    .cells = kind_count_cells,
    .null_law = kind_count_null_law,
    .classify = kind_count_classify,
};

const struct sb_statistic_type sb_statistic_kind_count = {
    .name = "kind-count",
    .title = "how many cards of the first kind are dealt",
    .cite = "Feller, An Introduction to Probability Theory and Its Applications, vol. 1, II.6",
    .obtained = "closed form",
    .range = "deals of decks with equal cards, which `cards` or `kinds` names",
    .equal = &kind_count_equal,
};
