/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The evidence of a watch as a record: data/schema/watching-2.json. Evidence, levels and log position are of
 * one moment, whatever ends the program.
 */
#ifndef SB_STORE_EVIDENCE_WATCH_SAVED_H
#define SB_STORE_EVIDENCE_WATCH_SAVED_H

#include "core/file_position.h"
#include "fit/sequential/detector.h"
#include "store/evidence/fingerprint.h"
#include "store/evidence/snapshot.h"
#include "store/evidence/subject_saved.h"

/* The tallies when some of the detector's levels started. */
struct sb_watch_start {
    uint64_t levels; /* a bit for each */
    struct sb_snapshot seen;
};

/* A record that was read owns all that it points to; one that is to be written borrows it. */
struct sb_watch_saved {
    bool there;          /* it was read */
    const char *version; /* of the program that wrote it */
    struct sb_subject_saved subject;
    size_t deal; /* of seen.n items */
    double alpha, delta;
    const char *profile;
    bool increments, window;
    uint64_t alarms, alarm_total;
    uint64_t last;                   /* when the last permutation came, in seconds since 1970 */
    struct sb_log_position bookmark; /* in a file; else of no file */
    struct sb_fingerprints openings; /* of the runs that it is of, unless the same run continues */
    struct sb_snapshot seen;
    size_t starts; /* [starts] of the levels, each start once */
    struct sb_watch_start *start;
    const struct sb_detector *detector; /* what is written in place of `start`; NULL: no levels */
};

extern const struct sb_store_field sb_watch_saved_fields[];

/* Reads the file at `path` into a record of zeroes, which the caller closes, also after a failure. Errors as
 * sb_checksummed_read(). */
enum sb_status sb_watch_saved_read(const char *path, struct sb_error *error, struct sb_watch_saved *saved);
void sb_watch_saved_close(struct sb_watch_saved *saved);

/* Puts the record into its file. Errors as sb_checksummed_replace(). */
enum sb_status sb_watch_saved_write(const char *path, const struct sb_watch_saved *saved, int *held,
                                    struct sb_error *error);

#endif
