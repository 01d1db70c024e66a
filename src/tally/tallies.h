/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is tallied of permutations: statistics, those of their increments, and repeats. Of a stream the
 * permutations come in their order, and the tallies are read at every look. Of a sample threads and ranks
 * count series of it, in any order, and the tallies are read at the end.
 */
#ifndef SB_TALLY_TALLIES_H
#define SB_TALLY_TALLIES_H

#include "core/increment.h"
#include "fit/test/birthday.h"
#include "tally/lags.h"
#include "tally/observe.h"
#include "tally/repeats.h"

struct sb_tallies {
    size_t n, deal;
    struct sb_observer *observer, *increments; /* owned; each NULL where it has no statistic */
    bool ranked;                      /* the observer is shown counts by rank at the end, and no deals */
    struct sb_increment step;         /* from one permutation to the next; owned */
    struct sb_lags *lags;             /* owned; NULL where they were not asked for */
    struct sb_repeats_stream *repeat; /* the decks so far; owned; NULL where it was not asked for */
    struct sb_repeats_sample *noted;  /* the decks of a sample; owned but by a fork; NULL likewise */
    uint64_t place;                   /* in the sample of the deck to come */
    bool forked;
    struct sb_birthday birthday; /* of the repeats; of a sample the counts and ln_pair alone */
    double ln_e;                 /* of the repeats at the last reading */
    size_t statistics, steps;    /* that the observers have */
    size_t count;           /* tallies: statistics, noted, those of the increments, of the lags, repeat */
    struct sb_tally *tally; /* [count] of the last reading; owned */
};

/* What is tallied of a stream beside the statistics. */
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
 * The same for a sample of `total` deals at most, with every cell: `count` statistics of deals, then `steps` of
 * their increments. Where deals are counted by rank, the statistics of deals follow from these counts; else
 * repeats are tallied if that is asked for.
 */
enum sb_status sb_tallies_open_sample(size_t n, size_t deal, const struct sb_statistic_type *const types[],
                                      size_t count, size_t steps, bool repeats, uint64_t total,
                                      struct sb_error *error, struct sb_tallies *tallies);

/*
 * Opens empty tallies of the same, but for the lags, for another thread: they borrow the laws and what is
 * noted of a sample, and are to be closed first. `what` has the repeats of a stream, or nothing. To be closed
 * in any case. SB_NO_MEMORY.
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

/* ---- of a sample ---- */

/* Whether anything is to be shown the deals. */
bool sb_tallies_wanted(const struct sb_tallies *tallies);

/* The deals to come are those from place `first` of the sample on; there is no step to the first of them. */
void sb_tallies_begin(struct sb_tallies *tallies, uint64_t first);

/* Adds the tallies of a fork. */
void sb_tallies_join(struct sb_tallies *tallies, const struct sb_tallies *forked);

/* The tallies of all ranks reach the root's; sb_repeats_sample_meet() is for the decks. */
void sb_tallies_meet(struct sb_tallies *tallies, const struct sb_ranks *ranks);

/* Asks no longer for repeats. */
void sb_tallies_forget_repeats(struct sb_tallies *tallies);

#endif
