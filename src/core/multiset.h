/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A deck with equal items: a multiset of kinds. Items of one kind look the same, so a shuffle shows only an
 * arrangement of kinds. Every arrangement of a whole deck stands for the same number of permutations, the product of m!
 * over all kinds, where m is the number of items of the kind. So a fair shuffle gives all n!/(product of m!)
 * arrangements the same probability.
 */
#ifndef SB_CORE_MULTISET_H
#define SB_CORE_MULTISET_H

#include "core/calls.h"
#include "core/permutation.h"

struct sb_multiset {
    size_t n, kinds;
    uint32_t *kind;   /* [n] the kind of each item, numbered in the order of their first items; owned */
    uint32_t *begin;  /* [kinds + 1] index in `member` of the first item of each kind; owned */
    uint32_t *member; /* [n] the items, kind by kind; owned */
    /* number of arrangements of the whole deck; 0 if there are more than SB_CELLS_MOST, or n is above
     * SB_ARRANGED_MOST, so that arrangements have no ranks */
    size_t arrangements;
};

enum { SB_ARRANGED_MOST = 64 };

/* Makes a multiset of n items, where same[i] is the first item that is equal to item i. The caller frees *made with
 * sb_multiset_free(). SB_NO_MEMORY. */
enum sb_status sb_multiset_new(size_t n, const uint32_t same[], struct sb_multiset **made);

/* Frees the multiset; NULL is allowed. */
void sb_multiset_free(struct sb_multiset *multiset);

/* Returns how many items of the kind there are. */
static inline size_t sb_multiset_copies(const struct sb_multiset *multiset, size_t kind)
{
    return multiset->begin[kind + 1] - multiset->begin[kind];
}

/* Returns ln of the number of arrangements of the whole deck. */
double sb_multiset_ln_arrangements(const struct sb_multiset *multiset);

/* Returns the rank of the arrangement that the permutation a[0..n-1] shows, in the lexicographic order of kinds.
 * Arrangements must have ranks. O(n kinds). */
size_t sb_multiset_rank(const struct sb_multiset *multiset, const sb_item a[]);

/* Sets a[0..n-1] to the arrangement of this rank, in which the items of each kind are in order. */
void sb_multiset_unrank(const struct sb_multiset *multiset, size_t rank, sb_item a[]);

/*
 * Replaces each item of a deal by an item of the same kind, so that the items of each kind are in order. Two deals
 * become equal if they look the same. An item may occur several times in a[0..k-1]. Returns false if there are more
 * items of a kind than the deck has; *surplus is then an item of this kind. used[kinds] is scratch.
 */
bool sb_multiset_order(const struct sb_multiset *multiset, size_t k, sb_item a[], uint32_t used[],
                       sb_item *surplus);

#endif
