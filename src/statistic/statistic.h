/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Permutation statistics: functions from a deal to a small set of cells, whose law under uniformity is known
 * exactly. One file each, which ends in a const descriptor. Every question about a shuffle is one of these,
 * so tests, intervals and pictures are written once, over cells.
 */
#ifndef SB_STATISTIC_STATISTIC_H
#define SB_STATISTIC_STATISTIC_H

#include "core/permutation.h"

struct sb_statistic_type {
    const char *name, *title, *cite;
    const char *obtained; /* how the null law is got: "closed form", ... */
    /* How many members the family has for deals of k out of n: `position` has one per item. */
    size_t (*members)(size_t n, size_t k);
    /* How many cells each member has; 0 where they are too many to count. */
    size_t (*cells)(size_t n, size_t k);
    /* ln_p[cell] of one member under uniformity: natural logarithms, -inf for a cell that cannot occur. */
    void (*null_law)(size_t n, size_t k, size_t member, double ln_p[]);
    /* cell[member] of the deal a[0..k-1]. */
    void (*classify)(size_t n, size_t k, const sb_item a[], uint32_t cell[]);
};

/* What every report looks at: by rank where the deals can be counted, by position where not. */
extern const struct sb_statistic_type sb_statistic_rank, sb_statistic_position;

extern const struct sb_statistic_type *const sb_statistic_types[];
extern const size_t sb_statistic_types_count;

#endif
