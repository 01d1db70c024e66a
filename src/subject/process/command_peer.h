/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program at the other end of two pipes as a peer, that is, a shuffle that requests its draws from the
 * library. Each line is a message:
 *
 *   we      start            shuffle a fresh deck
 *   peer    draw K           requests an integer in 0..K-1, 1 <= K < 2^32
 *   peer    random           requests a number in [0, 1)
 *   we      2, 0.25          the answer
 *   peer    deck 2 0 1       the result: the item at each position
 *
 * The items are numbered from 0 in all decks, or from 1 in all decks. To end the peer, we close its input.
 */
#ifndef SB_SUBJECT_PROCESS_COMMAND_PEER_H
#define SB_SUBJECT_PROCESS_COMMAND_PEER_H

#include "core/draws.h"
#include "subject/stream/bytes.h"

/* Starts the command. The caller frees the peer, in the same thread. Errors: those of
 * sb_bytes_open_command(). */
enum sb_status sb_command_peer_open(const char *const command[], const struct sb_patience *patience,
                                    sb_overheard *overheard, void *state, struct sb_error *error,
                                    struct sb_peer **peer);

/* Makes a peer of bytes that someone else has opened, and that can be written to; takes ownership of the
 * bytes, even after a failure. Error: SB_NO_MEMORY. */
enum sb_status sb_command_peer_new(struct sb_bytes *bytes, double timeout, struct sb_error *error,
                                   struct sb_peer **peer);

#endif
