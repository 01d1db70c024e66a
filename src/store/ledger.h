/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ledger: the error budget that several runs of the gate divide among them. Share k has the levels alpha/(k(k+1))
 * and delta/(k(k+1)); the levels of all shares add up to alpha and delta. So the probability that at least one run
 * gives a false alarm is at most alpha, even if the number of runs is unlimited.
 *
 * A run claims its share before the run looks at any permutation. So a killed run has spent its share. A file of
 * evidence has one share, and all runs that save to the file continue its evidence: together they are one test at one
 * level. This test is valid only if no run leaves out evidence because of what the evidence shows. Therefore the file
 * of evidence names the run of the ledger that wrote it, and only this run's evidence is continued: not a copy of an
 * earlier state, whose later permutations would be left out. If that run has not recorded an outcome, it was killed,
 * and the permutations after its last checkpoint are lost. A subject whose permutations come again yields them again.
 * The evidence of any other subject is not continued: the next run begins anew, with its own share.
 */
#ifndef SB_STORE_LEDGER_H
#define SB_STORE_LEDGER_H

#include "store/store.h"

enum { SB_LEDGER_RECENT = 100 }; /* the most runs in the list of runs */

struct sb_ledger_run {
    uint64_t run, share;
    const char *subject; /* name of the subject of the run; owned */
    /* the outcome, one of sb_ledger_outcomes; NULL: the run has not recorded an outcome, or never will */
    const char *outcome;
    uint64_t total; /* number of tallied permutations, including those of earlier runs with the same evidence */
};

enum { SB_LEDGER_OUTCOMES = 4 };

struct sb_ledger {
    double alpha, delta;   /* the levels that all runs divide among them */
    uint64_t runs, shares; /* how many runs and shares have been claimed; shares <= runs */
    /* number of runs with each outcome; the other runs have not recorded an outcome */
    uint64_t outcome[SB_LEDGER_OUTCOMES];
    size_t recent_count;
    struct sb_ledger_run recent[SB_LEDGER_RECENT]; /* [recent_count]; the last runs, oldest first */
};

/* Reads a ledger, data/schema/ledger-3.json; the caller frees *ledger with sb_ledger_free(). *ledger is NULL if there
 * is no file. Errors: SB_IO if the file cannot be read or is damaged (the error line names the place); SB_NO_MEMORY. */
enum sb_status sb_ledger_read(const char *path, struct sb_error *error, struct sb_ledger **ledger);
/* Replaces the file atomically. The caller must hold the lock. Error: SB_IO. */
enum sb_status sb_ledger_write(const char *path, const struct sb_ledger *ledger, struct sb_error *error);
/* `ledger` may be NULL. */
void sb_ledger_free(struct sb_ledger *ledger);

/* A run's claim on a ledger. If all bytes are zero, the run has no ledger. */
struct sb_ledger_claim {
    char *path; /* path of the ledger; owned; NULL: no ledger */
    double alpha, delta;
    uint64_t run, share; /* indexes of the run and of its share, from 1; 0 until the run has claimed them */
    uint64_t next;       /* index of the next free share, for a new test */
};

/* Initialises the claim from the options, and checks that the ledger agrees with the options. A run calls this function
 * before any other work, and ends the claim with sb_ledger_end(), even after an error. Errors: SB_INVALID if the ledger
 * does not agree, and those of sb_ledger_read(). */
enum sb_status sb_ledger_begin(const struct sb_request *options, struct sb_error *error, struct sb_ledger_claim *claim);
void sb_ledger_end(struct sb_ledger_claim *claim);

/* Checks whether the ledger continues the evidence, which the caller has locked. Sets *anew if the evidence's last run
 * was killed and its subject does not yield the same permutations again. Errors: SB_INVALID if the evidence is not that
 * of the last run with its share, and those of sb_ledger_read(). */
enum sb_status sb_ledger_continues(const struct sb_ledger_claim *claim, const struct sb_saved *saved,
                                   struct sb_error *error, bool *anew);

/* Claims a run for the subject with this name, and a share: claim->share if it is set, else a new one. Errors: those of
 * sb_ledger_read(), sb_file_lock_wait() and sb_ledger_write(). */
enum sb_status sb_ledger_take(const char *name, const volatile sig_atomic_t *stop, struct sb_error *error,
                              struct sb_ledger_claim *claim);

/* Records the outcome of the run, and its total. Does nothing before sb_ledger_take(). The errors are those of
 * sb_ledger_take(). */
enum sb_status sb_ledger_record(const struct sb_ledger_claim *claim, const char *outcome, uint64_t total,
                                struct sb_error *error);

#endif
