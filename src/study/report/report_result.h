/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A computed report, the steps that make one, and the parts of its pages. A number that is unknown or does not apply is
 * NaN. */
#ifndef SB_STUDY_REPORT_REPORT_RESULT_H
#define SB_STUDY_REPORT_REPORT_RESULT_H

#include "report/page.h"
#include "study/results.h"

struct sb_explain;
struct sb_test_type;

/* A cell of a table of counts. */
struct sb_counted_cell {
    char *label; /* owned */
    uint64_t count;
    double share, fair, ratio; /* the fair share, and the share over that */
    double low, high;          /* interval of the share; all cells hold together */
    double ln_p;               /* of the count alone, times the number of cells */
};

/* The cells of a table of counts that are not orders; or how often each item of sets was drawn, or was in each hand,
 * and how many of a kind were dealt. */
struct sb_counted {
    const char *of;     /* what the counts are of: "draw", "shuffle", "result", "deal"; static */
    const char *before; /* what stands before a label in a sentence; static; NULL: nothing */
    size_t count;
    struct sb_counted_cell *cell; /* [count]; owned */
};

/* Makes room for cells without labels and counts. NULL: no memory. */
struct sb_counted *sb_counted_new(size_t count, const char *of, const char *before);
void sb_counted_free(struct sb_counted *counted);

/* Sets the interval and the exact p of each cell of `total` results, which hold together. */
void sb_counted_judge(struct sb_counted *counted, uint64_t total, double alpha);

/* Returns the cell that stands out most; NULL if none is judged. */
const struct sb_counted_cell *sb_counted_extreme(const struct sb_counted *counted);

enum { SB_REPORT_OUTLIERS = 2 }; /* of decks, and of the steps of the lags */

/* One report: one subject, one kind of evidence. */
struct sb_report {
    /* of the subject: a normalised scheme ("naive/modulo:15"), a command or a file; owned */
    char *name;
    char *shuffle, *draw;        /* "sort-by-key:53", "ideal"; owned; NULL unless the subject is a scheme */
    char *rng;                   /* owned; NULL unless the subject is a scheme, and for exact evidence */
    struct sb_item_names *names; /* what the items are called; owned; NULL: numbers from 1 */
    char *fair;                  /* the intended law in words; owned; NULL: all deals are equally likely */
    double fair_tv;              /* total variation of a scheme's exact law from the intended one; NaN: unknown */
    uint64_t fair_sample;        /* the size of the sample that stands for the intended law, or a part of it; 0: none */
    const char **left_out;       /* [left_out_count] statistics without an intended law; owned; NULL: none */
    size_t left_out_count;
    const char *title, *cite; /* title and citation of the shuffle; static; may be NULL */
    struct sb_evidence evidence;
    struct sb_explain *tree; /* the tree of draws and its orders; owned; NULL unless exact, of few items */
    bool counts;             /* whether to list all counts, in the formats that can do so */
    bool proven;             /* whether the shuffle is fair by a theorem, and its draws are fair */
    bool whole_only;         /* whether this is on whole decks, for which alone the shuffle is fair */
    bool has_effect;         /* false if only the matrix is known */
    struct sb_effect effect; /* valid if has_effect */
    size_t findings_count;
    struct sb_finding *findings; /* [findings_count]; owned */
    uint64_t same, compared; /* of a stream: if many equal the one before, how many do, of the compared ones; else 0 */
    struct sb_replay_run replay; /* of a stream: lines that came again, if a fair shuffle hardly ever has such a run */
    struct sb_odd
        odd[SB_REPORT_OUTLIERS]; /* of a stream: the least likely deck, and the least likely step; if any is unlikely */
    struct sb_repeats repeats;   /* if the report is sampled and deals were not counted by rank */
    /* the deals in the table: all, by rank, or first the most and then the least frequent */
    size_t rows_count;
    struct sb_row *rows;        /* [rows_count]; owned */
    struct sb_counted *counted; /* of a table of counts that are not orders, and of sets and hands; owned; or NULL */
    struct sb_places places;    /* whose intervals exclude the fair share, if sampled and not counted by rank */
    double alpha;
    char *correction;    /* the sentence on how several tests share alpha; owned; may be NULL */
    size_t tests;        /* number of reliable tests, which share alpha */
    double p, ln_p;      /* the smallest p after correction; NaN without findings */
    const char *each;    /* what a permutation of a stream is: "line", "permutation", "step"; static; may be NULL */
    const char *verdict; /* "uniform", "biased", "no bias seen", "inconclusive"; static */
    char *sentence;      /* the verdict in words; owned */
    /* for permutations from outside the program: the faulty shuffle that they look like */
    struct sb_looks_like looks_like;
    char *warning; /* what is unreliable, and what to do about it; owned; may be NULL */
};

struct sb_reports {
    char *title; /* what the caller calls the reports; owned; NULL: nothing */
    size_t count;
    struct sb_report *report; /* [count]; owned; a scheme's exact report comes before its sampled report */
    bool all;                 /* whether the user named no scheme; if so, all shuffles are reported */
    bool interrupted;
    size_t n, deal;
    uint64_t seed;
    char *command; /* the command line that makes the page again; owned */
};

/* Copies the title, if it is not NULL, and makes the command line, of a subject or of words[0..count-1]. Error:
 * SB_NO_MEMORY. */
enum sb_status sb_reports_call(const struct sb_request *options, const char *title, const struct sb_subject *subject,
                               const char *const words[], size_t count, struct sb_error *error,
                               struct sb_reports *reports);

/* Returns whether formats for programs list the count of every deal: for up to 8 items, or on request. */
bool sb_report_lists_counts(const struct sb_report *report);

/* Returns what a finding is on: "rank", "increments: rank", "lag 2: descents". */
struct sb_number sb_finding_title(const struct sb_finding *finding);

/* Returns the first reliable finding with the smallest p; NULL if there is none. An outlier only if nothing else shows a
 * bias, for single decks are odd after any biased shuffle. */
const struct sb_finding *sb_report_worst(const struct sb_report *report);

/* Returns the finding that shows that the permutations of a stream depend on each other, which is the worst one if many
 * equal the one before; NULL if none does. To be called after the verdict. */
const struct sb_finding *sb_report_dependence(const struct sb_report *report);

void sb_report_close(struct sb_report *report);

/* Reports on permutations items[count * n], and sets *ln_p to ln of its corrected p; NaN without findings. Of `asked`
 * only the stop flag and the number of threads are used. SB_STOPPED, SB_NO_MEMORY. */
enum sb_status sb_report_few(size_t n, const sb_item items[], size_t count, const struct sb_request *asked,
                             struct sb_error *error, double *ln_p);

/* Two reports on one scheme, at least one of them not NULL, borrowed. A report by seeds takes the place of the
 * exact one. */
struct sb_pair {
    const struct sb_report *exact, *sampled;
};

/* Makes a pair of the report at `index` and the next one, if it is the sampled report of the same scheme. Returns
 * the index after the pair. */
size_t sb_pair_next(const struct sb_reports *reports, size_t index, struct sb_pair *pair);

/* Returns the exact report if there is one, else the sampled report. */
const struct sb_report *sb_pair_best(const struct sb_pair *pair);
/* Returns the pair without its exact report, if that has only a matrix and there is a sampled report. */
struct sb_pair sb_pair_counted(const struct sb_pair *pair);
bool sb_report_biased(const struct sb_report *report);
bool sb_pair_biased(const struct sb_pair *pair);

/* Adds the pair to *biased if it is biased. Returns whether a page with an overview has details of the pair: if it is
 * biased, and one of the first SB_DOCUMENT_DETAILS_MOST that are. */
bool sb_pair_detailed(const struct sb_pair *pair, size_t *biased);

/* Returns whether the exact law is biased, but no sample of a feasible size would show it, nor does the sampled
 * report. */
bool sb_pair_invisible(const struct sb_pair *pair);

/* Returns the excess over the fair share of the cell of an exact matrix that is farthest from it, and sets *cell. */
double sb_evidence_excess(const struct sb_evidence *evidence, size_t *cell);

/* Returns the verdict of `best` in a few words or, if only the sample shows a bias, that of the sample. */
const char *sb_pair_verdict(const struct sb_pair *pair, const struct sb_report *best);

/* Returns the table's row of the deal with this rank. A deal that is not in the table has no interval. */
struct sb_row sb_report_row(const struct sb_report *report, size_t rank);

void sb_pairs_count(const struct sb_reports *reports, size_t *schemes, size_t *biased);

/* ---- the steps ---- */

/* Computes effects and findings. `statistics` has the tallies of a sample; it may be NULL. SB_NO_MEMORY. */
enum sb_status sb_report_analyse(const struct sb_statistics *statistics, struct sb_report *report);

/* Runs a test. Adds the finding if it has a p-value, or would have a p-value with more samples. */
enum sb_status sb_report_test(const struct sb_test_type *test, const struct sb_tally *tally, struct sb_report *report);

/* Makes a list of one report, whose fields are zero. SB_NO_MEMORY. */
enum sb_status sb_reports_one(struct sb_reports **reports);

/* Completes the one report that is made, and hands the reports over unless `status` is an error. */
enum sb_status sb_reports_end(struct sb_reports *made, const struct sb_request *options, const char *title,
                              const struct sb_subject *subject, enum sb_status status, struct sb_error *error,
                              struct sb_reports **reports);

/* Completes a report in which only the evidence is set, for a subject that is not a scheme. `title` is static;
 * `statistics` may be NULL. SB_NO_MEMORY. */
enum sb_status sb_report_outside(const char *name, const char *title, const struct sb_request *options,
                                 const struct sb_statistics *statistics, struct sb_report *report);

/* Samples a scheme on a deck with equal cards, which are told apart at random. The evidence is about permutations;
 * sb_report_analyse() turns it into evidence about arrangements. SB_INVALID, SB_STOPPED, SB_NO_MEMORY. */
enum sb_status sb_report_arranged(const struct sb_scheme *scheme, const struct sb_request *options,
                                  struct sb_statistics *statistics, struct sb_error *error,
                                  struct sb_evidence *evidence);

/* Reports on schemes against the intended law of the options. The errors are those of sb_report_fair(). */
enum sb_status sb_reports_fair(const char *const schemes[], size_t count, const struct sb_request *options,
                               struct sb_error *error, struct sb_reports **reports);

/* Reports on a stream of at most `total` permutations against the intended law of the options. report->names is set.
 * The errors are those of sb_fair_new(), and of the feed. */
enum sb_status sb_report_fair(struct sb_feed *feed, uint64_t total, const struct sb_request *options,
                              struct sb_error *error, struct sb_report *report);

/* Makes the rows of the tables, and then the verdicts. The reports are on one scheme, and list the same deals: the
 * extremes of the law or, if it is unknown or has none, of the sample. SB_NO_MEMORY. */
enum sb_status sb_report_conclude(struct sb_report *const reports[], size_t count);

/* Checks that the options select seeds, unless the generator has few enough to try all. SB_INVALID. */
enum sb_status sb_seeds_check(const struct sb_request *options, const struct sb_rng *rng, struct sb_error *error);

/* Tries the seeds that the options select, or all, after sb_seeds_check(). If `steps` is not NULL and has statistics,
 * also tallies the steps from the deck of each seed to that of the next, for the first options->samples seeds.
 * SB_INVALID, SB_NO_MEMORY. */
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

/* at most this many deals are named; a sentence says how many others there are */
enum { SB_SENTENCE_NAMES = 4 };

/* Adds a list of deals: "132, 213 and 231", or "1234 and 11 others". ranks[count] are the first of `total` deals. */
void sb_sentence_deals(struct sb_sentence *s, const struct sb_evidence *evidence, const size_t ranks[], size_t count,
                       size_t total);

/* Adds a part of the text data/pages/report.md, which may say what a finding says; NULL: the worst one. */
void sb_sentence_say(struct sb_sentence *s, const struct sb_report *report, const struct sb_finding *finding,
                     const char *part);

/* ---- pages ---- */

/* Methods of sb_reports_result. */
void sb_reports_page(const void *result, struct sb_page *page);
void sb_reports_html(const void *result, struct sb_html *html);
void sb_reports_json(const void *result, struct sb_json *json);

/* The numbers of an effect that JSON and CSV list after the total variation; the last one has no name. */
extern const struct sb_member sb_effect_members[];

/* Write tables: one of all schemes, and those of one scheme. */
void sb_document_table(const struct sb_reports *reports, struct sb_page *page);
void sb_document_permutations(const struct sb_pair *pair, struct sb_page *page);
void sb_document_effects(const struct sb_pair *pair, struct sb_page *page);

/* On a page of many schemes, this and the index of a biased scheme's first report are the anchor of its details. On a
 * page for browsers, only the first biased schemes have details. */
enum { SB_DOCUMENT_DETAILS_MOST = 22 };
#define SB_DOCUMENT_ANCHOR "scheme"

/* Returns the interval of a share as one of its ratio to 1/cells, rounded outwards, so that a reader sees at once
 * whether it contains 1. */
struct sb_number sb_document_interval(double low, double high, double cells);

enum sb_ink sb_document_ink(const char *verdict);

/* Returns where the numbers of a matrix come from: "exact", "in part", "over these seeds" or "sampled". */
const char *sb_document_source(const struct sb_evidence *evidence);

/* Returns a deal's notation for people, with a visible text for a deal of no cards. */
const char *sb_document_deal(const struct sb_notation *notation);

/* ---- figure/matrix.c ---- */

/* Writes the matrix for people, as a table or as a picture. */
void sb_document_matrix(const struct sb_report *report, struct sb_page *page);

/* Returns whether the fair share lies outside the interval of a share, which is the mean of `weight` cells: by
 * Chernoff's bound, for `all` shares together at the report's alpha. For an exact law: whether the shares differ. */
bool sb_share_beyond(const struct sb_report *report, double share, double fair, double weight, double all);

/* ---- report_analyse.c: outliers ---- */

struct sb_report_outliers {
    struct sb_outliers *of[SB_REPORT_OUTLIERS]; /* owned; NULL: none */
    struct sb_finding finding[SB_REPORT_OUTLIERS];
};

/* Opens them, if all statistics are tested, before any deal is added; `lags` may be NULL. The caller closes them, even
 * after an error. SB_NO_MEMORY. */
enum sb_status sb_report_outliers_open(const struct sb_request *options, const struct sb_tallies *tallies,
                                       struct sb_lags *lags, struct sb_report_outliers *outliers);
void sb_report_outliers_close(struct sb_report_outliers *outliers);

/* Makes the findings of `total` permutations, which the statistics borrow. */
void sb_report_outliers_test(struct sb_report_outliers *outliers, uint64_t total, struct sb_statistics *statistics);

/* Describes the least likely deck and step; `steps`: the permutations are the steps of a chain. SB_NO_MEMORY. */
enum sb_status sb_report_outliers_describe(const struct sb_report_outliers *outliers, uint64_t total, bool steps,
                                           struct sb_report *report);

#endif
