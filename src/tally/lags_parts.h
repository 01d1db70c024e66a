/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state that the files of the lags share. */
#ifndef SB_TALLY_LAGS_PARTS_H
#define SB_TALLY_LAGS_PARTS_H

#include "tally/lag_steps.h"
#include "tally/lags.h"
#include "tally/observe.h"

enum {
    SB_LAGS_RANKS = 120,  /* ranks of the most items for which the rank of a step is counted, five */
    SB_LAGS_CHUNK = 1024, /* number of permutations whose ranks are computed together */
    SB_LAGS_ROWS = SB_LAGS_FARTHEST + 1,
};

struct sb_lags {
    size_t n;
    size_t begin;            /* the first lag is 2^begin */
    size_t known;            /* number of remembered permutations, at most SB_LAGS_FARTHEST */
    uint64_t taken[SB_LAGS]; /* number of counted steps at each lag */

    /* for up to five items */
    size_t ranks;     /* n!; 0 for more items */
    uint8_t *rank_of; /* [SB_DEAL_CODES] rank of the permutation with each code; owned */
    uint8_t *step;    /* [ranks^2] rank of the step from one rank to another; owned */
    uint8_t recent[SB_LAGS_FARTHEST +
                   /* ranks of the remembered permutations, followed by those of the current chunk */
                   SB_LAGS_CHUNK];
    uint64_t count[SB_LAGS][SB_LAGS_RANKS];

    /* [n] for more items, up to SB_ROWS_ITEMS_MOST: the positions in the latest permutations; owned */
    sb_lag_places *places;

    /* for more than SB_ROWS_ITEMS_MOST items */
    size_t next;     /* the row for the next permutation */
    uint16_t *place; /* [SB_LAGS_ROWS * width] rows of item positions; owned; NULL: unused */
    bool odd[SB_LAGS_ROWS];
    size_t types; /* number of statistics of each lag, if ranks are not counted */
    /* owned; the first observer owns the laws, and the other observers borrow these laws */
    struct sb_observer *observer[SB_LAGS];
};

static inline size_t sb_lags_lag(size_t l)
{
    return (size_t)1 << l;
}

/* Adds permutations of 6 to SB_ROWS_ITEMS_MOST items. If `counted` is set, also counts the steps that lead to these
 * permutations. */
void sb_lags_add_deals(struct sb_lags *lags, const sb_item items[], size_t count, bool counted);

/* Does the same for permutations that are in rows. */
void sb_lags_take_rows(struct sb_lags *lags, struct sb_rows *rows, bool counted);

#endif
