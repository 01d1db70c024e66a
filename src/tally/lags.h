/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Steps X[t-L]^-1 X[t] at the lags L = 1, 2, 4, ..., 64, which show whether permutations depend on earlier
 * permutations. If a fair shuffle starts afresh each time, each step is uniform, whatever came before.
 */
#ifndef SB_TALLY_LAGS_H
#define SB_TALLY_LAGS_H

#include "core/calls.h"
#include "core/permutation.h"
#include "core/tally.h"
#include "statistic/rows/rows.h"

enum {
    SB_LAGS = 7,             /* number of lags: 1, 2, 4, ..., 64 */
    SB_LAGS_FARTHEST = 64,   /* the largest lag */
    SB_LAGS_STATISTICS = 2,  /* the most statistics of each lag */
    SB_LAGS_STEPS = 1 << 20, /* the most steps counted at each lag; later steps are ignored */
    /* the most cells of a statistic after merging; the rank's cells are not merged */
    SB_LAGS_CELLS_MOST = 64,
};

struct sb_lags;

/* Makes empty tallies for permutations of n items, at all lags. If `first` is false, leaves out lag 1. The
 * caller frees the tallies; freeing NULL is allowed. SB_NO_MEMORY. */
enum sb_status sb_lags_new(size_t n, bool first, struct sb_error *error, struct sb_lags **lags);
void sb_lags_free(struct sb_lags *lags);

/* Adds valid permutations, items[count * n], and counts the steps from earlier permutations to these
 * permutations. */
void sb_lags_add(struct sb_lags *lags, const sb_item items[], size_t count);

/* Adds the permutations in the rows, of 6 to SB_ROWS_ITEMS_MOST items. */
void sb_lags_add_rows(struct sb_lags *lags, struct sb_rows *rows);

/* Remembers permutations without counting the steps to them, because the tallies already include these
 * steps. */
void sb_lags_remember(struct sb_lags *lags, const sb_item items[], size_t count);

/* The number of tallies, at most SB_LAGS * SB_LAGS_STATISTICS. They are ordered by lag. */
size_t sb_lags_count(const struct sb_lags *lags);

/* Reads the tallies into tally[sb_lags_count()]. The tallies are valid until the next permutations are
 * added. */
void sb_lags_read(struct sb_lags *lags, struct sb_tally tally[]);

/* Adds earlier tallies for the same n and lags, as sb_lags_read() returned them. Steps from the earlier
 * permutations to later permutations are not counted. */
void sb_lags_resume(struct sb_lags *lags, const struct sb_tally tally[]);

#endif
