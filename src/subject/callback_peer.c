/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A function in C as a peer that takes its draws from us. Cost of a draw: two calls. */
#include "subject/callback_peer.h"

#include <stdlib.h>

struct callback_peer {
    struct sb_peer peer; /* first */
    sb_drawn_shuffle *shuffle;
    void *state;
};

static enum sb_status callback_shuffle(struct sb_peer *self, struct sb_draws *draws, size_t n, sb_item deck[],
                                       struct sb_error *error)
{
    const struct callback_peer *const peer = (struct callback_peer *)self;

    (void)error;
    for (size_t i = 0; i < n; i++)
        deck[i] = (sb_item)i;
    peer->shuffle(peer->state, draws, deck, n);
    return SB_OK;
}

static void callback_free(struct sb_peer *self)
{
    free(self);
}

enum sb_status sb_callback_peer_open(const char *name, sb_drawn_shuffle *shuffle, void *state,
                                     struct sb_peer **peer)
{
    struct callback_peer *const made = calloc(1, sizeof *made);

    if (!made)
        return SB_NO_MEMORY;
    *made = (struct callback_peer) {
        .peer = { .name = name, .shuffle = callback_shuffle, .free = callback_free, },
        .shuffle = shuffle,
        .state = state,
    };
    *peer = &made->peer;
    return SB_OK;
}
