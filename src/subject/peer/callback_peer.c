/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A function in C as a peer that requests its draws from the library. Cost of a draw: two calls. */
#include "subject/peer/callback_peer.h"

#include "core/core.h"
#include "subject/peer/items.h"

#include <stdlib.h>

struct callback_peer {
    struct sb_peer peer; /* must be the first member */
    sb_drawn_shuffle *shuffle;
    void *state;
    struct sb_items items;
};

static enum sb_status callback_shuffle(struct sb_peer *self, struct sb_draws *draws, size_t n, sb_item deck[],
                                       struct sb_error *error)
{
    struct callback_peer *const peer = (struct callback_peer *)self;

    sb_items_reset(&peer->items);
    const int failed = peer->shuffle(peer->items.array, n, peer->items.size, draws, peer->state);

    if (failed)
        return sb_error_set(error, SB_SUBJECT,
                            "%.120s: the function returned %d, which says that it failed: return 0 after a "
                            "shuffle",
                            self->name, failed);
    sb_items_read(&peer->items, deck);
    return SB_OK;
}

static void callback_free(struct sb_peer *self)
{
    struct callback_peer *const peer = (struct callback_peer *)self;

    sb_items_close(&peer->items);
    free(peer);
}

enum sb_status sb_callback_peer_open(const char *name, sb_drawn_shuffle *shuffle, void *state, size_t n,
                                     size_t size, struct sb_error *error, struct sb_peer **peer)
{
    struct callback_peer *const made = calloc(1, sizeof *made);

    if (!made)
        return sb_error_memory(error, "a callback");
    *made = (struct callback_peer) {
        .peer = { .name = name, .shuffle = callback_shuffle, .free = callback_free, },
        .shuffle = shuffle,
        .state = state,
    };
    const enum sb_status status = sb_items_open(n, size, error, &made->items);

    if (status)
        callback_free(&made->peer);
    else
        *peer = &made->peer;
    return status;
}
