/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What runs leave on the disk: the evidence of reports, gates and watches, and the ledger of gates. A record that was
 * read from a file owns everything that the record points to. A record for writing borrows everything.
 */
#ifndef SB_STORE_STORE_H
#define SB_STORE_STORE_H

#include "fit/sequential.h"
#include "gate/gate.h"
#include "sample/sample.h"
#include "store/fields.h"
#include "subject/subject.h"

/* ---- file.c: files that are replaced atomically, and locks ---- */

/* Writes `what` to the stream. The writer may also read the stream. The caller checks the stream with
 * ferror(). For all other errors, the writer returns SB_IO and sets errno. */
typedef enum sb_status sb_atomic_file_writer(const void *what, FILE *stream);

/*
 * Replaces the file at `path` atomically with what the writer writes, and keeps the mode of the user's old file. If
 * there is none and `secret` is true, only the user can read the new file: a file that names a command may have a
 * password among the command's arguments. Follows links. The new file has the name PATH.new until it is complete. After
 * the error SB_IO the old file is unchanged.
 *
 * If `lock` is NULL, no other run may write PATH.new. Otherwise `*lock` is the descriptor of the old file, which is
 * locked. The function locks the new file and sets `*lock` to the new file's descriptor. If `*lock` is below 0, the
 * file must not exist yet. `again` is the field with which a user can resume the run after a failure; the error line
 * names this field. If `again` is NULL, the run continues in spite of the failure. Errors: SB_IO, also if another run
 * is writing the file; SB_INVALID if `*lock` is below 0 and the file exists.
 */
enum sb_status sb_atomic_file_replace(const char *path, bool secret, sb_atomic_file_writer *writer, const void *what,
                                      int *lock, const char *again, struct sb_error *error);

/* Checks that no file exists at `path`. Errors: SB_INVALID if a file exists, SB_IO. The error line ends with
 * `remedy`; if `remedy` is NULL, the line advises to name another file. */
enum sb_status sb_atomic_file_absent(const char *path, const char *remedy, struct sb_error *error);

/* Removes the temporary file that a killed run left beside the file `path`. The caller must hold the lock on `path`. */
void sb_atomic_file_clean(const char *path);

/* Opens and locks the file at `path`. The lock ends when the caller closes the descriptor `*lock`. Error:
 * SB_IO, also if another run has the lock. */
enum sb_status sb_file_lock_open(const char *path, struct sb_error *error, int *lock);

enum sb_status sb_file_lock_busy(const char *path, struct sb_error *error);

/* Locks the file PATH.lock, and waits while another run has the lock. Makes the file if it does not exist.
 * The lock ends when the caller closes the descriptor `*lock`. Errors: SB_STOPPED if the flag `stop` (which
 * may be NULL) is raised during the wait; SB_IO. */
enum sb_status sb_file_lock_wait(const char *path, const volatile sig_atomic_t *stop, struct sb_error *error,
                                 int *lock);

/* ---- ledger.c: evidence in general ---- */

/* Appends the hash of all bytes so far to the JSON object that a writer has left open, and the closing brace.
 * SB_IO, with errno, if they cannot be read back; the function then appends nothing. */
enum sb_status sb_checksummed_end(FILE *stream);

/* ---- snapshot.c: the first permutations of runs ---- */

enum {
    SB_FINGERPRINT_DECKS = 64,   /* permutations that identify a run */
    SB_FINGERPRINTS_MOST = 1000, /* the most runs that are remembered; they are the latest runs */
};

/* The hash of a run's first permutations, by which a gate recognises a fixed seed or a repeated recording.
 * Otherwise the gate would tally the same evidence twice. Initialise it with zeroes. */
struct sb_fingerprint {
    uint64_t hash; /* hash of the first `decks` permutations */
    size_t decks;  /* how many permutations were hashed, at most SB_FINGERPRINT_DECKS */
    /* the run adds to earlier evidence; in this case the gate does not tally the run's first permutations */
    bool adds;
};

struct sb_fingerprints {
    uint64_t uncounted; /* number of permutations that were read only to recognise runs */
    size_t count;
    uint64_t hash[SB_FINGERPRINTS_MOST]; /* [count] oldest run first */
};

/* Adds a run. A run that ended before SB_FINGERPRINT_DECKS permutations needs no hash: no later run tallies its own
 * first SB_FINGERPRINT_DECKS permutations, so none can tally the evidence of the short run again. */
void sb_fingerprints_add(struct sb_fingerprints *fingerprints, const struct sb_fingerprint *fingerprint);

/* ---- snapshot.c: the counts of tallies at one moment ---- */

enum { SB_SNAPSHOT_STATISTICS_MOST = 128 }; /* more than all statistics and their increments */

/* The sums of a catalogue. They are missing if the candidates' cells are ranks, because the counts by rank determine
 * them. */
struct sb_catalogue_saved {
    bool present;   /* the run has a catalogue; if not, all other fields are 0 */
    uint64_t decks; /* number of decks in the sums */
    uint64_t hash;  /* hash of the candidates' names */
    size_t count;   /* number of sums; 0 if the cells are ranks, whose counts are saved elsewhere */
    int64_t *sum;   /* [count] sum of each candidate; owned */
};

/* The least likely deck of one statistic. */
struct sb_outlier_saved {
    uint64_t of, deck, cell, alike; /* `of`: index of the statistic; `alike`: how many decks are like it */
    size_t count;
    uint64_t *item; /* [count] owned */
};

/* The outliers of decks, and then of steps. */
struct sb_outliers_saved {
    bool present;
    uint64_t hash; /* hash of the statistics */
    size_t count, least_count;
    int64_t *sum;   /* [count] the sums of each statistic; owned */
    uint64_t round; /* as in sb_outliers */
    double *won;    /* [wons] ln_won of decks, and of steps; owned; none without rounds */
    size_t wons;
    struct sb_outlier_saved *least; /* [least_count] the least likely deck and the least likely step; owned */
};

struct sb_snapshot {
    size_t n;       /* items */
    uint64_t total; /* permutations */
    bool borrowed;  /* the texts and counts in `counts`, and the places, are those of tallies */
    size_t counts_count;
    /* [counts_count] counts of the statistics, followed by those of the increments' statistics; owned */
    struct sb_counts *counts;
    /* [n] position of each item in the last permutation, where the next step starts; owned unless `borrowed`;
     * NULL: no step leads to the next permutation */
    sb_item *places;
    bool watched; /* whole decks were compared */
    bool bet;     /* there was a bettor, and `wealth` has its wealths; what it has learnt is not saved */
    struct sb_bettor_wealth wealth;
    struct sb_catalogue_saved catalogue; /* sums of the catalogue, if there is one */
    struct sb_outliers_saved outliers;
    /* result of comparing whole decks; ln_pair is not set, and the decks themselves are not in the snapshot */
    struct sb_birthday birthday;
};

/* Frees everything that the snapshot owns; closing a snapshot twice, or closing a struct of zeroes, is allowed. */
void sb_snapshot_close(struct sb_snapshot *snapshot);

/* Takes the counts that the tallies had at the last sb_tallies_read(), after `total` permutations. Borrows from the
 * tallies, and frees the previous content of the snapshot. SB_NO_MEMORY. */
enum sb_status sb_snapshot_take(const struct sb_tallies *tallies, uint64_t total, struct sb_snapshot *snapshot);

/* Lists the statistics of the snapshot in type[0..*count-1], which has room for all statistics. Returns NULL,
 * or the name of a statistic that is unknown or occurs twice. */
const char *sb_snapshot_types(const struct sb_snapshot *snapshot, const struct sb_statistic_type *type[],
                              size_t *count);

/* Adds the saved counts to empty tallies, which must be for the statistics that sb_snapshot_types() lists.
 * Returns false, and changes nothing, if the shapes of tallies and counts differ. */
bool sb_snapshot_resume(const struct sb_snapshot *snapshot, struct sb_tallies *tallies);

/* Copies the sums of a catalogue right after sb_catalogue_read(); sets the sums of a new catalogue to saved
 * sums that fit. The catalogue may be NULL. SB_NO_MEMORY. */
enum sb_status sb_catalogue_saved_take(const struct sb_catalogue *catalogue, struct sb_catalogue_saved *saved);
void sb_catalogue_saved_resume(const struct sb_catalogue_saved *saved, struct sb_catalogue *catalogue);

/* Whether the candidates of the saved run's catalogue have the same names as those of this catalogue. */
bool sb_catalogue_saved_fits(const struct sb_catalogue_saved *saved, const struct sb_catalogue *catalogue);

/* Copies the outliers right after sb_tallies_read(); sets those of new tallies to saved ones that fit; frees. The
 * tallies may have no outliers. SB_NO_MEMORY. */
enum sb_status sb_outliers_saved_take(const struct sb_tallies *tallies, uint64_t total,
                                      struct sb_outliers_saved *saved);
void sb_outliers_saved_resume(const struct sb_outliers_saved *saved, struct sb_tallies *tallies);
void sb_outliers_saved_close(struct sb_outliers_saved *saved);

/* Whether the saved outliers are of the same statistics as those of these tallies, which have outliers. */
bool sb_outliers_saved_fit(const struct sb_outliers_saved *saved, const struct sb_tallies *tallies);

/* Parts of a snapshot in JSON: the fields `tallies`, `places` and `repeats`; `bettor`; `catalogue`; `outliers`. The
 * caller must already have set `total` and `n`, and closes the snapshot, even after a fault. */
sb_store_reader sb_snapshot_read, sb_snapshot_read_bettor, sb_snapshot_read_catalogue, sb_snapshot_read_outliers;
sb_store_writer sb_snapshot_write, sb_snapshot_write_bettor, sb_snapshot_write_catalogue, sb_snapshot_write_outliers;

/* Makes counts that borrow from tallies; the caller frees the array alone. NULL if memory runs out. */
struct sb_counts *sb_counts_borrow(const struct sb_tally tally[], size_t count);

/* Reads count[cells] from an array of counts, starting at index `from`. These counts must add up to `total`;
 * if `less` is true, their sum may also be smaller than `total`. */
void sb_counts_row(struct sb_json_field_reader *in, const char *field, const json_t *array, size_t from, size_t cells,
                   uint64_t total, bool less, uint64_t count[]);

/* ---- shards.c: the shards of a sample, and the progress of each ---- */

struct sb_shard {
    uint64_t number; /* index of the shard, from 1 */
    uint64_t done;   /* number of finished blocks, which are the first blocks of the shard */
};

struct sb_shards {
    /* number of shards that the run was split into; 0: the run was not split, and the other fields are not used */
    uint64_t of;
    size_t count; /* number of shards in this record */
    /* [count] in the order of their numbers; owned or borrowed like the other pointers of the record */
    struct sb_shard *part;
};

/* The blocks of the shard parts->part[i], for a run of `samples` shuffles. If the run was not split: the
 * blocks of the whole run. */
struct sb_blocks sb_shards_blocks(const struct sb_shards *parts, size_t i, size_t n, uint64_t samples);

/* The number of decks in all blocks of the shards in `parts`, finished or not. If the run was not split: the
 * number of decks in the whole run. */
uint64_t sb_shards_decks(const struct sb_shards *parts, size_t n, uint64_t samples);

/* The number of decks in the finished blocks of the shards in `parts`; without meaning if the run was not split. */
uint64_t sb_shards_counted(const struct sb_shards *parts, size_t n, uint64_t samples);

/* Writes the shards as a text, such as "part 3 of 7" or "parts 1, 3 and 5 to 7 of 7". The text is "" if the
 * run was not split. */
void sb_shards_say(const struct sb_shards *parts, char text[SB_SHARD_ROOM]);

/* The object `shards`; its reader checks the numbers of the shards, but not their progress. */
extern const struct sb_store_field sb_shards_fields[];

/* ---- saved.c: the file of evidence, data/schema/evidence-1.json ---- */

struct sb_saved_subject {
    const char *kind, *name; /* as in a feed; `kind` is static */
    uint64_t words;          /* sb_subject_words() of a command */
};

/* The tallies at a moment when one or several of the levels of a watch's detector started. */
struct sb_watch_start {
    uint64_t levels; /* set of the levels that started at this moment, one bit for each */
    struct sb_snapshot snapshot;
    size_t bets; /* number of bets, except those on repeats */
    double *bet; /* [bets] ln E of each bet; owned */
};

/*
 * What a run has counted, and the description of the run. All parts are from the same moment, no matter when and how
 * the program ends.
 *
 * A report tallies blocks of decks. A block is tallied completely or not at all, and tallies are sums, so the order of
 * blocks does not matter, and the final content of the file does not depend on interruptions. The looks of a gate take
 * place after fixed numbers of permutations, so the looks of a resumed run are those of an uninterrupted run. A gate
 * can also judge a report's evidence, which has no looks.
 */
struct sb_saved {
    char *path;          /* the file that the record was read from */
    int lock;            /* descriptor that locks that file; owned; below 0: not locked */
    const char *version; /* version of the program that wrote the file */
    const char *command; /* "report", "gate" or "watch"; static */
    struct sb_saved_subject subject;
    struct sb_scheme scheme; /* the subject, if its kind is "scheme"; set only if the record was read from a file */
    /* the options that the table of options calls saved, and `of`; other members are not read */
    struct sb_request asked;
    struct json_t *texts; /* owns the texts of `asked`; NULL: they are borrowed */
    size_t deal;          /* how many of snapshot.n items are dealt */
    struct sb_snapshot snapshot;

    /* a report */
    struct sb_evidence evidence; /* counts by rank, or the matrix; the snapshot has the other statistics */
    struct sb_shards parts;      /* the shards of the run that the record contains */

    /* a gate */
    /* what the items are called, as in sb_item_names_list(), unless asked.cards says it; NULL: numbers from 1 */
    const char *items;
    const char *seats;   /* "bridge": hands have the names of sb_bridge_hands; NULL: numbers */
    bool replays;        /* the subject yields the same permutations again, so that `asked.limit` is that of all runs */
    uint64_t carried;    /* how many of the permutations are those of runs before the last; 0 if the subject replays */
    uint64_t run, share; /* of the ledger: the last run, and the share of all runs; 0: no ledger */
    const char *verdict; /* verdict of a run that ended without being interrupted; NULL: no verdict yet; static */
    /* number of looks; a look that took place only because the stream ended or the limit was reached is not included */
    size_t points_count;
    struct sb_gate_point *point; /* [points_count] */
    /* [decks_count] the newest decks, oldest first, with which later runs compare theirs; none if the subject
     * replays */
    struct sb_deck_key *decks;
    size_t decks_count;

    /* a gate or a watch */
    struct sb_fingerprints fingerprints; /* fingerprints of the runs that contributed evidence */

    /* a watch */
    uint64_t alarms, alarm_total;
    uint64_t last;                   /* when the last permutation came, in seconds since 1970 */
    struct sb_log_position position; /* in the subject's file; all zero if the subject is not a file */
    size_t starts;
    struct sb_watch_start *start;       /* [starts] one element for each moment at which levels started */
    const struct sb_detector *detector; /* a record for writing has these levels instead of `start`; NULL: no levels */
};

extern const struct sb_store_field sb_saved_fields[];

/* saved_run.c: the object `run` of a report, a gate and a watch. */
extern const struct sb_store_field sb_saved_report_fields[], sb_saved_gate_fields[], sb_saved_watch_fields[];

/* The looks as an object, which the JSON of the gate's findings also contains. */
void sb_gate_looks_write(struct sb_json *json, const struct sb_gate_point point[], size_t count);

/* Whether a run that saves to the file resumes what is there: the file begins like evidence, or cannot be read. */
bool sb_saved_resumes(const char *path);

/* Reads evidence of one of the commands `of`; a run that `resumes` first tries to lock the file. `remedy` is what to do
 * if the file is damaged; NULL: restore it, or begin anew. The caller frees *saved. Errors: SB_IO, SB_NO_MEMORY. */
enum sb_status sb_saved_new(const char *path, unsigned of, bool resumes, const char *remedy, struct sb_error *error,
                            struct sb_saved **saved);
void sb_saved_free(struct sb_saved *saved);

/* Transfers the lock, which keeps other runs from adding to the evidence. SB_IO: another run has the lock. */
enum sb_status sb_saved_hold(struct sb_saved *saved, struct sb_error *error, int *lock);

/* Saves the record, with the errors of sb_atomic_file_replace(). */
enum sb_status sb_saved_write(const char *path, const struct sb_saved *saved, const char *again, int *lock,
                              struct sb_error *error);

bool sb_saved_is_scheme(const struct sb_saved *saved);

/* Whether all decks of the shards are tallied. */
bool sb_saved_done(const struct sb_saved *saved);

/* Whether the run ended without being interrupted. */
bool sb_saved_ended(const struct sb_saved *saved);

/* Sets the error for tallies whose statistics or cells differ from those of this version. Returns SB_IO. */
enum sb_status sb_saved_foreign(const struct sb_saved *saved, struct sb_error *error);

/* Checks that this version of the library began the run, because another version might continue the run
 * differently. Error: SB_INVALID. */
enum sb_status sb_saved_current(const struct sb_saved *saved, struct sb_error *error);

/* Whether a subject is named. */
bool sb_subject_given(const struct sb_subject *subject);

/* The request of a run whose subject is read and dealt like this. */
struct sb_request sb_saved_request(const struct sb_request *options, const struct sb_subject *subject, size_t n,
                                   size_t deal);

/* Records the first saved option in which two requests differ, of those that both commands save. */
void sb_saved_compare(const struct sb_request *was, const struct sb_request *is, struct sb_mismatch *differs);

/* Sets what the subject leaves out to what the saved run had, which the subject borrows. Then compares the subject and
 * the options with the saved run. SB_INVALID: they describe another run; the error names the first difference and ends
 * with `remedy`; if `remedy` is NULL, with a usual one. */
enum sb_status sb_saved_agrees(const struct sb_saved *saved, const struct sb_request *options, const char *remedy,
                               struct sb_error *error, struct sb_subject *subject);

/* ---- saving.c: a sample that is resumed or saved ---- */

/* Transfers the evidence to a report, which then owns the evidence. Adds the counts to the statistics. SB_IO:
 * the shapes of the statistics differ from those of the counts. */
enum sb_status sb_saved_lend(struct sb_saved *saved, struct sb_error *error, struct sb_statistics *statistics,
                             struct sb_evidence *evidence);

/* Adds the counts to the statistics. SB_IO: the shapes of the statistics differ from those of the counts.
 * SB_INVALID: another version saved the counts. */
enum sb_status sb_saved_add(const struct sb_saved *saved, struct sb_error *error, struct sb_statistics *statistics);

/* Does what sb_saved_add() does, to resume the run. Also returns SB_INVALID if the evidence was merged from shards. */
enum sb_status sb_saved_go_on(const struct sb_saved *saved, struct sb_error *error, struct sb_statistics *statistics);

/* A run that saves its evidence repeatedly. All pointers are borrowed. */
struct sb_saving {
    const char *path;
    const struct sb_scheme *scheme;
    const struct sb_request *options; /* the options after sb_options_settle() */
    /* the shards to save; if there is only one shard, its `done` is not used */
    const struct sb_shards *parts;
    const struct sb_statistics *statistics;
    int lock;    /* descriptor of the locked file; owned; -1: the file is not open yet */
    double next; /* when the next save is due, in seconds of the clock */
    bool ended;  /* the statistics, including repeats, have been read */
};

/* Creates the file, so that a run can resume even if it is killed at once. SB_INVALID: the file exists
 * already; SB_IO, SB_NO_MEMORY. */
enum sb_status sb_saving_begin(struct sb_saving *saving, struct sb_error *error);

/* Returns the callbacks with which the sampler pauses to save the evidence. The saved evidence also includes
 * `before`. */
struct sb_pause sb_saving_pause(struct sb_saving *saving, const struct sb_evidence *before);

void sb_saving_end(struct sb_saving *saving);

enum sb_status sb_saving_write(struct sb_saving *saving, const struct sb_evidence *evidence, struct sb_error *error);

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
