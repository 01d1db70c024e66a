/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The steps that make a report. The files of this folder share them, and proofs use some of them. */
#ifndef SB_STUDY_REPORT_REPORT_PARTS_H
#define SB_STUDY_REPORT_REPORT_PARTS_H

#include "core/calls.h"
#include "core/core.h"
#include "core/evidence.h"
#include "exact/engine.h"
#include "report/page.h"
#include "store/store.h"
#include "study/explain/explain.h"
#include "study/report/report_result.h"
#include "subject/subject.h"
#include "tally/order.h"
#include "tally/tally.h"

/* Computes effects and findings. `statistics` has the tallies of a sample; it may be NULL. SB_NO_MEMORY. */
enum sb_status sb_report_analyse(const struct sb_statistics *statistics, struct sb_report *report);

/* Makes a list of one report, whose fields are zero. SB_NO_MEMORY. */
enum sb_status sb_reports_one(struct sb_reports **reports);

/* Completes a report in which only the evidence is set, for a subject that is not a scheme. `title` is static;
 * `statistics` may be NULL. SB_NO_MEMORY. */
enum sb_status sb_report_outside(const char *name, const char *title, const struct sb_request *options,
                                 const struct sb_statistics *statistics, struct sb_report *report);

/* Samples a scheme on a deck with equal cards, which are told apart at random. The evidence is about permutations;
 * sb_report_analyse() turns it into evidence about arrangements. SB_INVALID, SB_STOPPED, SB_NO_MEMORY. */
enum sb_status sb_report_arranged(const struct sb_scheme *scheme, const struct sb_request *options,
                                  struct sb_statistics *statistics, struct sb_error *error,
                                  struct sb_evidence *evidence);

/* Makes the rows of the tables, and then the verdicts. The reports are on one scheme, and list the same deals: the
 * extremes of the law or, if it is unknown or has none, of the sample. SB_NO_MEMORY. */
enum sb_status sb_report_conclude(struct sb_report *const reports[], size_t count);

/* Checks that the options select seeds, unless the generator has few enough to try all. SB_INVALID. */
enum sb_status sb_seeds_check(const struct sb_request *options, const struct sb_rng *rng, struct sb_error *error);

/* Tries the seeds that the options select, or all. If `steps` is not NULL and has statistics, also tallies the steps
 * from the deck of each seed to that of the next, for the first options->samples seeds. SB_INVALID, SB_NO_MEMORY. */
enum sb_status sb_seeds_evidence(const struct sb_scheme *scheme, const struct sb_shuffler *shuffler,
                                 const struct sb_request *options, struct sb_statistics *steps, struct sb_error *error,
                                 struct sb_evidence *evidence);

/* All pointers are borrowed. */
struct sb_sampling {
    const struct sb_scheme *scheme;
    const struct sb_shuffler *shuffler;
    const struct sb_request *options; /* options from sb_options_settle() */
    struct sb_saved *saved;           /* saved evidence to resume; NULL if there is none */
};

/* Tallies the decks in the blocks of `parts`. Errors: those of sb_sample_tally(). */
enum sb_status sb_sampled_count(const struct sb_sampling *sampling, const struct sb_shards *parts,
                                const struct sb_pause *pause, struct sb_statistics *statistics, struct sb_error *error,
                                struct sb_evidence *evidence);

/* Makes the evidence of a report, and fills in the statistics, which must not have tallied any decks yet. Saves the
 * evidence if the options request it. */
enum sb_status sb_sampled(const struct sb_sampling *sampling, struct sb_statistics *statistics, struct sb_error *error,
                          struct sb_evidence *evidence);

/* Returns whether the feed's permutations are whole, and too large for a matrix of positions. */
bool sb_report_is_large(const struct sb_feed *feed);

/* Reports on such permutations: up to options->samples, or up to 100 if this option is 0. SB_INVALID if an option
 * requests something that this kind of report does not have; SB_NO_MEMORY; and the errors of the feed. */
enum sb_status sb_report_large(struct sb_feed *feed, const struct sb_request *options, struct sb_error *error,
                               struct sb_report *report);

/* ---- report_large.c ---- */

enum { SB_LARGE_SHARES = 64 };

/* The statistics of one permutation of n items. */
struct sb_large_counts {
    size_t n;
    size_t adjacent, fixed_points, cycles, cycle_of_first, records, descents, rising_sequences;
    uint64_t inversions;
    /* [from * SB_LARGE_SHARES + to]: how many items of share `from` are at a position of share `to`. A share is n/64
     * adjacent items or positions, rounded down. eighths[from * 8 + to]: the same for shares of n/8. */
    uint32_t sixty_fourths[SB_LARGE_SHARES * SB_LARGE_SHARES], eighths[64];
};

/* Computes the statistics of the permutation a[n]. Cost: O(n log n) time, and 12 n bytes. SB_NO_MEMORY. */
enum sb_status sb_large_count(size_t n, const sb_item a[], struct sb_large_counts *counts);

/* Adds the sentence, without its full stop, of a report that is not by seeds, and has a verdict that is not
 * "inconclusive". */
void sb_sentence_judge(struct sb_sentence *s, const struct sb_report *report);

/* Returns the largest total variation that a law of which part is not resolved may have, rounded up. */
struct sb_number sb_sentence_bound(const struct sb_report *report);

#endif
