/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A watch's evidence as a record: data/schema/watching-2.json. Evidence, levels and log position belong to
 * the same moment, however the program ends.
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
    uint64_t levels; /* one bit for each of these levels */
    struct sb_snapshot snapshot;
    size_t bets;                   /* 0: there was no bettor */
    double bet[SB_BETTOR_WEALTHS]; /* [bets] ln E of its bets */
};

/* A record that was read owns everything that it points to; a record to write borrows it. */
struct sb_watch_saved {
    bool there;          /* the file existed and was read */
    const char *version; /* version of the program that wrote it */
    struct sb_subject_saved subject;
    size_t deal; /* how many of snapshot.n items are dealt */
    double alpha, delta;
    const char *profile;
    bool increments, window;
    uint64_t alarms, alarm_total;
    uint64_t last;                       /* when the last permutation came, in seconds since 1970 */
    struct sb_log_position position;     /* the position in the file; all zero if the subject is not a file */
    struct sb_fingerprints fingerprints; /* fingerprints of the runs that contributed evidence */
    struct sb_snapshot snapshot;
    size_t starts;
    /* [starts] one element for all levels that start at the same count; owned */
    struct sb_watch_start *start;
    const struct sb_detector *detector; /* to write: the levels, instead of `start`; NULL: no levels */
};

extern const struct sb_store_field sb_watch_saved_fields[];

/* Reads the file at `path` into a zeroed record, which the caller closes, even after a failure. Errors as
 * sb_checksummed_read(). */
enum sb_status sb_watch_saved_read(const char *path, struct sb_error *error, struct sb_watch_saved *saved);
void sb_watch_saved_close(struct sb_watch_saved *saved);

/* Saves the record to its file. Errors as sb_checksummed_replace(). */
enum sb_status sb_watch_saved_write(const char *path, const struct sb_watch_saved *saved, int *lock,
                                    struct sb_error *error);

#endif
