/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that several commands share. */
#ifndef SB_STUDY_STUDY_H
#define SB_STUDY_STUDY_H

#include "core/feed.h"
#include "core/tally.h"
#include "exact/law.h"
#include "shufflebias.h"
#include "study/explain/explanation.h"
#include "study/report/report_result.h"
#include "subject/options.h"
#include "subject/scheme.h"
#include "tally/statistics.h"

/* A sentence on how the tests of one report share alpha. */
extern const char sb_report_correction[];

/* Makes the tree of draws behind the law, and its orders, if they are few enough for a figure; otherwise
 * returns NULL. The caller frees it. SB_NO_MEMORY, SB_INVALID, SB_BROKEN. */
enum sb_status sb_report_tree(const struct sb_law *law, const struct sb_evidence *evidence,
                              struct sb_explain **tree);

/* Computes effects and findings from the evidence; `statistics` are the tallies of a sample, or NULL.
 * SB_NO_MEMORY. */
enum sb_status sb_report_analyse(const struct sb_statistics *statistics, struct sb_report *report);

/* Makes room for one more report, set to zero. SB_NO_MEMORY. */
enum sb_status sb_reports_one(struct sb_reports **reports);

/* Makes a report of this evidence, whose subject is not a scheme. title is static; `statistics` may be
 * NULL. SB_NO_MEMORY. */
enum sb_status sb_report_outside(const char *name, const char *title, const struct sb_options *options,
                                 const struct sb_statistics *statistics, struct sb_report *report);

/*
 * Makes the rows of the tables, then the verdict. The rows of an exact and a sampled report on one scheme list
 * the same deals. These are the extremes of the law or, if the law is unknown or has no extremes, of the
 * sample. SB_NO_MEMORY.
 */
enum sb_status sb_report_conclude(struct sb_report *const reports[], size_t count);

/* Sets verdict, sentence and warning of a report that has evidence, effect, findings and rows.
 * SB_NO_MEMORY. */
enum sb_status sb_report_judge(struct sb_report *report);

/* Checks that the seeds to try are known. SB_INVALID: the generator has too many seeds to try all of them,
 * and the options select none. */
enum sb_status sb_seeds_check(const struct sb_options *options, const struct sb_rng *rng,
                              struct sb_error *error);

/*
 * Tries the seeds that the options select, or all seeds of the generator. The caller closes the evidence. If
 * `steps` has statistics, also tallies the steps between the decks of the first consecutive seeds, at most as many as
 * there are samples; it may be NULL. SB_INVALID, SB_NO_MEMORY.
 */
enum sb_status sb_seeds_evidence(const struct sb_scheme *scheme, const struct sb_shuffler *shuffler,
                                 const struct sb_options *options, struct sb_statistics *steps,
                                 struct sb_error *error, struct sb_evidence *evidence);

/* Sets the smallest p of the report, times the number of reliable tests. Returns how many of these test where items go;
 * the comparison of whole decks does not. */
size_t sb_report_correct(struct sb_report *report);

/* Does what sb_report_judge() does, for evidence by seeds. SB_NO_MEMORY. */
enum sb_status sb_report_judge_seeds(struct sb_report *report);

#endif
