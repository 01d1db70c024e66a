/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the failure of a system call on a file means, and how long to retry the call. */
#ifndef SB_CORE_SYSTEM_RETRY_H
#define SB_CORE_SYSTEM_RETRY_H

#include <stdbool.h>

enum {
    SB_RETRY_SAVED = 2,    /* seconds to retry a saved file; the run waits meanwhile */
    SB_RETRY_FOLLOWED = 20 /* seconds to retry a followed log; the run has no other work */
};

enum sb_fault {
    SB_FAULT_ABSENT, /* the file does not exist */
    /* the failure may end by itself: a file server that restarts, descriptors that run out */
    SB_FAULT_PASSING,
    SB_FAULT_LASTING, /* the failure lasts until a person changes something: permissions, a full disk */
};

/* The kind of an errno. */
enum sb_fault sb_fault_kind(int number);

/* The retries of one call so far. Initialise this struct with zeroes. */
struct sb_retry {
    double began; /* sb_clock_now() at the first failure; 0: no failure yet */
    long pause;   /* nanoseconds of the last pause */
};

/*
 * Whether to repeat a call that failed with the errno `number`. If the failure may be temporary, waits and
 * returns true; each wait is longer, up to 128 ms. Returns false SB_RETRY_SAVED seconds after the first
 * failure. Leaves errno at `number`.
 */
bool sb_retry_again(struct sb_retry *retry, int number);

#endif
