/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A function in C as a peer that takes its draws from us. */
#ifndef SB_SUBJECT_CALLBACK_PEER_H
#define SB_SUBJECT_CALLBACK_PEER_H

#include "core/peer.h"

/* The name is borrowed. Owned by the caller. SB_NO_MEMORY. */
enum sb_status sb_callback_peer_open(const char *name, sb_drawn_shuffle *shuffle, void *state,
                                     struct sb_peer **peer);

#endif
