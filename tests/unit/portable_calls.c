/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The replacements of calls that other systems lack. This program compiles them (tests/meson.build); unit-command,
 * unit-threads and unit-follow test the calls of this system. */
#include "unit/test.h"

#include "core/system.h"
#include "core/text.h"
#include "subject/subject.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

TEST(a_pipe_carries_bytes_and_is_closed_in_programs)
{
    int ends[2];
    char byte = 0;

    assert_int_equal(sb_portable_pipe(ends), 0);
    assert_true(fcntl(ends[0], F_GETFD) & FD_CLOEXEC);
    assert_true(fcntl(ends[1], F_GETFD) & FD_CLOEXEC);
    assert_int_equal(write(ends[1], "x", 1), 1);
    assert_int_equal(read(ends[0], &byte, 1), 1);
    assert_int_equal(byte, 'x');
    close(ends[0]);
    close(ends[1]);
}

TEST(a_temporary_file_is_new_and_is_closed_in_programs)
{
    char path[] = "/tmp/shufflebias-test-XXXXXX", lost[] = "/nowhere/XXXXXX";
    const int file = sb_portable_temporary(path);

    assert_true(file >= 0);
    assert_true(fcntl(file, F_GETFD) & FD_CLOEXEC);
    assert_int_equal(unlink(path), 0);
    close(file);
    assert_int_equal(sb_portable_temporary(lost), -1);
}

TEST(a_stream_into_memory_has_the_text)
{
    char *text;
    size_t length;
    FILE *const stream = sb_memory_stream_open(&text, &length);

    assert_non_null(stream);
    fputs("text", stream);
    assert_true(sb_memory_stream_close(stream, &text));
    assert_string_equal(text, "text");
    assert_int_equal(length, 4);
    free(text);
}

TEST(a_pending_sigpipe_is_discarded)
{
    sigset_t pipe, before, pending;

    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    assert_int_equal(sigprocmask(SIG_BLOCK, &pipe, &before), 0);
    sb_portable_discard_sigpipe(); /* nothing is pending, and the call returns */
    raise(SIGPIPE);
    sb_portable_discard_sigpipe();
    assert_int_equal(sigpending(&pending), 0);
    assert_false(sigismember(&pending, SIGPIPE));
    assert_int_equal(sigprocmask(SIG_SETMASK, &before, NULL), 0); /* would end the program if it were pending */
}

TEST(processors_are_counted_but_not_chosen)
{
    assert_true(sb_portable_processors() >= 1);
    assert_null(sb_cpu_affinity_begin());
    sb_cpu_affinity_end(NULL);
    assert_non_null(sb_portable_environment());
}
