/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Permutation statistics: functions that map a deal to one of a few cells. If all deals are equally likely,
 * the probabilities of the cells are known exactly (the null law). Each statistic has its own file, and the
 * last thing in the file is the statistic's descriptor, a constant. Every question about a shuffle is put as
 * a statistic. So each test, interval and picture needs to be written only once, for the cells of any
 * statistic. A statistic may be a family of members that classify the same deal, such as the position of each
 * item.
 */
#ifndef SB_STATISTIC_STATISTIC_H
#define SB_STATISTIC_STATISTIC_H

#include "core/calls.h"
#include "core/item_names.h"
#include "statistic/window.h"

enum {
    SB_LABEL_ROOM = SB_NOTATION_ROOM, /* bytes of a cell's label, including the final zero byte */
    SB_LAW_ITEMS_MOST = 1000, /* up to this n, laws are computed item by item, and each value has a cell */
    SB_UNMERGED_ITEMS_MOST = 1024, /* up to this n, cells of position and successor are never merged */
    SB_PLACED_ITEMS_MOST = 8192,   /* up to this n, all pairs of an item and a position are counted */
    /* the statistics `band` and `distance`, which are for large decks, examine only this many items */
    SB_SAMPLED_ITEMS = 64,
};

/* The methods of a statistic for decks with equal items. They are like those of struct sb_statistic_type. The
 * items a[] of classify() are different items, of which equal ones were told apart at random. */
struct sb_statistic_equal {
    size_t (*members)(const struct sb_multiset *multiset, size_t k);
    size_t (*cells)(const struct sb_multiset *multiset, size_t k);
    enum sb_status (*null_law)(const struct sb_multiset *multiset, size_t k, double ln_p[]);
    void (*classify)(const struct sb_multiset *multiset, size_t k, const sb_item a[], uint32_t cell[]);
    void (*label)(const struct sb_item_names *names, size_t k, size_t cell, char text[SB_LABEL_ROOM]);
};

struct sb_statistic_type {
    const char *name, *title, *cite;
    const char *obtained; /* how the null law is computed, such as "closed form" */
    const char *range;    /* the deals that have cells, such as "whole permutations of up to 60 items" */
    /* the profile that includes the statistic, such as "cards"; NULL if no profile is needed */
    const char *profile;
    /* what each member belongs to, such as "position"; NULL if each member belongs to an item, or if there is
     * only one member */
    const char *each;
    size_t unmerged; /* up to this n, cells are never merged; see sb_statistic_merges() */
    /* Returns how many members the family has for deals of k out of n. For example, `position` has one for
     * each item. */
    size_t (*members)(size_t n, size_t k);
    /* Returns how many cells each member has; 0 if no law is available. */
    size_t (*cells)(size_t n, size_t k);
    /* Sets ln_p[cell], for each cell of one member, to the natural logarithm of the cell's probability if all
     * deals are equally likely; -inf for a cell that cannot occur. All members have the same law, so a tally
     * stores the law once. SB_NO_MEMORY. */
    enum sb_status (*null_law)(size_t n, size_t k, size_t member, double ln_p[]);
    /* Sets cell[member], for every member, to the cell of the deal a[0..k-1]. */
    void (*classify)(size_t n, size_t k, const sb_item a[], uint32_t cell[]);
    /* Returns the window of values that the cells stand for. NULL if the value of each cell is the cell's
     * index. */
    struct sb_window (*window)(size_t n, size_t k);
    /* Sets the mean and the variance of the values, where an end cell of the window holds several values with a
     * probability that matters. NULL: the cells give both. */
    void (*moments)(size_t n, size_t k, double *mean, double *variance);
    /* Writes a label of the cell, for people, in which items have their names. NULL if the label is the value
     * of the cell. */
    void (*label)(const struct sb_item_names *names, size_t n, size_t k, size_t member, size_t cell,
                  char text[SB_LABEL_ROOM]);
    /*
     * How the statistic treats equal items. NULL: like different items, of which equal ones are told apart at
     * random. An arrangement of a fair shuffle whose equal items are told apart at random is a fair
     * permutation, so all laws hold.
     */
    const struct sb_statistic_equal *equal;
};

/* Statistics that other code uses directly: `rank`, which has a cell for each deal or arrangement; `position`; and, for
 * decks with equal items, `card-at`, which then takes the place of `position`. */
extern const struct sb_statistic_type sb_statistic_rank, sb_statistic_position, sb_statistic_card_at;

extern const struct sb_statistic_type *const sb_statistic_types[];
extern const size_t sb_statistic_types_count;

/* Returns the statistic with this name; NULL if there is no such statistic. */
const struct sb_statistic_type *sb_statistic_find(const char *name);

/* Returns whether this statistic is useful for deals of k out of n. A useful statistic has at least two
 * cells. If there are no more than six deals, as with three items, only rank and position are useful, since
 * the rank says everything. */
bool sb_statistic_joins(const struct sb_statistic_type *type, size_t n, size_t k);

/* These functions return the numbers of members and of cells. `multiset` says which items are equal; NULL:
 * all differ. */
size_t sb_statistic_members(const struct sb_statistic_type *type, const struct sb_multiset *multiset,
                            size_t n, size_t k);
size_t sb_statistic_cells(const struct sb_statistic_type *type, const struct sb_multiset *multiset, size_t n,
                          size_t k);

/* The same as sb_statistic_joins(), for a deck in which items may be equal. */
bool sb_statistic_joins_equal(const struct sb_statistic_type *type, const struct sb_multiset *multiset,
                              size_t n, size_t k);

/* Returns whether this statistic belongs to the requested profile and has at least two cells. `profile` is
 * NULL if no profile is requested; the result is then false. */
bool sb_statistic_joins_profile(const struct sb_statistic_type *type, const char *profile, size_t n,
                                size_t k);

/* Returns SB_INVALID if there is no profile with this name. NULL stands for no profile, and is valid. */
enum sb_status sb_statistic_profile_known(const char *profile, struct sb_error *error);

/* Returns SB_INVALID if there is no profile with this name, or if the profile is not for decks of n items.
 * NULL is valid. */
enum sb_status sb_statistic_profile_check(const char *profile, size_t n, struct sb_error *error);

/* Returns whether a test may merge unlikely cells with their neighbours. A test never merges cells of the
 * statistic `rank`. A test merges cells of another statistic only if n > type->unmerged, because many faulty
 * shuffles only exchange an item with its neighbour. */
bool sb_statistic_merges(const struct sb_statistic_type *type, size_t n);

/* Returns the item that `member` stands for in a family of SB_SAMPLED_ITEMS members. The members stand for
 * the first of n items, the last, and 62 items that are evenly spaced between these two. */
static inline size_t sb_sampled_item(size_t n, size_t member)
{
    return member * (n - 1) / (SB_SAMPLED_ITEMS - 1);
}

/* Returns the only member that can stand for this item: the first member whose item is not below `item`. */
static inline size_t sb_sampled_member(size_t n, size_t item)
{
    return (item * (SB_SAMPLED_ITEMS - 1) + n - 2) / (n - 1);
}

/* Returns 1. This is the `members` method of a family with one member. */
size_t sb_statistic_single(size_t n, size_t k);

/* Writes the cell's label for people, such as "25", "not dealt" or "231". Returns `text`. */
char *sb_statistic_label(const struct sb_statistic_type *type, const struct sb_item_names *names, size_t n,
                         size_t k, size_t member, size_t cell, char text[SB_LABEL_ROOM]);

#endif
