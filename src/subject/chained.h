/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The increments of a subject that shuffles its last result; each increment is one shuffle. */
#ifndef SB_SUBJECT_CHAINED_H
#define SB_SUBJECT_CHAINED_H

#include "core/feed.h"

/*
 * Makes a feed of the increments X[t-1]^-1 X[t] of the permutations of `inner`. Takes ownership of `inner`,
 * even after an error. The first permutation only sets the start. SB_INVALID, also from next(): deals of
 * fewer than n; SB_NO_MEMORY.
 */
enum sb_status sb_chained_new(struct sb_feed *inner, struct sb_error *error, struct sb_feed **feed);

#endif
