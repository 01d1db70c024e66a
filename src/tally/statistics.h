/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a sampled report tests in addition to rank and position: the chosen statistics of the registry;
 * repeated decks, if there are too many distinct decks to count them by rank; and, if increments are
 * requested, the statistics of the increments.
 */
#ifndef SB_TALLY_STATISTICS_H
#define SB_TALLY_STATISTICS_H

#include "core/evidence.h"
#include "tally/tallies.h"

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
};

/* Sets the error for the name of an unknown statistic. Returns SB_INVALID. */
enum sb_status sb_statistics_unknown(const char *name, struct sb_error *error);

/* The name of the test for repeated whole decks. The registry does not list this name, because the test is
 * not a function of one permutation. */
extern const char sb_statistics_repeat[];

/* Whether `name` is the name of the test for repeated whole decks. */
bool sb_statistics_repeats(const char *name);

/* Whether a stream of deals of k out of n has a bettor (tally/bettor.h): `names` must contain the bettor's
 * name, and k = n must be in the range of a bettor. */
bool sb_statistics_bet(const char *names, size_t n, size_t k);

/* Checks that `names` suit a scheme: they must not include the bettor, which needs the order of a stream.
 * NULL, which means all statistics, is allowed. SB_INVALID. */
enum sb_status sb_statistics_scheme_check(const char *names, struct sb_error *error);

/* Checks that `names`, as in the options of a report, are names of statistics. SB_INVALID. */
enum sb_status sb_statistics_check(const char *names, struct sb_error *error);

/*
 * Writes the list of names, separated by commas. The names are in the order of the registry, and each name
 * occurs once, so equal choices give equal texts. Writes "all" if `names` is NULL, and "none" if `names` is
 * "". Returns `text`.
 */
enum { SB_STATISTICS_NAMES = 512 };
const char *sb_statistics_names(const char *names, char text[SB_STATISTICS_NAMES]);

/* Checks that each of `names` applies to deals of k out of n. `names` may be NULL. `multiset` says which items are equal;
 * NULL: all items differ. SB_INVALID. */
enum sb_status sb_statistics_fit(const char *names, const struct sb_multiset *multiset, size_t n, size_t k,
                                 struct sb_error *error);

/* Opens the statistics that the options name, for at most `total` deals of k out of n, with empty tallies.
 * The caller closes the statistics, even after a failure. SB_INVALID: the options request increments, but k <
 * n. SB_TOO_LARGE, SB_NO_MEMORY. */
enum sb_status sb_statistics_open(const struct sb_options *options, size_t n, size_t k, uint64_t total,
                                  struct sb_error *error, struct sb_statistics *statistics);

/* Does what sb_statistics_open() does, for decks with equal items, which `multiset` names; NULL: all items differ. The
 * multiset must outlive the statistics. */
enum sb_status sb_statistics_open_equal(const struct sb_options *options, const struct sb_multiset *multiset,
                                        size_t n, size_t k, uint64_t total, struct sb_error *error,
                                        struct sb_statistics *statistics);

/* The same as sb_statistics_open(), but only for the increments of decks that come in the order of a
 * stream. */
enum sb_status sb_statistics_open_steps(const struct sb_options *options, size_t n, uint64_t total,
                                        struct sb_error *error, struct sb_statistics *statistics);
void sb_statistics_close(struct sb_statistics *statistics);

/* Checks that k = n, because increments need whole permutations. SB_INVALID. */
enum sb_status sb_increments_check(size_t n, size_t k, struct sb_error *error);

/*
 * Writes to tally[] the tallies that counts by rank do not determine. tally[] must have room for types +
 * steps tallies. Returns the number of tallies written.
 */
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
enum sb_status sb_classify_counts(const struct sb_evidence *evidence, unsigned threads,
                                  struct sb_observer *observer);

#endif
