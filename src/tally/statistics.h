/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a sampled report looks at beside rank and position: the statistics of the registry that join; decks
 * that come up again, where these are too many to be counted by rank; and of the increments all statistics.
 */
#ifndef SB_TALLY_STATISTICS_H
#define SB_TALLY_STATISTICS_H

#include "core/evidence.h"
#include "core/tally.h"
#include "tally/counts.h"
#include "tally/tallies.h"

struct sb_statistics {
    size_t types, steps;                   /* statistics of the deals, and of their increments */
    const struct sb_statistic_type **type; /* [types + steps], the former first; owned */
    struct sb_tallies tallies;             /* of a sample: is shown the deals */
    bool compared;                         /* how many decks are repeated is known: tallies.birthday */
};

/* The line for a name that no statistic has. SB_INVALID. */
enum sb_status sb_statistics_unknown(const char *name, struct sb_error *error);

/* What the watch for whole decks that come up again is called. It is no function of one permutation, so it
 * stands in no registry. */
extern const char sb_statistics_repeat[];

/* Whether that is its name. */
bool sb_statistics_repeats(const char *name);

/* Whether `names`, as in the options of a report, are names of statistics. SB_INVALID. */
enum sb_status sb_statistics_check(const char *names, struct sb_error *error);

/*
 * The same choice in one form, whatever the order that it was typed in, and how often a name: in the order of
 * the registry, with commas between. "all" for NULL, "none" for "".
 */
enum { SB_STATISTICS_NAMES = 512 };
const char *sb_statistics_names(const char *names, char text[SB_STATISTICS_NAMES]);

/* Whether each of `names`, where they are not NULL, has something to say of deals of k out of n. SB_INVALID.
 */
enum sb_status sb_statistics_fit(const char *names, size_t n, size_t k, struct sb_error *error);

/* Those that the options name, of `total` deals of k out of n at most, with empty tallies. Closing it is fine
 * after a failure, too. SB_INVALID: increments of deals; SB_TOO_LARGE, SB_NO_MEMORY. */
enum sb_status sb_statistics_open(const struct sb_options *options, size_t n, size_t k, uint64_t total,
                                  struct sb_error *error, struct sb_statistics *statistics);
void sb_statistics_close(struct sb_statistics *statistics);

/* Whether there are increments: of whole permutations only. SB_INVALID. */
enum sb_status sb_increments_check(size_t n, size_t k, struct sb_error *error);

/*
 * The tallies of the deals that were shown, which do not follow from counts by rank: tally[], with room for
 * types + steps; how many. sb_statistics_resume() adds such that were seen earlier; false, and nothing is
 * done, where they are not of the same statistics.
 */
size_t sb_statistics_seen(const struct sb_statistics *statistics, struct sb_tally tally[]);
bool sb_statistics_resume(struct sb_statistics *statistics, const struct sb_counts counts[], size_t count);

/* Brings the tallies up to date; of sampled evidence that is counted by rank those of the deals are had from these
 * counts. SB_NO_MEMORY. */
enum sb_status sb_statistics_read(const struct sb_evidence *evidence, unsigned threads,
                                  struct sb_statistics *statistics);

#endif
