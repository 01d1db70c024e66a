/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the decks from many seeds are told apart: counted by rank, sorted, a bit for each deal, or estimated.
 */
#ifndef SB_SAMPLE_SEEDS_SEEDS_STORE_H
#define SB_SAMPLE_SEEDS_SEEDS_STORE_H

#include "core/evidence.h"
#include "core/ranks.h"
#include "tally/deck_key.h"

#include <stdatomic.h>

enum sb_seeds_way { SB_SEEDS_COUNT, SB_SEEDS_SORT, SB_SEEDS_BITS, SB_SEEDS_SKETCH };

/* What all threads share. */
struct sb_seeds_store {
    enum sb_seeds_way way;
    size_t n, deal, cells;
    _Atomic uint64_t *bit;   /* [deals / 64 + 1] by rank; owned */
    struct sb_deck_key *key; /* of all decks, of which `keys` are there; owned */
    _Atomic uint64_t keys;
    uint8_t *sketch; /* [SB_SKETCH_SIZE]; owned */
};

/* What one thread has seen; of count, key and sketch the one that it needs. */
struct sb_seeds_notes {
    uint64_t *count;         /* [cells]; owned */
    struct sb_deck_key *key; /* [block] of which `held` are there; owned */
    size_t held;
    uint8_t *sketch; /* [SB_SKETCH_SIZE]; owned */
    uint64_t seen;   /* decks */
};

/*
 * Chooses the way for so many decks, and takes the memory for it: counts where there are cells, else the
 * first exact way that `room` bytes are enough for, else the sketch. To be closed in any case. SB_NO_MEMORY.
 */
enum sb_status sb_seeds_store_open(size_t n, size_t deal, uint64_t decks, uint64_t room,
                                   struct sb_seeds_store *store);
void sb_seeds_store_close(struct sb_seeds_store *store);

/* For blocks of at most `block` decks. To be closed in any case. SB_NO_MEMORY. */
enum sb_status sb_seeds_notes_open(const struct sb_seeds_store *store, size_t block,
                                   struct sb_seeds_notes *notes);
void sb_seeds_notes_close(struct sb_seeds_notes *notes);

/* Notes a deck; and ends a block, of any number of decks. Threads may do both at once, each on its notes. */
void sb_seeds_see(struct sb_seeds_store *store, struct sb_seeds_notes *notes, const sb_item deck[]);
void sb_seeds_end_block(struct sb_seeds_store *store, struct sb_seeds_notes *notes);

/* Adds the notes of a thread that is done to evidence->total and the counts. */
void sb_seeds_collect(struct sb_seeds_store *store, const struct sb_seeds_notes *notes,
                      struct sb_evidence *evidence);

/* What all ranks have collected reaches the root. */
void sb_seeds_meet(struct sb_seeds_store *store, const struct sb_ranks *ranks, struct sb_evidence *evidence);

/* Once all are collected: how many deals were reached, and how often the most and the least frequent ones. */
void sb_seeds_settle_reach(struct sb_seeds_store *store, size_t threads, const struct sb_evidence *evidence);

/* ---- seeds_sketch.c ---- */

enum {
    SB_SKETCH_BITS = 20,
    SB_SKETCH_SIZE = 1 << SB_SKETCH_BITS, /* registers, a byte each, which begin as 0 */
};

/* Notes a key. */
void sb_sketch_add(uint8_t sketch[SB_SKETCH_SIZE], struct sb_deck_key key);

/* Takes in what another one has noted. */
void sb_sketch_merge(uint8_t sketch[SB_SKETCH_SIZE], const uint8_t other[SB_SKETCH_SIZE]);

/* About how many different keys were noted, with a relative standard error of sb_sketch_error(). */
double sb_sketch_estimate(const uint8_t sketch[SB_SKETCH_SIZE]);
double sb_sketch_error(void);

#endif
