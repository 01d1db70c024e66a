/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * POSIX threads that live for one piece of work.
 *
 * This file does not use OpenMP. If a thread cannot start, OpenMP's runtimes end the process with exit status
 * 1, which would look like a verdict of the gate. This can happen, because containers often limit processes
 * or address space. In this file, the threads that did start do all the work.
 *
 * Cost: about 20 us per thread.
 */
#include "core/system.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* Large decks take 1.25 MB of the stack, but by default musl gives a thread 128 KiB, and macOS 512. */
enum { THREADS_STACK = 4 << 20 };

/* The state that the threads of one call share. */
struct threads_run {
    void (*work)(void *state, size_t thread);
    void *state;
    atomic_size_t started; /* how many threads have taken a number so far */
};

/* Whether this thread is inside sb_threads_run(). A nested call starts no threads, since otherwise there
 * would be more threads than processors. */
static _Thread_local bool threads_inside;

size_t sb_threads_count(size_t asked, uint64_t useful)
{
    const size_t wanted = asked ? asked : sb_portable_processors(), count = wanted < useful ? wanted : (size_t)useful;

    return count ? count : 1;
}

static void *threads_work(void *shared)
{
    struct threads_run *const run = shared;

    threads_inside = true;
    run->work(run->state, atomic_fetch_add(&run->started, 1));
    return NULL;
}

/* Sets `handled` to all signals except those that a fault of the thread itself raises. */
static void threads_handled_signals(sigset_t *handled)
{
    static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGSYS, SIGTRAP };

    sigfillset(handled);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        sigdelset(handled, faults[i]);
}

/* Asks for a stack of THREADS_STACK bytes or more. Returns whether the attributes are ready. */
static bool threads_stack(pthread_attr_t *attributes)
{
    size_t size;

    if (pthread_attr_init(attributes))
        return false;
    if (pthread_attr_getstacksize(attributes, &size) == 0 && size < THREADS_STACK)
        (void)pthread_attr_setstacksize(attributes, THREADS_STACK);
    return true;
}

/* Starts up to `count` threads, which inherit the signal mask; returns how many started. */
static size_t threads_start(struct threads_run *run, size_t count, pthread_t thread[])
{
    pthread_attr_t attributes;
    sigset_t handled, before;
    size_t started = 0;

    if (!threads_stack(&attributes))
        return 0;
    threads_handled_signals(&handled);
    if (pthread_sigmask(SIG_BLOCK, &handled, &before) == 0) {
        while (started < count && pthread_create(&thread[started], &attributes, threads_work, run) == 0)
            started++;
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    pthread_attr_destroy(&attributes);
    return started;
}

void sb_threads_run(size_t threads, void (*work)(void *state, size_t thread), void *state)
{
    struct threads_run run = { .work = work, .state = state, .started = 1 };
    const bool outermost = !threads_inside;
    pthread_t *const thread = outermost && threads > 1 ? calloc(threads - 1, sizeof *thread) : NULL;
    const size_t started = thread ? threads_start(&run, threads - 1, thread) : 0;

    threads_inside = true;
    work(state, 0);
    threads_inside = !outermost;
    for (size_t i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
    free(thread);
}
