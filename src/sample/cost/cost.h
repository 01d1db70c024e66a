/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cost of a shuffle: how many draws and accesses it makes, and how long it takes. */
#ifndef SB_SAMPLE_COST_COST_H
#define SB_SAMPLE_COST_COST_H

#include "sample/plain.h"

/* The mean counts of one deck. */
struct sb_cost_counts {
    double draws; /* number of bounded draws and of keys */
    double words; /* number of words of the generator, whatever their width */
    /* numbers of reads and of writes of items and keys; filling the deck with 0..n-1 is not counted. NaN if
     * this build cannot count accesses */
    double reads, writes;
    size_t bytes; /* total size in bytes of the arrays (a, b, key) that the shuffle used */
};

/* Shuffles `decks` decks, starting from the recipe's seed, and sets *counts. Uses the second build of the
 * shuffles, which is slow. SB_BROKEN: the shuffle waits for an answer that never comes. SB_INVALID: the
 * generator refuses the seed. SB_STOPPED. SB_NO_MEMORY. */
enum sb_status sb_cost_count(const struct sb_recipe *recipe, size_t decks, struct sb_cost_counts *counts);

/* Nanoseconds of processor time per deck, on one thread: medians of interleaved repetitions. */
struct sb_cost_times {
    double plain;        /* nanoseconds of the shuffle in plain C */
    double side_by_side; /* nanoseconds of shuffling and counting side by side; NaN if impossible */
    double generator;    /* nanoseconds that the generator takes for the same number of words */
    double fill, copy;   /* nanoseconds to write the items 0..n-1, and to copy n items */
};

/* Measures the times with about `decks` decks. `words` is the number of words per deck. Returns the same
 * errors as sb_cost_count(). */
enum sb_status sb_cost_time(const struct sb_recipe *recipe, size_t decks, double words,
                            struct sb_cost_times *times);

#endif
