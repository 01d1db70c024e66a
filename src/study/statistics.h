/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The statistics of a sampled report beside rank and position: those of the registry that join. */
#ifndef SB_STUDY_STATISTICS_H
#define SB_STUDY_STATISTICS_H

#include "core/evidence.h"
#include "core/tally.h"
#include "engine/observe.h"

struct sb_statistics {
    size_t count;
    const struct sb_statistic_type **type; /* [count] */
    struct sb_tally *tally;                /* [count] valid once read */
    struct sb_observer *observer;
};

/* The line for a name that no statistic has. SB_INVALID. */
enum sb_status sb_statistics_unknown(const char *name, struct sb_error *error);

/* Whether `names`, as in the options of a report, are names of statistics. SB_INVALID. */
enum sb_status sb_statistics_check(const char *names, struct sb_error *error);

/* Those of these names (NULL: all) and of the profile, which may be NULL, for deals of k out of n, with empty
 * tallies. Closing it is fine after a failure, too. SB_NO_MEMORY. */
enum sb_status sb_statistics_open(const char *names, const char *profile, size_t n, size_t k,
                                  struct sb_error *error, struct sb_statistics *statistics);
void sb_statistics_close(struct sb_statistics *statistics);

/* Reads the tallies; of sampled evidence that is counted by rank they are had from these counts.
 * SB_NO_MEMORY.
 */
enum sb_status sb_statistics_read(const struct sb_evidence *evidence, unsigned threads,
                                  struct sb_statistics *statistics);

#endif
