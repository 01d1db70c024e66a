/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scheme whose generator is seeded again for each deck, with a short seed. */
#ifndef SB_SUBJECT_RESEEDED_H
#define SB_SUBJECT_RESEEDED_H

#include "subject/dealt.h"

/*
 * Makes a feed of decks of dealt->scheme. Each deck has its own seed of `bits` random bits, where `bits` is 1
 * to 64. dealt->seed determines all these seeds. The feed never ends. The caller frees the feed. Errors:
 * SB_INVALID if the generator refuses a seed; SB_NO_MEMORY.
 */
enum sb_status sb_reseeded_new(const struct sb_dealt *dealt, unsigned bits, struct sb_error *error,
                               struct sb_feed **feed);

#endif
