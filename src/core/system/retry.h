/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a failed system call means to a caller that wants a file, and how long the caller tries again. */
#ifndef SB_CORE_SYSTEM_RETRY_H
#define SB_CORE_SYSTEM_RETRY_H

#include <stdbool.h>

enum {
    SB_RETRY_SAVED = 2,    /* seconds that a saved file is tried again: the run waits meanwhile */
    SB_RETRY_FOLLOWED = 20 /* the same of a log that is followed: nothing else can be done */
};

enum sb_fault {
    SB_FAULT_ABSENT,  /* there is no such file */
    SB_FAULT_PASSING, /* it may recover by itself: a file server that restarts, descriptors that run out */
    SB_FAULT_LASTING, /* it stays until a person changes something: permissions, a full disk */
};

/* The kind of an errno. */
enum sb_fault sb_fault_kind(int number);

/* Begins as zeroes. */
struct sb_retry {
    double began; /* sb_clock_now() at the first failure; 0: there was none */
    long pause;   /* nanoseconds of the last pause */
};

/*
 * Whether to repeat a call that failed with this errno: after a pause that grows, for SB_RETRY_SAVED seconds
 * in all, where the fault may pass. Leaves errno at `number`.
 */
bool sb_retry_again(struct sb_retry *retry, int number);

#endif
