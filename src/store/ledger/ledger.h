/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A budget over runs: what a ledger holds, and how a run of the gate takes its share and puts down what came
 * of it. Share k has alpha/(k(k+1)) and delta/(k(k+1)), and all of them together alpha and delta: so without
 * end of runs the probability of a false alarm ever is at most alpha.
 *
 * A run claims its share before it looks at anything, so that one that is killed has spent it. With a key the
 * share belongs to an entry, whose evidence each run of that key and subject goes on from: one test at one
 * level, however many runs it takes. That holds only while nothing is left out because of what it says. So an
 * entry is open from a run's claim until the run has put down all that it saw, and an open one is gone on
 * from by nobody: whoever comes meanwhile, or after a run was killed, begins a new entry with a share of its
 * own.
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
    SB_LEDGER_RECENT = 100,   /* runs that are listed one by one */
    SB_LEDGER_ENTRIES = 50,   /* keys whose evidence is kept: those used last */
    SB_LEDGER_KEY_MOST = 100, /* characters */
};

/* The evidence of one key and subject. */
struct sb_ledger_entry {
    const char *key, *subject; /* owned */
    uint64_t share, run;       /* its share, and the run that used it last */
    bool open;                 /* that run has not put down what it saw */
    size_t n, deal;
    bool chained, increments;
    const char *profile;             /* of more statistics; owned; NULL: none */
    struct sb_snapshot seen;         /* no counts before the first run is done; owned */
    struct sb_fingerprints openings; /* of its last runs */
    uint64_t decks; /* the run whose decks stand in the file beside it, with those of the runs
                                    before; 0: none do */
};

/* A run, and what came of it. */
struct sb_ledger_run {
    uint64_t run, share;
    const char *key;     /* owned; NULL for none */
    const char *subject; /* owned */
    const char *outcome; /* one of sb_ledger_outcomes; NULL: not put down yet, or never */
    uint64_t total;      /* permutations that it looked at, those of earlier runs included */
};

enum { SB_LEDGER_OUTCOMES = 4 };

/* "pass", "fail", "inconclusive", and "broken" for a subject that broke its word. */
extern const char *const sb_ledger_outcomes[SB_LEDGER_OUTCOMES];

struct sb_deck_key;

struct sb_ledger {
    double alpha, delta;                  /* of all runs together */
    uint64_t runs, shares;                /* claimed; no more shares than runs */
    uint64_t outcome[SB_LEDGER_OUTCOMES]; /* runs by what came of them; the rest was not put down */
    size_t recent_count;
    struct sb_ledger_run recent[SB_LEDGER_RECENT]; /* [recent_count] the last ones, in their order */
    size_t entries_count;
    struct sb_ledger_entry *entry[SB_LEDGER_ENTRIES]; /* [entries_count] owned */
};

/* ---- ledger_file.c: the file, data/schema/ledger-2.json ---- */

/*
 * Reads a ledger; the caller frees it with sb_ledger_free(). NULL where there is no file.
 * SB_IO: it cannot be read, or is damaged; the line names the place. SB_NO_MEMORY.
 */
enum sb_status sb_ledger_read(const char *path, struct sb_error *error, struct sb_ledger **ledger);
/* Puts a ledger into the place of the file, whole or not at all, for one who has the lock. SB_IO. */
enum sb_status sb_ledger_write(const char *path, const struct sb_ledger *ledger, struct sb_error *error);

/* Frees the texts of a run; and a ledger or an entry, which may be NULL. */
void sb_ledger_run_close(struct sb_ledger_run *run);
void sb_ledger_free(struct sb_ledger *ledger);
void sb_ledger_entry_free(struct sb_ledger_entry *entry);

/* ---- ledger_claim.c, ledger_resume.c, ledger_record.c: a run's part in it ---- */

/* What a run has of a ledger. All zero: there is none. */
struct sb_ledger_claim {
    char *path; /* owned; NULL: no ledger */
    const char *key;
    double alpha, delta;
    uint64_t run, share; /* 0 before they are claimed */
    uint64_t next;       /* the share that a run would claim which begins a test now */
    struct sb_ledger_entry
        *entry;                 /* of the key, with the evidence to go on from; owned; NULL without a key */
    struct sb_deck_key *decks; /* [decks_count] of the key's earlier runs, the oldest first; owned */
    size_t decks_count;
};

/*
 * Begins with what the options ask for, and sees whether the ledger agrees, before anything else is done.
 * SB_INVALID: it does not; errors as sb_ledger_read(). Ended with sb_ledger_end(), whatever came of it.
 */
enum sb_status sb_ledger_begin(const struct sb_gate_options *options, struct sb_error *error,
                               struct sb_ledger_claim *claim);
void sb_ledger_end(struct sb_ledger_claim *claim);

/* Claims the run and its share for a subject that has begun. SB_INVALID: what the key stands for is another
 * test; errors as sb_ledger_read(), sb_file_lock_wait() and sb_ledger_write(). */
enum sb_status sb_ledger_take(const struct sb_feed *feed, bool chained, const struct sb_gate_options *options,
                              struct sb_error *error, struct sb_ledger_claim *claim);

/* The statistics whose counts the claim's entry has: type[0..*count-1], of room for all there are, each once.
 * SB_INVALID: one is unknown. */
enum sb_status sb_ledger_types(const struct sb_ledger_claim *claim, struct sb_error *error,
                               const struct sb_statistic_type *type[], size_t *count);

/* Puts all that the entry has seen into tallies of those statistics. SB_INVALID: it has another shape. */
enum sb_status sb_ledger_resume(const struct sb_ledger_claim *claim, struct sb_error *error,
                                struct sb_tallies *tallies);

/*
 * Puts down what came of the run: the tallies, just read, of `total` permutations has all that its key has
 * seen now, and the opening is that of the run; NULL where that is as it was. Nothing is done before
 * sb_ledger_take(). Errors as there.
 */
enum sb_status sb_ledger_record(struct sb_ledger_claim *claim, const char *outcome,
                                const struct sb_tallies *tallies, uint64_t total,
                                const struct sb_fingerprint *opening, struct sb_error *error);

/* ---- ledger.c: the ledger in memory ---- */

/* Whether a ledger, if it is not NULL, is one for the levels that are asked for: else SB_INVALID. */
enum sb_status sb_ledger_agrees(const struct sb_ledger_claim *claim, const struct sb_ledger *ledger,
                                struct sb_error *error);

/* The ledger as it is now, for one who has the lock: a new one where there is none, unless the run has been
 * claimed there. Errors as sb_ledger_read(); SB_INVALID. */
enum sb_status sb_ledger_load(const struct sb_ledger_claim *claim, struct sb_error *error,
                              struct sb_ledger **ledger);

/*
 * The place of an entry by its share: a new and empty one (NULL) where there is none. The one that was used
 * longest ago makes room; its key would begin anew, with a share of its own.
 */
size_t sb_ledger_place(struct sb_ledger *ledger, uint64_t share);

/* Takes an entry out of a ledger that is done with, for its new owner. */
void sb_ledger_keep(struct sb_ledger *ledger, const struct sb_ledger_entry *entry);

#endif
