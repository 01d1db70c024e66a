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
    /* the failure may end by itself, as when a file server restarts or descriptors run out */
    SB_FAULT_PASSING,
    SB_FAULT_LASTING, /* the failure lasts until a person acts, as with permissions or a full disk */
};

/* Returns the kind of an errno. */
enum sb_fault sb_fault_kind(int number);

/* The retries of one call so far. Initialise this struct with zeroes. */
struct sb_retry {
    double began; /* sb_clock_now() at the first failure; 0: no failure yet */
    long pause;   /* nanoseconds of the last pause */
};

/*
 * Returns whether to repeat a call that failed with the errno `number`. If the failure may be temporary,
 * waits and returns true; each wait is twice as long as the previous one, up to 128 ms. Returns false if the
 * failure is not temporary, or if SB_RETRY_SAVED seconds have passed since the first failure. Sets errno to
 * `number`.
 */
bool sb_retry_again(struct sb_retry *retry, int number);

#endif
