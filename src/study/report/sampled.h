/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes or resumes the tallies of a scheme, or loads them from a file. */
#ifndef SB_STUDY_REPORT_SAMPLED_H
#define SB_STUDY_REPORT_SAMPLED_H

#include "store/store.h"

/* All pointers are borrowed. */
struct sb_sampling {
    const struct sb_scheme *scheme;
    const struct sb_shuffler *shuffler;
    const struct sb_options *options; /* options from sb_options_settle() */
    struct sb_saved *saved;           /* saved evidence to resume; NULL if there is none */
};

/* Tallies the decks in the blocks of `parts`. The caller closes the evidence. Errors: those of
 * sb_sample_tally(). */
enum sb_status sb_sampled_count(const struct sb_sampling *sampling, const struct sb_shards *parts,
                                const struct sb_pause *pause, struct sb_statistics *statistics,
                                struct sb_error *error, struct sb_evidence *evidence);

/* Makes the evidence of a report, and fills in the statistics, which must not have tallied any decks yet.
 * Saves the evidence if the options request it. The caller closes the evidence. */
enum sb_status sb_sampled(const struct sb_sampling *sampling, struct sb_statistics *statistics,
                          struct sb_error *error, struct sb_evidence *evidence);

#endif
