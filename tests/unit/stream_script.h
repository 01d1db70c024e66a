/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes from memory, in chunks of any size, and everything that a feed makes of them. */
#ifndef TESTS_STREAM_SCRIPT_H
#define TESTS_STREAM_SCRIPT_H

#include "subject/subject.h"

#include <stdlib.h>
#include <string.h>

struct script {
    struct sb_bytes bytes;
    const char *text;
    size_t left, chunk;
};

static enum sb_status script_read(struct sb_bytes *bytes, char buffer[], size_t room, double deadline, size_t *got,
                                  struct sb_error *error)
{
    struct script *const script = (struct script *)bytes;
    size_t count = script->chunk < room ? script->chunk : room;

    if (count > script->left)
        count = script->left;
    memcpy(buffer, script->text, count);
    script->text += count;
    script->left -= count;
    *got = count;
    return SB_OK;
}

static void script_free(struct sb_bytes *bytes)
{
    free(bytes);
}

static inline struct sb_bytes *script_new(const char text[], size_t length, size_t chunk)
{
    struct script *const script = malloc(sizeof *script);

    if (!script)
        abort();
    *script = (struct script) {
        .bytes = { .name = "script", .read = script_read, .free = script_free },
        .text = text,
        .left = length,
        .chunk = chunk,
    };
    return &script->bytes;
}

/* What came of a stream: the deals before the end or the error, as they were given. */
struct outcome {
    size_t n, deal, count;
    sb_item *items;        /* [count * deal] */
    struct sb_error error; /* SB_OK: the stream ended as it should */
};

static inline void outcome_close(struct outcome *outcome)
{
    free(outcome->items);
}

/* Takes the feed to its end, `most` deals at a time, and frees it. */
static inline struct outcome outcome_of(struct sb_feed *feed, size_t most)
{
    struct outcome outcome = { 0 };

    for (;;) {
        const sb_item *items;
        size_t count = 0;

        if (feed->next(feed, most, &items, &count, &outcome.error) || count == 0)
            break;
        if (count > most)
            abort();
        outcome.n = feed->n;
        outcome.deal = feed->deal;
        outcome.items = realloc(outcome.items, (outcome.count + count) * feed->deal * sizeof outcome.items[0]);
        if (!outcome.items)
            abort();
        memcpy(outcome.items + outcome.count * feed->deal, items, count * feed->deal * sizeof items[0]);
        outcome.count += count;
    }
    sb_feed_free(feed);
    return outcome;
}

/* The outcome of a text that comes in chunks. */
static inline struct outcome outcome_read(const char text[], size_t length, const struct sb_subject *form, size_t chunk,
                                          size_t most)
{
    struct outcome outcome = { 0 };
    struct sb_feed *feed;

    if (sb_stream_new(script_new(text, length, chunk), form, &outcome.error, &feed))
        return outcome;
    return outcome_of(feed, most);
}

static inline bool outcome_same(const struct outcome *one, const struct outcome *other)
{
    return one->n == other->n && one->deal == other->deal && one->count == other->count &&
           one->error.status == other->error.status && strcmp(one->error.text, other->error.text) == 0 &&
           (one->count == 0 || memcmp(one->items, other->items, one->count * one->deal * sizeof one->items[0]) == 0);
}

#endif
