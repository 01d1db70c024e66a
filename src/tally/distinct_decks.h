/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many different decks there are among many, where they cannot be counted by rank. */
#ifndef SB_TALLY_DISTINCT_DECKS_H
#define SB_TALLY_DISTINCT_DECKS_H

#include "core/permutation.h"

/* Stands for a deck: evenly spread, whatever the decks are. */
struct sb_seeds_key {
    uint64_t high, low;
};

/*
 * The key of a deal of k out of n. Where ranks fit 64 bits it is the rank, its bits mixed: no two deals share
 * one. Else it is a hash of 122 bits: two given deals share one with a probability below (n / 2^61)^2.
 */
struct sb_seeds_key sb_seeds_key(size_t n, size_t k, const sb_item deal[]);

/* How many different keys there are, and how often the most frequent is there. Puts them in another order. */
void sb_seeds_sort(struct sb_seeds_key key[], size_t count, size_t threads, uint64_t *distinct,
                   uint64_t *most);

enum {
    SB_SKETCH_BITS = 20,
    SB_SKETCH_SIZE = 1 << SB_SKETCH_BITS, /* registers, a byte each, which begin as 0 */
};

/* Notes a key. */
void sb_sketch_add(uint8_t sketch[SB_SKETCH_SIZE], struct sb_seeds_key key);

/* Takes in what another one has noted. */
void sb_sketch_merge(uint8_t sketch[SB_SKETCH_SIZE], const uint8_t other[SB_SKETCH_SIZE]);

/* About how many different keys were noted, with a relative standard error of sb_sketch_error(). */
double sb_sketch_estimate(const uint8_t sketch[SB_SKETCH_SIZE]);
double sb_sketch_error(void);

#endif
