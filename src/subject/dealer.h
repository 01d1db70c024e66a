/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The decks of a scheme, for callers that request decks one by one. */
#ifndef SB_SUBJECT_DEALER_H
#define SB_SUBJECT_DEALER_H

#include "core/core.h"
#include "shufflebias.h"
#include "subject/scheme.h"

/* Parses a scheme and makes a feed of its decks. Uses only these options: n, deal, seed, draw, rng and stop.
 * The caller frees the feed. Errors: SB_INVALID, SB_NO_MEMORY. */
enum sb_status sb_scheme_feed(const char *text, const struct sb_options *options, struct sb_error *error,
                              struct sb_scheme *scheme, struct sb_feed **feed);

#endif
