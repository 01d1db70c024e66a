/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scheme as a feed. The feed returns exactly the decks that a report tallies for the same scheme, n and
 * seed. The feed never ends. */
#ifndef SB_SUBJECT_DEALT_H
#define SB_SUBJECT_DEALT_H

#include "core/core.h"
#include "subject/scheme.h"

/* The decks to deal. The feed copies the scheme. The stop flag may be NULL, and must outlive the feed. */
struct sb_dealt {
    const struct sb_scheme *scheme; /* the scheme, which must have passed sb_scheme_check() for n items */
    size_t n, deal;                 /* deal <= n */
    uint64_t seed;
    const volatile sig_atomic_t *stop; /* the stop flag, which is checked even during a long shuffle */
};

/*
 * Makes a feed, which the caller frees. Errors: SB_INVALID if the generator refuses the seed; SB_NO_MEMORY.
 * next() returns SB_BROKEN if the generator repeats the same few words, so that a shuffle would never end.
 */
enum sb_status sb_dealt_new(const struct sb_dealt *dealt, struct sb_error *error, struct sb_feed **feed);

#endif
