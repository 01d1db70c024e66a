/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts how many items and keys a shuffle reads and writes in its arrays. */
#ifndef SB_SAMPLE_COST_COST_WATCH_H
#define SB_SAMPLE_COST_COST_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SB_COST_ARRAYS = 3 }; /* number of arrays: a, b and key of struct sb_deck */

struct sb_cost_array {
    const char *start;     /* start of the array; borrowed */
    size_t bytes, element; /* size of the array and size of one element, in bytes */
    uint64_t reads, writes;
};

struct sb_cost_watch {
    struct sb_cost_array array[SB_COST_ARRAYS];
};

/* Starts to count the accesses of instrumented shuffles in this thread. If `watch` is NULL, ends the
 * counting. */
void sb_cost_watch_begin(struct sb_cost_watch *watch);

#endif
