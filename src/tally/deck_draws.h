/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The draws of Durstenfeld's loop that lead to a deck, if the deck came from that loop. */
#ifndef SB_TALLY_DECK_DRAWS_H
#define SB_TALLY_DECK_DRAWS_H

#include "core/permutation.h"

enum { SB_DECK_DRAWS_MOST = 256 }; /* the most items */

/*
 * The eight ways in which the loop's deck B may have been written down. With w, the reversal of n items, they
 * are B, its inverse, and each of these with positions reversed, items reversed, or both: the symmetries of
 * the permutation matrix. The first four also have names in a catalogue: as it is, inverted, reversed, and
 * both. The last four are the same four of w B w, which is Fisher-Yates from the front with n-1-d for each
 * draw d.
 */
enum sb_deck_view {
    SB_VIEW_PLAIN,
    SB_VIEW_INVERTED,
    SB_VIEW_REVERSED,          /* the deck is B read from its end */
    SB_VIEW_INVERTED_REVERSED, /* the deck is B's inverse read from its end */
    SB_VIEW_FORWARD,           /* SB_VIEW_FORWARD + one of the above: the same of w B w */
    SB_VIEWS = 8,
};

/* The number of pairs (i, d), 1 <= i < n, 0 <= d <= i, and the index of a pair. */
static inline size_t sb_deck_draws_cells(size_t n)
{
    return (n - 1) * (n + 2) / 2;
}

static inline size_t sb_deck_draws_cell(size_t i, size_t d)
{
    return (i - 1) * (i + 2) / 2 + d;
}

/*
 * Adds 1 to count[] for each pair (i, d): "for i = n-1 .. 1 swap a[i] with a[d]" gives the deck a[0..n-1], in
 * this view. place[] is the inverse of a[]. 2 <= n <= SB_DECK_DRAWS_MOST.
 */
void sb_deck_draws_count(size_t n, const sb_item a[], const sb_item place[], enum sb_deck_view view,
                         uint32_t count[]);

#endif
