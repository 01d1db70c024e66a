/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ledger: the error budget that several runs of the gate divide among them. This file declares the content of a
 * ledger, and the functions by which a run takes its share and records its outcome. Share k has the levels
 * alpha/(k(k+1)) and delta/(k(k+1)); the levels of all shares add up to alpha and delta. So the probability that at
 * least one run gives a false alarm is at most alpha, even if the number of runs is unlimited.
 *
 * A run claims its share before the run looks at any permutation. So a killed run has spent its share. With a key, the
 * share belongs to an entry of the ledger. Each run with the same key and subject continues the evidence of the entry.
 * So all these runs together are one test at one level. This test is valid only if no run leaves out evidence because
 * of what the evidence shows. Therefore an entry is open from the moment when a run claims it until this run has
 * recorded all of its evidence. No other run continues an open entry. An entry may be open because another run still
 * uses it or was killed. A run that finds the entry open begins a new entry with its own share.
 */
#ifndef SB_STORE_LEDGER_H
#define SB_STORE_LEDGER_H

#include "core/evidence.h"
#include "gate/gate.h"
#include "store/store.h"

enum {
    SB_LEDGER_RECENT = 100,   /* the most runs in the list of runs */
    SB_LEDGER_ENTRIES = 50,   /* the most entries; the ledger keeps the entries that were used last */
    SB_LEDGER_KEY_MOST = 100, /* the most bytes of a key */
};

struct sb_ledger_entry {
    const char *key, *subject; /* the key and the subject's name; both owned */
    uint64_t identity;         /* sb_subject_identity() of the subject */
    uint64_t share, run;       /* index of the entry's share, and index of the last run that used the entry */
    bool open;                 /* the last run has not recorded its evidence yet */
    size_t n, deal;
    bool chained, increments;
    const char *profile;                 /* the profile, which adds statistics; owned; NULL: no profile */
    struct sb_snapshot snapshot;         /* the counts; empty until the first run records its evidence; owned */
    struct sb_fingerprints fingerprints; /* fingerprints of the last runs */
    /* Index of the run that wrote this entry's decks to the file beside the ledger; 0: there are no decks. */
    uint64_t decks;
};

struct sb_ledger_run {
    uint64_t run, share;
    const char *key;     /* key of the run; owned; NULL: no key */
    const char *subject; /* subject of the run; owned */
    /* the outcome, one of sb_ledger_outcomes; NULL: the run has not recorded an outcome, or never will */
    const char *outcome;
    uint64_t total; /* number of tallied permutations, including those of earlier runs */
};

enum { SB_LEDGER_OUTCOMES = 4 };

/* The outcomes: "pass", "fail", "inconclusive", and "broken" for a subject that violated the protocol; then NULL. */
extern const char *const sb_ledger_outcomes[SB_LEDGER_OUTCOMES + 1];

struct sb_ledger {
    double alpha, delta;   /* the levels that all runs divide among them */
    uint64_t runs, shares; /* how many runs and shares have been claimed; shares <= runs */
    /* number of runs with each outcome; the other runs have not recorded an outcome */
    uint64_t outcome[SB_LEDGER_OUTCOMES];
    size_t recent_count;
    struct sb_ledger_run recent[SB_LEDGER_RECENT]; /* [recent_count]; the last runs, oldest first */
    size_t entries_count;
    struct sb_ledger_entry *entry[SB_LEDGER_ENTRIES]; /* [entries_count]; owned */
};

/* ---- ledger_file.c: the file, whose schema is data/schema/ledger-2.json ---- */

/* Reads a ledger; the caller frees *ledger with sb_ledger_free(). *ledger is NULL if there is no file. Errors: SB_IO if
 * the file cannot be read or is damaged (the error line names the place); SB_NO_MEMORY. */
enum sb_status sb_ledger_read(const char *path, struct sb_error *error, struct sb_ledger **ledger);
/* Replaces the file atomically. The caller must hold the lock. Error: SB_IO. */
enum sb_status sb_ledger_write(const char *path, const struct sb_ledger *ledger, struct sb_error *error);

/* These functions free the texts of a run, a whole ledger, and a whole entry. `ledger` and `entry` may be NULL. */
void sb_ledger_run_close(struct sb_ledger_run *run);
void sb_ledger_free(struct sb_ledger *ledger);
void sb_ledger_entry_free(struct sb_ledger_entry *entry);

/* ---- ledger.c: a run's use of the ledger ---- */

/* A run's claim on a ledger. If all bytes are zero, the run has no ledger. */
struct sb_ledger_claim {
    char *path; /* path of the ledger; owned; NULL: no ledger */
    const char *key;
    double alpha, delta;
    uint64_t run, share; /* indexes of the run and of its share, from 1; 0 until the run has claimed them */
    uint64_t next;       /* index of the next free share, for a new test */
    /* the key's entry, with the evidence to continue; owned; NULL if there is no key */
    struct sb_ledger_entry *entry;
    /* [decks_count]; the deck keys of the entry's earlier runs, oldest first; owned */
    struct sb_deck_key *decks;
    size_t decks_count;
};

/* Initialises the claim from the options, and checks that the ledger agrees with the options. A run calls this function
 * before any other work, and ends the claim with sb_ledger_end(), even after an error. Errors: SB_INVALID if the ledger
 * does not agree, and those of sb_ledger_read(). */
enum sb_status sb_ledger_begin(const struct sb_request *options, struct sb_error *error, struct sb_ledger_claim *claim);
void sb_ledger_end(struct sb_ledger_claim *claim);

/* Claims a run and a share. Call this function after the subject has started. Errors: SB_INVALID if the key
 * belongs to another test, and those of sb_ledger_read(), sb_file_lock_wait() and sb_ledger_write(). */
enum sb_status sb_ledger_take(const struct sb_feed *feed, const struct sb_subject *subject,
                              const struct sb_request *options, struct sb_error *error, struct sb_ledger_claim *claim);

/* Lists the statistics whose counts are in the claim's entry, as type[0..*count-1]. Lists each statistic
 * once. The array has room for all statistics. Error: SB_INVALID if a statistic is unknown. */
enum sb_status sb_ledger_types(const struct sb_ledger_claim *claim, struct sb_error *error,
                               const struct sb_statistic_type *type[], size_t *count);

/* Adds the entry's counts to `tallies`, which must be empty, and for the statistics that sb_ledger_types()
 * lists. Error: SB_INVALID if the counts do not have the shapes of the tallies. */
enum sb_status sb_ledger_resume(const struct sb_ledger_claim *claim, struct sb_error *error,
                                struct sb_tallies *tallies);

/* Records the outcome of the run. With a key, also records the fingerprint of the run, and the tallies of all `total`
 * permutations of the key. The caller must have called sb_tallies_read() just before. If `tallies` is NULL, the
 * evidence stays unchanged. Does nothing before sb_ledger_take(). The errors are those of sb_ledger_take(). */
enum sb_status sb_ledger_record(struct sb_ledger_claim *claim, const char *outcome, const struct sb_tallies *tallies,
                                uint64_t total, const struct sb_fingerprint *fingerprint, struct sb_error *error);

/* ---- ledger_file.c: the decks of keys ---- */

/*
 * The file FILE.decks beside the ledger FILE. For each key, the file stores decks from the runs that used this key, so
 * that later runs can find decks that occur again. The decks of one key form a section. The key's entry in the ledger
 * names the run that wrote the section. So runs do not use a section that is older or newer than the entry. If the file
 * or the section is missing, the run compares its decks with fewer earlier decks. The test remains valid, because a
 * permutation may be compared with any set of earlier decks.
 *
 * The file stores a deck as its deck key (tally/order.h). All sections together have at most SB_REPEATS_CARRIED decks,
 * which take 4 MB. New decks replace the oldest decks of the ledger key that was used longest ago.
 *
 * The file begins with the line "shufflebias.ledger-decks/1". Then there are little-endian words of 64 bits: the number
 * of sections; for each section its share, run, n, deal and count, and two words for each deck key, oldest first; and
 * the 64-bit FNV-1a hash of all earlier bytes. A run that holds the ledger's lock replaces the whole file.
 */
struct sb_ledger_section {
    uint64_t share, run; /* index of the entry's share, and index of the run that wrote the section */
    size_t n, deal;
    size_t count;
    struct sb_deck_key *key; /* [count]; the deck keys, oldest first; owned */
};

/* All sections. If all bytes are zero, there are no sections. */
struct sb_ledger_decks {
    size_t count;
    /* [count]; the section of the most recently used ledger key comes last */
    struct sb_ledger_section section[SB_LEDGER_ENTRIES];
};

void sb_ledger_decks_close(struct sb_ledger_decks *decks);

/* Reads the file beside the ledger at `path`. If there is no file, there are no sections. The caller closes
 * the decks, even after an error. Errors: SB_IO if the file cannot be read or is damaged; SB_NO_MEMORY. */
enum sb_status sb_ledger_decks_read(const char *path, struct sb_error *error, struct sb_ledger_decks *decks);

/* Writes the file. After the error SB_IO the old file is unchanged. */
enum sb_status sb_ledger_decks_write(const char *path, const struct sb_ledger_decks *decks, struct sb_error *error);

/* Adds a section, and takes ownership of its deck keys. The new section replaces an old section with the same
 * share. If there are too many decks, drops the oldest decks of the other sections. */
void sb_ledger_decks_put(struct sb_ledger_decks *decks, const struct sb_ledger_section *section);

/* Drops the sections whose entries are no longer in the ledger. */
void sb_ledger_decks_prune(struct sb_ledger_decks *decks, const struct sb_ledger *ledger);

#endif
