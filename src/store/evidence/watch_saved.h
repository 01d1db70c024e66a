/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A watch's evidence as a record. The file has the schema data/schema/watching-2.json. The saved evidence,
 * levels and log position are from the same moment, no matter when and how the program ends.
 */
#ifndef SB_STORE_EVIDENCE_WATCH_SAVED_H
#define SB_STORE_EVIDENCE_WATCH_SAVED_H

#include "core/core.h"
#include "fit/sequential.h"
#include "store/evidence/fingerprint.h"
#include "store/evidence/snapshot.h"
#include "store/evidence/subject_saved.h"

/* The tallies at a moment when one or several of the detector's levels started. */
struct sb_watch_start {
    uint64_t levels; /* set of the levels that started at this moment, one bit for each */
    struct sb_snapshot snapshot;
    size_t bets;                   /* number of the bettor's bets; 0: there was no bettor */
    double bet[SB_BETTOR_WEALTHS]; /* [bets] ln E of the bettor's bets */
};

/* A record that was read from a file owns everything that the record points to. A record for writing borrows
 * everything. */
struct sb_watch_saved {
    bool there;          /* the file existed and was read */
    const char *version; /* version of the program that wrote the file */
    struct sb_subject_saved subject;
    size_t deal; /* how many of snapshot.n items are dealt */
    double alpha, delta;
    const char *profile;
    bool increments, window;
    uint64_t alarms, alarm_total;
    uint64_t last; /* when the last permutation came, in seconds since 1970 */
    /* the position in the subject's file; all zero if the subject is not a file */
    struct sb_log_position position;
    struct sb_fingerprints fingerprints; /* fingerprints of the runs that contributed evidence */
    struct sb_snapshot snapshot;
    size_t starts;
    /* [starts] one element for each moment at which levels started; owned */
    struct sb_watch_start *start;
    /* a record for writing has these levels instead of `start`; NULL: no levels */
    const struct sb_detector *detector;
};

extern const struct sb_store_field sb_watch_saved_fields[];

/* Reads the file at `path` into a zeroed record, which the caller closes, even after a failure. Returns the
 * same errors as sb_checksummed_read(). */
enum sb_status sb_watch_saved_read(const char *path, struct sb_error *error, struct sb_watch_saved *saved);
void sb_watch_saved_close(struct sb_watch_saved *saved);

/* Saves the record to the file at `path`. Returns the same errors as sb_checksummed_replace(). */
enum sb_status sb_watch_saved_write(const char *path, const struct sb_watch_saved *saved, int *lock,
                                    struct sb_error *error);

#endif
