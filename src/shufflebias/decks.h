/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shuffled decks, one after another. docs/deal.md */
#ifndef SHUFFLEBIAS_DECKS_H
#define SHUFFLEBIAS_DECKS_H

#include "shufflebias/basics.h"
#include "shufflebias/reports.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A dealer of shuffled decks. With the same options, sb_reports_new() tallies the same decks. Opaque. */
struct sb_dealer;

/*
 * Makes a dealer. The call uses only these options: n (here up to 10,000,000), deal, seed, draw, rng and
 * stop. The dealer keeps the pointer `stop` and no other option, so the flag must outlive the dealer. The
 * caller frees *dealer with sb_dealer_free(). Errors: SB_INVALID, SB_TOO_LARGE, SB_NO_MEMORY. Example:
 * deal_hands.c.
 */
SB_API enum sb_status sb_dealer_new(const char *scheme, const struct sb_request *options,
                                    struct sb_error *error, struct sb_dealer **dealer);

/* Frees the dealer; NULL is allowed. Example: deal_hands.c. */
SB_API void sb_dealer_free(struct sb_dealer *dealer);

/*
 * Shuffles the next deck and points *items to the deck, an array of `deal` items in 0..n-1. The dealer owns
 * the array and overwrites it at the next call. After an error the dealer has no more decks. Errors:
 * SB_STOPPED if the stop flag is raised during a long shuffle; SB_BROKEN if the generator repeats the same
 * few words, so that the shuffle would never end. Example: deal_hands.c.
 */
SB_API enum sb_status sb_dealer_next(struct sb_dealer *dealer, const uint32_t **items);

#ifdef __cplusplus
}
#endif

#endif
