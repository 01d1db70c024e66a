/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A running gate: the state that the files of the gate share. */
#ifndef SB_STUDY_GATE_GATE_RUN_H
#define SB_STUDY_GATE_GATE_RUN_H

#include "gate/gate.h"
#include "store/evidence/gate_saved.h"
#include "store/ledger/ledger.h"
#include "study/run/recognise.h"
#include "study/run/run.h"
#include "subject/feed_start.h"
#include "tally/tallies.h"

struct sb_gate_run {
    const struct sb_subject *subject; /* completed from saved evidence, if that is resumed */
    const struct sb_gate_options *options;
    struct sb_error *error;
    struct sb_feed *feed;            /* of the subject; owned; NULL if saved evidence is judged unchanged */
    struct sb_recogniser recogniser; /* between the feed and the loop */
    struct sb_run loop; /* without a feed: the total of the saved run, and whether it was interrupted */
    size_t n, deal;
    struct sb_tallies tallies;
    bool
        savable; /* whether the tallies include all evidence that is resumed, and count no permutation twice */
    struct sb_ledger_claim claim;
    uint64_t carried;                    /* permutations of earlier runs with the ledger's key */
    struct sb_fingerprint fingerprint;   /* of this run */
    struct sb_fingerprints fingerprints; /* of the earlier runs whose evidence it resumes */
    int lock;              /* descriptor that locks the file of the evidence; -1: not locked yet */
    double next;           /* when the next save is due, in seconds of the clock */
    const char **left_out; /* [left_out_count] as in the gate, which takes it over; owned */
    size_t left_out_count;
    struct sb_gate *gate;
};

enum { SB_GATE_LIMIT = 2000000 }; /* permutations, unless the options say otherwise */

/* ---- gate_check.c ---- */

/*
 * Checks the options and makes terms from them. Completes the subject from saved evidence; `*tried` says
 * whether the gate will ask the subject for permutations. SB_INVALID.
 */
enum sb_status sb_gate_settle(const struct sb_gate_options *options, struct sb_error *error,
                              struct sb_gate_terms *terms, struct sb_subject *subject, bool *tried);

/* Checks that these tallies can rule out fewer decks than terms->seeds within their limit. SB_INVALID. */
enum sb_status sb_gate_seeds_check(const struct sb_gate_run *run, const struct sb_gate_terms *terms);

/* The same for a run with a ledger, before it claims a share, because a claimed share is spent. SB_INVALID,
 * SB_NO_MEMORY. */
enum sb_status sb_gate_seeds_claim(const struct sb_gate_run *run, const struct sb_gate_terms *terms);

/* ---- gate_resume.c: saved evidence, or that of earlier runs with the ledger's key ---- */

/* Selects the statistics, or those of resumed evidence, and opens their tallies with that evidence.
 * SB_INVALID, SB_IO, SB_TOO_LARGE, SB_NO_MEMORY. */
enum sb_status sb_gate_select(struct sb_gate_run *run, const struct sb_gate_terms *terms);

/* Restores the looks of saved evidence, except a look at its very end, which is repeated for its verdict.
 * SB_NO_MEMORY. */
enum sb_status sb_gate_restore_looks(struct sb_gate_run *run);

/* Puts the recogniser between the subject's feed, if there is one, and the loop. It receives the earlier runs
 * whose evidence is in the tallies, and whether this run adds to it. */
void sb_gate_recognise(struct sb_gate_run *run);

/* Skips the permutations that are in the tallies already, if the subject yields them again. SB_SUBJECT: it
 * yields fewer or different permutations. */
enum sb_status sb_gate_replay(struct sb_gate_run *run);

/* ---- gate_counted.c: evidence of a report ---- */

/* Selects the statistics that the evidence has, as sb_selection_choose(); run->left_out lists the missing
 * ones. SB_IO: the tallies come from another version; SB_NO_MEMORY. */
enum sb_status sb_gate_counted_choose(struct sb_gate_run *run, const struct sb_gate_terms *terms,
                                      const struct sb_statistic_type *type[], size_t *count);

/* Adds the evidence to the tallies of these statistics. SB_NO_MEMORY. */
enum sb_status sb_gate_counted_take(struct sb_gate_run *run);

/* Notes in the findings where the evidence comes from; does nothing unless it is a report's. */
void sb_gate_counted_say(struct sb_gate_run *run);

/* ---- gate_large.c ---- */

/* Notes in the findings, whose left_out is empty, which statistics of smaller decks are left out at this n.
 * SB_NO_MEMORY. */
enum sb_status sb_gate_leave_out(size_t n, size_t deal, struct sb_gate *gate);

/* The same for a gate on permutations; does nothing for a report's counts. */
enum sb_status sb_gate_large_say(struct sb_gate_run *run);

/* ---- gate_save.c: the evidence is saved while the gate runs; without options->save nothing is done ---- */

/* Creates the file and locks it, so that the run can be resumed even if it is killed at any moment. SB_IO:
 * also if another run has locked the file. */
enum sb_status sb_gate_save_begin(struct sb_gate_run *run);

/* Saves the evidence if that is due by the clock; a hook of the loop, whose state is the run. SB_IO. */
enum sb_status sb_gate_save_pause(void *run);

/* Saves the evidence at the end of a run with this status, even after a failure. Returns the final status of
 * the run. */
enum sb_status sb_gate_save_end(struct sb_gate_run *run, enum sb_status status);

/* Unlocks the file. */
void sb_gate_save_close(struct sb_gate_run *run);

#endif
