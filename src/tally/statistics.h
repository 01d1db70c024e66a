/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a sampled report tests in addition to rank and position: the chosen statistics of the registry;
 * repeated decks, if decks are too many to count by rank; and all statistics of the increments.
 */
#ifndef SB_TALLY_STATISTICS_H
#define SB_TALLY_STATISTICS_H

#include "core/evidence.h"
#include "core/tally.h"
#include "tally/counts.h"
#include "tally/tallies.h"

struct sb_statistics {
    size_t types, steps;                   /* numbers of statistics of the deals, and of their increments */
    const struct sb_statistic_type **type; /* [types + steps], those of the deals first; owned */
    struct sb_tallies tallies;             /* tallies of a sample */
    /* whether the number of repeated decks is known: tallies.birthday */
    bool compared;
    const struct sb_tally *bettor; /* of a stream: its bettor at its largest E; borrowed; NULL: none */
};

/* Writes the usual line, SB_INVALID, for the name of an unknown statistic. */
enum sb_status sb_statistics_unknown(const char *name, struct sb_error *error);

/* The name of the test for repeated whole decks. It is not a function of one permutation, so the registry
 * does not list it. */
extern const char sb_statistics_repeat[];

/* Whether this is the name of that test. */
bool sb_statistics_repeats(const char *name);

/* Whether `names`, as in the options of a report, contain this one; NULL contains all. */
bool sb_statistics_named(const char *names, const char *name);

/* Whether to have a bettor (tally/bettor.h) for a stream of deals of k out of n: if it is named, and there is one for
 * such deals. */
bool sb_statistics_bet(const char *names, size_t n, size_t k);

/* Checks that `names` belong to a scheme: the bettor, which needs the order of a stream, is not among them unless all
 * are. SB_INVALID. */
enum sb_status sb_statistics_scheme_check(const char *names, struct sb_error *error);

/* Checks that `names`, as in the options of a report, are names of statistics. SB_INVALID. */
enum sb_status sb_statistics_check(const char *names, struct sb_error *error);

/*
 * A normalised list of names, independent of the order typed and of repeated names: in the order of the
 * registry, separated by commas. "all" for NULL, "none" for "".
 */
enum { SB_STATISTICS_NAMES = 512 };
const char *sb_statistics_names(const char *names, char text[SB_STATISTICS_NAMES]);

/* Checks that each of `names`, unless they are NULL, applies to deals of k out of n. SB_INVALID. */
enum sb_status sb_statistics_fit(const char *names, size_t n, size_t k, struct sb_error *error);

/* Opens the statistics that the options name, for at most `total` deals of k out of n, with empty tallies.
 * The caller closes them, even after a failure. SB_INVALID: increments of deals; SB_TOO_LARGE,
 * SB_NO_MEMORY. */
enum sb_status sb_statistics_open(const struct sb_options *options, size_t n, size_t k, uint64_t total,
                                  struct sb_error *error, struct sb_statistics *statistics);

/* The same for the increments alone, in the order of the stream. */
enum sb_status sb_statistics_open_steps(const struct sb_options *options, size_t n, uint64_t total,
                                        struct sb_error *error, struct sb_statistics *statistics);
void sb_statistics_close(struct sb_statistics *statistics);

/* Checks that increments exist, which need whole permutations. SB_INVALID. */
enum sb_status sb_increments_check(size_t n, size_t k, struct sb_error *error);

/*
 * The tallies that do not follow from counts by rank: tally[], with room for types + steps; returns their
 * number. sb_statistics_resume() adds earlier counts to them; it returns false, and changes nothing, if the
 * statistics differ.
 */
size_t sb_statistics_seen(const struct sb_statistics *statistics, struct sb_tally tally[]);
bool sb_statistics_resume(struct sb_statistics *statistics, const struct sb_counts counts[], size_t count);

/* Updates the tallies. For sampled evidence that is counted by rank, derives the statistics of the deals from
 * these counts. SB_NO_MEMORY. */
enum sb_status sb_statistics_read(const struct sb_evidence *evidence, unsigned threads,
                                  struct sb_statistics *statistics);

#endif
