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

/* A sentence that explains how the tests of one report share alpha. */
extern const char sb_report_correction[];

/* Computes effects and findings from the evidence. `statistics` has the tallies of a sample; it may be NULL.
 * Error: SB_NO_MEMORY. */
enum sb_status sb_report_analyse(const struct sb_statistics *statistics, struct sb_report *report);

/* Makes a list of one report, whose fields are zero. The caller frees the list. Error: SB_NO_MEMORY. */
enum sb_status sb_reports_one(struct sb_reports **reports);

/* Completes a report in which only the evidence is set, for a subject that is not a scheme. `title` is
 * static; `statistics` may be NULL. Error: SB_NO_MEMORY. */
enum sb_status sb_report_outside(const char *name, const char *title, const struct sb_request *options,
                                 const struct sb_statistics *statistics, struct sb_report *report);

/*
 * Samples a scheme on a deck with equal cards: deals options->samples decks, one after the other, and tells
 * equal cards apart at random. The evidence is about permutations; sb_report_analyse() turns it into evidence
 * about arrangements. The caller closes the evidence. Errors: SB_INVALID, SB_STOPPED, SB_NO_MEMORY.
 */
enum sb_status sb_report_arranged(const struct sb_scheme *scheme, const struct sb_request *options,
                                  struct sb_statistics *statistics, struct sb_error *error,
                                  struct sb_evidence *evidence);

/* If options->cards has equal names, checks that the other options allow it, and sets the default number of samples.
 * Errors: SB_INVALID, SB_NO_MEMORY. */
enum sb_status sb_report_arranged_check(const struct sb_request *asked, struct sb_error *error,
                                        struct sb_request *settled);

/* Checks that options->statistics suit a scheme and its deck, in which cards may be equal. Errors: SB_INVALID,
 * SB_NO_MEMORY. */
enum sb_status sb_report_statistics_check(const struct sb_request *options, struct sb_error *error);

/*
 * Makes the rows of the tables, and then the verdicts. The rows of an exact and of a sampled report on the
 * same scheme list the same deals. These deals are the extremes of the law; if the law is unknown or has no
 * extremes, these deals are the extremes of the sample. Error: SB_NO_MEMORY.
 */
enum sb_status sb_report_conclude(struct sb_report *const reports[], size_t count);

/* Checks that the seeds to try are known. Error: SB_INVALID if the options select no seeds and the generator
 * has too many seeds to try all of them. */
enum sb_status sb_seeds_check(const struct sb_request *options, const struct sb_rng *rng,
                              struct sb_error *error);

/*
 * Tries the seeds that the options select, or all seeds of the generator. The caller closes the evidence. If
 * `steps` is not NULL and has statistics, also tallies steps: from the deck of each seed to the deck of the
 * next seed, for the first options->samples seeds. Errors: SB_INVALID, SB_NO_MEMORY.
 */
enum sb_status sb_seeds_evidence(const struct sb_scheme *scheme, const struct sb_shuffler *shuffler,
                                 const struct sb_request *options, struct sb_statistics *steps,
                                 struct sb_error *error, struct sb_evidence *evidence);

/* Sets the report's p to the smallest p times the number of reliable tests. Returns whether any outcome of so many
 * samples could have made this p smaller than alpha; the bettor alone does not count. */
bool sb_report_correct(struct sb_report *report);

/* Like sb_report_judge(), for evidence by seeds. Error: SB_NO_MEMORY. */
enum sb_status sb_report_judge_seeds(struct sb_report *report);

/* All pointers are borrowed. */
struct sb_sampling {
    const struct sb_scheme *scheme;
    const struct sb_shuffler *shuffler;
    const struct sb_request *options; /* options from sb_options_settle() */
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

/* The start of a call; the texts follow. All ranks run the same program on the same type of machine. */
struct sb_ranks_call {
    char version[16];
    uint64_t by; /* enum sb_by; 0: no more calls */
    uint64_t samples, seed, seeds_first, seeds_count, threads, increments, compares;
    size_t n, deal;
    size_t statistics, profile; /* bytes of each text with its closing zero byte; 0 stands for NULL */
    char scheme[SB_SCHEME_ROOM];
};

struct sb_report_bettor {
    struct sb_bettor *bettor; /* owned; NULL: no bettor */
    double ln_e;              /* the largest ln E at a look */
    struct sb_tally most;     /* the bettor's tally at the look with the largest ln E */
};

/* Makes the bettor of a report on deals of `deal` out of n, if the options and the deals allow a bettor. The
 * caller must not copy or move the struct, and closes the struct even after an error. Error: SB_NO_MEMORY. */
enum sb_status sb_report_bettor_open(const struct sb_request *options, size_t n, size_t deal,
                                     struct sb_error *error, struct sb_report_bettor *bettor);
void sb_report_bettor_close(struct sb_report_bettor *bettor);

/* Bets on valid permutations, items[count * n]. */
void sb_report_bettor_add(struct sb_report_bettor *bettor, const sb_item items[], size_t count);

/* Looks at the bettor's E after `total` permutations. Returns the total at which the next look is due. */
uint64_t sb_report_bettor_look(struct sb_report_bettor *bettor, uint64_t total);

/* Returns the bettor's tally at the largest E, for the test. Returns NULL if there is no bettor or no
 * permutation. */
const struct sb_tally *sb_report_bettor_most(const struct sb_report_bettor *bettor);

struct sb_report_lags {
    struct sb_lags *lags; /* owned; NULL: not tallied */
    uint64_t decks;       /* number of permutations that took part so far */
    bool found;
    struct sb_finding finding; /* if `found` */
};

/* Returns whether sb_report_large() makes the report on this feed: whether the feed's permutations are whole,
 * and too large for a matrix of positions. */
bool sb_report_is_large(const struct sb_feed *feed);

/*
 * Reads up to options->samples permutations, or up to 100 if this option is 0, and fills in the report.
 * Errors: SB_INVALID if an option requests something that this kind of report does not have; SB_NO_MEMORY;
 * and the errors of the feed.
 */
enum sb_status sb_report_large(struct sb_feed *feed, const struct sb_request *options, struct sb_error *error,
                               struct sb_report *report);

/* ---- report_large.c ---- */

enum { SB_LARGE_SHARES = 64 };

/* The statistics of one permutation of n items. */
struct sb_large_counts {
    size_t n;
    size_t adjacent, fixed_points, cycles, cycle_of_first, records, descents, rising_sequences;
    uint64_t inversions;
    /*
     * sixty_fourths[from * SB_LARGE_SHARES + to]: how many items of share `from` are at a position of share
     * `to`. A share consists of n/64 adjacent items or positions (n/64 is rounded down); share 0 starts with
     * item or position 0. eighths[from * 8 + to]: the same for shares of n/8.
     */
    uint32_t sixty_fourths[SB_LARGE_SHARES * SB_LARGE_SHARES], eighths[64];
};

/* Computes the statistics of the permutation a[n]. Cost: O(n log n) time, and 12 n bytes. Error:
 * SB_NO_MEMORY. */
enum sb_status sb_large_count(size_t n, const sb_item a[], struct sb_large_counts *counts);

/* Adds the verdict of a report, with a full stop at the end. All fields of the report except its sentence
 * must be set. */
void sb_sentence_judge(struct sb_sentence *s, const struct sb_report *report);

#endif
