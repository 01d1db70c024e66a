/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The error budget that several runs of the gate share: what a ledger contains, and how a run takes its share
 * and records its outcome. Share k has alpha/(k(k+1)) and delta/(k(k+1)), and all shares together have alpha
 * and delta. So even with an unlimited number of runs, the probability that there is ever a false alarm is at
 * most alpha.
 *
 * A run claims its share before it looks at any permutation, so a killed run has spent its share. With a key,
 * the share belongs to an entry, and each run with that key and subject continues the entry's evidence: one
 * test at one level, over any number of runs. This is valid only if no evidence is left out because of what
 * it shows. So an entry is open from a run's claim until that run has recorded everything that it counted,
 * and no other run continues an open entry. A run that starts meanwhile, or after a run was killed, begins a
 * new entry with its own share.
 */
#ifndef SB_STORE_LEDGER_LEDGER_H
#define SB_STORE_LEDGER_LEDGER_H

#include "core/tally.h"
#include "gate/findings.h"
#include "shufflebias.h"
#include "statistic/statistic.h"
#include "store/evidence/fingerprint.h"
#include "store/evidence/snapshot.h"
#include "subject/feed_start.h"

enum {
    SB_LEDGER_RECENT = 100,   /* the most runs that are listed one by one */
    SB_LEDGER_ENTRIES = 50,   /* the most entries whose evidence is kept: those used last */
    SB_LEDGER_KEY_MOST = 100, /* the most characters of a key */
};

/* The evidence of one key and subject. */
struct sb_ledger_entry {
    const char *key, *subject; /* key and subject; both owned */
    uint64_t share, run;       /* share of the entry, and number of the run that used it last */
    bool open;                 /* whether that run has yet to record its evidence */
    size_t n, deal;
    bool chained, increments;
    const char *profile;                 /* the profile, which adds statistics; owned; NULL: none */
    struct sb_snapshot snapshot;         /* counts, none until the first run is recorded; owned */
    struct sb_fingerprints fingerprints; /* fingerprints of its last runs */
    /* The run that wrote this entry's decks, which are in the file beside the ledger; 0: none. */
    uint64_t decks;
};

/* A run and its outcome. */
struct sb_ledger_run {
    uint64_t run, share;
    const char *key;     /* key of the run; owned; NULL for none */
    const char *subject; /* subject of the run; owned */
    const char *outcome; /* outcome, one of sb_ledger_outcomes; NULL: not recorded yet, or never */
    uint64_t total;      /* permutations counted, including those of earlier runs */
};

enum { SB_LEDGER_OUTCOMES = 4 };

/* The outcomes: "pass", "fail", "inconclusive", and "broken" for a subject that violated the protocol. */
extern const char *const sb_ledger_outcomes[SB_LEDGER_OUTCOMES];

struct sb_deck_key;

struct sb_ledger {
    double alpha, delta;                  /* levels of all runs together */
    uint64_t runs, shares;                /* number of claimed shares; at most the number of runs */
    uint64_t outcome[SB_LEDGER_OUTCOMES]; /* number of runs with each outcome; the other runs recorded none */
    size_t recent_count;
    struct sb_ledger_run recent[SB_LEDGER_RECENT]; /* [recent_count] the last runs, oldest first */
    size_t entries_count;
    struct sb_ledger_entry *entry[SB_LEDGER_ENTRIES]; /* [entries_count] all entries; owned */
};

/* ---- ledger_file.c: the file, data/schema/ledger-2.json ---- */

/*
 * Reads a ledger; the caller frees it with sb_ledger_free(). *ledger is NULL if there is no file. SB_IO: the
 * file cannot be read, or is damaged; the line names the place. SB_NO_MEMORY.
 */
enum sb_status sb_ledger_read(const char *path, struct sb_error *error, struct sb_ledger **ledger);
/* Replaces the file atomically. The caller has the lock. SB_IO. */
enum sb_status sb_ledger_write(const char *path, const struct sb_ledger *ledger, struct sb_error *error);

/* Free the texts of a run, a ledger, and an entry. Ledger and entry may be NULL. */
void sb_ledger_run_close(struct sb_ledger_run *run);
void sb_ledger_free(struct sb_ledger *ledger);
void sb_ledger_entry_free(struct sb_ledger_entry *entry);

/* ---- ledger_claim.c, ledger_resume.c, ledger_record.c: a run's use of the ledger ---- */

/* A run's claim on a ledger. All zero: no ledger. */
struct sb_ledger_claim {
    char *path; /* path of the ledger; owned; NULL: no ledger */
    const char *key;
    double alpha, delta;
    uint64_t run, share; /* number of the run, and its share; 0 before they are claimed */
    uint64_t next;       /* the share that a new test would claim now */
    /* entry of the key, with the evidence to continue; owned; NULL without a key */
    struct sb_ledger_entry *entry;
    /* [decks_count] keys of decks of the entry's earlier runs, oldest first; owned */
    struct sb_deck_key *decks;
    size_t decks_count;
};

/*
 * Starts with the options, and checks that the ledger agrees with them, before any other work. The caller
 * ends the claim with sb_ledger_end(), even after an error. SB_INVALID: the ledger does not agree; errors as
 * sb_ledger_read().
 */
enum sb_status sb_ledger_begin(const struct sb_gate_options *options, struct sb_error *error,
                               struct sb_ledger_claim *claim);
void sb_ledger_end(struct sb_ledger_claim *claim);

/* Claims the run and its share, once the subject has started. SB_INVALID: the key belongs to another test;
 * errors as sb_ledger_read(), sb_file_lock_wait() and sb_ledger_write(). */
enum sb_status sb_ledger_take(const struct sb_feed *feed, bool chained, const struct sb_gate_options *options,
                              struct sb_error *error, struct sb_ledger_claim *claim);

/* The statistics whose counts the claim's entry has: type[0..*count-1], each once, with room for all
 * statistics. SB_INVALID: one is unknown. */
enum sb_status sb_ledger_types(const struct sb_ledger_claim *claim, struct sb_error *error,
                               const struct sb_statistic_type *type[], size_t *count);

/* Restores the entry's counts in tallies of those statistics. SB_INVALID: their shapes differ. */
enum sb_status sb_ledger_resume(const struct sb_ledger_claim *claim, struct sb_error *error,
                                struct sb_tallies *tallies);

/*
 * Records the outcome of the run. With a key, also records the tallies, just read, of all `total`
 * permutations of the key, and the fingerprint of the run; NULL tallies leave the evidence unchanged. Does
 * nothing before sb_ledger_take(). Its errors are those of sb_ledger_take().
 */
enum sb_status sb_ledger_record(struct sb_ledger_claim *claim, const char *outcome,
                                const struct sb_tallies *tallies, uint64_t total,
                                const struct sb_fingerprint *fingerprint, struct sb_error *error);

/* ---- ledger.c: the ledger in memory ---- */

/* Checks that a ledger, unless it is NULL, has the requested levels. SB_INVALID. */
enum sb_status sb_ledger_agrees(const struct sb_ledger_claim *claim, const struct sb_ledger *ledger,
                                struct sb_error *error);

/* Loads the current ledger; the caller has the lock. Makes a new ledger if there is no file, unless the
 * run is already claimed in the ledger. Errors as sb_ledger_read(); SB_INVALID. */
enum sb_status sb_ledger_load(const struct sb_ledger_claim *claim, struct sb_error *error,
                              struct sb_ledger **ledger);

/*
 * The index of the entry with this share; a new index with a NULL entry if there is none. If the ledger is
 * full, the new entry replaces the one that was used longest ago; the replaced key then starts again with a
 * new share.
 */
size_t sb_ledger_place(struct sb_ledger *ledger, uint64_t share);

/* Removes an entry from a ledger that is about to be freed; the entry has another owner. */
void sb_ledger_keep(struct sb_ledger *ledger, const struct sb_ledger_entry *entry);

#endif
