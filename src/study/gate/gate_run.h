/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A gate at work: what the files of the gate share. */
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
    const struct sb_subject *subject; /* whole: what it does not say is as it was, where it is gone on with */
    const struct sb_gate_options *options;
    struct sb_error *error;
    struct sb_feed *feed;            /* of the subject; NULL where saved evidence is looked at as it is */
    struct sb_recogniser recogniser; /* between that feed and the loop */
    struct sb_run loop; /* also where saved evidence is looked at: then the saved run may be interrupted */
    size_t n, deal;
    struct sb_tallies tallies;
    bool savable; /* the tallies: all that is carried on is in them, and nothing twice */
    struct sb_ledger_claim claim;
    uint64_t carried;                /* permutations of earlier runs with the ledger's key */
    struct sb_fingerprint opening;   /* of this run, and ... */
    struct sb_fingerprints openings; /* ... of those before, whose evidence it goes on from */
    int held;              /* the file that it is saved to, by a descriptor; -1: there is none yet */
    double next;           /* seconds of the clock: when the evidence is to be put down */
    const char **left_out; /* [left_out_count] as in the gate, until it has them; owned */
    size_t left_out_count;
    struct sb_gate *gate;
};

enum { SB_GATE_LIMIT = 2000000 }; /* permutations, where nothing is said */

/* ---- gate_check.c ---- */

/*
 * What the options ask for, in terms; the subject is completed by saved evidence, which is gone on with if it
 * is `tried`. SB_INVALID.
 */
enum sb_status sb_gate_settle(const struct sb_gate_options *options, struct sb_error *error,
                              struct sb_gate_terms *terms, struct sb_subject *subject, bool *tried);

/* Whether these tallies can ever show as many decks as the terms ask for, by their limit. SB_INVALID. */
enum sb_status sb_gate_seeds_check(const struct sb_gate_run *run, const struct sb_gate_terms *terms);

/* The same of a run of a ledger, before it claims a share, which is spent whatever comes of the run.
 * SB_INVALID, SB_NO_MEMORY. */
enum sb_status sb_gate_seeds_claim(const struct sb_gate_run *run, const struct sb_gate_terms *terms);

/* ---- gate_resume.c ---- */

/* Selects the statistics, those that are carried on if any are, and makes their tallies ready, with all that
 * is carried on. SB_INVALID, SB_IO, SB_TOO_LARGE, SB_NO_MEMORY. */
enum sb_status sb_gate_select(struct sb_gate_run *run, const struct sb_gate_terms *terms);

/* ---- gate_counted.c: evidence of a report ---- */

/* The statistics in play that the evidence has, as sb_selection_choose(); run->left_out has the others. SB_IO: its
 * tallies are not this version's; SB_NO_MEMORY. */
enum sb_status sb_gate_counted_choose(struct sb_gate_run *run, const struct sb_gate_terms *terms,
                                      const struct sb_statistic_type *type[], size_t *count);

/* Puts the evidence into the tallies of these statistics. SB_NO_MEMORY. */
enum sb_status sb_gate_counted_take(struct sb_gate_run *run);

/* Says in the gate, whose evidence is there, what it was made of; nothing where it is no report's. */
void sb_gate_counted_say(struct sb_gate_run *run);

/* ---- gate_save.c: the evidence is put down while the gate is at work; nothing is done without options->save
 * ---- */

/* Begins: the file is there and held from now on, so that a run can be gone on with that is killed at any
 * moment. SB_IO, also where another run holds it. */
enum sb_status sb_gate_save_begin(struct sb_gate_run *run);

/* Puts it down if it is due. SB_IO. */
enum sb_status sb_gate_save_pause(void *run);

/* Puts it down at the end of a run that has come to `status`, also where that is a failure; what the run ends
 * with. */
enum sb_status sb_gate_save_end(struct sb_gate_run *run, enum sb_status status);

/* Gives the file up. */
void sb_gate_save_close(struct sb_gate_run *run);

/*
 * Passes over the permutations that are in the tallies already, where the subject gives them again.
 * SB_SUBJECT: it has fewer, or others.
 */
enum sb_status sb_gate_replay(struct sb_gate_run *run);

#endif
