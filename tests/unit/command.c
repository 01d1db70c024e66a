/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Commands that follow the protocol and commands that violate it: what is heard of them, the errors about how they
 * end, how long it takes, and that no process keeps running. A lifeline shows the last: a pipe that the
 * command and all processes that it starts inherit, and that ends when the last of them is dead.
 */
#include "unit/ask.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

enum { HEARD_MOST = 1 << 17, PROMPTLY = 20 }; /* seconds, on a machine that is busy */

static char heard[HEARD_MOST]; /* the lines of the last command's standard error */

static int hear(void *state, const char *event, const char *text, uint64_t done, uint64_t total)
{
    const size_t used = strlen(heard);

    if (strcmp(event, "line") == 0)
        assert_in_range(snprintf(heard + used, sizeof heard - used, "%s\n", text), 2, sizeof heard - used - 1);
    return 0;
}

/* A gate on a few words of the shell. */
static struct sb_request *gate_on(const char *script, const char *options)
{
    struct sb_request *const gate = ask("gate", "command=sh command=-c");

    put(gate, "command", script);
    for (char copy[64], *rest = strcpy(copy, options), *option; (option = strtok_r(rest, " ", &rest));) {
        char *const value = strchr(option, '=');

        *value = '\0';
        put(gate, option, value + 1);
    }
    heard[0] = '\0';
    sb_on(gate, hear, NULL);
    return gate;
}

/* Runs a gate. Soon after the seconds that it waits, nothing of its command is alive or waits to be reaped. */
static struct sb_result *run(struct sb_request *gate, int seconds)
{
    const time_t began = time(NULL);
    char byte;
    int ends[2];

    assert_int_equal(pipe(ends), 0);
    assert_int_equal(fcntl(ends[0], F_SETFD, FD_CLOEXEC), 0);
    struct sb_result *const result = sb_run(gate);
    struct pollfd lifeline = { .fd = ends[0], .events = POLLIN };

    close(ends[1]);
    assert_true(time(NULL) - began <= seconds + PROMPTLY);
    assert_int_equal(poll(&lifeline, 1, 1000), 1); /* who is killed is dead a little later */
    assert_int_equal(read(ends[0], &byte, 1), 0);
    close(ends[0]);
    assert_int_equal(*sb_group(gate), 0);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    return result;
}

/* A command that the gate gives up, with an error that holds some words. */
static void check_fails(const char *script, const char *options, const char *words)
{
    struct sb_request *const gate = gate_on(script, options);

    assert_null(run(gate, strstr(options, "timeout=1") ? 1 : 0));
    if (sb_status(gate) != SB_SUBJECT || !strstr(sb_error(gate), words))
        fail_msg("'%s' does not say '%s'", sb_error(gate), words);
    sb_request_free(gate);
}

/* The number of permutations that a gate tests. */
static void check_total(const char *script, const char *options, double total)
{
    struct sb_request *const gate = gate_on(script, options);
    struct sb_result *const result = run(gate, 0);

    if (!result)
        fail_msg("%s: %s", script, sb_error(gate));
    assert_true(sb_number(result, "gates.0.total") == total);
    sb_result_free(result);
    sb_request_free(gate);
}

TEST(faults_are_named)
{
    static const char *const faults[][3] = {
        { "sleep 1000", "timeout=1", "no permutation from 'sh -c sleep 1000' within 1 s" },
        { "exec >&-; sleep 1000", "timeout=1", "closed its output, but did not end within 1 s" },
        { "while :; do echo x; done >&2", "timeout=1", "no permutation from" },
        { "yes ''", "timeout=1", "no permutation from" }, /* though bytes never cease to come */
        { "sleep 1000 & exit 0", "timeout=1", "ended, but what it started held its output open" },
        { "sleep 1000 & exit 5", "timeout=1", "exited with status 5" },
        { "sleep 1000 >/dev/null & exit 6", "", "exited with status 6" }, /* holds the other */
        { "exit 0", "once=1", "ended without a permutation" },
        { "echo '# 0 1'; echo ' '; printf '#'", "once=1", "ended without a permutation" },
        { "exit 3", "once=1", "exited with status 3" },
        { "echo why >&2; printf 'and how' >&2; exit 1", "", "exited with status 1" },
    };

    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        check_fails(faults[i][0], faults[i][1], faults[i][2]);
    assert_string_equal(heard, "why\nand how\n"); /* before the end */
    check_fails("printf '> ' >&2; sleep 1000", "timeout=1", "no permutation from");
    assert_string_equal(heard, "> \n"); /* a prompt may explain the silence */
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

    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
        check_total(scripts[i], "limit=1", 1);
}

TEST(what_is_overheard_does_no_harm)
{
    check_total("printf 'a\\0b\\033[31mred\\a\\n\\n::error::x\\n  ::set-output name=a::b\\n"
                "\\302\\240::stop-commands::x\\nC++: ##[group]x ##vso[task.complete]\\n"
                "std::sort, List::Util\\r50%%\\r\\n\\377\\303\\251\\n' >&2; echo 0 1 2",
                "", 1);
    assert_string_equal(heard, "a\uFFFDb\uFFFD[31mred\uFFFD\n"
                               ": :error::x\n"
                               "  : :set-output name=a::b\n"
                               "\u00A0: :stop-commands::x\n"
                               "C++: # #[group]x # #vso[task.complete]\n"
                               "std::sort, List::Util\n"
                               "50%\n"
                               "\uFFFD\u00E9\n");
}

/* Each output ends in a newline, even if the command printed none. What follows a comment counts. The command may close
 * its output, and then write more to its standard error than a pipe holds. */
TEST(what_deals_once_starts_anew)
{
    check_total("printf '#\\n0 1'; printf said >&2; exec >&-; yes '' | head -n 200000 >&2", "once=1 limit=3", 3);
    assert_memory_equal(heard, "said\nsaid\n", 10);

    const char *const mark = scratch_name("once");
    char script[300];

    /* two numbers of the first permutation, and no end of the third start */
    snprintf(script, sizeof script, "echo >>%s; [ $(wc -l <%s) -lt 3 ] || sleep 1000; wc -l <%s", mark, mark, mark);
    check_fails(script, "once=1 timeout=1 free=1 n=5", " starts: with `once`, each start prints one");
    remove(mark);
}

TEST(signals_are_as_at_login)
{
    sigset_t all, before;

    signal(SIGPIPE, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    check_fails("kill -PIPE $$; echo 0 1 2", "", "was killed by signal 13");
    check_fails("kill -INT $$; echo 0 1 2", "", "was killed by signal 2");
    sigprocmask(SIG_SETMASK, &before, NULL);
    signal(SIGINT, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
}
