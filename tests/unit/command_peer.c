/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Proofs of commands: signals, descriptors, and a command that ends. tests/cli/prove.py has the protocol. */
#include "unit/ask.h"

#include <signal.h>

/* Exchanges two items or not. */
static const char exchanges[] = "while read -r start; do echo draw 2; read -r answer; "
                                "case $answer in 0) echo deck 0 1;; *) echo deck 1 0;; esac; done";

static struct sb_request *proof_of(const char *script)
{
    struct sb_request *const proof = ask("prove", "n=2 command=sh command=-c");

    put(proof, "command", script);
    return proof;
}

/* The signals that this thread blocks. */
static sigset_t blocked(void)
{
    sigset_t now;

    assert_int_equal(sigprocmask(SIG_SETMASK, NULL, &now), 0);
    return now;
}

/* Whether the thread blocks the signals of a set, and SIGPIPE or not, and no other. */
static bool blocks(const sigset_t *set, bool pipe)
{
    const sigset_t now = blocked();
    bool same = true;

    for (int number = 1; number < 32; number++)
        same = same && sigismember(&now, number) == (number == SIGPIPE ? pipe : sigismember(set, number));
    return same;
}

/* What the thread blocked before, and how often a run has told its progress. */
struct watched {
    sigset_t given;
    unsigned calls;
};

static int check_signals(void *state, const char *event, const char *text, uint64_t done, uint64_t total)
{
    struct watched *const watched = state;

    assert_true(blocks(&watched->given, true));
    watched->calls++;
    return 0;
}

/* While the command runs, this thread has SIGPIPE blocked, and no other signal. Then all is as before. */
TEST(no_signal_but_sigpipe_is_touched)
{
    for (int how = 0; how < 3; how++) { /* none, all others, SIGPIPE */
        const sigset_t before = blocked();
        struct watched watched = { .calls = 0 };
        sigset_t set;

        sigemptyset(&set);
        if (how == 1)
            sigfillset(&set);
        sigdelset(&set, SIGPIPE);
        if (how == 2)
            sigaddset(&set, SIGPIPE);
        assert_int_equal(sigprocmask(SIG_SETMASK, &set, NULL), 0);
        watched.given = blocked(); /* what cannot be blocked is not */
        struct sb_request *const proof = proof_of(exchanges);

        sb_on(proof, check_signals, &watched);
        check_answer(proof, "reports.0.verdict", "uniform");
        assert_true(watched.calls > 0 && blocks(&watched.given, how == 2));
        sigprocmask(SIG_SETMASK, &before, NULL);
    }
}

/* What is written to a pipe that nobody reads is an error, and no signal that ends this program. */
TEST(a_command_ends)
{
    const sigset_t before = blocked();

    check_refused(proof_of("read -r start"), SB_SUBJECT, "ended");
    check_refused(proof_of("read -r start; echo draw 2; exec <&-; echo draw 2; sleep 0.1"), SB_SUBJECT, "ended");
    assert_true(blocks(&before, false));
}

/* What a command says is shown, with what it should have said. */
TEST(broken_words_are_shown)
{
    static const char *const rows[][2] = {
        { "read -r start; echo hello; cat", " said 'hello': 'draw K', 'random' and 'deck ...' are understood" },
        { "read -r start; echo draw 0; cat", " said 'draw 0': a draw has a whole bound from 1 to 4294967295" },
        { "read -r start; echo draw 4294967296; cat", " said 'draw 4294967296': a draw has a whole bound" },
        { "read -r start; echo draw 2x; cat", " said 'draw 2x': a draw has a whole bound" },
        { "read -r start; echo deck 0 x; cat", " said 'deck 0 x': items are whole numbers, with blanks between them" },
        { "read -r start; echo deck 0 1 2; cat", " said 'deck 0 1 2': 3 items where `n` says 2: keep each item once" },
        { "read -r start; printf 'deck 0 1\\nmore\\n'; cat", "': wait for 'start' after a deck" },
        { "read -r start; printf 'draw 2\\000\\n'; cat", " said 'draw 2': a byte of 0 follows" },
        { "read -r start; printf '%70000d' 1; cat", "the line has no end: say no more than a question or a deck" },
        { "read -r start; echo deck 1 2; read -r start; echo deck 0 1; cat",
          " said 'deck 0 1': its decks before counted from 1: let all of them do so" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check_refused(proof_of(rows[i][0]), SB_SUBJECT, rows[i][1]);
}

/* Descriptor 0 is a pipe like any other, and all pipes are closed in the end. */
TEST(descriptors_are_closed)
{
    const int input = dup(0), next = dup(0);

    assert_true(close(next) == 0 && close(0) == 0);
    check_answer(proof_of(exchanges), "reports.0.verdict", "uniform");
    assert_int_equal(dup(input), 0);
    assert_int_equal(dup(0), next);
    assert_true(close(next) == 0 && close(input) == 0);
}
