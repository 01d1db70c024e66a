/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Takes the census of a law (core/census.h). The last step of convolve_slices.h computes the counts in runs
 * of 720 (convolve_run.h), and the census takes each run as soon as it is computed. Each thread has a part of
 * its own. Cost: an increment per count. The ranks of deals are computed only for runs whose deals may enter
 * a list.
 */
#ifndef SB_EXACT_CONVOLVE_CONVOLVE_CENSUS_H
#define SB_EXACT_CONVOLVE_CONVOLVE_CENSUS_H

#include "exact/convolve/convolve_plan.h"
#include "exact/convolve/convolve_run.h"

enum { SB_CENSUS_COUNT_BITS = 24 }; /* counts are below 2^24 */

struct sb_convolve_census_part {
    size_t n;    /* number of all items */
    size_t item; /* the item that has the same position in all permutations of a slice */
    /* The slice to which the next runs belong: the position of `item` in this slice, and the layout of the
     * other items. A slice stores each item i above `item` as i - 1. */
    size_t position;
    struct sb_convolve_layout layout;
    uint32_t *times; /* [2^24] how many of this slice's permutations have each count; owned */
    uint32_t most;   /* largest count so far */
    struct sb_census_list list[SB_CENSUS_ORDERS];
};

/* Allocates `count` parts, which the caller closes and then frees. Returns NULL if memory runs out. */
struct sb_convolve_census_part *sb_convolve_census_open(size_t n, size_t item, size_t count);
void sb_convolve_census_close(struct sb_convolve_census_part *part, size_t count);

/* Adds run `number` of the slice. `part` is a struct sb_convolve_census_part. */
void sb_convolve_census_put(size_t number, const uint32_t run[SB_CONVOLVE_RUN], void *part);

/* Adds to times[0..2^24-1] what the parts have counted since the last call. The caller must call this
 * function after each slice, since the counters of a part have only 32 bits. Returns 1 plus the largest count
 * so far. */
size_t sb_convolve_census_collect(struct sb_convolve_census_part *part, size_t count, uint64_t times[]);

/* Adds the deals of the lists `from` to the lists `to`. */
void sb_convolve_census_merge(const struct sb_census_list from[SB_CENSUS_ORDERS],
                              struct sb_census_list to[SB_CENSUS_ORDERS]);

/* Makes the census from times[0..entries-1] and from the lists of the parts. The caller frees the census with
 * sb_census_free(). Returns NULL if memory runs out. */
struct sb_census *sb_convolve_census_join(const struct sb_convolve_census_part *part, size_t count,
                                          const uint64_t times[], size_t entries);

#endif
