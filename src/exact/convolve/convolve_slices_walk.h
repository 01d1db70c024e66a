/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of a walk by slices. Only convolve_slices.c and convolve_slices_law.c include this header. */
#ifndef SB_EXACT_CONVOLVE_CONVOLVE_SLICES_WALK_H
#define SB_EXACT_CONVOLVE_CONVOLVE_SLICES_WALK_H

#include "exact/convolve/convolve_census.h"
#include "exact/convolve/convolve_slices.h"

struct sb_slices_walk {
    const struct sb_law *law;
    const struct sb_slices_plan *slices;
    struct sb_slices_tables tables;
    struct sb_convolve_step *step;           /* the step on the items of a slice; owned */
    struct sb_convolve_swap swap;            /* its swap */
    sb_item order[SB_CONVOLVE_ITEMS_MOST];   /* the common order */
    void *cells[SB_CONVOLVE_ITEMS_MOST];     /* [n] the slices; NULL: empty; owned */
    void *spare[SB_CONVOLVE_ITEMS_MOST + 2]; /* [spares] memory for slices; owned */
    size_t spares;
    size_t threads;
    struct sb_convolve_census_part *part; /* [threads] owned */
    uint64_t *times;                      /* [2^24] for the census; owned */
    uint64_t done, work;                  /* number of slices computed, and in total */
};

/* Does all steps from step `first` on. The slices have the layout that this step reads. SB_NO_MEMORY;
 * SB_STOPPED. */
enum sb_status sb_slices_steps(struct sb_slices_walk *walk, size_t first);

#endif
