/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that share work. tests/cli/threads.py tests what happens if none starts. */
#include "unit/test.h"

#include "core/system.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>

enum { MOST = 64 };

/* What each call of `note` adds to. */
struct notes {
    atomic_size_t calls, of[MOST], inside;
    atomic_size_t unblocked; /* threads other than the first in which SIGINT is not blocked */
    size_t wait;             /* calls that each waits for; 0: none */
    pthread_t first;
};

static void note_inside(void *state, size_t thread)
{
    struct notes *const notes = state;

    assert_int_equal(thread, 0);
    notes->inside++;
}

static void note(void *state, size_t thread)
{
    struct notes *const notes = state;
    sigset_t blocked;

    notes->calls++;
    notes->of[thread]++;
    if (thread == 0)
        notes->first = pthread_self();
    else if (pthread_sigmask(SIG_BLOCK, NULL, &blocked) || !sigismember(&blocked, SIGINT))
        notes->unblocked++;
    sb_threads_run(4, note_inside, notes);
    while (notes->calls < notes->wait)
        sched_yield();
}

TEST(each_thread_has_a_number)
{
    for (size_t threads = 0; threads <= MOST; threads += 8) {
        struct notes notes = { .wait = threads };

        sb_threads_run(threads, note, &notes);
        assert_int_equal(notes.calls, threads ? threads : 1);
        for (size_t i = 0; i < notes.calls; i++)
            assert_int_equal(notes.of[i], 1);
        assert_int_equal(notes.inside, notes.calls);
        assert_int_equal(notes.unblocked, 0);
        assert_true(pthread_equal(notes.first, pthread_self()));
    }
}

TEST(the_caller_keeps_its_signals)
{
    struct notes notes = { 0 };
    sigset_t blocked;

    sb_threads_run(2, note, &notes);
    assert_int_equal(pthread_sigmask(SIG_BLOCK, NULL, &blocked), 0);
    assert_false(sigismember(&blocked, SIGINT));
}

TEST(as_many_as_are_of_use)
{
    assert_int_equal(sb_threads_count(8, 100), 8);
    assert_int_equal(sb_threads_count(8, 3), 3);
    assert_int_equal(sb_threads_count(8, 0), 1);
    assert_true(sb_threads_count(0, SIZE_MAX) >= 1);
    assert_int_equal(sb_threads_count(0, 1), 1);
}
