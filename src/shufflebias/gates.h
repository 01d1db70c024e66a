/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The gate, which tests a subject's permutations until it is known whether the shuffle is fair. docs/gate.md
 */
#ifndef SHUFFLEBIAS_GATES_H
#define SHUFFLEBIAS_GATES_H

#include "shufflebias/basics.h"
#include "shufflebias/subjects.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Reports, after a look at the tallies, that biases of `bound` or more (total variation, 0..1) are ruled out
 * so far. A bound below `goal`, the `exclude` of the options, allows a pass. The library calls the function
 * after each look, right before the callback `progress`, in the same thread.
 */
typedef void sb_gate_bound(void *state, double bound, double goal);

/* Saved evidence of a gate. Opaque. */
struct sb_gate_saved;

/*
 * What the gate decides. Fill the struct with sb_gate_options_init() and change what you need. The caller
 * keeps all strings and pointers alive until the call returns.
 */
struct sb_request {
    double alpha; /* the highest probability that a fair shuffle fails, in [1e-100, 1); default 1e-9 */
    /* The highest probability that a shuffle as biased as `exclude` passes, in [1e-100, 1); default 1e-6. */
    double delta;
    /* a pass rules out that the total variation from fair is this large or larger; in (0, 1); default 0.01 */
    double exclude;
    double tolerate; /* a bias up to this total variation does not fail, 0..exclude; default 0 */
    /* the largest number of permutations to test in this run (docs/save.md), 1..2^63 - 1; default
     * 2,000,000 */
    uint64_t limit;
    /*
     * A pass rules out that the shuffle has fewer than `seeds` equally likely decks, for example because of a
     * short seed. `seeds` is below 2^63. With 0, the default, a pass does not rule this out.
     */
    uint64_t seeds;
    /* "cards" adds statistics of 52 playing cards that start in a new deck's order; or NULL */
    const char *profile;
    /* also tests the steps: each step is the permutation that turns one result into the next */
    bool increments;
    /*
     * The file of the ledger. All runs with the same ledger together have one alpha and one delta, and each
     * run gets a part of both, however many runs there are. NULL: this run has alpha and delta for itself.
     * The library creates the file, and two files beside it: the lock FILE.lock, and FILE.decks, which has at
     * most 4 MB of decks from runs with a key.
     */
    const char *ledger;
    /*
     * The name of a version of the tested shuffle; the ledger adds up the evidence of all runs of a subject
     * with the same key. Functions with the same sb_subject.name are one subject. NULL: no key. A key
     * requires a ledger.
     */
    const char *key;
    /*
     * A file to which the gate writes its evidence at checkpoints and at the end; NULL: no file. The file
     * must not exist yet, unless `saved` was read from this file. `ledger` and `save` cannot be used
     * together.
     */
    const char *save;
    double checkpoint; /* seconds between checkpoints, above 0; default 60 */
    /*
     * Saved evidence to resume; the gate continues up to the limit of the saved run. NULL: no saved evidence.
     * Without `save` the gate only judges the saved evidence and runs no subject. The evidence of a report
     * cannot be combined with `save`.
     */
    const struct sb_gate_saved *saved;
    /* nonzero ends the work early, with the findings so far; may be NULL */
    const volatile sig_atomic_t *stop;
    sb_progress *progress; /* may be NULL */
    void *progress_state;  /* passed to progress */
    sb_gate_bound *bound;  /* may be NULL. Example: gate_command.c */
    void *bound_state;     /* passed to bound */
};

/* Sets every field to its default. Example: gate_gsl.c. */
SB_API void sb_gate_options_init(struct sb_request *options);

/* The gate's findings on one subject. Opaque and immutable. */
struct sb_gate;

/*
 * Tests the subject until the verdict is known, and ends the subject. SB_OK does not mean that the subject
 * passed: sb_gate_summary_get() tells the verdict. The caller frees *gate with sb_gate_free().
 *
 * Errors: SB_INVALID, also if the subject's file cannot be opened; SB_TOO_LARGE if there are too many items;
 * SB_SUBJECT if the subject does not start, prints something that is not a permutation, prints nothing, exits
 * with an error status, stays silent for too long, prints sorted lines (`ordered` in struct sb_subject), or is a
 * function that returns a value other than 0;
 * SB_STOPPED if the stop flag is raised before a command or a file has yielded a permutation (a scheme and a
 * function always yield one, and the call then ends with SB_OK and `interrupted`); SB_IO if an open file cannot be read, a
 * file is damaged, or the ledger or the evidence cannot be written; SB_NO_MEMORY. Example: gate_gsl.c.
 */
SB_API enum sb_status sb_gate_new(const struct sb_subject *subject, const struct sb_request *options,
                                  struct sb_error *error, struct sb_gate **gate);

/* Frees the findings; NULL is allowed. Example: gate_gsl.c. */
SB_API void sb_gate_free(struct sb_gate *gate);

/* The main numbers of a gate. The JSON format has all numbers. The strings live as long as the gate. */
struct sb_gate_summary {
    const char *verdict;  /* "pass", "fail" or "inconclusive" */
    const char *sentence; /* the verdict in words */
    uint64_t total;       /* number of permutations that the gate tested */
    /*
     * ln E, the evidence against fairness. If the shuffle is fair, the probability that ln E ever reaches
     * ln(1/alpha) is at most alpha.
     */
    double ln_e;
    double tv_low, tv_high; /* bounds of the total variation from fair, 0..1 */
    bool interrupted;       /* the stop flag ended the run */
    /* alpha and delta of this run: with a ledger, a share of the options' values; else the options' values */
    double alpha, delta;
    /* lower bound on the number of equally likely decks; 0: no bound, for example after a deck occurred
     * twice */
    double seeds_low;
    /*
     * With a ledger: `run` says which run this is, and `share` says which share of alpha and delta the run
     * has; both count from 1. Without a ledger, both are 0.
     */
    uint64_t run, share;
};

/* Copies the summary. Example: gate_gsl.c. */
SB_API void sb_gate_summary_get(const struct sb_gate *gate, struct sb_gate_summary *summary);

/*
 * Writes the findings as "text", "markdown", "json", "junit", "tap", "html" or "svg", or in a format for GitHub
 * (sb_suite_write()). Otherwise the function is like sb_reports_write(). Example: gate_suite.c.
 */
SB_API enum sb_status sb_gate_write(const struct sb_gate *gate, const char *format,
                                    const struct sb_look *look, struct sb_error *error, FILE *stream);

/*
 * Writes the findings to memory in a format of sb_gate_write(). Otherwise the function is like
 * sb_reports_text(). Example: text_in_memory.c.
 */
SB_API enum sb_status sb_gate_text(const struct sb_gate *gate, const char *format, const struct sb_look *look,
                                   struct sb_error *error, char **text, size_t *length);

/* ---- saved gates ---- */

/*
 * Reads the evidence that sb_gate_new() or sb_reports_new() saved at `path`. The caller frees *saved with
 * sb_gate_saved_free(). Errors: those of sb_saved_new(). Example: gate_suite.c.
 */
SB_API enum sb_status sb_gate_saved_new(const char *path, struct sb_error *error,
                                        struct sb_gate_saved **saved);

/* Frees the evidence; NULL is allowed. Example: gate_suite.c. */
SB_API void sb_gate_saved_free(struct sb_gate_saved *saved);

/*
 * Copies the subject and the options of the saved run, and sets options->saved. The strings of *subject and
 * *options live as long as `saved`. If the subject is a command, a file or a function, the caller must set
 * `command`, `file` or `shuffle` of *subject again. sb_gate_new() then resumes the run:
 *
 * - A scheme or a file yields the same permutations again. The gate skips the permutations that the saved run
 *   tested, and saves at the end what an uninterrupted run would have saved.
 * - Any other subject yields new permutations, which the gate adds to the evidence.
 * - If the evidence has a verdict, or has as many permutations as the limit, the gate only judges the
 *   evidence.
 * - If the evidence is that of a report, the gate only judges the evidence, too. The gate then uses alpha,
 *   delta, exclude and tolerate of the options; `limit` is 0, which stands for all of the evidence.
 *
 * If the caller sets a field to a value that differs from the saved run, sb_gate_new() returns SB_INVALID. A
 * field of the subject that is not set has the value of the saved run, except `title`, `timeout`, `cwd` and
 * `once`, which are not saved; the seed and `cwd` must always be those of the saved run. Example: gate_suite.c.
 */
SB_API void sb_gate_saved_asked(const struct sb_gate_saved *saved, struct sb_subject *subject,
                                struct sb_request *options);

/* ---- suites ---- */

/* One subject of a suite. The pointers live as long as the suite. */
struct sb_suite_part {
    const char *name;
    const struct sb_gate *gate;   /* the findings; NULL if the subject failed to yield permutations */
    const struct sb_error *error; /* the error if the subject failed; else NULL */
};

/* Receives the findings on a subject of a suite as soon as they are known. The pointer `part` is valid until
 * the callback returns. */
typedef void sb_suite_finished(void *state, const struct sb_suite_part *part);

/* One subject of a suite, with its own options. */
struct sb_suite_case {
    const char *name; /* name in results, different for each case; NULL: the name of the subject */
    const struct sb_subject *subject;
    const struct sb_request *options; /* NULL: the defaults */
    sb_suite_finished *finished;      /* may be NULL. Example: gate_suite.c */
    void *finished_state;             /* passed to finished */
};

/* The gate's findings on several subjects. Opaque and immutable. */
struct sb_suite;

/*
 * Runs the gate on cases[0..count-1]; count is at least 1. `jobs` is the number of cases that run at a time; 0 means 1. The suite keeps the order of the
 * cases. The findings do not depend on `jobs`, but with more than one job the callbacks of different cases
 * come from several threads at once. Each gate uses the alpha and the delta of its options divided by
 * `count`. So if all cases have the same alpha and delta, these bounds hold for the suite as a whole, too.
 * A subject that fails to yield permutations does not stop the other subjects. The caller frees *suite
 * with sb_suite_free().
 *
 * Errors: SB_INVALID and SB_TOO_LARGE for errors that are known before any subject starts; SB_NO_MEMORY.
 * Example: gate_suite.c.
 */
SB_API enum sb_status sb_suite_new(const struct sb_suite_case cases[], size_t count, unsigned jobs,
                                   struct sb_error *error, struct sb_suite **suite);

/* Frees the findings; NULL is allowed. Example: gate_suite.c. */
SB_API void sb_suite_free(struct sb_suite *suite);

/* The suite as a whole. */
struct sb_suite_summary {
    /* the worst verdict of a subject; from worst to best: "broken", "fail", "inconclusive", "pass". The
     * string is static */
    const char *verdict;
    bool interrupted; /* the stop flag ended a run */
    size_t count;     /* number of subjects */
};

/* Copies the summary. Example: gate_suite.c. */
SB_API void sb_suite_summary_get(const struct sb_suite *suite, struct sb_suite_summary *summary);

/*
 * Copies part `index`; the first is part 0. Beyond the last part the function returns false and leaves *part
 * unchanged. Example: gate_suite.c.
 */
SB_API bool sb_suite_get(const struct sb_suite *suite, size_t index, struct sb_suite_part *part);

/*
 * Writes the findings on all subjects in a format of sb_gate_write(), as "github" or as "github-summary".
 * "github" has one line for each subject that did not pass; GitHub's workflows show the lines beside a
 * change. "github-summary" is a table in Markdown. Example: gate_suite.c.
 */
SB_API enum sb_status sb_suite_write(const struct sb_suite *suite, const char *format,
                                     const struct sb_look *look, struct sb_error *error, FILE *stream);

/*
 * Writes the findings on all subjects to memory in a format of sb_suite_write(). Otherwise the function is like
 * sb_reports_text(). Example: text_in_memory.c.
 */
SB_API enum sb_status sb_suite_text(const struct sb_suite *suite, const char *format,
                                    const struct sb_look *look, struct sb_error *error, char **text,
                                    size_t *length);

#ifdef __cplusplus
}
#endif

#endif
