/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A computed report, before a format writes it. A number that is unknown or does not apply is NaN. */
#ifndef SB_STUDY_REPORT_REPORT_RESULT_H
#define SB_STUDY_REPORT_REPORT_RESULT_H

#include "core/evidence.h"
#include "report/result.h"

struct sb_explain;

/* One report: one subject, one kind of evidence. */
struct sb_report {
    /* name of the subject: a normalised scheme ("naive/modulo:15"), a command or a file; owned */
    char *name;
    /* name of the shuffle: "sort-by-key:53"; owned; like `draw` and `rng`, NULL unless the subject is a
     * scheme */
    char *shuffle;
    char *draw;                  /* name of the draw: "ideal"; owned */
    char *rng;                   /* name of the generator; owned; NULL for exact evidence */
    struct sb_item_names *names; /* what the items are called; owned; NULL: numbers from 1 */
    const char *title, *cite;    /* title and citation of the shuffle; static; may be NULL */
    struct sb_evidence evidence;
    /* the tree of draws and the resulting orders; owned; NULL unless the report is exact and has few items */
    struct sb_explain *tree;
    bool counts; /* whether to list all counts, in the formats that can do so */
    /* whether the shuffle is fair by a theorem: it is fair with fair draws, and its draws are fair */
    bool proven;
    /* whether the shuffle is fair for whole decks but not for deals, and this report is on whole decks */
    bool whole_only;
    bool has_effect;         /* false if only the matrix is known */
    struct sb_effect effect; /* valid if has_effect */
    size_t findings_count;
    struct sb_finding *findings; /* [findings_count]; owned */
    /* repeated decks, if the report is sampled and deals were not counted by rank */
    struct sb_repeats repeats;
    /* number of deals in the table. The table has either all deals, by rank, or first the most and then the
     * least frequent deals */
    size_t rows_count;
    struct sb_row *rows; /* [rows_count]; owned */
    /* the cells whose intervals exclude the fair share, if the report is sampled and deals were not counted
     * by rank */
    struct sb_places places;
    double alpha;
    const char *correction; /* the sentence on how several tests share alpha; static */
    size_t tests;           /* number of reliable tests, which share alpha */
    double p;               /* the smallest p after correction; NaN without findings */
    double ln_p;
    const char
        *each; /* what a permutation of a stream is: "line", "permutation" or "step"; static; may be NULL */
    const char *verdict; /* "uniform", "biased", "no bias seen", "inconclusive"; static */
    char *sentence;      /* the verdict in words; owned */
    /* for permutations from outside the program: the faulty shuffle that they look like */
    struct sb_looks_like looks_like;
    char *warning; /* what is unreliable, and what to do about it; owned; may be NULL */
};

/* The options of a proof; 0 where an option has its default. */
struct sb_proof_terms {
    uint32_t cells, draws;
    uint64_t paths;
};

struct sb_reports {
    char *title; /* what the caller calls the reports; owned; NULL: nothing */
    size_t count;
    struct sb_report *report; /* [count]; owned; a scheme's exact report comes before its sampled report */
    bool all;                 /* whether the user named no scheme; if so, all shuffles are reported */
    bool interrupted;
    size_t n, deal;
    uint64_t seed;
    char *statistics;            /* the requested statistics, as in the options; "": none; NULL: all; owned */
    char *profile;               /* the requested profile; NULL: none; owned */
    bool chained;                /* whether the permutations are the steps of a chain */
    bool ordered;                /* whether sorted permutations show the order of the draw */
    struct sb_proof_terms proof; /* how a proof asked, if this is not the default */
    bool titled;                 /* whether the names of items are titles in a file, which may have blanks */
};

/* Takes the names from a list such as "A B C", if the list is not NULL. The report owns the names. Errors:
 * SB_INVALID, SB_NO_MEMORY. */
enum sb_status sb_report_name_items(const char *list, struct sb_error *error, struct sb_report *report);

/* Copies the title, if it is not NULL, and the options that a page repeats. Error: SB_NO_MEMORY. */
enum sb_status sb_reports_call(const struct sb_request *options, const char *title, struct sb_error *error,
                               struct sb_reports *reports);

/* Returns whether formats for programs list the count of every deal. They do if these counts are known, and
 * either there are at most 8 items or the list was requested. */
bool sb_report_lists_counts(const struct sb_report *report);

/* Returns the first reliable finding with the smallest p, or NULL if there is none. */
const struct sb_finding *sb_report_worst(const struct sb_report *report);

/* Returns the smallest larger number of samples of which an outcome can make p smaller than alpha; NaN if there is
 * none, or it is very large. */
double sb_report_enough(const struct sb_report *report);

/* Returns the finding that shows that the permutations of a stream depend on each other; NULL if none does. Call this
 * function after sb_report_correct(). */
const struct sb_finding *sb_report_dependence(const struct sb_report *report);

void sb_report_close(struct sb_report *report);

extern const struct sb_result_type sb_reports_result;

/* The two reports, of which at least one is not NULL. A report by seeds takes the place of the exact report.
 * Both are borrowed. */
struct sb_pair {
    const struct sb_report *exact, *sampled;
};

/* Makes a pair of the report at `index` and the next report, if the next report is the sampled report of the
 * same scheme. Otherwise the pair has only the report at `index`. Returns the index after the pair. */
size_t sb_pair_next(const struct sb_reports *reports, size_t index, struct sb_pair *pair);

/* Returns the exact report if there is one, else the sampled report. */
const struct sb_report *sb_pair_best(const struct sb_pair *pair);

/* Returns a copy of the pair. The copy omits the exact report if that report has only a matrix and there is a
 * sampled report. */
struct sb_pair sb_pair_counted(const struct sb_pair *pair);

bool sb_report_biased(const struct sb_report *report);

/* Returns whether the bias is too small to be noticed: the exact law is biased, but no sample of a feasible
 * size would show the bias, and the sampled report does not show the bias either. */
bool sb_pair_invisible(const struct sb_pair *pair);

/* Returns the verdict of `best` in a few words or, if only the sample shows a bias, the verdict of the
 * sample. */
const char *sb_pair_verdict(const struct sb_pair *pair, const struct sb_report *best);

/* Returns the table's row of the deal with this rank, or NULL if the table has no such row. */
const struct sb_row *sb_report_row(const struct sb_report *report, size_t rank);

/* Counts the schemes with reports, and the biased schemes among them. */
void sb_pairs_count(const struct sb_reports *reports, size_t *schemes, size_t *biased);

#endif
