/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A function in C as a peer, that is, a shuffle that requests its draws from the library. */
#ifndef SB_SUBJECT_PEER_CALLBACK_PEER_H
#define SB_SUBJECT_PEER_CALLBACK_PEER_H

#include "core/draws.h"

/* Makes a peer whose function receives n items of `size` bytes in each call; size 0 means 2. The name is
 * borrowed. The caller frees the peer. Errors: SB_INVALID, SB_TOO_LARGE, SB_NO_MEMORY. */
enum sb_status sb_callback_peer_open(const char *name, sb_drawn_shuffle *shuffle, void *state, size_t n,
                                     size_t size, struct sb_error *error, struct sb_peer **peer);

#endif
