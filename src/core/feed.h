/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A feed gives permutations in batches. The permutations come from a scheme, a command's output, a recording
 * or a callback. The reader of a feed does not know which.
 */
#ifndef SB_CORE_FEED_H
#define SB_CORE_FEED_H

#include "core/calls.h"
#include "core/file_position.h"
#include "core/item_names.h"
#include "core/permutation.h"

#include <stdbool.h>
#include <stdlib.h>

struct sb_feed {
    char *name;           /* name of the subject, for people; owned; NULL: not given */
    const char *kind;     /* "scheme", "command", "file" or "callback"; static */
    bool replays;         /* whether each feed of this subject begins with the same permutations */
    const sb_item *items; /* [count * deal] the deals that sb_feed_next() read; valid until the next call */
    size_t count;         /* number of deals in `items`; the reader sets `count` to 0 after using the deals */
    /* Number of items, and number of items that are dealt. Both are 0 until the first batch, and do not
     * change after that. */
    size_t n, deal;
    /* what the items are called, known with n; owned; NULL: numbers from 1 */
    struct sb_item_names *names;
    /*
     * Reads the next deals, at least one and at most `most`. *count becomes the number of these deals, and
     * *items becomes an array of these deals, one after the other. Every deal is valid: it has `deal`
     * different items in 0..n-1. The feed owns this array; the next call invalidates it. *count is 0 at the
     * end of the feed. The function waits for the first deal of a batch but not for more. So the size of a
     * batch depends on timing, but the order of the deals does not. SB_SUBJECT: the subject violated the
     * protocol (a repeated item, an exit status other than 0, no deal in time); SB_STOPPED: the caller's stop
     * flag was raised; SB_NO_MEMORY.
     */
    enum sb_status (*next)(struct sb_feed *self, size_t most, const sb_item **items, size_t *count,
                           struct sb_error *error);
    /* Sets *position to the place in the file where the deals given so far end, so that a later run can
     * continue there. NULL if the feed does not read a file. */
    void (*position)(const struct sb_feed *self, struct sb_log_position *position);
    /* Checks that the deals so far show the order in which their items were drawn. Error: SB_SUBJECT if the items
     * are sorted, which chance hardly ever does. NULL: any order is meant. */
    enum sb_status (*check_order)(const struct sb_feed *self, struct sb_error *error);
    /* Skips up to `most` deals without computing them; returns how many deals were skipped. NULL: this feed
     * cannot skip. */
    uint64_t (*skip)(struct sb_feed *self, uint64_t most);
    /* Ends the subject (kills a command with its children) and frees the feed. */
    void (*free)(struct sb_feed *self);
};

/* Reads the next permutations, at most `most`, into feed->items. At the end of the feed, feed->count is 0. */
static inline enum sb_status sb_feed_next(struct sb_feed *feed, uint64_t most, struct sb_error *error)
{
    return feed->next(feed, most < SIZE_MAX ? (size_t)most : SIZE_MAX, &feed->items, &feed->count, error);
}

/* Checks that the deals so far show the order of the draw. A test of that order may only reject a fair shuffle if
 * this check succeeds. `feed` may be NULL. Error: SB_SUBJECT. */
static inline enum sb_status sb_feed_check_order(const struct sb_feed *feed, struct sb_error *error)
{
    return feed && feed->check_order ? feed->check_order(feed, error) : SB_OK;
}

/* Frees a feed. `feed` may be NULL. */
static inline void sb_feed_free(struct sb_feed *feed)
{
    if (!feed)
        return;
    free(feed->name);
    sb_item_names_free(feed->names);
    feed->free(feed);
}

#endif
