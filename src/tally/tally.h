/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tallies of statistics, of streams and of samples. */
#ifndef SB_TALLY_TALLY_H
#define SB_TALLY_TALLY_H

#include "fit/fit.h"
#include "statistic/statistic.h"
#include "tally/order.h"

struct sb_observer;

/* Makes tallies of these statistics for deals of `deal` out of n. If `most` is not 0, the cells of each statistic
 * except the rank are merged into at most `most` cells of about equal probability under the null law; but if `fine`
 * is set, the statistics that sb_statistic_merges() exempts keep their own cells. `multiset` says which items are
 * equal, and must outlive the observer; NULL: all items differ. The caller frees the observer; freeing NULL is
 * allowed. SB_TOO_LARGE: a statistic has too many cells; SB_NO_MEMORY. */
enum sb_status sb_observer_new(const struct sb_multiset *multiset, size_t n, size_t deal,
                               const struct sb_statistic_type *const types[], size_t count, size_t most, bool fine,
                               struct sb_error *error, struct sb_observer **observer);
void sb_observer_free(struct sb_observer *observer);

/* The same for deals with an intended law, which knows the laws of these statistics. */
enum sb_status sb_observer_new_fair(const struct sb_fair *fair, const struct sb_multiset *multiset,
                                    const struct sb_statistic_type *const types[], size_t count, size_t most, bool fine,
                                    struct sb_error *error, struct sb_observer **observer);

/* Makes an observer that receives cells instead of permutations: sb_observer_add_cells() adds those of `count` deals in
 * one statistic, and must add them in each, the first statistic included. All statistics must have one member. No deals
 * may be added to this observer. `number` is that of the first deal in the stream, from 1, and items[count * deal] are
 * the deals. */
enum sb_status sb_observer_new_of_cells(const struct sb_multiset *multiset, size_t n, size_t deal,
                                        const struct sb_statistic_type *const types[], size_t count, size_t most,
                                        struct sb_error *error, struct sb_observer **observer);
void sb_observer_add_cells(struct sb_observer *observer, size_t statistic, const uint32_t cell[], size_t count,
                           uint64_t number, const sb_item items[]);

void sb_observer_add(struct sb_observer *observer, const sb_item items[], size_t count);

void sb_observer_add_times(struct sb_observer *observer, const sb_item items[], uint64_t times);

/* Makes an empty observer of the same statistics for another thread. The fork borrows the original's laws, so the fork
 * must be freed first. sb_observer_join() adds the fork's tallies to the original's. SB_NO_MEMORY. */
enum sb_status sb_observer_fork(const struct sb_observer *observer, struct sb_observer **forked);
void sb_observer_join(struct sb_observer *observer, const struct sb_observer *forked);

/* Adds the statistics whose unmerged values an observer with merged cells counts as well to a family. Earlier tallies,
 * and those of forks, have no such counts. */
void sb_observer_join_outliers(const struct sb_observer *observer, size_t lag, struct sb_outliers *outliers);

/* Makes the statistics of an observer with unmerged cells look for outliers, before any deal is added.
 * SB_NO_MEMORY. */
enum sb_status sb_observer_seek(struct sb_observer *observer);

/* At the root, adds the tallies of all other MPI ranks. At the other MPI ranks, sets the tallies to zero.
 * Call this function only if all deals were added to forks. */
void sb_observer_meet(struct sb_observer *observer, const struct sb_ranks *ranks);

/* Adds the tallies of an earlier observer of the same statistics, as sb_observer_read() returned them. If
 * this observer's cells are merged, the tallies may also have unmerged cells, which this function merges. */
void sb_observer_resume(struct sb_observer *observer, const struct sb_tally tally[]);

/* Reads the tallies. There is one tally for each statistic, in the order of the statistics. The observer owns
 * the tallies; they are valid until the next deals are added. */
void sb_observer_read(struct sb_observer *observer, struct sb_tally tally[]);

/* The tallies of permutations: statistics, statistics of the increments, and repeats. The permutations of a stream come
 * in order, and the tallies are read at every look. The permutations of a sample come in series from threads and MPI
 * ranks. These series have no fixed order, and the tallies are read at the end. */

struct sb_tallies {
    size_t n, deal;
    const struct sb_multiset *multiset;        /* which items are equal; borrowed; NULL: all differ */
    struct sb_observer *observer, *increments; /* owned; NULL without statistics */
    /* whether the observer receives counts by rank at the end, and no deals before */
    bool ranked;
    struct sb_increment step; /* the step from one permutation to the next; owned */
    bool near;                /* the increments only test for dependence, by the positions, as a part of the lags */
    struct sb_lags *lags;     /* owned; NULL: not requested */
    /* [deal + kinds] a deck with its equal items in order; owned; NULL if all items differ */
    sb_item *scratch;
    struct sb_repeats_stream *repeat; /* decks of a stream; owned; NULL: not requested */
    struct sb_replay *replay;         /* runs of decks of a stream; owned; NULL: not requested */
    struct sb_repeats_sample *noted;  /* decks of a sample; owned, except by a fork; NULL: not requested */
    struct sb_bettor *bettor;         /* owned; NULL: not requested */
    struct sb_weigher *weigher;       /* owned; NULL: no weights */
    struct sb_catalogue *catalogue;   /* the catalogue of known faulty shuffles; owned; NULL: not requested */
    struct sb_outliers *outliers, *step_outliers; /* of decks, and of the steps of the lags; owned; NULL: none */
    uint64_t place;                               /* index of the next deck in the sample, or in the stream */
    bool forked;
    /* the test of the repeats; for a sample only the counts and ln_pair are set */
    struct sb_birthday birthday;
    double ln_e;              /* ln E of the repeats at the last sb_tallies_read() */
    size_t statistics, steps; /* numbers of statistics of the two observers */
    /* number of tallies, which are in this order: statistics, noted, increments, lags, repeat, bettor, weigher,
     * catalogue, outliers, step_outliers */
    size_t count;
    struct sb_tally *tally; /* [count] tallies at the last sb_tallies_read(); owned */
};

enum sb_tallies_of {
    SB_TALLIES_INCREMENTS = 1, /* whole permutations only */
    SB_TALLIES_REPEATS = 2,
    /* instead of SB_TALLIES_REPEATS: repeats among a part of the decks, in constant memory */
    SB_TALLIES_REPEATS_PART = 4,
    SB_TALLIES_COARSE = 8, /* also merges the cells that sb_statistic_merges() exempts */
    /* whole permutations only; with increments, all lags except lag 1; without, also the positions of steps */
    SB_TALLIES_LAGS = 16,
    SB_TALLIES_BETTOR = 32, /* whole permutations of SB_BETTOR_LEAST to SB_BETTOR_MOST items only */
    /* instead of SB_TALLIES_BETTOR: a bettor that bets in rounds, without an end */
    SB_TALLIES_BETTOR_ROUNDS = 64,
    SB_TALLIES_OUTLIERS = 128, /* of decks and, with lags, of steps */
    /* instead of SB_TALLIES_OUTLIERS, and without lags: of decks, and of the steps to the next one, in rounds */
    SB_TALLIES_OUTLIERS_ROUNDS = 256,
    SB_TALLIES_REPLAY = 512, /* also bets on runs of decks that come again, in the tally of the repeats */
};

enum { SB_TALLIES_CELLS_MOST = 64 }; /* the most cells of a merged statistic */

/* Checks that a stream of permutations of n items can be tallied. SB_TOO_LARGE. */
enum sb_status sb_tallies_check(size_t n, struct sb_error *error);

/* Opens empty tallies of these statistics, with merged cells, for deals of `deal` out of n; `what` is a sum of enum
 * sb_tallies_of. `multiset` says which items are equal, and must outlive the tallies; NULL: all items differ. The
 * caller closes the tallies, even after an error. SB_TOO_LARGE, SB_NO_MEMORY. */
enum sb_status sb_tallies_open(const struct sb_multiset *multiset, size_t n, size_t deal,
                               const struct sb_statistic_type *const types[], size_t count, unsigned what,
                               struct sb_error *error, struct sb_tallies *tallies);

/* The same for deals with an intended law, which knows the laws of these statistics; `fair` must outlive the
 * tallies. `what` may have SB_TALLIES_COARSE and, if sb_fair_repeats(), SB_TALLIES_REPEATS and SB_TALLIES_REPLAY; all
 * else in it is ignored. Bets are made if sb_fair_bets(). */
enum sb_status sb_tallies_open_fair(const struct sb_fair *fair, const struct sb_multiset *multiset,
                                    const struct sb_statistic_type *const types[], size_t count, unsigned what,
                                    struct sb_error *error, struct sb_tallies *tallies);

/*
 * Opens empty tallies for a sample of at most `total` deals, with unmerged cells. types[] has `count` statistics of
 * deals, followed by `steps` statistics of their increments. If deals are counted by rank, the statistics of deals are
 * derived from these counts, and `repeats` is ignored. `multiset` is as in sb_tallies_open(). The caller closes
 * the tallies, even after an error. SB_TOO_LARGE, SB_NO_MEMORY.
 */
enum sb_status sb_tallies_open_sample(const struct sb_multiset *multiset, size_t n, size_t deal,
                                      const struct sb_statistic_type *const types[], size_t count, size_t steps,
                                      bool repeats, uint64_t total, struct sb_error *error, struct sb_tallies *tallies);

/* Opens empty tallies of the same kind for another thread, but without lags and bettor. The fork borrows the original's
 * laws and, in a sample, the original's list of decks. So the fork must be closed first. `what` is 0, or one of the
 * flags for the repeats of a stream. The caller closes the fork, even after an error. SB_NO_MEMORY. */
enum sb_status sb_tallies_fork(const struct sb_tallies *of, unsigned what, struct sb_error *error,
                               struct sb_tallies *tallies);
void sb_tallies_close(struct sb_tallies *tallies);

/* Takes over a catalogue, which may be NULL. Call this function before any deal is added; the deals must be
 * the whole permutations of a stream. */
void sb_tallies_take_catalogue(struct sb_tallies *tallies, struct sb_catalogue *catalogue);

/* Leaves out the outliers. Call this function before any deal is added. */
void sb_tallies_leave_outliers(struct sb_tallies *tallies);

void sb_tallies_add(struct sb_tallies *tallies, const sb_item items[], size_t count);

/* Remembers valid deals without tallying them: later deals are compared with these deals, and the next step
 * starts from the last of these deals. */
void sb_tallies_remember(struct sb_tallies *tallies, const sb_item items[], size_t count);

/* Remembers the permutation at which the next step starts, after the tallies have resumed. Returns false if memory runs
 * out. */
bool sb_tallies_remember_last(struct sb_tallies *tallies);

/* Whether there is a tally of the repeats: of decks, of runs of decks, or of both. */
static inline bool sb_tallies_repeated(const struct sb_tallies *tallies)
{
    return tallies->repeat || tallies->replay;
}

/* The longest run of decks that came again, if a fair shuffle has one as long with a probability of at most 1e-6. */
struct sb_replay_run sb_tallies_replay(const struct sb_tallies *tallies);

/* The number of tallies that have counts. They come first; the other tallies have only ln E. */
size_t sb_tallies_counted(const struct sb_tallies *tallies);

void sb_tallies_read(struct sb_tallies *tallies);

/* ---- for a sample ---- */

bool sb_tallies_wanted(const struct sb_tallies *tallies);

/* Starts a series: the next deal has index `first` in the sample, and no step leads to this deal. */
void sb_tallies_begin(struct sb_tallies *tallies, uint64_t first);

void sb_tallies_join(struct sb_tallies *tallies, const struct sb_tallies *forked);

/* Adds up the tallies of all MPI ranks in the tallies of the root. The decks of a sample are collected by
 * sb_repeats_sample_meet() instead. */
void sb_tallies_meet(struct sb_tallies *tallies, const struct sb_ranks *ranks);

/* Stops tallying the repeats of a sample, and frees the list of its decks unless the tallies are a fork. */
void sb_tallies_forget_repeats(struct sb_tallies *tallies);

/* ---- copies ---- */

/* The counts of one statistic, as they are saved. */
struct sb_counts {
    char *statistic; /* name of the statistic; owned */
    size_t lag;      /* lag of the tallied steps, as in a tally; 0: permutations are tallied */
    bool dependence; /* value as in a tally */
    size_t members, cells;
    uint64_t total;  /* the sum of each member's counts */
    uint64_t *count; /* [members * cells] owned */
};

void sb_counts_free(struct sb_counts counts[], size_t count);

/* Makes each tally borrow the counts with the same index. Returns false, and changes nothing, if the
 * statistic or the shape of some tally differs from that of its counts. */
bool sb_counts_lend(const struct sb_counts counts[], size_t count, struct sb_tally tally[]);

/* What a sampled report tests in addition to rank and position: the chosen statistics of the registry; repeated decks,
 * if there are too many distinct decks to count them by rank; and, if increments are requested, the statistics of the
 * increments. */

struct sb_statistics {
    /* `types`: number of statistics of the deals; `steps`: number of statistics of their increments */
    size_t types, steps;
    /* [types + steps] the statistics, those of the deals first; owned */
    const struct sb_statistic_type **type;
    struct sb_tallies tallies; /* tallies of a sample */
    /* whether tallies.birthday already has the number of repeated decks */
    bool compared;
    /* for a stream: the tally of its bettor when E was largest; borrowed; NULL: no bettor */
    const struct sb_tally *bettor;
    /* for a stream: the test of the steps at several lags; borrowed; NULL: not tested */
    const struct sb_finding *lags;
    /* for a stream: [outliers_count] the tests of the least likely deck and of the least likely step; borrowed */
    const struct sb_finding *outliers;
    size_t outliers_count;
    /* for a stream: the catalogue of known faulty shuffles; borrowed; NULL: not tallied */
    const struct sb_catalogue *catalogue;
};

/* Sets the error for the name of an unknown statistic. Returns SB_INVALID. */
enum sb_status sb_statistics_unknown(const char *name, struct sb_error *error);

/* The name of the test for repeated whole decks. The registry does not list this name, because the test is
 * not a function of one permutation. */
extern const char sb_statistics_repeat[];

bool sb_statistics_repeats(const char *name);

/* Whether a stream of deals of k out of n has a bettor (tally/order.h): `names` must contain the bettor's
 * name, and k = n must be in the range of a bettor. */
bool sb_statistics_bet(const char *names, const struct sb_multiset *multiset, size_t n, size_t k);

/* Checks that `names` suit a scheme: they must not include the bettor, which needs the order of a stream.
 * NULL, which means all statistics, is allowed. SB_INVALID. */
enum sb_status sb_statistics_scheme_check(const char *names, struct sb_error *error);

/* Checks that `names`, as in the options of a report, are names of statistics. SB_INVALID. */
enum sb_status sb_statistics_check(const char *names, struct sb_error *error);

/* Writes the list of names, separated by commas. The names are in the order of the registry, and each name occurs once,
 * so equal choices give equal texts. Writes "all" if `names` is NULL, and "none" if `names` is "". Returns `text`. */
enum { SB_STATISTICS_NAMES = 512 };
const char *sb_statistics_names(const char *names, char text[SB_STATISTICS_NAMES]);

/* Checks that each of `names` applies to deals of k out of n. `names` may be NULL. `multiset` says which items are
 * equal; NULL: all items differ. SB_INVALID. */
enum sb_status sb_statistics_fit(const char *names, const struct sb_multiset *multiset, size_t n, size_t k,
                                 struct sb_error *error);

/* Opens the statistics that the options name, for at most `total` deals of k out of n, with empty tallies. `multiset`
 * says which items are equal, and must outlive the statistics; NULL: all items differ. The caller closes the
 * statistics, even after a failure. SB_INVALID: the options request increments, but k < n. SB_TOO_LARGE,
 * SB_NO_MEMORY. */
enum sb_status sb_statistics_open(const struct sb_request *options, const struct sb_multiset *multiset, size_t n,
                                  size_t k, uint64_t total, struct sb_error *error, struct sb_statistics *statistics);

/* The same as sb_statistics_open(), but only for the increments of decks that come in the order of a stream. */
enum sb_status sb_statistics_open_steps(const struct sb_request *options, size_t n, uint64_t total,
                                        struct sb_error *error, struct sb_statistics *statistics);
void sb_statistics_close(struct sb_statistics *statistics);

/* Checks that k = n, because increments need whole permutations, and that they are no sets or hands. `multiset` may be
 * NULL. SB_INVALID. */
enum sb_status sb_increments_check(const struct sb_multiset *multiset, size_t n, size_t k, struct sb_error *error);

/* Writes to tally[] the tallies that counts by rank do not determine. tally[] must have room for types + steps tallies.
 * Returns the number of tallies written. */
size_t sb_statistics_seen(const struct sb_statistics *statistics, struct sb_tally tally[]);
/* Adds earlier counts to the tallies that sb_statistics_seen() lists. Returns false, and changes nothing, if
 * the statistics of the counts differ from the statistics of these tallies. */
bool sb_statistics_resume(struct sb_statistics *statistics, const struct sb_counts counts[], size_t count);

/* Updates the tallies. For sampled evidence that is counted by rank, derives the statistics of the deals from
 * these counts. SB_NO_MEMORY. */
enum sb_status sb_statistics_read(const struct sb_evidence *evidence, unsigned threads,
                                  struct sb_statistics *statistics);

/* ---- tallies and the evidence of a sample ---- */

/* Converts tallies of the rank and of the position into evidence of a sample; ignores other tallies. The
 * caller closes the evidence. SB_NO_MEMORY. */
enum sb_status sb_evidence_tallied(const struct sb_tally tally[], size_t count, size_t n, size_t deal,
                                   struct sb_evidence *evidence);

/* The matrix as counts of the statistic "position". If not all items are dealt, the result has an additional
 * column, "not dealt". The caller frees the result. NULL if memory runs out. */
uint64_t *sb_evidence_positions(const struct sb_evidence *evidence);

/* Adds deals to the tallies of an observer. `evidence` has the counts of these deals by rank. Uses up to
 * `threads` threads; 0 means one per processor. SB_NO_MEMORY. */
enum sb_status sb_classify_counts(const struct sb_evidence *evidence, unsigned threads, struct sb_observer *observer);

/* The statistics of an observer, which two files of this folder share. */

/* One statistic of an observer. */
struct sb_observe_part {
    size_t n, deal;
    const struct sb_statistic_type *type;
    const struct sb_multiset *multiset;     /* which items are equal; borrowed; NULL: all differ */
    const struct sb_statistic_equal *equal; /* the methods for equal items; NULL: the methods of `type` */
    /* method for deals in rows; NULL: deals are classified one at a time */
    const struct sb_rows_method *rows;
    size_t members, cells;
    uint64_t *count; /* [members * cells]; owned */
    /* [members * cells + 2] the low byte of each count, then a byte that is 0 as long as all counts are below 256,
     * and then the largest count as long as that is so; owned; NULL: not used */
    uint8_t *small;
    /* [cells] null law or, if `separate`, [members * cells]; NULL: all are equally likely; owned, unless forked */
    double *ln_p;
    bool separate; /* as in a tally */
    /* [number of cells before merging] the merged cell of each cell; NULL: no cells are merged; owned, unless forked */
    uint32_t *map;
    uint32_t *first, *last; /* [cells] as in a tally; owned, unless forked */
    uint32_t *cell;         /* [members] scratch: the cell of each member for one deal; owned */
    /* If the observer counts deals: `few` is the number of distinct deals. `rank`, [members * few], lists the
     * ranks of these deals for each member, sorted by the cell of the deal. `end`, [members * cells], has for
     * each member and cell the index in this list after the cell's last rank. If the observer does not count
     * deals, `few` is 0, and both arrays are NULL. Both arrays are owned. */
    size_t few;
    uint16_t *rank, *end;
    struct sb_outlier *outlier; /* the unmerged values; owned; NULL: not counted */
};

/* Makes a part that counts unmerged values look for outliers; ln_p[part->cells] is its law. SB_NO_MEMORY. */
enum sb_status sb_observe_seek(const double ln_p[], struct sb_observe_part *part);

/* Sets the law, and merges cells as sb_observer_new() says; if `seek` is set, the unmerged values of a number are
 * counted, too. SB_NO_MEMORY. */
enum sb_status sb_observe_law(const struct sb_fair *fair, size_t most, bool fine, bool seek,
                              struct sb_observe_part *part);

#endif
