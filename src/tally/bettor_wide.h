/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of a bettor's work that takes the most time: betting on one deck in two contexts with the same
 * label. */
#ifndef SB_TALLY_BETTOR_WIDE_H
#define SB_TALLY_BETTOR_WIDE_H

#include "tally/bettor.h"

enum {
    SB_BETTOR_PAIR = 2, /* number of contexts with the same label that are computed together */
    SB_BETTOR_COUNTS =
        32, /* counts in the largest vector; the length of a row is a multiple of this or of 8 */
    SB_BETTOR_PRODUCTS = 4, /* number of products that are computed side by side */
};

extern const double sb_bettor_pseudo[SB_BETTOR_PSEUDO];

/* A deck, with its labels and keys in two contexts. */
struct sb_bettor_deck {
    /* [width] for each label, the turn (0 to n - 1) at which the card with this label is dealt; 0 from index
     * n on */
    int16_t turn[SB_BETTOR_MOST] __attribute__((aligned(64)));
    size_t n, width;       /* `width`: number of counts in a row; the counts from index n on are 0 */
    const double *inverse; /* 1 / (number of cards left) at each turn; 0 from index n on */
    /* [n] for each card, the row of counts of the card's key; borrowed */
    uint16_t *const *row[SB_BETTOR_PAIR];
    uint16_t label[SB_BETTOR_MOST]; /* [n] label of the card at each turn */
};

/* Multiplies the wealths of both contexts by the factors of this deck, and adds the deck to the counts.
 * Wealth i, i < 2 * SB_BETTOR_PSEUDO, is part[i] * 2^power[i]. */
typedef void sb_bettor_play(struct sb_bettor_deck *deck, double part[], int64_t power[]);

/* The function for each instruction set; tally/bettor_wide.c is compiled once for each. All these functions
 * give the same bits. */
sb_bettor_play sb_bettor_play_plain;
#if defined __x86_64__ || defined __i386__
sb_bettor_play sb_bettor_play_avx2, sb_bettor_play_avx512;
#endif

/* Of the functions that this machine can run, returns the one with this index; index 0 is the fastest. NULL
 * if the index is too large. */
sb_bettor_play *sb_bettor_play_get(size_t index);

#endif
