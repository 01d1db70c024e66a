/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The result of a watch, and an alarm. */
#ifndef SB_STUDY_WATCH_WATCH_H
#define SB_STUDY_WATCH_WATCH_H

#include "study/results.h"
#include "study/run/run.h"

/* The result of a watch. The opaque handle of shufflebias.h points to this struct. */
struct sb_watch {
    /* the evidence of all permutations; this gate has no lines before the first permutation */
    struct sb_gate gate;
    /* true: the e-detector raises alarms, possibly several; false: the gate raises at most one alarm */
    bool window;
    /* ln of the sum of E over all levels of the detector; -infinity before the first level has started */
    double ln_sum;
    uint64_t total;       /* number of permutations, including those of earlier runs */
    uint64_t carried;     /* number of permutations of earlier runs */
    uint64_t alarms;      /* number of alarms, including those of earlier runs */
    uint64_t alarm_total; /* number of permutations up to the last alarm */
    /* of all decks, the watch compares 1/compared, chosen by their hash; 0: the watch compares no decks */
    uint64_t compared;
    uint64_t gaps;    /* how often this run lost a part of the log, or may have lost it */
    double last;      /* when the last permutation came, in seconds since 1970; 0: none so far */
    bool interrupted; /* whether the stop flag ended the run */
    char *sentence;   /* the state in words; owned */
    /* the findings of the last alarm of this run, and its sentence; without lines if there was none */
    struct sb_gate alarm;
    char *command; /* the command line that resumes the watch; owned */
};

/* One alarm. The opaque handle of shufflebias.h points to this struct. */
struct sb_alarm {
    const struct sb_watch *watch;
    uint64_t number; /* index of the alarm, counted from 1 */
    uint64_t since;  /* the alarm's evidence starts after this number of permutations */
    /* ln E, averaged over the statistics with weights, for the permutations after `since` */
    double ln_e;
    double ln_sum;       /* ln of the detector's sum; equal to ln_e if watch->window is false */
    double time;         /* seconds since 1970 */
    struct sb_gate gate; /* the findings of a gate that fails on the permutations after `since`; owned */
    char *sentence;      /* the alarm in words; owned */
};

/* A file that a watch writes at intervals. Times are seconds of sb_clock_now(). */
struct sb_watch_file {
    double due;    /* when the next write is due */
    double failed; /* when writing first failed; 0: the last write succeeded */
    bool told;     /* whether the watch has reported that it cannot write the file */
};

/* Where the input has a deck. */
struct sb_watch_odd {
    uint64_t deck; /* its number; 0: none */
    char where[96];
};

struct sb_watch_run {
    struct sb_item_names *groups; /* of a resumed watch of sets or hands; owned; else NULL */
    struct sb_subject *subject;   /* the subject, completed from the saved watch if there is one */
    const struct sb_request *options;
    struct sb_error *error;
    struct sb_gate_terms terms;
    struct sb_saved *saved; /* the evidence to resume; owned; NULL: none */
    int lock;               /* descriptor that locks the file of the evidence; below 0: not locked yet */
    struct sb_feed *feed;   /* owned */
    /* between the feed and the loop, and the fingerprint of this run, if the file has the evidence of several runs */
    struct sb_recogniser recogniser;
    struct sb_fingerprint fingerprint;
    struct sb_fingerprints fingerprints; /* of the earlier runs */
    struct sb_run loop;
    bool ready;           /* whether n is known and the tallies are open */
    bool sorted;          /* whether the lines do not show the order of the draw, so that their evidence is not saved */
    bool begun;           /* whether permutations of this run have been tallied */
    struct sb_fair *fair; /* the intended law; owned; NULL: all orders are equally likely */
    struct sb_tallies tallies;
    struct sb_detector detector;
    struct sb_watch_file metrics, checkpoint;
    struct sb_watch_odd odd, odd_step; /* where the input has the least likely deck, and the least likely step's deck */
    struct sb_watch *watch;
};

/* ---- watch_out.c ---- */

void sb_watch_tell(const struct sb_watch_run *run, const char *line);

/* Updates the numbers and the verdict in run->watch, but raises no alarm. Error: SB_NO_MEMORY. */
enum sb_status sb_watch_refresh(struct sb_watch_run *run);

/* Writes the files that are due by the clock. All permutations read so far must be tallied. */
void sb_watch_idle(void *state);

/* Writes the first metrics; a failure ends the watch. Errors: SB_IO, SB_NO_MEMORY. */
enum sb_status sb_watch_first(struct sb_watch_run *run);

/* Writes a checkpoint after the first permutations of a run, lest they are lost if the log disappears. SB_IO. */
enum sb_status sb_watch_first_save(struct sb_watch_run *run);

/* Writes the files for the last time, even if the subject failed. Returns the final status of the watch. */
enum sb_status sb_watch_end(struct sb_watch_run *run, enum sb_status status);

/* ---- watch_page.c ---- */

/* Raises an alarm: passes the evidence to the caller's callback. Errors: SB_SUBJECT if the lines do not show the order
 * of the draw; SB_STOPPED if the callback failed; SB_NO_MEMORY. */
enum sb_status sb_watch_raise(struct sb_watch_run *run);

/* Sets run->watch->sentence. SB_NO_MEMORY. */
enum sb_status sb_watch_conclude(struct sb_watch_run *run);

/* ---- watch_out.c: the evidence in a file ---- */

/* Reads the evidence into run->saved, if there is a file. Errors: SB_IO if the file is damaged or has another
 * schema; SB_INVALID if the file belongs to another watch; SB_NO_MEMORY. */
enum sb_status sb_watch_read(struct sb_watch_run *run);

/* Restores the saved evidence in the tallies and the detector. Error: SB_IO if the shapes of the tallies
 * differ from those of the evidence. */
enum sb_status sb_watch_resume(struct sb_watch_run *run);

#endif
