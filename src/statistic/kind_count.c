/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many of the cards that are dealt are of a kind: lands in an opening hand, aces in a flop. Of sets it is the count
 * in the set, and of hands that in each of the first hands of one size. Each of the first four kinds has a statistic of
 * its own, since their laws differ; of two kinds, the count of the first says all.
 *
 * Of n cards, m are of this kind. Of k cards, c are with probability C(m, c) C(n-m, k-c) / C(n, k), the hypergeometric
 * law. W. Feller, An Introduction to Probability Theory and Its Applications, vol. 1 (1968), II.6.
 */
#include "core/numbers.h"
#include "statistic/statistic.h"

#include <string.h>

/* Returns which items are of which kind; NULL if nobody said it of these groups. */
static const struct sb_multiset *kind_of(const struct sb_multiset *multiset)
{
    return multiset->groups ? multiset->placed : multiset;
}

/* Returns how many cards are in the deal, or in a hand. */
static size_t kind_dealt(const struct sb_multiset *multiset, size_t k)
{
    return multiset->groups ? sb_multiset_copies(multiset, 0) : k;
}

static size_t kind_members(const struct sb_multiset *multiset, size_t k, size_t kind)
{
    const struct sb_multiset *const kinds = kind_of(multiset);

    if (!kinds || kind >= kinds->kinds || (kinds->kinds == 2 && kind == 1) || kind_dealt(multiset, k) == multiset->n)
        return 0;
    return multiset->groups ? sb_groups_alike(multiset) : 1;
}

static size_t kind_cells(const struct sb_multiset *multiset, size_t k, size_t kind)
{
    if (!kind_members(multiset, k, kind))
        return 0;
    const size_t copies = sb_multiset_copies(kind_of(multiset), kind), dealt = kind_dealt(multiset, k);

    return (copies < dealt ? copies : dealt) + 1;
}

static void kind_law(const struct sb_multiset *multiset, size_t k, size_t kind, double ln_p[])
{
    const double n = (double)multiset->n, copies = (double)sb_multiset_copies(kind_of(multiset), kind);
    const double dealt = (double)kind_dealt(multiset, k);

    for (size_t c = 0; c < kind_cells(multiset, k, kind); c++)
        ln_p[c] =
            sb_ln_choose(copies, (double)c) + sb_ln_choose(n - copies, dealt - (double)c) - sb_ln_choose(n, dealt);
}

static void kind_classify(const struct sb_multiset *multiset, size_t k, const sb_item a[], size_t kind, uint32_t cell[])
{
    const struct sb_multiset *const kinds = kind_of(multiset);
    const size_t members = kind_members(multiset, k, kind);

    memset(cell, 0, members * sizeof cell[0]);
    for (size_t j = 0; j < k; j++)
        if (!multiset->groups)
            cell[0] += kinds->kind[a[j]] == kind;
        else if (multiset->kind[a[j]] < members) /* the card at place j is the group of item j */
            cell[multiset->kind[a[j]]] += kinds->kind[j] == kind;
}

size_t sb_kind_count_kind(const char *statistic)
{
    static const char name[] = "kind-count";

    if (strncmp(statistic, name, sizeof name - 1) != 0)
        return SB_KIND_COUNTS;
    return statistic[sizeof name - 1] ? (size_t)(statistic[sizeof name] - '1') : 0;
}

/* A statistic has no state, so each kind has functions of its own. */
#define KIND_COUNT(symbol, index, called, words)                                                                    \
    static size_t symbol##_members(const struct sb_multiset *multiset, size_t k)                                    \
    {                                                                                                               \
        return kind_members(multiset, k, index);                                                                    \
    }                                                                                                               \
    static size_t symbol##_cells(const struct sb_multiset *multiset, size_t k)                                      \
    {                                                                                                               \
        return kind_cells(multiset, k, index);                                                                      \
    }                                                                                                               \
    static enum sb_status symbol##_null_law(const struct sb_multiset *multiset, size_t k, double ln_p[])            \
    {                                                                                                               \
        kind_law(multiset, k, index, ln_p);                                                                         \
        return SB_OK;                                                                                               \
    }                                                                                                               \
    static void symbol##_classify(const struct sb_multiset *multiset, size_t k, const sb_item a[], uint32_t cell[]) \
    {                                                                                                               \
        kind_classify(multiset, k, a, index, cell);                                                                 \
    }                                                                                                               \
    static const struct sb_statistic_equal symbol##_equal = {                                                       \
        .members = symbol##_members,                                                                                \
        .cells = symbol##_cells,                                                                                    \
        .null_law = symbol##_null_law,                                                                              \
        .classify = symbol##_classify,                                                                              \
    };                                                                                                              \
    const struct sb_statistic_type sb_statistic_##symbol = {                                                        \
        .name = (called),                                                                                           \
        .title = (words),                                                                                           \
        .cite = "Feller, An Introduction to Probability Theory and Its Applications, vol. 1, II.6",                 \
        .obtained = "closed form",                                                                                  \
        .range = "deals of decks with equal cards, which `cards` or `kinds` names",                                 \
        .each = "hand",                                                                                             \
        .equal = &symbol##_equal,                                                                                   \
    }

KIND_COUNT(kind_count, 0, "kind-count", "how many cards of the first kind are dealt");
KIND_COUNT(kind_count_2, 1, "kind-count-2", "how many cards of the second kind are dealt");
KIND_COUNT(kind_count_3, 2, "kind-count-3", "how many cards of the third kind are dealt");
KIND_COUNT(kind_count_4, 3, "kind-count-4", "how many cards of the fourth kind are dealt");
