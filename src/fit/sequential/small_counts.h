/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Passes over counts that fit in bytes, as those of a thousand items in a thousand permutations do. */
#ifndef SB_FIT_SEQUENTIAL_SMALL_COUNTS_H
#define SB_FIT_SEQUENTIAL_SMALL_COUNTS_H

#include <stddef.h>
#include <stdint.h>

enum {
    SB_SMALL_COUNTS = 256,     /* possible counts */
    SB_SMALL_TERMS = 8,        /* terms of each count */
    SB_SMALL_LEVELS_MOST = 32, /* the most levels */
};

/* The passes for one instruction set. fit/sequential/small_counts_wide.c is compiled once for each. All of them give
 * the same bits. */
struct sb_small_counts {
    const char *name; /* "plain", "avx2", "avx512" */
    /* The largest count. */
    uint8_t (*largest)(const uint8_t count[], size_t cells);
    /* Sets excess[j], for j below `levels`, to the sum over all cells of how far the count is above j, and of 0 for
     * counts up to j. No count is above SB_SMALL_LEVELS_MOST, and levels <= SB_SMALL_LEVELS_MOST. */
    void (*excess)(const uint8_t count[], size_t cells, size_t levels, uint32_t excess[]);
    /* Adds up, for each member, the terms of the counts of its cells, one cell after the other: sum[members] =
     * term[count[0]] + term[count[1]] + ... */
    void (*sum)(const uint8_t count[], size_t members, size_t cells, double term[][SB_SMALL_TERMS],
                double sum[][SB_SMALL_TERMS]);
};

extern const struct sb_small_counts sb_small_counts_plain;
#if defined __x86_64__ || defined __i386__
extern const struct sb_small_counts sb_small_counts_avx2, sb_small_counts_avx512;
#endif

/* The passes for the instruction set of this machine at this index; the best one has index 0. NULL after the
 * last. */
const struct sb_small_counts *sb_small_counts_get(size_t index);

#endif
