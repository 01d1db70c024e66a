/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that share work. tests/cli/threads.py tests what happens if none starts. */
#define _GNU_SOURCE /* CPU_COUNT() */
#include "unit/test.h"

#include "core/system.h"
#include "subject/parts.h"
#include "subject/subject.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

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

/* ---- cpu affinity ---- */

/* Two processes that take turns share a processor. Afterwards the thread may use all that it could use before. */
TEST(one_processor_and_then_all_again)
{
    cpu_set_t before, between, after;

    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    sb_cpu_affinity_end(NULL); /* changes nothing */
    struct sb_cpu_affinity *const affinity = sb_cpu_affinity_begin();
    assert_non_null(affinity);
    assert_int_equal(sched_getaffinity(0, sizeof between, &between), 0);
    sb_cpu_affinity_end(affinity);
    assert_int_equal(sched_getaffinity(0, sizeof after, &after), 0);
    assert_int_equal(CPU_COUNT(&between), 1);
    assert_true(CPU_EQUAL(&before, &after));
}

/* ---- stderr relay ---- */

/* Which lines of a command's standard error are relayed: the first ten and the last, each cut to 400 bytes. */

enum { HEARD = 4096 };

static void hear(void *state, const char *line)
{
    char *const heard = state;
    const size_t used = strlen(heard);

    assert_in_range(snprintf(heard + used, HEARD - used, "%s\n", line), 2, HEARD - used - 1);
}

/* Relays the lines 1 to `count`, in pieces of three bytes. */
static void expect_lines(int count, const char *expected)
{
    char heard[HEARD] = "", text[HEARD] = "";
    struct sb_stderr_relay relay = { .tell = hear, .state = heard };

    for (int i = 1; i <= count; i++)
        snprintf(text + strlen(text), HEARD - strlen(text), "%d%s", i, i < count ? "\n\n" : "");
    for (size_t at = 0; at < strlen(text); at += 3)
        sb_stderr_relay_take(&relay, text + at, strnlen(text + at, 3));
    sb_stderr_relay_end(&relay);
    assert_string_equal(heard, expected);
    sb_stderr_relay_end(&relay); /* says nothing twice */
    assert_string_equal(heard, expected);
}

TEST(the_first_lines_and_the_last)
{
    expect_lines(0, "");
    expect_lines(1, "1\n");
    expect_lines(10, "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n");
    expect_lines(11, "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n");
    expect_lines(12, "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n(1 more line, and the last:)\n12\n");
    expect_lines(500, "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n(489 more lines, and the last:)\n500\n");
}

TEST(long_lines_are_cut)
{
    static const char zeros[100000];
    char heard[HEARD] = "", line[HEARD] = "";
    struct sb_stderr_relay relay = { .tell = hear, .state = heard };

    for (int i = 0; i < 10; i++)
        sb_stderr_relay_take(&relay, zeros, sizeof zeros);
    sb_stderr_relay_end(&relay);
    for (size_t i = 0; i + 3 <= SB_STDERR_RELAY_LINE; i += 3)
        strcat(line, "\uFFFD");
    strcat(line, "...\n");
    assert_string_equal(heard, line);
}
