/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The draws of many decks at once (deck_draws.h), for decks that lie side by side in rows. */
#ifndef SB_TALLY_DECK_DRAWS_WIDE_H
#define SB_TALLY_DECK_DRAWS_WIDE_H

#include "statistic/rows/rows.h"

/* Counts the draws of both views `view` and `view` | SB_VIEW_INVERTED, for the first rows->deals deals. The
 * deals are whole permutations, and `view` itself is not inverted. count[] and inverted[] have one element
 * for each pair (i, d), in the order of sb_deck_draws_cell(). */
typedef void sb_deck_draws_rows(const struct sb_rows *rows, unsigned view, uint32_t count[],
                                uint32_t inverted[]);

/* The function for each instruction set. tally/deck_draws_wide.c is compiled once for each. */
sb_deck_draws_rows sb_deck_draws_plain;
#if defined __x86_64__ || defined __i386__
sb_deck_draws_rows sb_deck_draws_avx2, sb_deck_draws_avx512;
#endif

/* Of the functions that this machine can run, returns the one with this index; index 0 is the fastest. NULL
 * if the index is too large. */
sb_deck_draws_rows *sb_deck_draws_get(size_t index);

#endif
