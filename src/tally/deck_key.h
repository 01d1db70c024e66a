/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys of decks, by which decks are told apart where they are too many to be counted by rank. */
#ifndef SB_TALLY_DECK_KEY_H
#define SB_TALLY_DECK_KEY_H

#include "core/permutation.h"

/* Stands for a deck: evenly spread, whatever the decks are. */
struct sb_deck_key {
    uint64_t high, low;
};

/*
 * The key of a deal of k out of n. Where ranks fit 64 bits it is the rank, its bits mixed: no two deals share
 * one. Else it is a hash of 122 bits: two given deals share one with a probability below (n / 2^61)^2.
 */
struct sb_deck_key sb_deck_key(size_t n, size_t k, const sb_item deal[]);

/* How many different keys there are, and how often the most frequent is there. Puts them in another order. */
void sb_deck_key_sort(struct sb_deck_key key[], size_t count, size_t threads, uint64_t *distinct,
                      uint64_t *most);

/*
 * ln of the probability, at most, that a fair shuffle's deal has the key of one given other deal: 1 over the
 * number of deals, and where their ranks do not fit 64 bits that of sharing a hash.
 */
double sb_deck_key_ln_pair(size_t n, size_t k);

#endif
