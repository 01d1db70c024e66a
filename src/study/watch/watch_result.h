/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The result of a watch, and an alarm: collected in study/watch/watch.c, written in report/.
 */
#ifndef SB_STUDY_WATCH_WATCH_RESULT_H
#define SB_STUDY_WATCH_WATCH_RESULT_H

#include "gate/findings.h"
#include "report/result.h"

/* The result of a watch. The opaque handle of shufflebias.h points to this struct. */
struct sb_watch {
    struct sb_gate gate; /* the evidence since the first permutation; has no lines before that */
    bool window;         /* the e-detector raises alarms, possibly several; else there is at most one */
    /* ln of the sum of E over all levels of the detector; -infinity before the first level has started */
    double ln_sum;
    uint64_t total;       /* permutations, including those of earlier runs */
    uint64_t carried;     /* permutations of earlier runs */
    uint64_t alarms;      /* alarms, including those of earlier runs */
    uint64_t alarm_total; /* permutations until the last alarm */
    uint64_t compared;    /* one in this many decks, by its hash, is compared with others; 0: none */
    double last;          /* when the last permutation came, in seconds since 1970; 0: none so far */
    bool interrupted;     /* the stop flag ended the run */
    char *sentence;       /* the state in words; owned */
};

/* One alarm. The opaque handle of shufflebias.h points to this struct. */
struct sb_alarm {
    const struct sb_watch *watch;
    uint64_t number;     /* number of the alarm, counted from 1 */
    uint64_t since;      /* the evidence is of the permutations after this count */
    double ln_e;         /* ln E of the weighted average, for these permutations */
    double ln_sum;       /* ln of the detector's sum; without a window equal to ln_e */
    double time;         /* seconds since 1970 */
    struct sb_gate gate; /* the findings of a gate that fails on these permutations; owned */
    char *sentence;      /* the alarm in words; owned */
};

extern const struct sb_result_type sb_watch_result, sb_alarm_result;

#endif
