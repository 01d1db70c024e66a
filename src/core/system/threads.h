/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work that several threads share. */
#ifndef SB_CORE_SYSTEM_THREADS_H
#define SB_CORE_SYSTEM_THREADS_H

#include <stddef.h>
#include <stdint.h>

/* How many threads to use: `asked`, or one for each processor that this thread may run on if that is 0; but
 * at most `useful`, and at least 1. */
size_t sb_threads_count(size_t asked, uint64_t useful);

/*
 * Calls work(state, thread) in up to `threads` threads at once and returns when all calls have. The calling
 * thread makes the call for thread 0; the others have numbers from 1 to threads - 1, and the signals that a
 * program handles are blocked in them. If a thread cannot start, there are fewer calls. So no part of the
 * work may be tied to a thread's number: each call takes the next part that is left, from a counter, until
 * none is. Within `work` the function makes one call only.
 */
void sb_threads_run(size_t threads, void (*work)(void *state, size_t thread), void *state);

#endif
