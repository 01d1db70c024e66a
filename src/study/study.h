/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the pipelines of this room share. */
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

/* How several tests of one report share alpha, in a sentence. */
extern const char sb_report_correction[];

/* The tree of draws that is behind the law, and its orders, where they are few enough for a figure; else
 * NULL. The caller frees it. SB_NO_MEMORY, SB_INVALID, SB_BROKEN. */
enum sb_status sb_report_tree(const struct sb_law *law, const struct sb_evidence *evidence,
                              struct sb_explain **tree);

/* From evidence to effects and findings; `statistics` are those of a sample, else NULL. SB_NO_MEMORY. */
enum sb_status sb_report_analyse(const struct sb_statistics *statistics, struct sb_report *report);

/* Room for one report, all zero. SB_NO_MEMORY. */
enum sb_status sb_reports_one(struct sb_reports **reports);

/* Makes a report of this evidence, whose subject is not a scheme. title is static; `statistics` may be
 * NULL. SB_NO_MEMORY. */
enum sb_status sb_report_outside(const char *name, const char *title, const struct sb_options *options,
                                 const struct sb_statistics *statistics, struct sb_report *report);

/*
 * The rows of the tables, then the verdict. Exact and sampled evidence of one scheme (the latter may be
 * missing) show the same deals: the extremes of the law, or of the sample where the law has none or is not
 * known. SB_NO_MEMORY.
 */
enum sb_status sb_report_conclude(struct sb_report *const reports[], size_t count);

/* Sets verdict, sentence and warning of a report whose evidence, effect, findings and rows are there.
 * SB_NO_MEMORY. */
enum sb_status sb_report_judge(struct sb_report *report);

/* Whether it is clear which seeds are to be tried: SB_INVALID where a generator has too many to try all. */
enum sb_status sb_seeds_check(const struct sb_options *options, const struct sb_rng *rng,
                              struct sb_error *error);

/* Tries the seeds that the options ask for, or else all that the generator has. The caller closes the
 * evidence. SB_INVALID, SB_NO_MEMORY. */
enum sb_status sb_seeds_evidence(const struct sb_scheme *scheme, const struct sb_shuffler *shuffler,
                                 const struct sb_options *options, struct sb_error *error,
                                 struct sb_evidence *evidence);

/* What sb_report_judge() does for evidence by seeds. SB_NO_MEMORY. */
enum sb_status sb_report_judge_seeds(struct sb_report *report);

#endif
