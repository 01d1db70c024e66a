/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scheme as a feed: the very decks that a report tallies for the same scheme, n and seed. It never ends. */
#ifndef SB_SUBJECT_DEALT_H
#define SB_SUBJECT_DEALT_H

#include "core/feed.h"
#include "subject/scheme.h"

/* What is dealt; the scheme is copied, the stop flag, which may be NULL, has to outlive the feed. */
struct sb_dealt {
    const struct sb_scheme *scheme; /* that can shuffle n items: sb_scheme_check() */
    size_t n, deal;                 /* deal <= n */
    uint64_t seed;
    const volatile sig_atomic_t *stop; /* looked at within a deck that takes long */
};

/*
 * Owned by the caller. SB_INVALID: the generator refuses the seed; SB_NO_MEMORY. Its next() gives SB_BROKEN
 * if the generator gives the same few words over and over, so that a deck would never be done.
 */
enum sb_status sb_dealt_new(const struct sb_dealt *dealt, struct sb_error *error, struct sb_feed **feed);

#endif
