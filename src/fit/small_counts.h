/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations on counts that fit in bytes, such as those of a thousand permutations of a thousand items. */
#ifndef SB_FIT_SEQUENTIAL_SMALL_COUNTS_H
#define SB_FIT_SEQUENTIAL_SMALL_COUNTS_H

#include "core/evidence.h"

#include <stddef.h>
#include <stdint.h>

enum {
    SB_SMALL_COUNTS = 256,     /* number of possible counts */
    SB_SMALL_TERMS = 8,        /* number of terms of each count; see `sum` below */
    SB_SMALL_LEVELS_MOST = 32, /* the most levels; see `excess` below */
};

/* The operations for one instruction set. fit/small_counts_wide.c is compiled once for each
 * instruction set. All instruction sets give the same results, to the last bit. */
struct sb_small_counts {
    const char *name; /* "plain", "avx2" or "avx512" */
    /* Returns the largest count. */
    uint8_t (*largest)(const uint8_t count[], size_t cells);
    /* For each j below `levels`, sets excess[j] to the sum of max(count - j, 0) over all cells. No count may
     * be above `most`. */
    void (*excess)(const uint8_t count[], size_t cells, size_t levels, uint8_t most, uint32_t excess[]);
    /* For each member i, sets sum[i] to term[count[0]] + term[count[1]] + ... for the counts of the member's
     * cells. The terms are added in this order. */
    void (*sum)(const uint8_t count[], size_t members, size_t cells, double term[][SB_SMALL_TERMS],
                double sum[][SB_SMALL_TERMS]);
};

extern const struct sb_small_counts sb_small_counts_plain;
#if defined __x86_64__ || defined __i386__
extern const struct sb_small_counts sb_small_counts_avx2, sb_small_counts_avx512;
#endif

/* The operations for one instruction set of this machine; index 0 is the best instruction set. NULL if the
 * index is too large. */
const struct sb_small_counts *sb_small_counts_get(size_t index);

/* The largest count of a tally that has its counts as bytes. */
uint8_t sb_small_counts_largest(const struct sb_tally *tally);

#endif
