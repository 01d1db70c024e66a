/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Commands that follow the protocol and commands that violate it: what is read, the errors about how they
 * end, how long it takes, and that no process keeps running. A lifeline shows the last: a pipe that the
 * command and all processes that it starts inherit, and that ends when the last of them is dead.
 */
#include "unit/test.h"

#include "core/system.h"
#include "subject/subject.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { HEARD_MOST = 1 << 17 };

/* Seconds: until a silence that is meant is given up; for one that is not; for what should take no time at
 * all, on a machine that is busy. */
static const double soon = 1, long_enough = 60, promptly = 20;

static volatile sig_atomic_t stop, group;

/* A command on trial. */
struct trial {
    struct sb_bytes *bytes;
    struct sb_error error;
    int lifeline;
    char output[4096];      /* the beginning of what it printed */
    size_t printed;         /* all of it */
    char heard[HEARD_MOST]; /* the lines of its standard error */
    size_t heard_length;
};

static void trial_hear(void *state, const char *line)
{
    struct trial *const trial = state;
    const size_t room = sizeof trial->heard - trial->heard_length;
    const int length = snprintf(trial->heard + trial->heard_length, room, "%s\n", line);

    assert_in_range(length, 2, room - 1);
    trial->heard_length += (size_t)length;
}

static struct trial trial_static; /* too large for a stack */
static bool trial_once;           /* whether commands start anew */

static enum sb_status trial_open(const char *const argv[], double timeout, struct trial **opened)
{
    const struct sb_patience patience = { .timeout = timeout, .stop = &stop, .group = &group };
    const struct sb_command_start start = { .argv = argv, .once = trial_once };
    struct trial *const trial = &trial_static;
    int ends[2];

    stop = 0;
    *trial = (struct trial) { 0 };
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(fcntl(ends[0], F_SETFD, FD_CLOEXEC), 0);
    trial->lifeline = ends[0];
    const enum sb_status status =
        sb_bytes_open_command(&start, &patience, trial_hear, trial, &trial->error, &trial->bytes);
    close(ends[1]);
    *opened = trial;
    return status;
}

/* A few words of the shell. */
static struct trial *trial_begin(const char *script, double timeout)
{
    static const char *argv[] = { "sh", "-c", NULL, NULL }; /* for later starts */
    struct trial *trial;

    argv[2] = script;
    assert_int_equal(trial_open(argv, timeout, &trial), SB_OK);
    return trial;
}

/* Reads to the end, or to what comes instead of it; `timeout` seconds are allowed for each piece. */
static enum sb_status trial_read(struct trial *trial, double timeout)
{
    char piece[4000];
    size_t got = 1;

    while (got > 0) {
        const enum sb_status status =
            trial->bytes->read(trial->bytes, piece, sizeof piece, sb_clock_now() + timeout, &got, &trial->error);

        if (status)
            return status;
        for (size_t i = 0; i < got; i++, trial->printed++)
            if (trial->printed + 1 < sizeof trial->output)
                trial->output[trial->printed] = piece[i];
    }
    return SB_OK;
}

/* Frees the command; then nothing of it may be alive, nor wait to be reaped. */
static void trial_end(struct trial *trial)
{
    const double began = sb_clock_now();
    struct pollfd lifeline = { .fd = trial->lifeline, .events = POLLIN };
    char byte;

    trial->bytes->free(trial->bytes);
    assert_true(sb_clock_now() - began < promptly);
    assert_int_equal(poll(&lifeline, 1, 1000), 1); /* who is killed is dead a little later */
    assert_int_equal(read(trial->lifeline, &byte, 1), 0);
    close(trial->lifeline);
    assert_int_equal(group, 0);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

/* A script that reads to a status with an error that holds some words, at once or after `timeout`. */
static void trial_fails(const char *script, double timeout, const char *words)
{
    struct trial *const trial = trial_begin(script, timeout);
    const double began = sb_clock_now();

    assert_int_equal(trial_read(trial, timeout), SB_SUBJECT);
    assert_true(sb_clock_now() - began < (timeout <= soon ? timeout : 0) + promptly);
    if (!strstr(trial->error.text, words))
        fail_msg("'%s' does not say '%s'", trial->error.text, words);
    trial_end(trial);
}

TEST(last_words_come_before_the_end)
{
    struct trial *const trial = trial_begin("echo why >&2; printf 'and how' >&2; exit 1", long_enough);

    assert_int_equal(trial_read(trial, long_enough), SB_SUBJECT);
    assert_string_equal(trial->heard, "why\nand how\n");
    trial_end(trial);
}

TEST(silence_is_given_up)
{
    trial_fails("sleep 1000", soon, "no permutation from 'sh -c sleep 1000' within 1 s");
    trial_fails("printf '> ' >&2; sleep 1000", soon, "no permutation from");
    assert_string_equal(trial_static.heard, "> \n"); /* a prompt may explain the silence */
    trial_fails("exec >&-; sleep 1000", soon, "closed its output, but did not end within 1 s");
    trial_fails("while :; do echo x; done >&2", soon, "no permutation from");
}

/* Even where bytes never cease to come, since they make no permutation. */
TEST(nothing_is_read_after_the_deadline)
{
    struct trial *const trial = trial_begin("yes", soon);
    const double deadline = sb_clock_now() + soon;
    enum sb_status status = SB_OK;
    char piece[4096];
    size_t got, total = 0;

    for (; status == SB_OK; total += got)
        status = trial->bytes->read(trial->bytes, piece, sizeof piece, deadline, &got, &trial->error);
    assert_int_equal(status, SB_SUBJECT);
    assert_true(total > 0);
    assert_true(sb_clock_now() < deadline + promptly);
    trial_end(trial);
}

TEST(what_is_still_running_is_killed)
{
    static const char *const scripts[] = {
        "yes '0 1 2'",
        "sleep 1000 & sleep 1000 & echo 0 1 2; wait",
        "sleep 1000 & sh -c 'trap \"\" TERM; echo 0 1 2; sleep 1000'", /* but its shell does not */
        "trap '' TERM; echo 0 1 2; sleep 1000; sleep 1000",
        "trap 'echo caught; exit 0' TERM; echo 0 1 2; while :; do sleep 0.01; done",
        "echo 0 1 2; kill -STOP $$",
        "sleep 1000 >/dev/null 2>&1 & echo 0 1 2", /* it has ended itself */
    };

    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        struct trial *const trial = trial_begin(scripts[i], long_enough);
        size_t got;

        assert_int_equal(
            trial->bytes->read(trial->bytes, trial->output, 6, sb_clock_now() + long_enough, &got, &trial->error),
            SB_OK);
        assert_memory_equal(trial->output, "0 1 2\n", got);
        trial_end(trial);
    }
}

TEST(what_was_started_may_hold_the_output_open)
{
    trial_fails("sleep 1000 & exit 0", soon, "ended, but what it started held its output open");
    trial_fails("sleep 1000 & exit 5", soon, "exited with status 5");
    trial_fails("sleep 1000 >/dev/null & exit 6", long_enough, "exited with status 6"); /* holds the other */
}

TEST(what_is_overheard_does_no_harm)
{
    struct trial *const trial = trial_begin("printf 'a\\0b\\033[31mred\\a\\n\\n::error::x\\n  ::set-output name=a::b\\n"
                                            "\\302\\240::stop-commands::x\\nC++: ##[group]x ##vso[task.complete]\\n"
                                            "std::sort, List::Util\\r50%%\\r\\n\\377\\303\\251\\n' >&2",
                                            long_enough);

    assert_int_equal(trial_read(trial, long_enough), SB_OK);
    assert_string_equal(trial->heard, "a\uFFFDb\uFFFD[31mred\uFFFD\n"
                                      ": :error::x\n"
                                      "  : :set-output name=a::b\n"
                                      "\u00A0: :stop-commands::x\n"
                                      "C++: # #[group]x # #vso[task.complete]\n"
                                      "std::sort, List::Util\n"
                                      "50%\n"
                                      "\uFFFD\u00E9\n");
    trial_end(trial);
}

/* Each output ends in a newline, even if the command printed none. What follows a comment counts. The command may close
 * its output, and then write more to its standard error than a pipe holds. */
TEST(what_deals_once_starts_anew)
{
    trial_once = true;
    struct trial *const trial =
        trial_begin("printf '#\\n0 1'; printf said >&2; exec >&-; yes '' | head -n 200000 >&2", long_enough);

    for (size_t got; trial->printed < 18; trial->printed += got)
        assert_int_equal(trial->bytes->read(trial->bytes, trial->output + trial->printed, 18 - trial->printed,
                                            sb_clock_now() + long_enough, &got, &trial->error),
                         SB_OK);
    assert_string_equal(trial->output, "#\n0 1\n#\n0 1\n#\n0 1\n");
    assert_memory_equal(trial->heard, "said\nsaid\n", 10);
    trial_end(trial);
    trial_fails("exit 0", long_enough, "ended without a permutation");
    trial_fails("echo '# 0 1'; echo ' '; printf '#'", long_enough, "ended without a permutation");
    trial_fails("exit 3", long_enough, "exited with status 3");
    struct trial *const busy = trial_begin("echo 0 1", soon); /* its reader wants ever more before one deadline */
    const double deadline = sb_clock_now() + soon;
    enum sb_status status = SB_OK;

    for (size_t got; status == SB_OK;)
        status = busy->bytes->read(busy->bytes, busy->output, 100, deadline, &got, &busy->error);
    assert_non_null(strstr(busy->error.text, " starts: with `once`, each start prints one"));
    trial_end(busy);
    trial_once = false;
}

TEST(signals_are_as_at_login)
{
    sigset_t all, before;

    signal(SIGPIPE, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    trial_fails("kill -PIPE $$; echo 0 1 2", long_enough, "was killed by signal 13");
    trial_fails("kill -INT $$; echo 0 1 2", long_enough, "was killed by signal 2");
    sigprocmask(SIG_SETMASK, &before, NULL);
    signal(SIGINT, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
}
