/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a shuffle costs: counted, and timed. */
#ifndef SB_SAMPLE_COST_COST_H
#define SB_SAMPLE_COST_COST_H

#include "sample/plain.h"

/* Of a deck, the mean of several. */
struct sb_cost_counts {
    double draws;         /* answers asked for, bounded ones and keys */
    double words;         /* of the generator, whatever their width */
    double reads, writes; /* of items and keys, without filling the deck with 0..n-1; NaN: not known here */
    size_t bytes;         /* of the deck, and of the scratch and keys that were touched */
};

/* Shuffles `decks` decks from the recipe's seed, in a build of the shuffles that is slow and tells.
 * SB_BROKEN: the shuffle waits for an answer that does not come; SB_INVALID: it refuses the seed;
 * SB_STOPPED, SB_NO_MEMORY. */
enum sb_status sb_cost_count(const struct sb_recipe *recipe, size_t decks, struct sb_cost_counts *counts);

/* Nanoseconds of the processor's time for a deck, one thread: medians of repetitions by turns. */
struct sb_cost_times {
    double plain;        /* the shuffle in plain C */
    double side_by_side; /* decks side by side, tallied; NaN where they are not */
    double generator;    /* as many words */
    double fill, copy;   /* the numbers 0..n-1 written; the same copied from elsewhere */
};

/* As sb_cost_count(); `words` are those of a deck. */
enum sb_status sb_cost_time(const struct sb_recipe *recipe, size_t decks, double words,
                            struct sb_cost_times *times);

#endif
