/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The steps that make a report. The files of this folder share them, and proofs use some of them. */
#ifndef SB_STUDY_REPORT_REPORT_PARTS_H
#define SB_STUDY_REPORT_REPORT_PARTS_H

#include "exact/law.h"
#include "study/explain/explanation.h"
#include "study/report/report_result.h"
#include "study/results.h"
#include "subject/options.h"
#include "subject/scheme.h"
#include "tally/statistics.h"

/* A sentence that explains how the tests of one report share alpha. */
extern const char sb_report_correction[];

/* Makes the tree of draws behind the law, with the tree's orders. Sets *tree to NULL if the tree is too large
 * for a figure. The caller frees *tree. Errors: SB_NO_MEMORY, SB_INVALID, SB_BROKEN. */
enum sb_status sb_report_tree(const struct sb_law *law, const struct sb_evidence *evidence,
                              struct sb_explain **tree);

/* Computes effects and findings from the evidence. `statistics` has the tallies of a sample; it may be NULL.
 * Error: SB_NO_MEMORY. */
enum sb_status sb_report_analyse(const struct sb_statistics *statistics, struct sb_report *report);

/* Makes a list of one report, whose fields are zero. The caller frees the list. Error: SB_NO_MEMORY. */
enum sb_status sb_reports_one(struct sb_reports **reports);

/* Completes a report in which only the evidence is set, for a subject that is not a scheme. `title` is
 * static; `statistics` may be NULL. Error: SB_NO_MEMORY. */
enum sb_status sb_report_outside(const char *name, const char *title, const struct sb_options *options,
                                 const struct sb_statistics *statistics, struct sb_report *report);

/*
 * Samples a scheme on a deck with equal cards: deals options->samples decks, one after the other, and tells
 * equal cards apart at random. The evidence is about permutations; sb_report_analyse() turns it into evidence
 * about arrangements. The caller closes the evidence. Errors: SB_INVALID, SB_STOPPED, SB_NO_MEMORY.
 */
enum sb_status sb_report_arranged(const struct sb_scheme *scheme, const struct sb_options *options,
                                  struct sb_statistics *statistics, struct sb_error *error,
                                  struct sb_evidence *evidence);

/* If options->cards has equal names, checks that the other options allow it, and sets the default number of samples.
 * Errors: SB_INVALID, SB_NO_MEMORY. */
enum sb_status sb_report_arranged_check(const struct sb_options *asked, struct sb_error *error,
                                        struct sb_options *settled);

/* Checks that options->statistics suit a scheme and its deck, in which cards may be equal. Errors: SB_INVALID,
 * SB_NO_MEMORY. */
enum sb_status sb_report_statistics_check(const struct sb_options *options, struct sb_error *error);

/*
 * Makes the rows of the tables, and then the verdicts. The rows of an exact and of a sampled report on the
 * same scheme list the same deals. These deals are the extremes of the law; if the law is unknown or has no
 * extremes, these deals are the extremes of the sample. Error: SB_NO_MEMORY.
 */
enum sb_status sb_report_conclude(struct sb_report *const reports[], size_t count);

/* Sets the verdict, the sentence and the warning of a report that already has its evidence, effect, findings
 * and rows. Error: SB_NO_MEMORY. */
enum sb_status sb_report_judge(struct sb_report *report);

/* Checks that the seeds to try are known. Error: SB_INVALID if the options select no seeds and the generator
 * has too many seeds to try all of them. */
enum sb_status sb_seeds_check(const struct sb_options *options, const struct sb_rng *rng,
                              struct sb_error *error);

/*
 * Tries the seeds that the options select, or all seeds of the generator. The caller closes the evidence. If
 * `steps` is not NULL and has statistics, also tallies steps: from the deck of each seed to the deck of the
 * next seed, for the first options->samples seeds. Errors: SB_INVALID, SB_NO_MEMORY.
 */
enum sb_status sb_seeds_evidence(const struct sb_scheme *scheme, const struct sb_shuffler *shuffler,
                                 const struct sb_options *options, struct sb_statistics *steps,
                                 struct sb_error *error, struct sb_evidence *evidence);

/* Sets the report's p to the smallest p times the number of reliable tests. Returns whether any outcome of so many
 * samples could have made this p smaller than alpha; the bettor alone does not count. */
bool sb_report_correct(struct sb_report *report);

/* Like sb_report_judge(), for evidence by seeds. Error: SB_NO_MEMORY. */
enum sb_status sb_report_judge_seeds(struct sb_report *report);

#endif
