/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A peer: a shuffle outside the library that takes its draws from the library. A peer is either a program at
 * the other end of a pipe or a function in C; the caller does not know which.
 */
#ifndef SB_CORE_PEER_H
#define SB_CORE_PEER_H

#include "core/calls.h"
#include "core/permutation.h"

/* Answers the peer's draws. An engine embeds this struct as its first member. */
struct sb_draws {
    /* Returns an integer in 0..bound-1, bound >= 1. */
    uint32_t (*below)(struct sb_draws *self, uint32_t bound);
    /* Returns a number in [0, 1). */
    double (*uniform)(struct sb_draws *self);
    /* Whether the result of this shuffle is no longer needed, so that the peer may abandon the shuffle. */
    bool over;
};

struct sb_peer {
    const char *name; /* name for people; owned by the peer */
    /*
     * Shuffles n items: deck[j] becomes the item at position j, for each j < n. The caller checks that these
     * items are valid. If draws->over was set, the deck is undefined. SB_SUBJECT: the peer violated the
     * protocol; SB_STOPPED.
     */
    enum sb_status (*shuffle)(struct sb_peer *self, struct sb_draws *draws, size_t n, sb_item deck[],
                              struct sb_error *error);
    void (*free)(struct sb_peer *self);
};

#endif
