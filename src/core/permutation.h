/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Permutations and ordered deals: their number, their ranks, their notation.
 *
 * A deck of n items starts as the identity: item i at position i. After a shuffle, a[j] is the item at
 * position j. A deal is the items at the first k positions; with k = n, a deal is the whole permutation. The
 * rank of a deal is its place, from 0, among all deals in lexicographic order of the one-line notation a[0]
 * a[1] ... a[k-1].
 */
#ifndef SB_CORE_PERMUTATION_H
#define SB_CORE_PERMUTATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An item or a position, from 0. */
typedef uint32_t sb_item;

enum {
    SB_ITEMS_MOST = 10000000,  /* the largest n of a single permutation that is read or dealt */
    SB_TALLIED_MOST = 1000000, /* the largest n of permutations that a gate or a watch tallies */
    SB_COMPUTED_MOST = 65535,  /* the largest n for everything else, such as exact laws, plans and lessons */
    SB_MATRIX_MOST = 1 << 26,  /* the largest number of cells of a position matrix that is tallied */
    SB_CELLS_MOST = 3628800,   /* 10!; if there are at most this many deals, each has a count */
    SB_NOTATION_ROOM = 6 * 64, /* bytes for the notation of up to 64 items, with its closing 0 */
};

/* Returns the number of ordered deals of k out of n, k <= n. This number is n!/(n-k)!. If the number does not
 * fit in 64 bits, returns UINT64_MAX. */
uint64_t sb_deals(size_t n, size_t k);

/* Returns sb_deals(n, k) if this number is at most SB_CELLS_MOST, so that each deal can have a count of its
 * own; else 0. */
size_t sb_cells(size_t n, size_t k);

/* Returns whether a[0..k-1] are k different items below n. Costs O(n) time and n bits of scratch on the
 * stack, at most 1.25 MB. */
bool sb_permutation_valid(size_t n, size_t k, const sb_item a[]);

/* Returns the rank of the deal a[0..k-1] out of n, in 0..sb_deals(n, k)-1. sb_deals(n, k) must fit in 64
 * bits. O(k^2). */
uint64_t sb_permutation_rank(size_t n, size_t k, const sb_item a[]);

/* Returns the rank of a deal, which is the index of the deal's count. sb_cells(n, k) must not be 0. */
static inline size_t sb_permutation_cell(size_t n, size_t k, const sb_item a[])
{
    return (size_t)sb_permutation_rank(n, k, a); /* below SB_CELLS_MOST */
}

/* Sets a[0..k-1] to the deal of this rank: the inverse of sb_permutation_rank(). O(n k). */
void sb_permutation_unrank(size_t n, size_t k, uint64_t rank, sb_item a[]);

/* Returns how many cycles the permutation a[0..n-1] has. O(n) time and n bits of scratch on the stack, at
 * most 1.25 MB. */
size_t sb_permutation_cycles(size_t n, const sb_item a[]);

/* Writes the one-line notation for people, in which items are numbered from 1: `231`, or `10.2.1` if n > 9.
 * Writes at most `room` bytes, with the closing 0. If the notation is longer, the text is cut and ends in
 * "...". Returns `text`. Requires room >= 4. */
char *sb_permutation_notation(size_t n, size_t k, const sb_item a[], char text[], size_t room);

/*
 * Reads the notation of a whole permutation of 1 to `most` items. If there are fewer than ten items, the dots
 * may be missing. Returns false if the notation is not valid; then a[0..most-1] is undefined.
 */
bool sb_permutation_parse(const char *text, size_t most, sb_item a[], size_t *n);

#endif
