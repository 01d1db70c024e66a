/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is tallied of permutations while they come in: statistics, those of their increments, and repeats. */
#ifndef SB_TALLY_TALLIES_H
#define SB_TALLY_TALLIES_H

#include "core/increment.h"
#include "fit/test/birthday.h"
#include "tally/lags.h"
#include "tally/observe.h"
#include "tally/repeat.h"

struct sb_tallies {
    size_t n, deal;
    struct sb_observer *observer, *increments; /* owned; the second NULL where it was not asked for */
    struct sb_increment step;                  /* from one permutation to the next; owned */
    struct sb_lags *lags;                      /* owned; NULL where they were not asked for */
    struct sb_repeat *repeat;                  /* the decks so far; owned; NULL where it was not asked for */
    struct sb_birthday birthday;
    double ln_e;            /* of the repeats at the last reading */
    size_t statistics;      /* that each observer has */
    size_t count;           /* tallies: statistics, those of the increments, of the lags, that of repeats */
    struct sb_tally *tally; /* [count] of the last reading; owned */
};

/* What is tallied beside the statistics. */
enum sb_tallies_of {
    SB_TALLIES_INCREMENTS = 1, /* whole permutations only */
    SB_TALLIES_REPEATS = 2,
    SB_TALLIES_REPEATS_PART = 4, /* of a part of the decks, in constant memory; in place of the former */
    SB_TALLIES_COARSE = 8,       /* the cells that sb_statistic_merges() excepts are merged, too */
    SB_TALLIES_LAGS = 16,        /* whole permutations only; lag 1 is left to the increments where they are */
};

enum { SB_TALLIES_CELLS_MOST = 64 }; /* of a statistic that is merged */

/*
 * Opens empty tallies of these statistics, their cells merged, for deals of `deal` out of n; `what` is of
 * enum sb_tallies_of. To be closed in any case. SB_TOO_LARGE, SB_NO_MEMORY.
 */
enum sb_status sb_tallies_open(size_t n, size_t deal, const struct sb_statistic_type *const types[],
                               size_t count, unsigned what, struct sb_error *error,
                               struct sb_tallies *tallies);

/*
 * Opens empty tallies of the same statistics of deals, for another thread: they borrow the laws, and are to
 * be closed first. Of `what` there can be the repeats. SB_NO_MEMORY.
 */
enum sb_status sb_tallies_fork(const struct sb_tallies *of, unsigned what, struct sb_error *error,
                               struct sb_tallies *tallies);
void sb_tallies_close(struct sb_tallies *tallies);

/* Adds valid deals, items[count * deal]. */
void sb_tallies_add(struct sb_tallies *tallies, const sb_item items[], size_t count);

/* Remembers valid deals and counts none of them: later ones are compared with them, and the next one's step
 * starts from the last of them. */
void sb_tallies_remember(struct sb_tallies *tallies, const sb_item items[], size_t count);

/* Brings tallies->tally up to date. */
void sb_tallies_read(struct sb_tallies *tallies);

#endif
