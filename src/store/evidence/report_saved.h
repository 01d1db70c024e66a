/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A report's sampled evidence as a record that can be saved and loaded. The file has the schema
 * data/schema/evidence-1.json.
 *
 * The record contains the tallies of finished blocks of a run, and the description of the run: scheme, n,
 * seed and number of samples. A block is tallied completely or not at all, and tallies are sums, so the order
 * of blocks does not matter. So the file has everything that a run needs to resume, and the final content of
 * the file does not depend on interruptions.
 */
#ifndef SB_STORE_EVIDENCE_REPORT_SAVED_H
#define SB_STORE_EVIDENCE_REPORT_SAVED_H

#include "core/evidence.h"
#include "sample/sample.h"
#include "store/checksummed_file.h"
#include "store/evidence/counts_json.h"
#include "store/evidence/shards.h"
#include "subject/scheme.h"
#include "tally/statistics.h"

struct sb_mismatch;

/* A record that was read from a file owns everything that the record points to. A record for writing borrows
 * everything. */
struct sb_saved {
    char *path;          /* the file that the record was read from */
    uint64_t checksum;   /* checksum of that file, for sb_checksummed_lock() */
    const char *version; /* version of the program that wrote the file */
    struct sb_scheme scheme;
    /* number of samples requested for the whole run; evidence.total of these samples are done */
    uint64_t samples;
    /* values as in the options of a report. `statistics` is NULL for all statistics; `profile` is NULL for no
     * profile */
    const char *statistics, *profile;
    const char *cards; /* as in the options of a report; NULL: items are numbers */
    bool increments;
    bool used; /* a report has taken over the evidence */
    struct sb_evidence evidence;
    size_t counts_count;
    /* [counts_count] counts of those statistics that the evidence does not determine */
    struct sb_counts *counts;
    /* number of tallies; a record for writing has tallies instead of counts; 0 if the record was read from a
     * file */
    size_t tally_count;
    const struct sb_tally *tally;
    struct sb_shards parts; /* the shards of the run that the record contains */
    /* `compared`: whether decks were compared; `decks`: number of compared decks; `repeats`: number of
     * compared decks that equal an earlier deck */
    bool compared;
    uint64_t decks, repeats;
};

extern const struct sb_store_field sb_saved_fields[];

/* The form of files with a report's evidence. The function `read` of the form fills in a struct sb_saved, in
 * which the caller must already have set the path. */
extern const struct sb_checksummed_form sb_saved_form;

/* ---- report_evidence.c: the fields `evidence` and `matrix` ---- */

sb_store_reader sb_saved_read_evidence, sb_saved_read_matrix;
sb_store_writer sb_saved_write_evidence, sb_saved_write_matrix;

/* ---- report_saved_file.c, report_saved.c ---- */

/* Reads a file as sb_saved_new() does. If the file is damaged, the error ends with `remedy`, which tells the
 * user what to do. */
enum sb_status sb_saved_read(const char *path, const char *remedy, struct sb_error *error,
                             struct sb_saved **saved);

/* Transfers the evidence to a report, which then owns the evidence. Adds the counts to the statistics. SB_IO:
 * the shapes of the statistics differ from those of the counts. */
enum sb_status sb_saved_lend(struct sb_saved *saved, struct sb_error *error, struct sb_statistics *statistics,
                             struct sb_evidence *evidence);

/* Checks that no report has taken over the evidence. SB_INVALID. */
enum sb_status sb_saved_unused(const struct sb_saved *saved, struct sb_error *error);

/* Records the first difference between two runs. The function does not compare their shards. */
void sb_saved_differs(const struct sb_saved *one, const struct sb_saved *other, struct sb_mismatch *differs);

/* Adds the counts to the statistics. SB_IO: the shapes of the statistics differ from those of the counts.
 * SB_INVALID: another version saved the counts. */
enum sb_status sb_saved_add(const struct sb_saved *saved, struct sb_error *error,
                            struct sb_statistics *statistics);

/* Does what sb_saved_add() does, to resume the run. Also returns SB_INVALID if the evidence was merged from
 * shards. */
enum sb_status sb_saved_go_on(const struct sb_saved *saved, struct sb_error *error,
                              struct sb_statistics *statistics);

/* Whether all requested samples of the record's shards are done. */
bool sb_saved_done(const struct sb_saved *saved);

/* ---- report_saving.c ---- */

/* A run that saves its evidence repeatedly. All pointers are borrowed. */
struct sb_saving {
    const char *path;
    const struct sb_scheme *scheme;
    const struct sb_options *options; /* the options after sb_options_settle() */
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

/* Closes the file. */
void sb_saving_end(struct sb_saving *saving);

/* Saves the evidence. SB_IO. */
enum sb_status sb_saving_write(struct sb_saving *saving, const struct sb_evidence *evidence,
                               struct sb_error *error);

/* Reads the file at `path`. */
enum sb_status sb_saved_new(const char *path, struct sb_error *error, struct sb_saved **saved);
void sb_saved_free(struct sb_saved *saved);

/* Copies these options of the saved run: n, deal, seed, samples, by, statistics, profile and increments. */
void sb_saved_options(const struct sb_saved *saved, struct sb_options *options);

/* Checks whether `options` and `scheme` describe the saved run; a `scheme` of NULL is not checked. */
enum sb_status sb_saved_agrees(const struct sb_saved *saved, const char *scheme,
                               const struct sb_options *options, struct sb_error *error);

#endif
