/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Permutation statistics: functions from a deal to a small set of cells, whose law under uniformity is known
 * exactly. One file each, which ends in a const descriptor. Every question about a shuffle is one of these,
 * so tests, intervals and pictures are written once, over cells.
 */
#ifndef SB_STATISTIC_STATISTIC_H
#define SB_STATISTIC_STATISTIC_H

#include "core/permutation.h"
#include "shufflebias.h"

enum {
    SB_LABEL_ROOM = SB_NOTATION_ROOM, /* bytes of a cell's label, its 0 included */
    SB_LAW_ITEMS_MOST = 1000,         /* the largest n of most statistics */
    SB_UNMERGED_ITEMS_MOST = 1024,    /* items whose positions and successors are counted one by one */
};

struct sb_statistic_type {
    const char *name, *title, *cite;
    const char *obtained; /* how the null law is got: "closed form", ... */
    const char *range;    /* where cells() is not 0: "whole permutations of up to 60 items" */
    const char *profile;  /* in play only where this is asked for: "cards"; NULL: it always is */
    const char *each;     /* what has a member: "position"; NULL: an item, if there are several */
    size_t unmerged;      /* its cells are never merged for up to so many items; see sb_statistic_merges() */
    /* How many members the family has for deals of k out of n: `position` has one per item. */
    size_t (*members)(size_t n, size_t k);
    /* How many cells each member has; 0 where there is no law to be had. */
    size_t (*cells)(size_t n, size_t k);
    /* ln_p[cell] of one member under uniformity: natural logarithms, -inf for a cell that cannot occur. All
     * members have one law, so that a tally needs it once. SB_NO_MEMORY. */
    enum sb_status (*null_law)(size_t n, size_t k, size_t member, double ln_p[]);
    /* cell[member] of the deal a[0..k-1]. */
    void (*classify)(size_t n, size_t k, const sb_item a[], uint32_t cell[]);
    /* What a cell means to people, where it is not a number of something; NULL: the cell is that number. */
    void (*label)(size_t n, size_t k, size_t member, size_t cell, char text[SB_LABEL_ROOM]);
};

/* What every report looks at: by rank where the deals can be counted, by position where not. */
extern const struct sb_statistic_type sb_statistic_rank, sb_statistic_position;

extern const struct sb_statistic_type *const sb_statistic_types[];
extern const size_t sb_statistic_types_count;

/* The statistic of that name; NULL where there is none. */
const struct sb_statistic_type *sb_statistic_find(const char *name);

/*
 * Whether deals of k out of n are worth this statistic beside the others: it has a law of at least two cells,
 * and is rank or position, or there are more deals than three items have, of which the rank says all.
 */
bool sb_statistic_joins(const struct sb_statistic_type *type, size_t n, size_t k);

/* The same of one that has a profile, where that is the one asked for, or NULL for none. */
bool sb_statistic_joins_profile(const struct sb_statistic_type *type, const char *profile, size_t n,
                                size_t k);

/* Whether there is a profile of that name; NULL is none. SB_INVALID. */
enum sb_status sb_statistic_profile_known(const char *profile, struct sb_error *error);

/* Whether deals of k out of n can have this profile; NULL is fine. SB_INVALID: there is none of that name, or
 * not for these. */
enum sb_status sb_statistic_profile_check(const char *profile, size_t n, struct sb_error *error);

/*
 * Whether unlikely cells may be merged with their neighbours for a test. Those of the rank never are, nor are
 * the positions and successors of up to SB_UNMERGED_ITEMS_MOST items: many faulty shuffles only exchange an
 * item with its neighbour.
 */
bool sb_statistic_merges(const struct sb_statistic_type *type, size_t n);

/* For families of one member: 1. */
size_t sb_statistic_single(size_t n, size_t k);

/* What the cell means to people: "25", "not dealt", "231". Returns `text`. */
char *sb_statistic_label(const struct sb_statistic_type *type, size_t n, size_t k, size_t member, size_t cell,
                         char text[SB_LABEL_ROOM]);

#endif
