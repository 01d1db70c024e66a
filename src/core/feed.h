/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A source of permutations, in batches: a scheme, a command's output, a recording, a callback. A reader
 * does not know which.
 */
#ifndef SB_CORE_FEED_H
#define SB_CORE_FEED_H

#include "core/file_position.h"
#include "core/permutation.h"
#include "shufflebias.h"

#include <stdbool.h>
#include <stdlib.h>

struct sb_feed {
    char *name;           /* name of the subject, for people; owned; NULL: not given */
    const char *kind;     /* "scheme", "command", "file" or "callback"; static */
    bool replays;         /* another feed of the subject begins with the same permutations */
    const sb_item *items; /* [count * deal] what sb_feed_next() read; good until the feed is asked again */
    size_t count;         /* the reader sets it to 0 once it has used them */
    /* Items and how many of them are dealt; 0 until the first batch has shown them. Then they stay. */
    size_t n, deal;
    /*
     * The next deals, at least one and at most `most`. *items becomes an array of [*count * deal] items in
     * 0..n-1, where each deal is valid; the feed owns it until the next call. *count is 0 at the end of
     * the feed. Waits for the first deal of a batch but never for more, so the size of a batch depends on
     * timing; the order of deals does not. SB_SUBJECT: the subject violated the protocol (a repeated item,
     * an exit status other than 0, no deal in time); SB_STOPPED: the caller's stop flag was raised;
     * SB_NO_MEMORY.
     */
    enum sb_status (*next)(struct sb_feed *self, size_t most, const sb_item **items, size_t *count,
                           struct sb_error *error);
    /* The position in a file after the deals given so far, where a later run can continue; NULL if the
     * feed is not a file. */
    void (*position)(const struct sb_feed *self, struct sb_log_position *position);
    /* Skips up to `most` deals without computing them; returns how many. NULL: this feed cannot skip. */
    uint64_t (*skip)(struct sb_feed *self, uint64_t most);
    /* Ends the subject (kills a command with its children) and frees the feed. */
    void (*free)(struct sb_feed *self);
};

/* Reads the next permutations, at most `most`: feed->items and feed->count, which is 0 at the end. */
static inline enum sb_status sb_feed_next(struct sb_feed *feed, uint64_t most, struct sb_error *error)
{
    return feed->next(feed, most < SIZE_MAX ? (size_t)most : SIZE_MAX, &feed->items, &feed->count, error);
}

/* NULL is fine. */
static inline void sb_feed_free(struct sb_feed *feed)
{
    if (!feed)
        return;
    free(feed->name);
    feed->free(feed);
}

#endif
