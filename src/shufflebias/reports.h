/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reports: the law of a shuffle, exact, sampled or by seeds, with effect sizes, tests and a verdict.
 * docs/report.md
 */
#ifndef SHUFFLEBIAS_REPORTS_H
#define SHUFFLEBIAS_REPORTS_H

#include "shufflebias/basics.h"
#include "shufflebias/cluster.h"
#include "shufflebias/subjects.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The kinds of reports. Combine several with |. */
enum sb_by {
    SB_BY_EXACT = 1,  /* the law itself */
    SB_BY_SAMPLE = 2, /* tallies of many shuffles */
    SB_BY_SEEDS = 4,  /* the first deck from each seed of a generator */
};

/*
 * What a report computes. Fill the struct with sb_options_init() and change what you need. Every call that
 * takes the struct checks all fields: a value out of range is SB_INVALID even if the call does not use the
 * field. The caller keeps all strings and pointers alive until the call returns.
 */
struct sb_request {
    size_t n;         /* items, 0..65535; default 3; n * deal is at most 2^26 if positions are tallied */
    size_t deal;      /* cards dealt, 1..n; 0, the default, means all */
    uint64_t samples; /* shuffles per scheme, below 2^63; 0, the default, means about a second's work */
    uint64_t seed;    /* seed of the generator, below 2^63; default 1 */
    /* values of enum sb_by; 0, the default: a sample, and also the exact law if its computation is quick */
    unsigned by;
    uint64_t seeds_first; /* the first seed of a report by seeds */
    /* number of seeds of a report by seeds; 0, the default, means all seeds of the generator */
    uint64_t seeds_count;
    /* the largest number of threads, 1..1024; 0, the default, means one per processor. The number does not
     * affect the results. */
    unsigned threads;
    bool counts;  /* lists all counts even if there are more than 8 items */
    double alpha; /* the level of the verdicts and intervals, in [1e-100, 1); default 0.001 */
    /*
     * The names, separated by commas, of the statistics that test a sample in addition to rank and position.
     * "" means no further statistics; NULL, the default, means all statistics. If there are too many possible
     * decks to tally each of them, the statistic "repeat" counts the decks that occur twice. The statistic
     * "bettor" predicts each card of the permutations in a stream; it requires whole permutations of 6 to 128
     * items.
     */
    const char *statistics;
    const char *profile; /* as in struct sb_request */
    /*
     * Also tests the steps from one permutation to the next; a step is the permutation that turns one
     * permutation into the next. A sample of a scheme consists of blocks of 16 to 65536 permutations, and no
     * step leads from one block to the next. A report by seeds tests the steps from the deck of each seed to
     * the deck of the next seed, for the first `samples` seeds.
     */
    bool increments;
    const char *draw; /* draw of a scheme without a draw; NULL for "ideal" */
    const char *rng;  /* generator of a scheme without a generator; NULL for "philox" */
    /*
     * A file to which the library writes the sample at checkpoints and at the end; NULL: no file. With a file
     * there must be a single scheme, and the report has no exact law.
     */
    const char *save;
    double checkpoint; /* seconds between checkpoints, above 0 and at most 1e9; default 60 */
    /* number of shards that the sample is split into, 1..1000000; 0, the default: the sample is not split */
    unsigned shards;
    /* the number of the shard that this run computes, 1..shards; 0 if the sample is not split */
    unsigned shard;
    const volatile sig_atomic_t *stop; /* nonzero ends the work early, with the results so far; may be NULL */
    sb_progress *progress;             /* may be NULL */
    void *progress_state;              /* passed to progress */
    /*
     * The processes that share the work of sb_reports_new() and sb_reports_saved(); the calling process must
     * be rank 0. NULL, the default: this process works alone.
     */
    const struct sb_ranks *ranks;
    /*
     * The names of the items in the order before the shuffle, separated by blanks: "AS 2S ... KC"; results
     * then name the items. Equal names are equal items: docs/multisets.md. n is the number of names; the field n
     * may keep its default. NULL, the default: items are numbers, or have the names that the subject or the
     * recorded matrix gives. Example: name_cards.c.
     */
    const char *cards;
    const char *title; /* the title of the reports; NULL, the default: none */
};

/* Sets every field to its default. Example: report_naive.c. */
SB_API void sb_options_init(struct sb_request *options);

/*
 * A list of reports on one or more schemes. For each scheme, the exact report comes before the sampled
 * report. Opaque and immutable.
 */
struct sb_reports;

/*
 * Makes the reports on schemes[0..count-1], each written SHUFFLE, SHUFFLE/DRAW or SHUFFLE/DRAW/RNG. If count
 * is 0, the reports cover all shuffles but those that are used only by their names (docs/schemes.md), and the
 * text and Markdown formats summarise the reports in a table.
 * The caller frees *reports with sb_reports_free(). Errors: SB_INVALID, SB_TOO_LARGE, SB_NO_MEMORY,
 * SB_STOPPED, and SB_IO if options->save cannot be written. Example: report_naive.c.
 */
SB_API enum sb_status sb_reports_new(const char *const schemes[], size_t count,
                                     const struct sb_request *options, struct sb_error *error,
                                     struct sb_reports **reports);

/*
 * Makes a report on a subject that is not a scheme. The call uses only these options: samples (the largest
 * number of permutations to read; 0 means 2,000,000), counts, statistics, profile, increments, alpha, title,
 * stop and progress. n, deal and cards are fields of the subject. The caller frees *reports. Errors: those of
 * sb_gate_new(). Example: gate_suite.c.
 */
SB_API enum sb_status sb_reports_observe(const struct sb_subject *subject, const struct sb_request *options,
                                         struct sb_error *error, struct sb_reports **reports);

/*
 * Makes a report on a matrix of counts that another program recorded. The path "-" means standard input. The
 * file has one line per item, and each line has one count per position. Commas, semicolons, tabs or blanks
 * separate the counts. A line of titles and a column of names may precede the counts; sums are not allowed.
 * The call uses only these options: deal, alpha, cards, title and stop. `deal` is the number of items that each shuffle
 * deals, and is required if a shuffle does not deal all items. The caller frees *reports.
 *
 * Errors: SB_INVALID if the file cannot be read or contains sums, or if no number of shuffles can give these
 * counts (the error's line names the place); SB_TOO_LARGE, SB_IO, SB_NO_MEMORY, SB_STOPPED. Example:
 * gate_suite.c.
 */
SB_API enum sb_status sb_reports_recorded(const char *path, const struct sb_request *options,
                                          struct sb_error *error, struct sb_reports **reports);

/* Frees the reports; NULL is allowed. Example: report_naive.c. */
SB_API void sb_reports_free(struct sb_reports *reports);

/*
 * Writes the reports to an open stream, which the caller closes. `format` is "text", "markdown", "json",
 * "csv", "junit", "tap", "html" or "svg". `look` applies to "text" and "svg" only; NULL means plain ASCII
 * text. Errors: SB_INVALID for an unknown format or figure, SB_IO, SB_NO_MEMORY. Example: report_naive.c.
 */
SB_API enum sb_status sb_reports_write(const struct sb_reports *reports, const char *format,
                                       const struct sb_look *look, struct sb_error *error, FILE *stream);

/*
 * Writes the reports to memory instead of a stream. *text ends in a NUL; the caller frees the text with
 * sb_text_free(). *length is the number of bytes without the NUL; `length` may be NULL. The formats and the
 * errors are those of sb_reports_write(), except that SB_IO cannot occur. Example: text_in_memory.c.
 */
SB_API enum sb_status sb_reports_text(const struct sb_reports *reports, const char *format,
                                      const struct sb_look *look, struct sb_error *error, char **text,
                                      size_t *length);

/* Returns whether the stop flag ended the work early. Example: report_naive.c. */
SB_API bool sb_reports_interrupted(const struct sb_reports *reports);

/* Returns the number of reports. Example: report_naive.c. */
SB_API size_t sb_reports_count(const struct sb_reports *reports);

/*
 * The main numbers of one report. The JSON format has all numbers. The strings live as long as the reports.
 */
struct sb_summary {
    const char *subject;  /* the scheme, as written */
    const char *by;       /* "exact", "sample" or "seeds" */
    const char *verdict;  /* "uniform", "biased", "no bias seen" or "inconclusive" */
    const char *sentence; /* the verdict in words */
    /* total variation from uniform, 0..1; NaN if the deals were not tallied separately */
    double total_variation;
    double p; /* the smallest p-value after correction; NaN without a test */
};

/*
 * Copies the summary of report `index`, 0..sb_reports_count()-1. Beyond the last report the function returns
 * false and leaves *summary unchanged. Example: report_naive.c.
 */
SB_API bool sb_reports_summary(const struct sb_reports *reports, size_t index, struct sb_summary *summary);

#ifdef __cplusplus
}
#endif

#endif
