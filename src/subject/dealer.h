/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The decks of a scheme, for callers that request decks one by one. */
#ifndef SB_SUBJECT_DEALER_H
#define SB_SUBJECT_DEALER_H

#include "core/calls.h"
#include "core/feed.h"
#include "subject/scheme.h"

/* Parses a scheme and makes a feed of its decks. Uses only these options: n, deal, seed, draw, rng and stop.
 * The caller frees the feed. Errors: SB_INVALID, SB_NO_MEMORY. */
enum sb_status sb_scheme_feed(const char *text, const struct sb_options *options, struct sb_error *error,
                              struct sb_scheme *scheme, struct sb_feed **feed);

/* Makes a dealer. */
enum sb_status sb_dealer_new(const char *scheme, const struct sb_options *options, struct sb_error *error,
                             struct sb_dealer **dealer);
void sb_dealer_free(struct sb_dealer *dealer);

/* Shuffles the next deck and points *items to the deck, an array of `deal` items in 0..n-1. */
enum sb_status sb_dealer_next(struct sb_dealer *dealer, const uint32_t **items);

#endif
