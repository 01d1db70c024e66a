/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report as text or as Markdown. The page and its stream remember failures. */
#ifndef SB_STUDY_REPORT_REPORT_PAGE_H
#define SB_STUDY_REPORT_REPORT_PAGE_H

#include "gate/gate.h"
#include "report/page.h"
#include "report/result.h"
#include "study/report/report_result.h"

/* Writes the whole report: the run, the summary if all shuffles were reported, and the details. This function
 * is a method of sb_reports_result. */
void sb_document_page(const void *result, struct sb_page *page);

/* These functions write the parts of the report: the run, the table of all schemes, and one scheme. The
 * functions for the parts of one scheme follow in the order of the text. */
void sb_document_head(const struct sb_reports *reports, struct sb_page *page);
void sb_document_summary(const struct sb_reports *reports, struct sb_page *page);
void sb_document_table(const struct sb_reports *reports,
                       struct sb_page *page); /* the summary without its verdict */
void sb_document_title(const struct sb_pair *pair, struct sb_page *page);
void sb_document_origin(const struct sb_pair *pair, struct sb_page *page);
void sb_document_permutations(const struct sb_pair *pair, struct sb_page *page);
void sb_document_picture(const struct sb_report *report, struct sb_page *page);
void sb_document_places(const struct sb_report *report, struct sb_page *page);
void sb_document_reach(const struct sb_report *report, struct sb_page *page);
void sb_document_effects(const struct sb_pair *pair, struct sb_page *page);
/* `report` may be NULL. */
void sb_document_tests(const struct sb_report *report, struct sb_page *page);
void sb_document_verdicts(const struct sb_pair *pair, struct sb_page *page);

/* On a page of many schemes, the anchors of the schemes with details are SB_DOCUMENT_ANCHOR and the index of the
 * scheme's first report. sb_document_detailed() returns whether the scheme whose first report is `index` has
 * details: biased schemes have, up to SB_DOCUMENT_DETAILS_MOST, and those with a visible bias come first. */
enum { SB_DOCUMENT_DETAILS_MOST = 22 };
#define SB_DOCUMENT_ANCHOR "scheme"
bool sb_document_detailed(const struct sb_reports *reports, size_t index);

/* Returns the colour of a verdict. */
enum sb_ink sb_document_ink(const char *verdict);

/* Returns where the numbers of a matrix come from: "exact", "in part", "over these seeds" or "sampled". */
const char *sb_document_source(const struct sb_evidence *evidence);

/* Returns a deal's notation for people, with a visible text for a deal of no cards. */
const char *sb_document_deal(const struct sb_notation *notation);

struct sb_matrix_blocks {
    size_t rows, columns;
};

/* Returns the division of the matrix into blocks, at most `side` in each direction. */
struct sb_matrix_blocks sb_matrix_blocks_of(const struct sb_evidence *evidence, size_t side);

/* Returns the first index of block b, if `count` indexes are divided into `blocks` blocks. */
size_t sb_matrix_blocks_begin(size_t b, size_t blocks, size_t count);

/* One block. */
struct sb_matrix_block {
    /* first row, number of rows, first position, number of positions; a row is an item, or a kind of equal items */
    size_t item, items, position, positions;
    size_t copies; /* number of items of these rows */
    double share;  /* mean of the cells in the block */
    double fair;   /* mean of the fair shares of these cells */
};
struct sb_matrix_block sb_matrix_blocks_get(const struct sb_evidence *evidence,
                                            const struct sb_matrix_blocks *blocks, size_t row, size_t column);

/* Returns the deviation of the block, in units of the standard deviation of a fair sample. Returns NaN unless
 * the evidence is a sample. */
double sb_block_z(const struct sb_evidence *evidence, const struct sb_matrix_block *block);

/*
 * Returns whether the fair share lies outside the interval of a share. The share is the mean of `weight`
 * cells. For a sample, the interval comes from Chernoff's bound. The intervals of `all` shares hold
 * simultaneously at the report's alpha. For an exact law there is no interval, and the function says whether
 * the share differs from the fair share.
 */
bool sb_share_beyond(const struct sb_report *report, double share, double fair, double weight, double all);

/* Returns whether the fair share lies outside the block's interval. The intervals of all blocks hold
 * simultaneously at the report's alpha. */
bool sb_block_beyond(const struct sb_report *report, const struct sb_matrix_blocks *blocks,
                     const struct sb_matrix_block *block);

struct sb_cases;

void sb_reports_html(const void *result, struct sb_html *html);
void sb_reports_json(const void *result, struct sb_json *json);
void sb_reports_csv(const void *result, FILE *stream);

void sb_html_reproduce_gate(const struct sb_gate *gate, struct sb_html *html);

#endif
