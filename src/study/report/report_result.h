/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A computed report, before a format writes it, and the parts of its pages. A number that is unknown or does not
 * apply is NaN. */
#ifndef SB_STUDY_REPORT_REPORT_RESULT_H
#define SB_STUDY_REPORT_REPORT_RESULT_H

#include "core/evidence.h"
#include "report/page.h"
#include "report/result.h"
#include "study/results.h"

struct sb_explain;
struct sb_gate;

/* One report: one subject, one kind of evidence. */
struct sb_report {
    /* of the subject: a normalised scheme ("naive/modulo:15"), a command or a file; owned */
    char *name;
    char *shuffle, *draw;        /* "sort-by-key:53", "ideal"; owned; NULL unless the subject is a scheme */
    char *rng;                   /* owned; NULL unless the subject is a scheme, and for exact evidence */
    struct sb_item_names *names; /* what the items are called; owned; NULL: numbers from 1 */
    const char *title, *cite;    /* title and citation of the shuffle; static; may be NULL */
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
    struct sb_repeats repeats; /* if the report is sampled and deals were not counted by rank */
    /* the deals in the table: all, by rank, or first the most and then the least frequent */
    size_t rows_count;
    struct sb_row *rows;     /* [rows_count]; owned */
    struct sb_places places; /* whose intervals exclude the fair share, if sampled and not counted by rank */
    double alpha;
    const char *correction; /* the sentence on how several tests share alpha; static */
    size_t tests;           /* number of reliable tests, which share alpha */
    double p, ln_p;         /* the smallest p after correction; NaN without findings */
    const char *each;       /* what a permutation of a stream is: "line", "permutation", "step"; static; may be NULL */
    const char *verdict;    /* "uniform", "biased", "no bias seen", "inconclusive"; static */
    char *sentence;         /* the verdict in words; owned */
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

/* Returns the first reliable finding with the smallest p; NULL if there is none. */
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

/* Returns whether the exact law is biased, but no sample of a feasible size would show it, nor does the sampled
 * report. */
bool sb_pair_invisible(const struct sb_pair *pair);

/* Returns the verdict of `best` in a few words or, if only the sample shows a bias, that of the sample. */
const char *sb_pair_verdict(const struct sb_pair *pair, const struct sb_report *best);

/* Returns the table's row of the deal with this rank; NULL: there is none. */
const struct sb_row *sb_report_row(const struct sb_report *report, size_t rank);

/* Counts the schemes with reports, and the biased schemes among them. */
void sb_pairs_count(const struct sb_reports *reports, size_t *schemes, size_t *biased);

/* ---- pages ---- */

/* Methods of sb_reports_result. */
void sb_reports_page(const void *result, struct sb_page *page);
void sb_reports_html(const void *result, struct sb_html *html);
void sb_reports_json(const void *result, struct sb_json *json);
void sb_reports_csv(const void *result, FILE *stream);

/* Write tables: one of all schemes, and those of one scheme. */
void sb_document_table(const struct sb_reports *reports, struct sb_page *page);
void sb_document_permutations(const struct sb_pair *pair, struct sb_page *page);
void sb_document_picture(const struct sb_report *report, struct sb_page *page);
void sb_document_effects(const struct sb_pair *pair, struct sb_page *page);

/* On a page of many schemes, SB_DOCUMENT_ANCHOR and the index of a scheme's first report are the anchor of its
 * details. sb_document_detailed() returns whether it has any: biased schemes have, up to SB_DOCUMENT_DETAILS_MOST,
 * and those with a visible bias come first. */
enum { SB_DOCUMENT_DETAILS_MOST = 22 };
#define SB_DOCUMENT_ANCHOR "scheme"
bool sb_document_detailed(const struct sb_reports *reports, size_t index);

/* Returns the colour of a verdict. */
enum sb_ink sb_document_ink(const char *verdict);

/* Returns where the numbers of a matrix come from: "exact", "in part", "over these seeds" or "sampled". */
const char *sb_document_source(const struct sb_evidence *evidence);

/* Returns a deal's notation for people, with a visible text for a deal of no cards. */
const char *sb_document_deal(const struct sb_notation *notation);

/* ---- report_matrix.c ---- */

struct sb_matrix_blocks {
    size_t rows, columns;
};

/* Returns the division of the matrix into blocks, at most `side` in each direction. */
struct sb_matrix_blocks sb_matrix_blocks_of(const struct sb_evidence *evidence, size_t side);

/* Returns the first index of block b, if `count` indexes are divided into `blocks` blocks. */
size_t sb_matrix_blocks_begin(size_t b, size_t blocks, size_t count);

struct sb_matrix_block {
    /* first row, number of rows, first position, number of positions; a row is an item, or a kind of equal items */
    size_t item, items, position, positions;
    size_t copies; /* number of items of these rows */
    double share;  /* mean of the cells in the block */
    double fair;   /* mean of the fair shares of these cells */
};
struct sb_matrix_block sb_matrix_blocks_get(const struct sb_evidence *evidence, const struct sb_matrix_blocks *blocks,
                                            size_t row, size_t column);

/* Returns the end of an axis on which the deviations of all blocks from their fair shares find room. */
double sb_matrix_blocks_scale(const struct sb_evidence *evidence, const struct sb_matrix_blocks *blocks);

/* Returns the deviation of the block, in standard deviations of a fair sample; NaN unless the evidence is a sample. */
double sb_block_z(const struct sb_evidence *evidence, const struct sb_matrix_block *block);

/* Returns whether the fair share lies outside the interval of a share, which is the mean of `weight` cells: by
 * Chernoff's bound, for `all` shares together at the report's alpha. For an exact law: whether the shares differ. */
bool sb_share_beyond(const struct sb_report *report, double share, double fair, double weight, double all);

/* The same for a block, and all blocks together. */
bool sb_block_beyond(const struct sb_report *report, const struct sb_matrix_blocks *blocks,
                     const struct sb_matrix_block *block);

#endif
