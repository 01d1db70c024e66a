/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is known of a subject that is watched without end, and of an alarm: collected in study/watch/watch.c,
 * written in report/.
 */
#ifndef SB_STUDY_WATCH_WATCH_RESULT_H
#define SB_STUDY_WATCH_WATCH_RESULT_H

#include "gate/findings.h"
#include "report/result.h"

/* Also the opaque handle of shufflebias.h. */
struct sb_watch {
    struct sb_gate gate;  /* the evidence since the first permutation; no lines as long as there was none */
    bool window;          /* alarms come from the e-detector, and may come again; else there is one */
    double ln_sum;        /* of all levels of the detector by now; -infinite while none has started */
    uint64_t total;       /* permutations, those of earlier runs included, ... */
    uint64_t carried;     /* ... which were so many */
    uint64_t alarms;      /* likewise */
    uint64_t alarm_total; /* permutations until the last one */
    uint64_t compared;    /* of so many decks one, by its hash, is compared with others; 0: none is */
    double last;          /* when the last permutation came, in seconds since 1970; 0: none has */
    bool interrupted;     /* by the stop flag */
    char *sentence;       /* how it is, in words; owned */
};

/* One alarm. Also opaque there. */
struct sb_alarm {
    const struct sb_watch *watch;
    uint64_t number;     /* from 1 */
    uint64_t since;      /* the evidence is of the permutations after that one */
    double ln_e;         /* of the weighted average, of these */
    double ln_sum;       /* of the detector; of one without a window the same */
    double time;         /* seconds since 1970 */
    struct sb_gate gate; /* what these permutations show, as of a gate that fails; owned */
    char *sentence;      /* owned */
};

extern const struct sb_result_type sb_watch_result, sb_alarm_result;

#endif
