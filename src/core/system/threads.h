/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work that several threads share. */
#ifndef SB_CORE_SYSTEM_THREADS_H
#define SB_CORE_SYSTEM_THREADS_H

#include <stddef.h>
#include <stdint.h>

/* Returns how many threads to use. This is `asked` or, if `asked` is 0, the number of processors that this
 * thread may run on. The result is at most `useful`, and at least 1. */
size_t sb_threads_count(size_t asked, uint64_t useful);

/*
 * Calls work(state, thread) in up to `threads` threads in parallel, and returns when all calls have returned.
 * The calling thread makes the call for thread 0; the other threads have numbers from 1 to threads - 1, and
 * block the signals that a program handles. If a thread cannot start, there are fewer calls. So no part of
 * the work may be tied to a thread's number: each call takes parts from a shared counter until none is left.
 * If `work` itself calls this function, the nested call runs in one thread.
 */
void sb_threads_run(size_t threads, void (*work)(void *state, size_t thread), void *state);

#endif
