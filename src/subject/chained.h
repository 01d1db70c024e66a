/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The increments of a subject that shuffles its previous result again. Each increment is one shuffle. */
#ifndef SB_SUBJECT_CHAINED_H
#define SB_SUBJECT_CHAINED_H

#include "core/core.h"

/*
 * Makes a feed of the increments X[t-1]^-1 X[t] of the permutations X[0], X[1], ... of `inner`. Takes
 * ownership of `inner`, even after an error. The first permutation is only the start of the first increment.
 * Errors, after which *feed is NULL: SB_INVALID, also from next(), if a deal has fewer than n items; SB_NO_MEMORY.
 */
enum sb_status sb_chained_new(struct sb_feed *inner, struct sb_error *error, struct sb_feed **feed);

#endif
