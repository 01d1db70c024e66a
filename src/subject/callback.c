/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A function in C as a feed. The feed calls the function exactly once for each requested permutation, in the
 * caller's thread. Cost per permutation: the cost of the function, the cost of subject/peer/items.c, and a
 * check that no item is missing.
 */
#include "subject/callback.h"

#include "core/core.h"
#include "subject/peer/items.h"

#include <stdlib.h>
#include <string.h>

enum {
    CALLBACK_ITEMS = 4096, /* approximate number of items in a batch, which has at least one permutation */
    /* a batch of more permutations has a multiple of this number, because so many are counted side by side */
    CALLBACK_DEALS = 64,
};

struct callback {
    struct sb_feed feed; /* must be the first member, because callers have a pointer to this member */
    struct sb_callback from;
    char *name; /* name of the subject; owned */
    struct sb_items items;
    sb_item *item;   /* [n]; the items of one shuffle; owned */
    sb_item *deals;  /* [room * deal]; the deals of a batch; owned */
    bool *seen;      /* [n]; whether each item has been found, used only during a check; owned */
    size_t room;     /* number of deals per batch */
    uint64_t called; /* number of calls so far */
};

/* Reports the error in the items after a shuffle. */
static enum sb_status callback_complain(const struct callback *self, size_t at, bool twice,
                                        struct sb_error *error)
{
    const unsigned long long shuffle = self->called;

    if (twice)
        return sb_error_set(
            error, SB_SUBJECT,
            "%.120s, shuffle %llu: item %u stands twice, again at position %zu, and another one "
            "is lost: move items, and keep all",
            self->name, shuffle, self->item[at], at);
    return sb_error_set(
        error, SB_SUBJECT,
        "%.120s, shuffle %llu: no item stands at position %zu any more: move all %zu bytes of "
        "an item, and none behind the last one",
        self->name, shuffle, at, self->items.size);
}

/* Reports that the function itself says that it failed. */
static enum sb_status callback_failed(const struct callback *self, int returned, struct sb_error *error)
{
    return sb_error_set(error, SB_SUBJECT,
                        "%.120s, shuffle %llu: the function returned %d, which says that it failed: return 0 "
                        "after a shuffle",
                        self->name, (unsigned long long)self->called, returned);
}

static enum sb_status callback_check(struct callback *self, struct sb_error *error)
{
    memset(self->seen, 0, self->feed.n * sizeof self->seen[0]);
    for (size_t i = 0; i < self->feed.n; i++) {
        if (self->item[i] >= self->feed.n)
            return callback_complain(self, i, false, error);
        if (self->seen[self->item[i]])
            return callback_complain(self, i, true, error);
        self->seen[self->item[i]] = true;
    }
    return SB_OK;
}

static enum sb_status callback_next(struct sb_feed *feed, size_t most, const sb_item **items, size_t *count,
                                    struct sb_error *error)
{
    struct callback *const self = (struct callback *)feed;
    const size_t wanted = most < self->room ? most : self->room;
    enum sb_status status = SB_OK;

    for (size_t t = 0; t < wanted && status == SB_OK; t++) {
        if (!self->from.chained)
            sb_items_reset(&self->items);
        self->called++;
        const int failed = self->from.shuffle(self->items.array, feed->n, self->items.size, self->from.state);

        if (failed)
            return callback_failed(self, failed, error);
        sb_items_read(&self->items, self->item);
        status = callback_check(self, error);
        memcpy(self->deals + t * feed->deal, self->item, feed->deal * sizeof self->item[0]);
    }
    *items = self->deals;
    *count = wanted;
    return status;
}

static void callback_free(struct sb_feed *feed)
{
    struct callback *const self = (struct callback *)feed;

    sb_items_close(&self->items);
    free(self->name);
    free(self->item);
    free(self->deals);
    free(self->seen);
    free(self);
}

enum sb_status sb_callback_new(const struct sb_callback *callback, struct sb_error *error,
                               struct sb_feed **feed)
{
    struct callback *const self = calloc(1, sizeof *self);
    enum sb_status status;

    if (!self)
        return sb_error_memory(error, "a callback");
    self->feed = (struct sb_feed) {
        .n = callback->n,
        .deal = callback->deal,
        .next = callback_next,
        .free = callback_free,
    };
    self->from = *callback;
    self->room = CALLBACK_ITEMS / callback->n + 1;
    if (self->room > CALLBACK_DEALS)
        self->room -= self->room % CALLBACK_DEALS;
    status = sb_items_open(callback->n, callback->size, error, &self->items);
    if (status == SB_OK) {
        self->name = strdup(callback->name);
        self->item = calloc(callback->n, sizeof self->item[0]);
        self->deals = calloc(self->room * callback->deal, sizeof self->deals[0]);
        self->seen = calloc(callback->n, sizeof self->seen[0]);
        if (!self->name || !self->item || !self->deals || !self->seen)
            status = sb_error_memory(error, "a callback");
    }
    if (status)
        callback_free(&self->feed);
    else
        *feed = &self->feed;
    return status;
}
