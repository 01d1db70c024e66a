/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a shuffle costs: counted, and timed. */
#ifndef SB_SAMPLE_COST_COST_H
#define SB_SAMPLE_COST_COST_H

#include "sample/plain.h"

/* The mean counts of one deck. */
struct sb_cost_counts {
    double draws; /* requested answers, both bounded draws and keys */
    double words; /* words of the generator, whatever their width */
    /* accesses to items and keys, without filling the deck with 0..n-1; NaN: not known here */
    double reads, writes;
    size_t bytes; /* bytes of the deck, and of the scratch and keys that were touched */
};

/* Shuffles `decks` decks from the recipe's seed with the slow build that counts. SB_BROKEN: the shuffle waits
 * for an answer that never comes; SB_INVALID: the generator refuses the seed; SB_STOPPED, SB_NO_MEMORY. */
enum sb_status sb_cost_count(const struct sb_recipe *recipe, size_t decks, struct sb_cost_counts *counts);

/* Nanoseconds of processor time per deck, on one thread: medians of interleaved repetitions. */
struct sb_cost_times {
    double plain;        /* nanoseconds of the shuffle in plain C */
    double side_by_side; /* nanoseconds of decks side by side, with the tally; NaN if not possible */
    double generator;    /* nanoseconds that the generator takes for the same number of words */
    double fill, copy;   /* nanoseconds to write the numbers 0..n-1, and to copy them */
};

/* Measures the times, like sb_cost_count(). `words` is the number of words per deck. */
enum sb_status sb_cost_time(const struct sb_recipe *recipe, size_t decks, double words,
                            struct sb_cost_times *times);

#endif
