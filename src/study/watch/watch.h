/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A watch at work: what the files of the watch share. */
#ifndef SB_STUDY_WATCH_WATCH_H
#define SB_STUDY_WATCH_WATCH_H

#include "fit/sequential/detector.h"
#include "store/evidence/watch_saved.h"
#include "study/run/recognise.h"
#include "study/run/run.h"
#include "study/watch/watch_result.h"
#include "subject/feed_start.h"
#include "tally/tallies.h"

/* A file that a watch writes by the clock; its times are seconds of the clock. */
struct sb_watch_file {
    double due;    /* when it is written next */
    double failed; /* when it could not be written first; 0: it was written the last time */
    bool told;     /* that it cannot be written */
};

struct sb_watch_run {
    struct sb_subject *subject; /* completed by a saved watch, where that is resumed */
    const struct sb_watch_options *options;
    struct sb_error *error;
    struct sb_gate_terms terms;
    struct sb_watch_saved saved;
    int held;             /* descriptor that locks the file of the evidence; below 0: not locked yet */
    struct sb_feed *feed; /* of the subject; owned */
    struct sb_recogniser recogniser; /* between feed and loop, where the file has several runs */
    struct sb_fingerprint opening;   /* of this run, likewise */
    struct sb_run loop;
    bool ready; /* n is known, and the tallies are open */
    bool begun; /* permutations of this run were tallied */
    struct sb_tallies tallies;
    struct sb_detector detector;
    struct sb_watch_file metrics, checkpoint;
    struct sb_watch *watch;
};

/* ---- watch_check.c ---- */

/* Whether what is asked of a watch can be. SB_INVALID; SB_IO: a folder is missing. */
enum sb_status sb_watch_check(const struct sb_subject *subject, const struct sb_watch_options *options,
                              struct sb_error *error);

/* ---- watch_selection.c ---- */

/* All that is kept of permutations, once n is known; with what is taken up again. SB_INVALID, SB_IO,
 * SB_TOO_LARGE, SB_NO_MEMORY. */
enum sb_status sb_watch_select(struct sb_watch_run *run, size_t n, size_t deal);

/* ---- watch_out.c ---- */

/* Gives a line to whoever listens. */
void sb_watch_tell(const struct sb_watch_run *run, const char *line);

/* Brings the numbers up to date that are shown, and the verdict, without deciding anything. SB_NO_MEMORY. */
enum sb_status sb_watch_refresh(struct sb_watch_run *run);

/* What goes by the clock; the state is the run, and all permutations that were given are tallied. */
void sb_watch_idle(void *state);

/* The first metrics, which have to be writable. SB_IO, SB_NO_MEMORY. */
enum sb_status sb_watch_first(struct sb_watch_run *run);

/* The first checkpoint, likewise: with the first permutations of a run, so that nothing is lost with the log
 * that they stand in. SB_IO. */
enum sb_status sb_watch_first_save(struct sb_watch_run *run);

/* The last files, also of a subject that broke its word; what the watch ends with. */
enum sb_status sb_watch_end(struct sb_watch_run *run, enum sb_status status);

/* ---- watch_alarm.c ---- */

/* Raises an alarm: says what the evidence shows to whom it concerns. SB_NO_MEMORY. */
enum sb_status sb_watch_raise(struct sb_watch_run *run);

/* How it is, in words. SB_NO_MEMORY. */
enum sb_status sb_watch_conclude(struct sb_watch_run *run);

/* ---- watch_save.c: the evidence in a file ---- */

/* Puts it down. SB_IO. */
enum sb_status sb_watch_save(struct sb_watch_run *run, struct sb_error *error);

/* Reads it, if there is such a file, into run->saved. SB_IO: it is damaged or something else; SB_INVALID: it
 * is of another watch; SB_NO_MEMORY. */
enum sb_status sb_watch_read(struct sb_watch_run *run);

/* Puts what was read into the tallies and the detector. SB_IO: they have other shapes. */
enum sb_status sb_watch_resume(struct sb_watch_run *run);

#endif
