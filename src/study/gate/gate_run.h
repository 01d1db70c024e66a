/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A running gate: the state that the files of the gate share. */
#ifndef SB_STUDY_GATE_GATE_RUN_H
#define SB_STUDY_GATE_GATE_RUN_H

#include "study/results.h"
#include "study/run/run.h"

struct sb_gate_run {
    const struct sb_subject *subject; /* whose missing fields come from the saved evidence, if any */
    struct sb_request *options;       /* a copy, whose missing options come from the saved evidence, if any */
    struct sb_saved *saved;           /* the evidence to resume or to judge; borrowed; NULL: none */
    struct sb_error *error;
    struct sb_feed *feed;            /* owned; NULL if the gate judges saved evidence unchanged */
    struct sb_recogniser recogniser; /* between the feed and the loop */
    struct sb_run loop;              /* without a feed: the total of the saved run, and whether it was interrupted */
    size_t n, deal;
    struct sb_item_names *names; /* owned until `gate` takes them over */
    struct sb_fair *fair;        /* the intended law; owned; NULL: all orders are equally likely */
    struct sb_tallies tallies;
    bool savable; /* whether the tallies include all resumed evidence and no permutation twice */
    bool grows; /* each run adds new permutations to the saved evidence, as the subject does not yield the same again */
    bool lost;  /* the evidence could not be saved at the end */
    struct sb_ledger_claim claim;
    struct sb_tallies *recount;          /* the skipped permutations, counted again; owned; NULL: not needed */
    uint64_t carried;                    /* number of permutations of earlier runs, if the evidence grows */
    struct sb_fingerprint fingerprint;   /* of this run */
    struct sb_fingerprints fingerprints; /* of the earlier runs whose evidence this run resumes */
    int lock;                            /* descriptor that locks the file of the evidence; -1: not locked yet */
    double next;                         /* when the next save is due, in seconds of the clock */
    const char **left_out;               /* [left_out_count] as in `gate`; owned until `gate` takes them over */
    size_t left_out_count;
    struct sb_gate_steps *steps; /* owned; NULL: not needed */
    struct sb_gate *gate;
};

enum { SB_GATE_LIMIT = 2000000 }; /* the default limit on the number of permutations */

/* ---- gate_check.c ---- */

/* Checks the options and makes terms from them. `saved` is the evidence to resume or to judge, or NULL; completes the
 * subject from it. Sets *tried to whether the gate will ask the subject for permutations. SB_INVALID, SB_IO. */
enum sb_status sb_gate_settle(const struct sb_request *options, const struct sb_saved *saved, struct sb_error *error,
                              struct sb_gate_terms *terms, struct sb_subject *subject, bool *tried);

/* Whether the evidence has been counted by a report, whose counts the gate judges. */
bool sb_gate_reported(const struct sb_gate_run *run);

/* Makes those checks of a gate that are possible before its subject starts. The gate's alpha and delta are 1/shares of
 * the options'. SB_INVALID, SB_TOO_LARGE, SB_NO_MEMORY. */
enum sb_status sb_gate_check(const struct sb_subject *subject, const struct sb_request *options, size_t shares,
                             struct sb_error *error);

/* Checks that the run's tallies can rule out a shuffle with fewer than terms->seeds decks within the limit. */
enum sb_status sb_gate_seeds_check(const struct sb_gate_run *run, const struct sb_gate_terms *terms);

/* The same before the statistics are selected. A run with a ledger, which spends a share even if the check fails,
 * would get the share with the index `share`. SB_INVALID, SB_NO_MEMORY. */
enum sb_status sb_gate_seeds_ahead(const struct sb_gate_run *run, const struct sb_gate_terms *terms, uint64_t share);

/* Lists in gate->left_out, which must be empty, the statistics that are tested for smaller decks but not at this n;
 * or, if there is an intended law, those whose law is not known under it. `fair` may be NULL. SB_NO_MEMORY. */
enum sb_status sb_gate_leave_out(const struct sb_fair *fair, size_t n, size_t deal, struct sb_gate *gate);

/* Reads the intended law, options->fair. The errors are those of sb_fair_new(). */
enum sb_status sb_gate_fair_open(const struct sb_request *options, size_t n, size_t deal,
                                 const struct sb_item_names *names, struct sb_error *error, struct sb_fair **fair);

/* Keeps those of the chosen statistics whose law is known under the intended law. The rank joins them if few enough
 * orders are possible. Returns their number. */
size_t sb_gate_fair_known(const struct sb_fair *fair, const struct sb_gate_terms *terms,
                          const struct sb_statistic_type *type[], size_t chosen);

/* Keeps the words of the intended law, which may be NULL, and, if there are bets on weights, what these are based on.
 * SB_NO_MEMORY. */
enum sb_status sb_gate_fair_keep(const struct sb_fair *fair, bool weighed, struct sb_gate *gate);

/* ---- gate_resume.c: resumes saved evidence ---- */

/* Sets run->names to those of saved evidence, whose items are called `cards`; NULL: by numbers. Errors: SB_INVALID,
 * SB_NO_MEMORY. */
enum sb_status sb_gate_name_saved(struct sb_gate_run *run, const char *cards);

/* Selects the statistics and opens the tallies. With resumed evidence, both are as they were there. SB_INVALID, SB_IO,
 * SB_TOO_LARGE, SB_NO_MEMORY. */
enum sb_status sb_gate_select(struct sb_gate_run *run, const struct sb_gate_terms *terms);

/* Puts the recogniser between the feed, if there is one, and the loop. */
void sb_gate_recognise(struct sb_gate_run *run);

/* If the subject yields the tallied permutations again, skips these permutations. SB_SUBJECT if the subject yields
 * fewer or different permutations. */
enum sb_status sb_gate_replay(struct sb_gate_run *run);

/* ---- gate_steps.c: what the order of permutations has to do with a fail, which only chooses the words. The functions
 * do nothing if the run does not need them. ---- */

/* Prepares to keep permutations, unless the subject says that it is a chain. SB_NO_MEMORY. */
enum sb_status sb_gate_steps_open(struct sb_gate_run *run);
enum sb_status sb_gate_steps_add(struct sb_gate_steps *steps, const sb_item items[], size_t count);
void sb_gate_steps_free(struct sb_gate_steps *steps);

/* Whether a gate reads on after a fail, because the few permutations so far do not show whether all are the same. */
bool sb_gate_steps_wait(const struct sb_gate_steps *steps);

/* After a fail, sets gate->order. To be called once. SB_NO_MEMORY. */
enum sb_status sb_gate_steps_judge(struct sb_gate_run *run);

/* If the verdict on a few permutations is inconclusive, sets gate->report_ln_p. SB_NO_MEMORY. */
enum sb_status sb_gate_steps_report(struct sb_gate_run *run);

/* ---- gate_cells.c ---- */

enum { SB_GATE_OUTLIER_WAIT = 30 }; /* after so many permutations, a fail that only outliers show is final */

/* Returns whether a fail waits for more permutations, because only outliers show it so far: if all permutations are
 * biased, the other statistics will soon say how. */
bool sb_gate_outlier_waits(const struct sb_gate *gate);

/* Sets gate->outlier after a fail that only outliers explain, to a permutation after number `since`. SB_NO_MEMORY. */
enum sb_status sb_gate_outlier_find(const struct sb_tallies *tallies, uint64_t since, struct sb_gate *gate);

#endif
