/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sampled evidence as a value that is put down in a file and picked up again: data/schema/evidence-1.json.
 *
 * It holds the tallies of the first blocks of a run, and what the run is: scheme, n, seed, how many samples.
 * Blocks are counted whole and in any order, and tallies are sums, so the file says all that is needed to go
 * on, and is the same whoever went on and how often.
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

/* A record that was read owns all that it points to; one that is to be written borrows it. */
struct sb_saved {
    char *path;          /* where it was read from */
    uint64_t seal;       /* of that file, for sb_checksummed_hold() */
    const char *version; /* of the program that wrote it */
    struct sb_scheme scheme;
    uint64_t samples; /* that are asked for, of the whole run; evidence.total of them are done */
    const char *statistics, *profile; /* as in the options of a report; NULL: all, none */
    bool increments;
    bool used; /* a report was made of it, which has the evidence now */
    struct sb_evidence evidence;
    size_t counts_count;
    struct sb_counts *counts; /* [counts_count] of the statistics that do not follow from the evidence */
    size_t tally_count;       /* what is written in place of the counts; else none */
    const struct sb_tally *tally;
    struct sb_shards parts; /* of the run that it holds */
    bool compared;          /* decks were compared: so many of them, with so many repeats */
    uint64_t decks, repeats;
};

extern const struct sb_store_field sb_saved_fields[];

/* Such files; what is read goes into a struct sb_saved, whose path is there already. */
extern const struct sb_checksummed_form sb_saved_form;

/* ---- report_evidence.c: the fields `evidence` and `matrix` ---- */

sb_store_reader sb_saved_read_evidence, sb_saved_read_matrix;
sb_store_writer sb_saved_write_evidence, sb_saved_write_matrix;

/* ---- report_saved_file.c, report_saved.c ---- */

/* Reads it, as sb_saved_new(); `remedy` is for one that is not sound. */
enum sb_status sb_saved_read(const char *path, const char *remedy, struct sb_error *error,
                             struct sb_saved **saved);

/* Hands a report the evidence, which it closes, and what the statistics had seen; nothing is left of it here.
 * SB_IO: they have other shapes. */
enum sb_status sb_saved_lend(struct sb_saved *saved, struct sb_error *error, struct sb_statistics *statistics,
                             struct sb_evidence *evidence);

/* Whether the evidence is still here. SB_INVALID: a report has it. */
enum sb_status sb_saved_unused(const struct sb_saved *saved, struct sb_error *error);

/* By what they are of different runs, whatever their parts. */
void sb_saved_differs(const struct sb_saved *one, const struct sb_saved *other, struct sb_mismatch *differs);

/* Adds what the statistics had seen. SB_IO: they have other shapes. SB_INVALID: another version's. */
enum sb_status sb_saved_add(const struct sb_saved *saved, struct sb_error *error,
                            struct sb_statistics *statistics);

/* Likewise, to go on. SB_INVALID: merged. */
enum sb_status sb_saved_go_on(const struct sb_saved *saved, struct sb_error *error,
                              struct sb_statistics *statistics);

/* Whether all is done that was asked for, of the parts that are here. */
bool sb_saved_done(const struct sb_saved *saved);

/* ---- report_saving.c ---- */

/* A run that is put down while it goes on; all but the file is borrowed. */
struct sb_saving {
    const char *path;
    const struct sb_scheme *scheme;
    const struct sb_options *options; /* settled */
    const struct sb_shards
        *parts; /* of the run that are saved; where it is one its `done` is of no meaning */
    const struct sb_statistics *statistics;
    int held;    /* its file, by a descriptor that is to be closed; -1: there is none yet */
    double next; /* seconds of the clock: when it is due */
    bool ended;  /* the statistics have been read, the repeats among them */
};

/* Begins: the file is there from now on, so that a run can be gone on from that is killed at any moment.
 * SB_INVALID: it was there before; SB_IO, SB_NO_MEMORY. */
enum sb_status sb_saving_begin(struct sb_saving *saving, struct sb_error *error);

/* How the sampler pauses for it. */
struct sb_pause sb_saving_pause(struct sb_saving *saving, const struct sb_evidence *before);

/* Gives the file up. */
void sb_saving_end(struct sb_saving *saving);

/* Puts the evidence down. SB_IO. */
enum sb_status sb_saving_write(struct sb_saving *saving, const struct sb_evidence *evidence,
                               struct sb_error *error);

#endif
