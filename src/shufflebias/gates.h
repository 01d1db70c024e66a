/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The gate: it looks at a subject's permutations until it knows whether they are fair. docs/gate.md */
#ifndef SHUFFLEBIAS_GATES_H
#define SHUFFLEBIAS_GATES_H

#include "shufflebias/basics.h"
#include "shufflebias/subjects.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Saved evidence of a gate. Opaque. */
struct sb_gate_saved;

/*
 * What the gate decides. Fill the struct with sb_gate_options_init() and change what you need. The caller
 * keeps all strings and pointers alive until the call returns.
 */
struct sb_gate_options {
    double alpha; /* a fair shuffle fails with at most this probability, in [1e-100, 1); 1e-9 */
    /* A shuffle as biased as `exclude` passes with at most this probability, in [1e-100, 1); 1e-6. */
    double delta;
    double exclude;  /* total variation from fair that a pass rules out, in (0, 1); 0.01 */
    double tolerate; /* a bias up to this total variation does not fail, 0..exclude; 0 is the default */
    uint64_t limit;  /* the most permutations to count in this run, 1..2^63 - 1: docs/save.md; 2,000,000 */
    /*
     * A pass rules out fewer equally likely decks than this, as short seeds give, below 2^63; 0, the default:
     * rules out none.
     */
    uint64_t seeds;
    const char *profile; /* "cards": more statistics, of 52 playing cards in a new deck's order; or NULL */
    bool increments;     /* also tests the permutations that turn each result into the next */
    /*
     * A file through which all runs that name it share alpha and delta, however many runs there are; NULL:
     * this run stands alone. The library creates the file. It locks FILE.lock, and keeps decks of keys in
     * FILE.decks, at most 4 MB.
     */
    const char *ledger;
    /* A version of the tested shuffle, whose runs add up their evidence; needs a ledger; or NULL. */
    const char *key;
    /*
     * A file for the evidence, instead of a ledger, written at checkpoints and at the end; NULL: none. The
     * file must not exist, unless it is the file that `saved` was read from.
     */
    const char *save;
    double checkpoint; /* seconds between checkpoints, above 0; 60 */
    /*
     * Saved evidence to resume, up to the same limit; NULL: none. Without `save` the gate judges this
     * evidence unchanged and tries no subject. The evidence of a report cannot be combined with `save`.
     */
    const struct sb_gate_saved *saved;
    const volatile sig_atomic_t *stop; /* nonzero ends the work early with what is known; may be NULL */
    sb_progress *progress;             /* may be NULL */
    void *progress_state;              /* passed to progress */
};

/* Sets every field to its default. Example: gate_gsl.c. */
SB_API void sb_gate_options_init(struct sb_gate_options *options);

/* The gate's findings on one subject. Opaque and immutable. */
struct sb_gate;

/*
 * Tries the subject until its verdict is known, and ends the subject. The findings hold the verdict: SB_OK
 * means only that there is one. The caller frees *gate with sb_gate_free().
 *
 * Errors: SB_INVALID; SB_TOO_LARGE if the items are too many to count; SB_SUBJECT if the subject does not
 * start, prints something that is not a permutation or no permutation at all, exits with a status, or stays
 * silent for too long; SB_STOPPED before the first permutation; SB_IO if a file cannot be read or is damaged,
 * or the ledger or the evidence cannot be written; SB_NO_MEMORY. Example: gate_gsl.c.
 */
SB_API enum sb_status sb_gate_new(const struct sb_subject *subject, const struct sb_gate_options *options,
                                  struct sb_error *error, struct sb_gate **gate);

/* Frees the findings; NULL is allowed. Example: gate_gsl.c. */
SB_API void sb_gate_free(struct sb_gate *gate);

/* The main numbers; the JSON format has all of them. The strings live as long as the gate. */
struct sb_gate_summary {
    const char *verdict;  /* "pass", "fail" or "inconclusive" */
    const char *sentence; /* the verdict in words */
    uint64_t total;       /* permutations that the gate counted */
    /*
     * Evidence against fairness: for a fair shuffle it ever reaches ln(1/alpha) with probability alpha at
     * most.
     */
    double ln_e;
    double tv_low, tv_high; /* bounds of the total variation from fair, 0..1 */
    bool interrupted;       /* the stop flag ended the run */
    /* alpha and delta that this run spent: with a ledger a share of the options' values, else all */
    double alpha, delta;
    /* the gate rules out fewer equally likely decks than this, because no deck occurred twice; or 0 */
    double seeds_low;
    /* With a ledger: the number of this run, and of its share of alpha and delta; else 0. */
    uint64_t run, share;
};

/* Copies the summary. Example: gate_gsl.c. */
SB_API void sb_gate_summary_get(const struct sb_gate *gate, struct sb_gate_summary *summary);

/*
 * Writes the findings as "text", "markdown", "json", "junit", "tap", "html" or "svg". Otherwise it does what
 * sb_reports_write() does. Example: gate_suite.c.
 */
SB_API enum sb_status sb_gate_write(const struct sb_gate *gate, const char *format,
                                    const struct sb_look *look, struct sb_error *error, FILE *stream);

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
 * Copies the subject and the options of the saved run, and sets options->saved. Their strings live as long as
 * `saved`. The subject is complete only if it is a scheme: set a command, a file or a function again.
 * sb_gate_new() then resumes the run:
 *
 * - A scheme or a file yields the same permutations again. The gate skips those that it has counted, and
 *   saves at the end what an uninterrupted run would have saved.
 * - Any other subject yields new permutations, which the gate adds to the evidence.
 * - Evidence that has a verdict, or as many permutations as the limit, is only judged. So is a report's
 *   evidence, once: its terms are those of the options, and `limit` is 0, for all of the evidence.
 *
 * A field with another value than in the saved run is SB_INVALID in sb_gate_new(). A field of the subject
 * that is not set keeps its saved value, except the seed. Example: gate_suite.c.
 */
SB_API void sb_gate_saved_asked(const struct sb_gate_saved *saved, struct sb_subject *subject,
                                struct sb_gate_options *options);

/* ---- suites ---- */

/* One subject of a suite, with its own options. */
struct sb_suite_case {
    const char *name; /* name in results, different for each case; NULL: the subject's own name */
    struct sb_subject subject;
    struct sb_gate_options options;
};

/* The gate's findings on several subjects. Opaque and immutable. */
struct sb_suite;

/*
 * Runs the gate on cases[0..count-1], count >= 1, `jobs` at a time (0 means 1), and keeps their order. The
 * findings do not depend on `jobs`, but with more than one job the callbacks of different cases come from
 * several threads at once. Each subject has 1/count of the alpha and the delta of its options, so that the
 * whole suite is wrong no more often than one gate. A subject that fails to yield permutations does not stop
 * the others. The caller frees *suite with sb_suite_free().
 *
 * Errors: SB_INVALID and SB_TOO_LARGE for what is wrong before any subject starts; SB_NO_MEMORY. Example:
 * gate_suite.c.
 */
SB_API enum sb_status sb_suite_new(const struct sb_suite_case cases[], size_t count, unsigned jobs,
                                   struct sb_error *error, struct sb_suite **suite);

/* Frees the findings; NULL is allowed. Example: gate_suite.c. */
SB_API void sb_suite_free(struct sb_suite *suite);

/* The suite as a whole. */
struct sb_suite_summary {
    const char *verdict; /* the worst verdict: "broken", then "fail", "inconclusive" and "pass". Static */
    bool interrupted;    /* the stop flag ended a run */
    size_t count;        /* subjects */
};

/* Copies the summary. Example: gate_suite.c. */
SB_API void sb_suite_summary_get(const struct sb_suite *suite, struct sb_suite_summary *summary);

/* One subject of a suite. The pointers live as long as the suite. */
struct sb_suite_part {
    const char *name;
    const struct sb_gate *gate;   /* NULL if the subject failed to yield permutations, ... */
    const struct sb_error *error; /* ... and then the error; else NULL */
};

/*
 * Copies part `index`, from 0. Returns false beyond the last part and leaves *part unchanged then. Example:
 * gate_suite.c.
 */
SB_API bool sb_suite_get(const struct sb_suite *suite, size_t index, struct sb_suite_part *part);

/*
 * Writes the findings on all subjects in the formats of sb_gate_write(), or as "github", a line that GitHub's
 * workflows show beside a change for each subject that did not pass, or as "github-summary", a table in
 * Markdown. Example: gate_suite.c.
 */
SB_API enum sb_status sb_suite_write(const struct sb_suite *suite, const char *format,
                                     const struct sb_look *look, struct sb_error *error, FILE *stream);

#ifdef __cplusplus
}
#endif

#endif
