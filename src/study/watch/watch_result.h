/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The result of a watch, and an alarm.
 */
#ifndef SB_STUDY_WATCH_WATCH_RESULT_H
#define SB_STUDY_WATCH_WATCH_RESULT_H

#include "gate/gate.h"
#include "report/result.h"

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

extern const struct sb_result_type sb_watch_result, sb_alarm_result;

#endif
