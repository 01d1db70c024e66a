/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program at the other end of two pipes as a peer that takes its draws from us. A line is a word:
 *
 *   we      start            shuffle a fresh deck
 *   it      draw K           an integer in 0..K-1, please, 1 <= K < 2^32
 *   it      random           a number in [0, 1), please
 *   we      2, 0.25          the answer
 *   it      deck 2 0 1       the result: what is found at each position; from 0 or, always, from 1
 *
 * At the end its input is closed.
 */
#ifndef SB_SUBJECT_PEER_COMMAND_PEER_H
#define SB_SUBJECT_PEER_COMMAND_PEER_H

#include "core/peer.h"
#include "subject/stream/bytes.h"

/* Starts the command; owned by the caller, who frees it in the same thread. As sb_bytes_open_command(). */
enum sb_status sb_command_peer_open(const char *const command[], const struct sb_patience *patience,
                                    sb_overheard *overheard, void *state, struct sb_error *error,
                                    struct sb_peer **peer);

#endif
