/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The draws with which Durstenfeld's loop produces a given deck. */
#ifndef SB_TALLY_DECK_DRAWS_H
#define SB_TALLY_DECK_DRAWS_H

#include "core/core.h"

enum { SB_DECK_DRAWS_MOST = 256 }; /* the most items */

/*
 * The eight ways in which a program may write down the loop's deck B: B or its inverse, each of them with the
 * positions reversed, the items reversed, both or neither. These eight ways are the symmetries of the
 * permutation matrix. Let w be the reversal of n items. The first four views are B plain, inverted, reversed,
 * and inverted and reversed; a catalogue has names for these four views. The last four views are the same
 * views of w B w. Fisher-Yates from the front produces the deck w B w if each of its draws is n-1-d instead
 * of d.
 */
enum sb_deck_view {
    SB_VIEW_PLAIN,
    SB_VIEW_INVERTED,
    SB_VIEW_REVERSED,          /* the deck is B read from its end */
    SB_VIEW_INVERTED_REVERSED, /* the deck is B's inverse read from its end */
    SB_VIEW_FORWARD,           /* SB_VIEW_FORWARD + one of the above: that view of w B w instead of B */
    SB_VIEWS = 8,
};

/* The number of pairs (i, d) with 1 <= i < n and 0 <= d <= i. */
static inline size_t sb_deck_draws_cells(size_t n)
{
    return (n - 1) * (n + 2) / 2;
}

/* The index of the pair (i, d) among the pairs with 1 <= i < n and 0 <= d <= i. */
static inline size_t sb_deck_draws_cell(size_t i, size_t d)
{
    return (i - 1) * (i + 2) / 2 + d;
}

/*
 * Finds the draws d[i] with which the loop "for i = n-1 .. 1 swap b[i] with b[d[i]]" produces a deck that is
 * a[0..n-1] in this view, and adds 1 to the count of each pair (i, d[i]). place[] is the inverse of a[]. 2 <=
 * n <= SB_DECK_DRAWS_MOST.
 */
void sb_deck_draws_count(size_t n, const sb_item a[], const sb_item place[], enum sb_deck_view view,
                         uint32_t count[]);

#endif
