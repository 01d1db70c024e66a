/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Somebody else's shuffle that takes its draws from us: a program at the other end of a pipe, a function in
 * C. Whoever asks it does not know which it is.
 */
#ifndef SB_CORE_PEER_H
#define SB_CORE_PEER_H

#include "core/permutation.h"
#include "shufflebias.h"

/* Who answers. An engine embeds it first in a structure of its own. */
struct sb_draws {
    /* An integer in 0..bound-1, bound >= 1. */
    uint32_t (*below)(struct sb_draws *self, uint32_t bound);
    /* A number in [0, 1). */
    double (*uniform)(struct sb_draws *self);
    /* Nothing more is learned from this shuffle: it may be given up, and is not asked for again. */
    bool over;
};

struct sb_peer {
    const char *name; /* for people; its own */
    /*
     * Shuffles n items: deck[0..n-1] becomes what is found at each position, any numbers below 2^16, which
     * the caller checks. Where `over` was raised the deck means nothing. SB_SUBJECT: it did not keep its
     * word; SB_STOPPED.
     */
    enum sb_status (*shuffle)(struct sb_peer *self, struct sb_draws *draws, size_t n, sb_item deck[],
                              struct sb_error *error);
    void (*free)(struct sb_peer *self);
};

#endif
