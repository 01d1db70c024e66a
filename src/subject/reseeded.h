/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scheme whose generator is seeded again for each deck, with a short seed. */
#ifndef SB_SUBJECT_RESEEDED_H
#define SB_SUBJECT_RESEEDED_H

#include "subject/dealt.h"

/*
 * The decks of dealt->scheme, each from a seed of `bits` random bits, 1..64, which dealt->seed determines.
 * The feed never ends. The caller frees it. SB_INVALID: the generator refuses a seed; SB_NO_MEMORY.
 */
enum sb_status sb_reseeded_new(const struct sb_dealt *dealt, unsigned bits, struct sb_error *error,
                               struct sb_feed **feed);

#endif
