/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys of decks, which identify decks if there are too many distinct decks to count them by rank. */
#ifndef SB_TALLY_DECK_KEY_H
#define SB_TALLY_DECK_KEY_H

#include "core/core.h"

/* The key of a deck. Keys are evenly distributed whatever the law of the decks. */
struct sb_deck_key {
    uint64_t high, low;
};

/*
 * The key of a deal of k out of n. If ranks fit in 64 bits, the key is the rank with its bits mixed, so
 * different deals have different keys. Otherwise the key is a hash of 122 bits, and two given different deals
 * have the same key with a probability below (n / 2^61)^2.
 */
struct sb_deck_key sb_deck_key(size_t n, size_t k, const sb_item deal[]);

/* Stores the number of distinct keys in `*distinct`, and how often the most frequent key occurs in `*most`.
 * Changes the order of the keys. */
void sb_deck_key_count(struct sb_deck_key key[], size_t count, size_t threads, uint64_t *distinct,
                       uint64_t *most);

/*
 * ln of an upper bound of the probability that a fair shuffle's deal has the key of one given earlier deal.
 * The bound is 1 over the number of deals. If ranks do not fit in 64 bits, the bound also includes the
 * probability of an equal hash.
 */
double sb_deck_key_ln_pair(size_t n, size_t k);

/* The same for whole decks with equal items, whose keys are those of their arrangements (sb_multiset_order()). */
double sb_deck_key_ln_pair_equal(const struct sb_multiset *multiset);

#endif
