/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A function in C as a feed, which calls the function exactly once for each requested permutation, in the caller's
 * thread; and as a peer, which requests its draws from the library. Either function receives an array with an object
 * for each item.
 *
 * An object of 1, 2, 4 or 8 bytes is an unsigned integer, the item's number. An object of any other size has
 * the number in its first two bytes, as uint16_t, and a pattern in all other bytes. If a shuffle moves only a
 * part of the object, the pattern shows this error.
 *
 * Cost per permutation: the function, a copy of each object, and a check that no item is missing. Cost of a peer's
 * draw: two calls.
 */
#include "subject/parts.h"

enum {
    ITEMS_BYTES_MOST = 1 << 30, /* the most bytes of all objects together */
    CALLBACK_ITEMS = 4096,      /* approximate number of items in a batch, which has at least one permutation */
    /* a batch of more permutations has a multiple of this number, because so many are counted side by side */
    CALLBACK_DEALS = 64,
};

#define ITEMS_NONE UINT32_MAX /* marks an invalid item, for any n */

/* ---- the array ---- */

struct items {
    size_t n, size;       /* number of objects, and bytes of an object */
    unsigned char *order; /* [n * size]; the objects in the order before a shuffle; owned */
    unsigned char *array; /* [n * size]; the array to shuffle; owned */
};

static size_t items_width(size_t size)
{
    return size == 1 || size == 4 || size == 8 ? size : 2;
}

static void items_write(uint64_t number, size_t size, unsigned char object[])
{
    const uint16_t u16 = (uint16_t)number;
    const uint32_t u32 = (uint32_t)number;
    const size_t width = items_width(size);

    if (width == 1)
        object[0] = (unsigned char)number;
    else
        memcpy(object, width == 2 ? (const void *)&u16 : width == 4 ? (const void *)&u32 : &number, width);
    for (size_t i = width; i < size; i++)
        object[i] = (unsigned char)(number * 167 + (number >> 8) + i * 59);
}

static uint64_t items_number(size_t width, const unsigned char object[])
{
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;

    switch (width) {
    case 1:
        return object[0];
    case 2:
        memcpy(&u16, object, sizeof u16);
        return u16;
    case 4:
        memcpy(&u32, object, sizeof u32);
        return u32;
    default:
        memcpy(&u64, object, sizeof u64);
        return u64;
    }
}

static void items_reset(struct items *items)
{
    memcpy(items->array, items->order, items->n * items->size);
}

static void items_close(struct items *items)
{
    free(items->order);
    free(items->array);
}

/* Makes n objects of `size` bytes, in order; size 0 means 2. The caller closes *items, even after an error. */
static enum sb_status items_open(size_t n, size_t size, struct sb_error *error, struct items *items)
{
    size = size ? size : sizeof(uint16_t);
    if (n > SB_TALLIED_MOST || size > ITEMS_BYTES_MOST / (n + !n))
        return sb_error_set(error, SB_TOO_LARGE, "%zu items of %zu bytes are too many: use n <= %d, 1 GiB in all", n,
                            size, SB_TALLIED_MOST);
    if (size == 1 && n > UINT8_MAX + 1)
        return sb_error_set(error, SB_INVALID, "%zu items do not differ in one byte each: use a larger size", n);
    if (items_width(size) == 2 && n > UINT16_MAX + 1)
        return sb_error_set(error, SB_INVALID, "%zu items do not differ in two bytes each: use a size of 4 or 8", n);
    *items = (struct items) {
        .n = n,
        .size = size,
        .order = calloc(n + 1, size),
        .array = calloc(n + 1, size),
    };
    if (!items->order || !items->array)
        return sb_error_memory(error, "items to be shuffled");
    for (size_t i = 0; i < n; i++)
        items_write(i, size, items->order + i * size);
    items_reset(items);
    return SB_OK;
}

/* Sets item[0..n-1] to the item at each position, or to ITEMS_NONE if the object is damaged. After a faulty
 * shuffle, an item may occur twice, or be n or greater. */
static void items_read(const struct items *items, sb_item item[])
{
    const size_t size = items->size, width = items_width(size);
    const unsigned char *object = items->array;

    for (size_t i = 0; i < items->n; i++, object += size) {
        const uint64_t number = items_number(width, object);
        const bool torn =
            number < items->n && memcmp(object + width, items->order + number * size + width, size - width) != 0;

        item[i] = torn || number > ITEMS_NONE ? ITEMS_NONE : (sb_item)number;
    }
}

/* ---- the feed ---- */

struct callback {
    struct sb_feed feed; /* must be the first member, because callers have a pointer to this member */
    struct sb_subject from;
    char *name; /* name of the subject; owned */
    struct items items;
    sb_item *item;   /* [n]; the items of one shuffle; owned */
    sb_item *deals;  /* [room * deal]; the deals of a batch; owned */
    bool *seen;      /* [n]; whether each item has been found, used only during a check; owned */
    size_t room;     /* number of deals per batch */
    uint64_t called; /* number of calls so far */
};

static enum sb_status callback_complain(const struct callback *self, size_t at, bool twice, struct sb_error *error)
{
    const unsigned long long shuffle = self->called;

    if (twice)
        return sb_error_set(error, SB_SUBJECT,
                            "%.120s, shuffle %llu: item %u stands twice, again at position %zu, and another one "
                            "is lost: move items, and keep all",
                            self->name, shuffle, self->item[at], at);
    return sb_error_set(error, SB_SUBJECT,
                        "%.120s, shuffle %llu: no item stands at position %zu any more: move all %zu bytes of "
                        "an item, and none behind the last one",
                        self->name, shuffle, at, self->items.size);
}

static enum sb_status callback_check(struct callback *self, struct sb_error *error)
{
    memset(self->seen, 0, self->feed.n * sizeof self->seen[0]);
    for (size_t i = 0; i < self->feed.n; i++) {
        const bool twice = self->item[i] < self->feed.n && self->seen[self->item[i]];

        if (twice || self->item[i] >= self->feed.n)
            return callback_complain(self, i, twice, error);
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
            items_reset(&self->items);
        self->called++;
        const int failed = self->from.shuffle(self->items.array, feed->n, self->items.size, self->from.state);

        if (failed)
            return sb_error_set(error, SB_SUBJECT,
                                "%.120s, shuffle %llu: the function returned %d, which says that it failed: "
                                "return 0 after a shuffle",
                                self->name, (unsigned long long)self->called, failed);
        items_read(&self->items, self->item);
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

    items_close(&self->items);
    free(self->name);
    free(self->item);
    free(self->deals);
    free(self->seen);
    free(self);
}

enum sb_status sb_callback_new(const struct sb_subject *callback, struct sb_error *error, struct sb_feed **feed)
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
    status = items_open(callback->n, callback->size, error, &self->items);
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

/* ---- the peer ---- */

struct callback_peer {
    struct sb_peer peer; /* must be the first member */
    sb_drawn_shuffle *shuffle;
    void *state;
    struct items items;
};

static enum sb_status peer_shuffle(struct sb_peer *self, struct sb_draws *draws, size_t n, sb_item deck[],
                                   struct sb_error *error)
{
    struct callback_peer *const peer = (struct callback_peer *)self;

    items_reset(&peer->items);
    const int failed = peer->shuffle(peer->items.array, n, peer->items.size, draws, peer->state);

    if (failed)
        return sb_error_set(error, SB_SUBJECT,
                            "%.120s: the function returned %d, which says that it failed: return 0 after a "
                            "shuffle",
                            self->name, failed);
    items_read(&peer->items, deck);
    return SB_OK;
}

static void peer_free(struct sb_peer *self)
{
    struct callback_peer *const peer = (struct callback_peer *)self;

    items_close(&peer->items);
    free(peer);
}

enum sb_status sb_callback_peer_open(const char *name, sb_drawn_shuffle *shuffle, void *state, size_t n, size_t size,
                                     struct sb_error *error, struct sb_peer **peer)
{
    struct callback_peer *const made = calloc(1, sizeof *made);

    if (!made)
        return sb_error_memory(error, "a callback");
    *made = (struct callback_peer) {
        .peer = { .name = name, .shuffle = peer_shuffle, .free = peer_free, },
        .shuffle = shuffle,
        .state = state,
    };
    const enum sb_status status = items_open(n, size, error, &made->items);

    if (status)
        peer_free(&made->peer);
    else
        *peer = &made->peer;
    return status;
}
