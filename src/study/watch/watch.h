/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A running watch: the state that the files of the watch share. */
#ifndef SB_STUDY_WATCH_WATCH_H
#define SB_STUDY_WATCH_WATCH_H

#include "fit/sequential.h"
#include "store/evidence/watch_saved.h"
#include "study/run/recognise.h"
#include "study/run/run.h"
#include "study/watch/watch_result.h"
#include "subject/feed_start.h"
#include "tally/tally.h"

/* A file that a watch writes at intervals. Times are seconds of sb_clock_now(). */
struct sb_watch_file {
    double due;    /* when the next write is due */
    double failed; /* when writing first failed; 0: the last write succeeded */
    bool told;     /* whether the watch has reported that it cannot write the file */
};

struct sb_watch_run {
    struct sb_subject *subject; /* the subject, completed from the saved watch if there is one */
    const struct sb_watch_options *options;
    struct sb_error *error;
    struct sb_gate_terms terms;
    struct sb_watch_saved saved;
    int lock;             /* descriptor that locks the file of the evidence; below 0: not locked yet */
    struct sb_feed *feed; /* feed of the subject; owned */
    /* stands between the feed and the loop, if the saved file has the evidence of several runs */
    struct sb_recogniser recogniser;
    /* fingerprint of this run, if the saved file has the evidence of several runs */
    struct sb_fingerprint fingerprint;
    struct sb_run loop;
    bool ready; /* whether n is known and the tallies are open */
    bool
        sorted; /* whether the lines do not show the order of the draw, so that their evidence is not saved */
    bool begun; /* whether permutations of this run have been tallied */
    struct sb_tallies tallies;
    struct sb_detector detector;
    struct sb_watch_file metrics, checkpoint;
    struct sb_watch *watch;
};

/* ---- watch_check.c ---- */

/* Checks the request to a watch. Errors: SB_INVALID; SB_IO if a folder is missing. */
enum sb_status sb_watch_check(const struct sb_subject *subject, const struct sb_watch_options *options,
                              struct sb_error *error);

/* ---- watch_selection.c ---- */

/* Opens the tallies for this n. The tallies start with the resumed evidence, if there is any. Errors:
 * SB_INVALID, SB_IO, SB_TOO_LARGE, SB_NO_MEMORY. */
enum sb_status sb_watch_select(struct sb_watch_run *run, size_t n, size_t deal);

/* ---- watch_out.c ---- */

/* Passes a line to the caller's callback, if there is one. */
void sb_watch_tell(const struct sb_watch_run *run, const char *line);

/* Updates the numbers and the verdict in run->watch, but raises no alarm. Error: SB_NO_MEMORY. */
enum sb_status sb_watch_refresh(struct sb_watch_run *run);

/* Writes the files that are due by the clock. `state` is the run. The caller must have tallied all
 * permutations read so far. */
void sb_watch_idle(void *state);

/* Writes the first metrics; a failure ends the watch. Errors: SB_IO, SB_NO_MEMORY. */
enum sb_status sb_watch_first(struct sb_watch_run *run);

/* Writes the first checkpoint after the first permutations of a run, so that these permutations are not lost
 * if the log disappears. Error: SB_IO. */
enum sb_status sb_watch_first_save(struct sb_watch_run *run);

/* Writes the metrics and the checkpoint for the last time, even if the subject failed. Returns the final
 * status of the watch. */
enum sb_status sb_watch_end(struct sb_watch_run *run, enum sb_status status);

/* ---- watch_alarm.c ---- */

/* Raises an alarm: passes the evidence to the caller's callback. Errors: SB_SUBJECT if the lines do not show the order
 * of the draw; SB_STOPPED if the callback failed; SB_NO_MEMORY. */
enum sb_status sb_watch_raise(struct sb_watch_run *run);

/* Sets run->watch->sentence to the current state in words. Error: SB_NO_MEMORY. */
enum sb_status sb_watch_conclude(struct sb_watch_run *run);

/* ---- watch_save.c: the evidence in a file ---- */

/* Saves the evidence. Error: SB_IO. */
enum sb_status sb_watch_save(struct sb_watch_run *run, struct sb_error *error);

/* Reads the evidence into run->saved, if there is a file. Errors: SB_IO if the file is damaged or has another
 * schema; SB_INVALID if the file belongs to another watch; SB_NO_MEMORY. */
enum sb_status sb_watch_read(struct sb_watch_run *run);

/* Restores the saved evidence in the tallies and the detector. Error: SB_IO if the shapes of the tallies
 * differ from those of the evidence. */
enum sb_status sb_watch_resume(struct sb_watch_run *run);

#endif
