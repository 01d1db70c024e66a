/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A function in C as a feed: the feed calls the function once for each permutation. */
#ifndef SB_SUBJECT_CALLBACK_H
#define SB_SUBJECT_CALLBACK_H

#include "core/core.h"

struct sb_callback {
    const char *name; /* name to show in messages; borrowed */
    sb_own_shuffle *shuffle;
    void *state;
    size_t n, deal; /* 2 <= n, 1 <= deal <= n */
    size_t size;    /* bytes of an item; 0 means 2 */
    bool chained;   /* whether each call shuffles the previous result instead of the starting order */
};

/* Makes a feed, which the caller frees. Errors: SB_INVALID, SB_TOO_LARGE, SB_NO_MEMORY. next() returns
 * SB_SUBJECT if the function returns a value other than 0, or if an item is missing after a shuffle. */
enum sb_status sb_callback_new(const struct sb_callback *callback, struct sb_error *error,
                               struct sb_feed **feed);

#endif
