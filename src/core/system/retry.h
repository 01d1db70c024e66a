/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a failed system call means for a file, and how long to retry it. */
#ifndef SB_CORE_SYSTEM_RETRY_H
#define SB_CORE_SYSTEM_RETRY_H

#include <stdbool.h>

enum {
    SB_RETRY_SAVED = 2,    /* seconds to retry a saved file; the run waits meanwhile */
    SB_RETRY_FOLLOWED = 20 /* seconds to retry a followed log; there is nothing else to do */
};

enum sb_fault {
    SB_FAULT_ABSENT,  /* there is no such file */
    SB_FAULT_PASSING, /* it may end by itself: a file server that restarts, descriptors that run out */
    SB_FAULT_LASTING, /* it lasts until a person changes something: permissions, a full disk */
};

/* The kind of an errno. */
enum sb_fault sb_fault_kind(int number);

/* Initialise it with zeroes. */
struct sb_retry {
    double began; /* sb_clock_now() at the first failure; 0: none yet */
    long pause;   /* nanoseconds of the last pause */
};

/*
 * Whether to repeat a call that failed with the errno `number`. If the failure may be temporary, waits,
 * longer each time, and returns true, for SB_RETRY_SAVED seconds in total. Leaves errno at `number`.
 */
bool sb_retry_again(struct sb_retry *retry, int number);

#endif
