/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of a walk by slices. Only convolve_slices.c and its parts, convolve_slices_*.c, include this
 * header. */
#ifndef SB_EXACT_CONVOLVE_CONVOLVE_SLICES_WALK_H
#define SB_EXACT_CONVOLVE_CONVOLVE_SLICES_WALK_H

#include "exact/convolve/convolve_census.h"
#include "exact/convolve/convolve_slices.h"

#include <stdatomic.h>

enum { SB_SLICES_SHARED_TILES = 128 }; /* number of tiles that the ranks add up at once */

struct sb_slices_walk {
    const struct sb_law *law;
    const struct sb_slices_plan *slices;
    unsigned mine; /* the slices of this rank: bit x stands for slice x */
    struct sb_slices_tables tables;
    struct sb_convolve_step *step;           /* the step on the items of a slice; owned */
    struct sb_convolve_swap swap;            /* the swap of `step` */
    sb_item order[SB_CONVOLVE_ITEMS_MOST];   /* the common order */
    void *cells[SB_CONVOLVE_ITEMS_MOST];     /* [n] this rank's slices; NULL: empty; owned */
    const void *centre;                      /* the old slice of the centre, or a copy; NULL: empty */
    void *spare[SB_CONVOLVE_ITEMS_MOST + 3]; /* [spares] memory for slices; owned */
    size_t spares;
    size_t threads;
    struct sb_convolve_census_part *part; /* [threads] owned */
    uint64_t *times;                      /* [2^24] for the census; owned */
    size_t entries;                       /* largest count + 1 */
    uint64_t done, work;                  /* number of slices computed so far, and number of all slices */
    /* only if there are several MPI ranks: sums of tiles, the same sums in pairs, the lists of all ranks, and
     * whether the root has stopped; owned */
    uint32_t *sum;                                   /* [SB_SLICES_SHARED_TILES * K!] */
    uint64_t *pair;                                  /* [SB_SLICES_SHARED_TILES * K! / 2] */
    struct sb_census_list (*list)[SB_CENSUS_ORDERS]; /* [number of ranks] */
    atomic_bool halted;
};

/* Does all steps from step `first` on. The slices have the layout that this step reads. SB_NO_MEMORY;
 * SB_STOPPED. */
enum sb_status sb_slices_steps(struct sb_slices_walk *walk, size_t first);

/* ---- convolve_slices_ranks.c: functions that all ranks call in the same order ---- */

/* These functions begin and end the part of the walk in which the root can stop the other ranks. */
void sb_slices_begin(struct sb_slices_walk *walk);
void sb_slices_end(struct sb_slices_walk *walk);

/* Returns whether this walk is stopped. Thread 0 of each rank also asks whether the root is stopped. */
bool sb_slices_stopped(struct sb_slices_walk *walk, size_t thread);

/* Adds up walk->sum[0..count-1] over all ranks, and gives the sums to all ranks. `count` is even, and the
 * sums are below 2^32. */
void sb_slices_sum(struct sb_slices_walk *walk, size_t count);

/* Copies slice x, which has `bytes` bytes, from the rank that has this slice to `cells` at all ranks. */
void sb_slices_copy(struct sb_slices_walk *walk, size_t x, void *cells, size_t bytes);

/* Adds the census of all ranks to the census of the root, in walk->times and in the lists of
 * walk->part[0]. */
void sb_slices_join(struct sb_slices_walk *walk);

#endif
