/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Peers as processes: signals, descriptors, and a shuffle that is abandoned. Each peer is a shell script. It reads a
 * line with `read`, and shows an answer by dealing it. tests/cli/prove.py has the protocol.
 */
#include "unit/test.h"

#include "subject/subject.h"

#include <fnmatch.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { ITEMS_MOST = 8000 };

static const struct sb_patience patient = { .timeout = 60 };

/* Draws that answer bound - 1 and 0.25, and note the sum of the bounds. */
struct largest_draws {
    struct sb_draws draws; /* must be the first member */
    uint64_t bounds;
    bool end; /* the next draw ends the shuffle */
};

static uint32_t largest_below(struct sb_draws *self, uint32_t bound)
{
    struct largest_draws *const draws = (struct largest_draws *)self;

    draws->bounds += bound;
    self->over = draws->end;
    return bound - 1;
}

static double largest_uniform(struct sb_draws *self)
{
    struct largest_draws *const draws = (struct largest_draws *)self;

    self->over = draws->end;
    return 0.25;
}

static struct largest_draws largest(void)
{
    return (struct largest_draws) { .draws = { .below = largest_below, .uniform = largest_uniform } };
}

static struct sb_peer *open_peer(const char *script, const struct sb_patience *patience)
{
    const char *const command[] = { "sh", "-c", script, NULL };
    struct sb_peer *peer = NULL;
    struct sb_error error = { .status = SB_OK };

    if (sb_command_peer_open(command, patience, NULL, NULL, &error, &peer))
        fail_msg("%s", error.text);
    return peer;
}

/* The next deck of a peer in words: "2 0 1", or the error after the name of the peer. */
static const char *next_deck(struct sb_peer *peer, size_t n)
{
    static sb_item deck[ITEMS_MOST];
    static char words[512];
    struct largest_draws draws = largest();
    struct sb_error error = { .status = SB_OK };
    const enum sb_status status = peer->shuffle(peer, &draws.draws, n, deck, &error);
    size_t used = 0;

    assert_int_equal(error.status, status);
    if (status) {
        const char *const line = strstr(error.text, "' said '"), *const said =
                                                                     line ? line : strstr(error.text, "' ended");

        assert_int_equal(status, SB_SUBJECT);
        snprintf(words, sizeof words, "%s", said ? said + 2 : error.text);
        return words;
    }
    words[0] = '\0';
    for (size_t i = 0; i < n && used + 12 < sizeof words; i++)
        used += (size_t)snprintf(words + used, sizeof words - used, "%s%u", i ? " " : "", (unsigned)deck[i]);
    return words;
}

/* While a peer exists, this thread has SIGPIPE blocked, and no other signal. Then all is as before. */
TEST(no_signal_but_sigpipe_is_touched)
{
    for (int full = 0; full < 2; full++) {
        sigset_t given, now, before;

        sigemptyset(&given);
        if (full)
            sigfillset(&given);
        sigdelset(&given, SIGPIPE);
        assert_int_equal(sigprocmask(SIG_SETMASK, &given, &before), 0);
        sigprocmask(SIG_SETMASK, NULL, &given); /* what cannot be blocked is not */
        struct sb_peer *const peer = open_peer("read s; echo deck 0 1; read s", &patient);

        assert_string_equal(next_deck(peer, 2), "0 1");
        for (int after = 0; after < 2; after++) {
            sigprocmask(SIG_SETMASK, NULL, &now);
            for (int number = 1; number < 32; number++)
                assert_int_equal(sigismember(&now, number), number == SIGPIPE ? !after : sigismember(&given, number));
            if (!after)
                peer->free(peer);
        }
        sigprocmask(SIG_SETMASK, &before, NULL);
    }
}

/* When the caller needs no more of a shuffle, the peer gets no answer. */
TEST(a_shuffle_can_be_abandoned)
{
    static const char *const questions[] = { "draw 3", "random" };

    for (size_t i = 0; i < 2; i++) {
        char script[64];

        snprintf(script, sizeof script, "read s; echo %s; read a; echo deck 0 1", questions[i]);
        struct sb_peer *const peer = open_peer(script, &patient);
        struct largest_draws draws = largest();
        sb_item deck[2];

        draws.end = true;
        assert_int_equal(peer->shuffle(peer, &draws.draws, 2, deck, NULL), SB_OK);
        peer->free(peer);
    }
}

static bool sigpipe_is_blocked(void)
{
    sigset_t now;

    assert_int_equal(pthread_sigmask(SIG_BLOCK, NULL, &now), 0);
    return sigismember(&now, SIGPIPE);
}

/* A peer blocks SIGPIPE while it exists, unless the caller did so before, and no other signal. */
TEST(sigpipe_is_as_before)
{
    struct sb_peer *peer = open_peer("read s", &patient);
    sigset_t pipe;

    assert_true(sigpipe_is_blocked());
    assert_non_null(strstr(next_deck(peer, 2), "ended"));
    next_deck(peer, 2); /* writes to a pipe that nobody reads */
    peer->free(peer);
    assert_false(sigpipe_is_blocked());
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, NULL);
    peer = open_peer("read s", &patient);
    peer->free(peer);
    assert_true(sigpipe_is_blocked());
    pthread_sigmask(SIG_UNBLOCK, &pipe, NULL);
}

/* Descriptor 0 is a pipe like any other, and all pipes are closed in the end. */
TEST(descriptors_are_closed)
{
    const int input = dup(0), next = dup(0);

    assert_true(close(next) == 0 && close(0) == 0);
    struct sb_peer *const peer = open_peer("read s; echo deck 1 0; read s", &patient);

    assert_string_equal(next_deck(peer, 2), "1 0");
    peer->free(peer);
    assert_int_equal(dup(input), 0);
    assert_int_equal(dup(0), next);
    assert_true(close(next) == 0 && close(input) == 0);
}
