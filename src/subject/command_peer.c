/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program at the other end of two pipes as a peer. Cost of a draw, on one processor: a read, a write, the
 * peer's own read and write, and two context switches.
 */
#include "core/system.h"
#include "core/text.h"
#include "subject/subject.h"

enum {
    PEER_ROOM = 1 << 16, /* the most bytes of a line */
    PEER_SHOWN = 60,     /* the most bytes of a line to show */
};

struct command_peer {
    struct sb_peer peer; /* must be the first member */
    struct sb_bytes *bytes;
    struct sb_cpu_affinity *affinity;
    double timeout;    /* seconds */
    int base;          /* the number of the first item, 0 or 1; -1 until a deck shows it */
    bool blocked;      /* whether this peer blocked SIGPIPE, which was not blocked before */
    size_t begin, end; /* buffer[begin..end-1] are read but not parsed yet */
    char buffer[PEER_ROOM + 1];
};

/* Reports a line that violates the protocol. `why` is the reason. */
static enum sb_status peer_bad(const struct command_peer *peer, const char *line, const char *why,
                               struct sb_error *error)
{
    char *const shown = sb_sanitize_text(line, PEER_SHOWN);

    sb_error_set(error, SB_SUBJECT, "'%s' said '%s': %s", peer->peer.name, shown ? shown : "", why);
    free(shown);
    return SB_SUBJECT;
}

static enum sb_status peer_read(struct command_peer *peer, double deadline, struct sb_error *error)
{
    size_t got;

    if (peer->begin > 0) {
        memmove(peer->buffer, peer->buffer + peer->begin, peer->end - peer->begin);
        peer->end -= peer->begin;
        peer->begin = 0;
    }
    if (peer->end == PEER_ROOM) {
        peer->buffer[PEER_ROOM] = '\0';
        return peer_bad(peer, peer->buffer, "the line has no end: say no more than a question or a deck", error);
    }
    const enum sb_status status =
        peer->bytes->read(peer->bytes, peer->buffer + peer->end, PEER_ROOM - peer->end, deadline, &got, error);
    if (status)
        return status;
    if (got == 0)
        return sb_error_set(error, SB_SUBJECT, "'%s' ended in the midst of a shuffle: let it wait for the next 'start'",
                            peer->peer.name);
    peer->end += got;
    return SB_OK;
}

/* Sets *line to the next non-empty line, with a terminating 0. The line is valid until the next call. */
static enum sb_status peer_line(struct command_peer *peer, char **line, struct sb_error *error)
{
    const double deadline = sb_clock_now() + peer->timeout;
    size_t looked = 0;

    for (;;) {
        char *const text = peer->buffer + peer->begin;
        char *const end = memchr(text + looked, '\n', peer->end - peer->begin - looked);

        if (!end) {
            looked = peer->end - peer->begin;
            const enum sb_status status = peer_read(peer, deadline, error);
            if (status)
                return status;
            continue;
        }
        peer->begin = (size_t)(end + 1 - peer->buffer);
        looked = 0;
        *end = '\0';
        if (text + strlen(text) < end)
            return peer_bad(peer, text, "a byte of 0 follows: print nothing else on standard output", error);
        if (end > text && end[-1] == '\r')
            end[-1] = '\0';
        if (text[strspn(text, " \t")] != '\0') {
            *line = text;
            return SB_OK;
        }
    }
}

static enum sb_status peer_say(struct command_peer *peer, const char *line, struct sb_error *error)
{
    return peer->bytes->write(peer->bytes, line, strlen(line), error);
}

/* Parses an integer in low..high at *text, and advances *text to the end of the integer. */
static bool peer_number(char **text, uint64_t low, uint64_t high, uint64_t *number)
{
    uint64_t value = 0;
    const char *const begin = *text;

    while (**text >= '0' && **text <= '9' && value <= high)
        value = 10 * value + (uint64_t)(*(*text)++ - '0');
    *number = value;
    return *text > begin && value >= low && value <= high;
}

static enum sb_status peer_draw(struct command_peer *peer, struct sb_draws *draws, char *line, struct sb_error *error)
{
    char *text = line + strlen("draw ");
    uint64_t bound;
    char answer[16];

    if (!peer_number(&text, 1, UINT32_MAX, &bound) || text[strspn(text, " \t")] != '\0')
        return peer_bad(peer, line, "a draw has a whole bound from 1 to 4294967295", error);
    snprintf(answer, sizeof answer, "%u\n", draws->below(draws, (uint32_t)bound));
    return draws->over ? SB_OK : peer_say(peer, answer, error);
}

/* Answers a request for a number in [0, 1), with a decimal point in every locale. */
static enum sb_status peer_random(struct command_peer *peer, struct sb_draws *draws, struct sb_error *error)
{
    char answer[40];

    sb_decimal_format(answer, sizeof answer, "%.24f\n", draws->uniform(draws));
    answer[1] = '.';
    return draws->over ? SB_OK : peer_say(peer, answer, error);
}

static enum sb_status peer_rebase(struct command_peer *peer, size_t n, const char *line, sb_item deck[],
                                  struct sb_error *error)
{
    size_t least = n ? deck[0] : 0;

    for (size_t i = 1; i < n; i++)
        least = deck[i] < least ? deck[i] : least;
    if (peer->base < 0 && n > 0)
        peer->base = least > 0;
    if (n > 0 && least < (size_t)peer->base)
        return peer_bad(peer, line, "its decks before counted from 1: let all of them do so", error);
    for (size_t i = 0; i < n; i++)
        deck[i] = (sb_item)(deck[i] - peer->base);
    return SB_OK;
}

static enum sb_status peer_deck(struct command_peer *peer, size_t n, char *line, sb_item deck[], struct sb_error *error)
{
    char *text = line + strlen("deck");
    size_t count = 0;

    for (;; count++) {
        uint64_t item;

        text += strspn(text, " ,\t");
        if (!*text)
            break;
        if (!peer_number(&text, 0, SB_COMPUTED_MOST, &item) || (*text && !strchr(" ,\t", *text)))
            return peer_bad(peer, line, "items are whole numbers, with blanks between them", error);
        if (count < n)
            deck[count] = (sb_item)item;
    }
    if (count != n) {
        char why[120];

        snprintf(why, sizeof why,
                 "%zu items where `n` says %zu: keep each item once, and tell the shuffle the same `n`", count, n);
        return peer_bad(peer, line, why, error);
    }
    peer->buffer[peer->end] = '\0';
    peer->begin += strspn(peer->buffer + peer->begin, " \t\r\n");
    if (peer->begin < peer->end)
        return peer_bad(peer, peer->buffer + peer->begin, "wait for 'start' after a deck", error);
    return peer_rebase(peer, n, line, deck, error);
}

static enum sb_status peer_shuffle(struct sb_peer *self, struct sb_draws *draws, size_t n, sb_item deck[],
                                   struct sb_error *error)
{
    struct command_peer *const peer = (struct command_peer *)self;
    enum sb_status status = peer_say(peer, "start\n", error);
    char *line = NULL;

    while (status == SB_OK && !draws->over) {
        status = peer_line(peer, &line, error);
        if (status)
            break;
        if (strncmp(line, "draw ", 5) == 0)
            status = peer_draw(peer, draws, line, error);
        else if (strcmp(line, "random") == 0)
            status = peer_random(peer, draws, error);
        else if (strncmp(line, "deck", 4) == 0 && (!line[4] || strchr(" ,\t", line[4])))
            return peer_deck(peer, n, line, deck, error);
        else
            status = peer_bad(peer, line,
                              "'draw K', 'random' and 'deck ...' are understood: print nothing else on standard output",
                              error);
    }
    return status;
}

/* Blocks or unblocks SIGPIPE in this thread. Returns whether it was allowed before. */
static bool peer_mask_sigpipe(int how)
{
    sigset_t pipe, before;

    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    return pthread_sigmask(how, &pipe, &before) == 0 && !sigismember(&before, SIGPIPE);
}

static void peer_free(struct sb_peer *self)
{
    struct command_peer *const peer = (struct command_peer *)self;

    peer->bytes->free(peer->bytes);
    if (peer->blocked) {
        sb_portable_discard_sigpipe();
        peer_mask_sigpipe(SIG_UNBLOCK);
    }
    sb_cpu_affinity_end(peer->affinity);
    free(peer);
}

enum sb_status sb_command_peer_new(struct sb_bytes *bytes, double timeout, struct sb_error *error,
                                   struct sb_peer **peer)
{
    struct command_peer *const made = malloc(sizeof *made);

    if (!made) {
        bytes->free(bytes);
        return sb_error_memory(error, "a command");
    }
    *made = (struct command_peer) {
        .peer = { .name = bytes->name, .shuffle = peer_shuffle, .free = peer_free, },
        .bytes = bytes,
        .timeout = timeout,
        .base = -1,
    };
    *peer = &made->peer;
    return SB_OK;
}

enum sb_status sb_command_peer_open(const char *const command[], const struct sb_patience *patience,
                                    sb_overheard *overheard, void *state, struct sb_error *error, struct sb_peer **peer)
{
    struct sb_cpu_affinity *const affinity = sb_cpu_affinity_begin();
    const struct sb_command_start start = { .argv = command, .dialogue = true };
    struct sb_patience awaits = *patience;
    struct sb_bytes *bytes = NULL;

    awaits.awaited = "question or deck";
    enum sb_status status = sb_bytes_open_command(&start, &awaits, overheard, state, error, &bytes);

    if (status == SB_OK)
        status = sb_command_peer_new(bytes, patience->timeout, error, peer);
    if (status) {
        sb_cpu_affinity_end(affinity);
        return status;
    }
    struct command_peer *const made = (struct command_peer *)*peer;

    made->affinity = affinity;
    made->blocked = peer_mask_sigpipe(SIG_BLOCK); /* writing to a peer that has exited then gives an error */
    return SB_OK;
}
