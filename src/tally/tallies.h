/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tallies of permutations: statistics, statistics of the increments, and repeats. The permutations of a
 * stream come in order, and the tallies are read at every look. The permutations of a sample come in series
 * from threads and MPI ranks. These series have no fixed order, and the tallies are read at the end.
 */
#ifndef SB_TALLY_TALLIES_H
#define SB_TALLY_TALLIES_H

#include "core/core.h"
#include "fit/fit.h"
#include "tally/bettor.h"
#include "tally/catalogue.h"
#include "tally/lags.h"
#include "tally/observe.h"
#include "tally/repeats.h"

struct sb_tallies {
    size_t n, deal;
    const struct sb_multiset *multiset;        /* which items are equal; borrowed; NULL: all differ */
    struct sb_observer *observer, *increments; /* owned; NULL without statistics */
    /* whether the observer receives counts by rank at the end, and no deals before */
    bool ranked;
    struct sb_increment step; /* the step from one permutation to the next; owned */
    struct sb_lags *lags;     /* owned; NULL: not requested */
    /* [deal + kinds] a deck with its equal items in order; owned; NULL if all items differ */
    sb_item *scratch;
    struct sb_repeats_stream *repeat; /* decks of a stream; owned; NULL: not requested */
    struct sb_repeats_sample *noted;  /* decks of a sample; owned, except by a fork; NULL: not requested */
    struct sb_bettor *bettor;         /* owned; NULL: not requested */
    struct sb_catalogue *catalogue;   /* the catalogue of known faulty shuffles; owned; NULL: not requested */
    uint64_t place;                   /* index of the next deck in the sample */
    bool forked;
    /* the test of the repeats; for a sample only the counts and ln_pair are set */
    struct sb_birthday birthday;
    double ln_e;              /* ln E of the repeats at the last sb_tallies_read() */
    size_t statistics, steps; /* numbers of statistics of the two observers */
    /* number of tallies, which are in this order: statistics, noted, increments, lags, repeat, bettor,
     * catalogue */
    size_t count;
    struct sb_tally *tally; /* [count] tallies at the last sb_tallies_read(); owned */
};

/* What the tallies of a stream have in addition to the statistics. */
enum sb_tallies_of {
    SB_TALLIES_INCREMENTS = 1, /* whole permutations only */
    SB_TALLIES_REPEATS = 2,
    /* instead of SB_TALLIES_REPEATS: repeats among a part of the decks, in constant memory */
    SB_TALLIES_REPEATS_PART = 4,
    SB_TALLIES_COARSE = 8,  /* also merges the cells that sb_statistic_merges() exempts */
    SB_TALLIES_LAGS = 16,   /* whole permutations only; with increments, all lags except lag 1 */
    SB_TALLIES_BETTOR = 32, /* whole permutations of SB_BETTOR_LEAST to SB_BETTOR_MOST items only */
    /* instead of SB_TALLIES_BETTOR: a bettor that bets in rounds, without an end */
    SB_TALLIES_BETTOR_ROUNDS = 64,
};

enum { SB_TALLIES_CELLS_MOST = 64 }; /* the most cells of a merged statistic */

/* Checks that a stream of permutations of n items can be tallied. SB_TOO_LARGE. */
enum sb_status sb_tallies_check(size_t n, struct sb_error *error);

/*
 * Opens empty tallies of these statistics, with merged cells, for deals of `deal` out of n; `what` is a sum
 * of enum sb_tallies_of. The caller closes the tallies, even after an error. SB_TOO_LARGE, SB_NO_MEMORY.
 */
enum sb_status sb_tallies_open(size_t n, size_t deal, const struct sb_statistic_type *const types[],
                               size_t count, unsigned what, struct sb_error *error,
                               struct sb_tallies *tallies);

/* Does what sb_tallies_open() does, for decks with equal items. `multiset` must outlive the tallies; NULL: all items
 * differ. */
enum sb_status sb_tallies_open_equal(const struct sb_multiset *multiset, size_t n, size_t deal,
                                     const struct sb_statistic_type *const types[], size_t count,
                                     unsigned what, struct sb_error *error, struct sb_tallies *tallies);

/*
 * Opens empty tallies for a sample of at most `total` deals, with unmerged cells. types[] has `count`
 * statistics of deals, followed by `steps` statistics of their increments. If deals are counted by rank, the
 * statistics of deals are derived from these counts, and `repeats` is ignored. `multiset` is as in
 * sb_tallies_open_equal(). The caller closes the tallies,
 * even after an error. SB_TOO_LARGE, SB_NO_MEMORY.
 */
enum sb_status sb_tallies_open_sample(const struct sb_multiset *multiset, size_t n, size_t deal,
                                      const struct sb_statistic_type *const types[], size_t count,
                                      size_t steps, bool repeats, uint64_t total, struct sb_error *error,
                                      struct sb_tallies *tallies);

/*
 * Opens empty tallies of the same kind for another thread, but without lags and bettor. The fork borrows the
 * original's laws and, in a sample, the original's list of decks. So the fork must be closed first. `what` is
 * 0, or one of the flags for the repeats of a stream. The caller closes the fork, even after an error.
 * SB_NO_MEMORY.
 */
enum sb_status sb_tallies_fork(const struct sb_tallies *of, unsigned what, struct sb_error *error,
                               struct sb_tallies *tallies);
void sb_tallies_close(struct sb_tallies *tallies);

/* Takes over a catalogue, which may be NULL. Call this function before any deal is added; the deals must be
 * the whole permutations of a stream. */
void sb_tallies_take_catalogue(struct sb_tallies *tallies, struct sb_catalogue *catalogue);

/* Adds valid deals, items[count * deal]. */
void sb_tallies_add(struct sb_tallies *tallies, const sb_item items[], size_t count);

/* Remembers valid deals without tallying them: later deals are compared with these deals, and the next step
 * starts from the last of these deals. */
void sb_tallies_remember(struct sb_tallies *tallies, const sb_item items[], size_t count);

/* The number of tallies that have counts. They come first; the other tallies have only ln E. */
size_t sb_tallies_counted(const struct sb_tallies *tallies);

/* Updates tallies->tally. */
void sb_tallies_read(struct sb_tallies *tallies);

/* ---- for a sample ---- */

/* Whether any tally needs the deals. */
bool sb_tallies_wanted(const struct sb_tallies *tallies);

/* Starts a series: the next deal has index `first` in the sample, and no step leads to this deal. */
void sb_tallies_begin(struct sb_tallies *tallies, uint64_t first);

/* Adds the tallies of a fork. */
void sb_tallies_join(struct sb_tallies *tallies, const struct sb_tallies *forked);

/* Adds up the tallies of all MPI ranks in the tallies of the root. The decks of a sample are collected by
 * sb_repeats_sample_meet() instead. */
void sb_tallies_meet(struct sb_tallies *tallies, const struct sb_ranks *ranks);

/* Stops tallying the repeats of a sample, and frees the list of its decks unless the tallies are a fork. */
void sb_tallies_forget_repeats(struct sb_tallies *tallies);

/* ---- copies ---- */

/* A copy of the counts of one statistic. The copy remains valid when the tallies are freed. */
struct sb_counts {
    char *statistic; /* name of the statistic; owned */
    size_t lag;      /* lag of the tallied steps, as in a tally; 0: permutations are tallied */
    bool dependence; /* value as in a tally */
    size_t members, cells;
    uint64_t total;  /* the sum of each member's counts */
    uint64_t *count; /* [members * cells] owned */
};

void sb_counts_free(struct sb_counts counts[], size_t count);

/* Copies tallies; the caller frees the copies. NULL if memory runs out. */
struct sb_counts *sb_counts_copy(const struct sb_tally tally[], size_t count);

/* Makes each tally borrow the counts with the same index. Returns false, and changes nothing, if the
 * statistic or the shape of some tally differs from that of its counts. */
bool sb_counts_lend(const struct sb_counts counts[], size_t count, struct sb_tally tally[]);

#endif
