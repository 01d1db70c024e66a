/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Steps X[t-L]^-1 X[t] at the lags L = 1, 2, 4, ..., 64: whether permutations depend on earlier ones. Those
 * of a fair shuffle that starts anew each time are uniform, whatever came before.
 */
#ifndef SB_TALLY_LAGS_H
#define SB_TALLY_LAGS_H

#include "core/permutation.h"
#include "core/tally.h"
#include "shufflebias.h"

enum {
    SB_LAGS = 7,             /* 1, 2, 4, ..., */
    SB_LAGS_FARTHEST = 64,   /* which is the last */
    SB_LAGS_STATISTICS = 2,  /* of each, at most */
    SB_LAGS_STEPS = 1 << 20, /* that are counted at each lag: the first ones */
    SB_LAGS_CELLS_MOST = 64, /* of a statistic, once they are merged; the rank's are not */
};

struct sb_lags;

/* Empty tallies for permutations of n items, of all lags or without the first. Owned by the caller; NULL is
 * fine to free. SB_NO_MEMORY. */
enum sb_status sb_lags_new(size_t n, bool first, struct sb_error *error, struct sb_lags **lags);
void sb_lags_free(struct sb_lags *lags);

/* Adds valid permutations, items[count * n], and their steps from those before. */
void sb_lags_add(struct sb_lags *lags, const sb_item items[], size_t count);

/* Only remembers them: their steps are in the tallies already. */
void sb_lags_remember(struct sb_lags *lags, const sb_item items[], size_t count);

/* How many tallies there are, up to SB_LAGS * SB_LAGS_STATISTICS, lag by lag. */
size_t sb_lags_count(const struct sb_lags *lags);

/* The tallies until now, tally[sb_lags_count()]; good until the next permutations are added. */
void sb_lags_read(struct sb_lags *lags, struct sb_tally tally[]);

/* Adds the tallies of earlier ones for the same n and lags, tally[] as they read them; no step leads from
 * their permutations to those to come. */
void sb_lags_resume(struct sb_lags *lags, const struct sb_tally tally[]);

#endif
