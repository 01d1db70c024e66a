/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Peers that follow the protocol and peers that violate it: which decks are read, which draws are answered, and
 * the errors. Each peer is a shell script. It reads a line with `read`, and shows an answer by dealing it.
 */
#include "unit/test.h"

#include "subject/subject.h"

#include <fnmatch.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { ITEMS_MOST = 8000 };

static const struct sb_patience patient = { .timeout = 60 }, hasty = { .timeout = 0.2 };

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
                                                                     line ? line
                                                                          : strstr(error.text, "' ended");

        assert_int_equal(status, SB_SUBJECT);
        snprintf(words, sizeof words, "%s", said ? said + 2 : error.text);
        return words;
    }
    words[0] = '\0';
    for (size_t i = 0; i < n && used + 12 < sizeof words; i++)
        used += (size_t)snprintf(words + used, sizeof words - used, "%s%u", i ? " " : "", (unsigned)deck[i]);
    return words;
}

/* What comes of a peer that prints these bytes after `start`. Escapes are those of printf(1). */
static const char *deck_of(const char *output, size_t n)
{
    static char found[512];
    char script[1024];

    snprintf(script, sizeof script, "read start && [ \"$start\" = start ] && printf '%s' && read end",
             output);
    struct sb_peer *const peer = open_peer(script, &patient);

    snprintf(found, sizeof found, "%s", next_deck(peer, n));
    peer->free(peer);
    return found;
}

TEST(decks_are_read)
{
    assert_string_equal(deck_of("deck 2 0 1\\n", 3), "2 0 1");
    assert_string_equal(deck_of("deck 2,0,1\\n", 3), "2 0 1");
    assert_string_equal(deck_of("deck\\t2\\t0\\t1\\r\\n", 3), "2 0 1");
    assert_string_equal(deck_of("deck,2 , 0 ,1 , \\n", 3), "2 0 1");
    assert_string_equal(deck_of("\\n \\t\\n\\r\\ndeck 2 0 1\\n\\n \\r\\n", 3), "2 0 1");
    assert_string_equal(deck_of("deck 3 1 2\\n", 3), "2 0 1");
    assert_string_equal(deck_of("deck 1\\n", 1), "0");
    assert_string_equal(deck_of("deck\\n", 0), "");
    assert_string_equal(deck_of("deck 65535 0\\n", 2),
                        "65535 0"); /* the caller checks that items are below n */
}

TEST(draws_are_answered)
{
    assert_string_equal(deck_of("draw 7\\n' && read a && printf \"deck $a 0\\\\n\" && : '", 2), "6 0");
    assert_string_equal(deck_of("draw 1 \\t\\n' && read a && printf \"deck $a 1\\\\n\" && : '", 2), "0 1");
    /* two questions in one write */
    assert_string_equal(
        deck_of("draw 7\\ndraw 9\\n' && read a && read b && printf \"deck $a 0 $b\\\\n\" && : '", 3),
        "6 0 8");
    assert_string_equal(
        deck_of("random\\n' && read a && printf \"deck ${a#0.} 0\\\\n\" && : '", 2),
        "said 'deck 250000000000000000000000 0': items are whole numbers, with blanks between them");
}

TEST(the_largest_bound_is_32_bits)
{
    struct sb_peer *const peer = open_peer(
        "read s; echo draw 4294967295; read a; [ $a = 4294967294 ] && echo deck 0 1; read s", &patient);
    struct largest_draws draws = largest();
    sb_item deck[2];

    assert_int_equal(peer->shuffle(peer, &draws.draws, 2, deck, NULL), SB_OK);
    assert_int_equal(draws.bounds, 4294967295);
    peer->free(peer);
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
                assert_int_equal(sigismember(&now, number),
                                 number == SIGPIPE ? !after : sigismember(&given, number));
            if (!after)
                peer->free(peer);
        }
        sigprocmask(SIG_SETMASK, &before, NULL);
    }
}

TEST(wrong_questions_are_errors)
{
    static const char bound[] = "a draw has a whole bound from 1 to 4294967295";
    static const char *const lines[] = { "draw 0", "draw 4294967296", "draw 99999999999999999999",
                                         "draw x", "draw 3x",         "draw 3 4",
                                         "draw " };

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char output[64], expected[128];

        snprintf(output, sizeof output, "%s\\n", lines[i]);
        snprintf(expected, sizeof expected, "said '%s': %s", lines[i], bound);
        assert_string_equal(deck_of(output, 3), expected);
    }
    static const char *const others[] = { "hello", "decks 0 1 2", "dec", "randomly", "start" };

    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        char output[64], pattern[128];

        snprintf(output, sizeof output, "%s\\n", others[i]);
        snprintf(pattern, sizeof pattern, "said '%s': 'draw K', 'random' and 'deck ...' are understood: *",
                 others[i]);
        assert_int_equal(fnmatch(pattern, deck_of(output, 3), 0), 0);
    }
}

TEST(wrong_decks_are_errors)
{
    assert_string_equal(deck_of("deck 0 1\\n", 3),
                        "said 'deck 0 1': 2 items where `n` says 3: tell both the same");
    assert_string_equal(deck_of("deck 0 1 2 3\\n", 3),
                        "said 'deck 0 1 2 3': 4 items where `n` says 3: tell both the same");
    assert_string_equal(deck_of("deck 0 1x 2\\n", 3),
                        "said 'deck 0 1x 2': items are whole numbers, with blanks between them");
    assert_string_equal(deck_of("deck 0 1;2\\n", 3),
                        "said 'deck 0 1;2': items are whole numbers, with blanks between them");
    assert_string_equal(deck_of("deck 0 1 65536\\n", 3),
                        "said 'deck 0 1 65536': items are whole numbers, with blanks between them");
    assert_string_equal(deck_of("deck -1 0 1\\n", 3),
                        "said 'deck -1 0 1': items are whole numbers, with blanks between them");
    assert_string_equal(deck_of("deck 0 1 2\\ndeck 2 1 0\\n", 3),
                        "said 'deck 2 1 0 ': wait for 'start' after a deck");
}

TEST(a_peer_may_end_only_between_shuffles)
{
    struct sb_peer *const peer = open_peer("read s; echo deck 0 1; read s; echo draw 2", &patient);

    assert_string_equal(next_deck(peer, 2), "0 1");
    assert_string_equal(next_deck(peer, 2),
                        "ended in the midst of a shuffle: let it wait for the next 'start'");
    peer->free(peer);
}

TEST(decks_count_from_the_same_number)
{
    struct sb_peer *peer =
        open_peer("for deck in '1 0' '0 1' '2 1' '1 2'; do read s; echo deck $deck; done; read s", &patient);

    assert_string_equal(next_deck(peer, 2), "1 0");
    assert_string_equal(next_deck(peer, 2), "0 1");
    assert_string_equal(next_deck(peer, 2), "2 1"); /* the caller finds item 2 */
    peer->free(peer);
    peer = open_peer("for deck in '' '2 1' '1 2' '1 0'; do read s; echo deck $deck; done; read s", &patient);
    assert_string_equal(next_deck(peer, 0), ""); /* which shows nothing */
    assert_string_equal(next_deck(peer, 2), "1 0");
    assert_string_equal(next_deck(peer, 2), "0 1");
    assert_string_equal(next_deck(peer, 2),
                        "said 'deck 1 0': its decks before counted from 1: let all of them do so");
    peer->free(peer);
}

TEST(a_line_may_be_long_and_arrive_in_parts)
{
    struct sb_peer *peer = open_peer(
        "read s; printf 'deck 1'; sleep 0.1; printf '1 0\\n'; read s; printf 'deck'; printf ' %05d' "
        "$(seq 0 7999); printf '\\n'; read s",
        &patient);
    static sb_item deck[ITEMS_MOST];
    struct largest_draws draws = largest();

    assert_string_equal(next_deck(peer, 2), "11 0");
    assert_int_equal(peer->shuffle(peer, &draws.draws, ITEMS_MOST, deck, NULL), SB_OK);
    for (size_t i = 0; i < ITEMS_MOST; i++)
        assert_int_equal(deck[i], i);
    peer->free(peer);
    peer = open_peer("read s; printf 'deck%070000d\\n' 0; read s", &patient);
    assert_string_equal(
        next_deck(peer, 2),
        "said 'deck00000000000000000000000000000000000000000000000000000000...': the line has no end: "
        "say no more than a question or a deck");
    peer->free(peer);
}

TEST(a_silent_peer_is_an_error)
{
    struct sb_peer *const peer = open_peer("read s; sleep 20", &hasty);
    struct largest_draws draws = largest();
    struct sb_error error = { .status = SB_OK };
    sb_item deck[2];

    assert_int_equal(peer->shuffle(peer, &draws.draws, 2, deck, &error), SB_SUBJECT);
    assert_non_null(strstr(error.text, "question or deck"));
    peer->free(peer);
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

TEST(a_missing_command_is_an_error)
{
    const char *const command[] = { "/nonexistent/peer", NULL };
    struct sb_peer *peer = NULL;
    struct sb_error error = { .status = SB_OK };

    assert_int_not_equal(sb_command_peer_open(command, &patient, NULL, NULL, &error, &peer), SB_OK);
    assert_null(peer);
    assert_false(sigpipe_is_blocked());
}
