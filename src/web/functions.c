/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file replaces src/subject/process.c, command.c and command_peer.c in the module, which cannot start commands. But the host may know
 * the command's first word as a function in JavaScript. A gate or a report reads the decks of the function as
 * lines of text; a proof answers its draws. The second word is the number of items that a gate shuffles.
 */
#include "core/core.h"
#include "core/text.h"
#include "subject/subject.h"
#include "web/web.h"

#include <stdlib.h>
#include <string.h>

enum {
    FUNCTIONS_ITEMS = 3,          /* items to shuffle if the command has no second word */
    FUNCTIONS_ITEMS_MOST = 65536, /* items have 16 bits */
    FUNCTIONS_DIGITS = 6,         /* the most characters of an item, with the blank or the line's end behind it */
    FUNCTIONS_PROVED_MOST = 10,   /* the most items of a proof */
    FUNCTIONS_NAME = 200,         /* the most bytes of a name to show */
};

static enum sb_status functions_choose(const char *name, struct sb_error *error)
{
    if (sb_web_host_choose(name))
        return SB_OK;
    return sb_error_set(error, SB_INVALID,
                        "cannot run '%.200s': the WebAssembly module starts no commands: name a JavaScript module, or "
                        "use the native program",
                        name);
}

char *sb_command_name(const char *const command[])
{
    return sb_sanitize_text(command[0], FUNCTIONS_NAME);
}

struct functions_bytes {
    struct sb_bytes bytes; /* must be the first member */
    char *word;            /* the host's name of the function; owned */
    size_t n;
    uint16_t *items;   /* [n]; owned */
    size_t begin, end; /* line[begin..end-1] is not read yet */
    char *line;        /* [n * FUNCTIONS_DIGITS]; owned */
};

/* Writes a number at `to`, and returns the end of the number. */
static char *functions_digits(char *to, unsigned number)
{
    char digits[FUNCTIONS_DIGITS];
    size_t count = 0;

    do
        digits[count++] = (char)('0' + number % 10);
    while ((number /= 10));
    while (count)
        *to++ = digits[--count];
    return to;
}

/* The function shuffles once more; its deck is the next line. */
static void functions_shuffle(struct functions_bytes *self)
{
    char *to = self->line;

    sb_web_host_shuffle(self->items, (uint32_t)self->n, NULL);
    for (size_t i = 0; i < self->n; i++) {
        to = functions_digits(to, self->items[i]);
        *to++ = i + 1 < self->n ? ' ' : '\n';
    }
    self->begin = 0;
    self->end = (size_t)(to - self->line);
}

/* Nothing can interrupt a function that runs, at a deadline or otherwise. */
static enum sb_status functions_read(struct sb_bytes *bytes, char buffer[], size_t room, double deadline, size_t *got,
                                     struct sb_error *error)
{
    struct functions_bytes *const self = (struct functions_bytes *)bytes;
    enum sb_status status = functions_choose(self->word, error); /* a suite has several functions */

    *got = 0;
    if (status == SB_OK && sb_web_stop)
        status = sb_error_set(error, SB_STOPPED, "stopped while %s was read", bytes->name);
    while (status == SB_OK && *got < room) {
        if (self->begin == self->end)
            functions_shuffle(self);
        const size_t left = self->end - self->begin, most = room - *got, count = left < most ? left : most;

        memcpy(buffer + *got, self->line + self->begin, count);
        self->begin += count;
        *got += count;
    }
    return status;
}

static void functions_free(struct sb_bytes *bytes)
{
    struct functions_bytes *const self = (struct functions_bytes *)bytes;

    free((char *)bytes->name);
    free(self->word);
    free(self->items);
    free(self->line);
    free(self);
}

static enum sb_status functions_items(const char *word, struct sb_error *error, size_t *n)
{
    char *end;

    *n = FUNCTIONS_ITEMS;
    if (!word)
        return SB_OK;
    *n = strtoul(word, &end, 10);
    if (*end == '\0' && *n >= 1 && *n <= FUNCTIONS_ITEMS_MOST)
        return SB_OK;
    return sb_error_set(error, SB_INVALID, "'%.60s' is no number of items for a function: use 2 to %d", word,
                        FUNCTIONS_ITEMS_MOST);
}

enum sb_status sb_bytes_open_command(const struct sb_command_start *start, const struct sb_patience *patience,
                                     sb_overheard *overheard, void *state, struct sb_error *error,
                                     struct sb_bytes **bytes)
{
    struct functions_bytes *made;
    enum sb_status status = functions_choose(start->argv[0], error);
    size_t n;

    if (status == SB_OK)
        status = functions_items(start->argv[1], error, &n);
    if (status)
        return status;
    made = calloc(1, sizeof *made);
    if (!made)
        return sb_error_memory(error, "a function");
    *made = (struct functions_bytes) {
        .bytes = { .name = sb_command_name(start->argv), .read = functions_read, .free = functions_free },
        .word = strdup(start->argv[0]),
        .n = n,
        .items = calloc(n, sizeof *made->items),
        .line = malloc(n * FUNCTIONS_DIGITS),
    };
    if (made->bytes.name && made->word && made->items && made->line) {
        *bytes = &made->bytes;
        return SB_OK;
    }
    functions_free(&made->bytes);
    return sb_error_memory(error, "a function");
}

static enum sb_status functions_peer_shuffle(struct sb_peer *self, struct sb_draws *draws, size_t n, sb_item deck[],
                                             struct sb_error *error)
{
    uint16_t items[FUNCTIONS_PROVED_MOST] = { 0 };

    if (n > FUNCTIONS_PROVED_MOST)
        return sb_error_set(error, SB_TOO_LARGE, "%s: %zu items are too many for a proof: use %d or fewer", self->name,
                            n, FUNCTIONS_PROVED_MOST);
    sb_web_host_shuffle(items, (uint32_t)n, draws);
    for (size_t i = 0; i < n; i++)
        deck[i] = items[i];
    return SB_OK;
}

static void functions_peer_free(struct sb_peer *self)
{
    free((char *)self->name);
    free(self);
}

enum sb_status sb_command_peer_open(const char *const command[], const struct sb_patience *patience,
                                    sb_overheard *overheard, void *state, struct sb_error *error, struct sb_peer **peer)
{
    struct sb_peer *made;
    const enum sb_status status = functions_choose(command[0], error);

    if (status)
        return status;
    made = calloc(1, sizeof *made);
    if (made)
        *made = (struct sb_peer) { .name = sb_command_name(command),
                                   .shuffle = functions_peer_shuffle,
                                   .free = functions_peer_free };
    if (made && made->name) {
        *peer = made;
        return SB_OK;
    }
    free(made);
    return sb_error_memory(error, "a function");
}
