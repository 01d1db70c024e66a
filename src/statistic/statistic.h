/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Permutation statistics: functions from a deal to a small set of cells, whose law under uniformity is known
 * exactly. One file each, which ends in a const descriptor. Every question about a shuffle is a statistic, so
 * each test, interval and picture is written once, for cells.
 */
#ifndef SB_STATISTIC_STATISTIC_H
#define SB_STATISTIC_STATISTIC_H

#include "core/permutation.h"
#include "shufflebias.h"
#include "statistic/window.h"

enum {
    SB_LABEL_ROOM = SB_NOTATION_ROOM, /* bytes of a cell's label, with its closing 0 */
    SB_LAW_ITEMS_MOST = 1000, /* up to this n, laws are computed item by item, and all values have cells */
    SB_UNMERGED_ITEMS_MOST = 1024, /* up to this n, cells of position and successor are never merged */
    SB_PLACED_ITEMS_MOST = 8192,   /* the largest n of whole permutations whose n^2 positions are counted */
    SB_SAMPLED_ITEMS = 64,         /* items that stand for all of more than SB_LAW_ITEMS_MOST */
};

struct sb_statistic_type {
    const char *name, *title, *cite;
    const char *obtained; /* how the null law is computed: "closed form", ... */
    const char *range;    /* the deals that have cells: "whole permutations of up to 60 items" */
    const char *profile;  /* tested only with this profile: "cards"; NULL: always */
    const char *each;     /* what each member belongs to: "position"; NULL: an item, if there are several */
    size_t unmerged;      /* up to this n, its cells are never merged; see sb_statistic_merges() */
    /* How many members the family has for deals of k out of n: `position` has one per item. */
    size_t (*members)(size_t n, size_t k);
    /* How many cells each member has; 0 if no law is available. */
    size_t (*cells)(size_t n, size_t k);
    /* ln_p[cell] of one member under uniformity: natural logarithms, -inf for a cell that cannot occur. All
     * members have the same law, so a tally stores it once. SB_NO_MEMORY. */
    enum sb_status (*null_law)(size_t n, size_t k, size_t member, double ln_p[]);
    /* Computes cell[member] for every member, of the deal a[0..k-1]. */
    void (*classify)(size_t n, size_t k, const sb_item a[], uint32_t cell[]);
    /* The values of the cells, for a statistic that counts; NULL: a cell's value is its number. */
    struct sb_window (*window)(size_t n, size_t k);
    /* A label of the cell for people; NULL: the cell's value is its label. */
    void (*label)(size_t n, size_t k, size_t member, size_t cell, char text[SB_LABEL_ROOM]);
};

/* The statistics of every report: rank if the deals can be counted one by one, position otherwise. */
extern const struct sb_statistic_type sb_statistic_rank, sb_statistic_position;

extern const struct sb_statistic_type *const sb_statistic_types[];
extern const size_t sb_statistic_types_count;

/* The statistic of that name; NULL if there is none. */
const struct sb_statistic_type *sb_statistic_find(const char *name);

/*
 * Whether this statistic is useful for deals of k out of n. Its law must have at least two cells. With no
 * more deals than three items have, only rank and position are useful, since the rank says everything.
 */
bool sb_statistic_joins(const struct sb_statistic_type *type, size_t n, size_t k);

/* The same for a statistic that may have a profile, given the requested profile or NULL for none. */
bool sb_statistic_joins_profile(const struct sb_statistic_type *type, const char *profile, size_t n,
                                size_t k);

/* SB_INVALID: there is no profile of that name. NULL means none, and is valid. */
enum sb_status sb_statistic_profile_known(const char *profile, struct sb_error *error);

/* SB_INVALID: there is no profile of that name, or not for deals of k out of n. NULL is valid. */
enum sb_status sb_statistic_profile_check(const char *profile, size_t n, struct sb_error *error);

/*
 * Whether a test may merge unlikely cells with their neighbours. It may not for the rank, nor for position
 * and successor up to SB_UNMERGED_ITEMS_MOST items: many faulty shuffles only exchange an item with its
 * neighbour.
 */
bool sb_statistic_merges(const struct sb_statistic_type *type, size_t n);

/* The item that a member of a family of SB_SAMPLED_ITEMS stands for, of n: the first, the last, and 62 evenly
 * between them. */
static inline size_t sb_sampled_item(size_t n, size_t member)
{
    return member * (n - 1) / (SB_SAMPLED_ITEMS - 1);
}

/* The only member that may stand for this item: the first whose item is not below it. */
static inline size_t sb_sampled_member(size_t n, size_t item)
{
    return (item * (SB_SAMPLED_ITEMS - 1) + n - 2) / (n - 1);
}

/* The `members` method of a family with one member: 1. */
size_t sb_statistic_single(size_t n, size_t k);

/* Writes the cell's label for people: "25", "not dealt", "231". Returns `text`. */
char *sb_statistic_label(const struct sb_statistic_type *type, size_t n, size_t k, size_t member, size_t cell,
                         char text[SB_LABEL_ROOM]);

#endif
