/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores the decks from many seeds, to count the different decks. There are four methods: counts by rank,
 * keys, bits (one for each deal), and an estimate. */
#ifndef SB_SAMPLE_SEEDS_SEEDS_STORE_H
#define SB_SAMPLE_SEEDS_SEEDS_STORE_H

#include "core/core.h"
#include "core/evidence.h"
#include "tally/order.h"

#include <stdatomic.h>

enum sb_seeds_way { SB_SEEDS_COUNT, SB_SEEDS_SORT, SB_SEEDS_BITS, SB_SEEDS_SKETCH };

/* State that all threads share. */
struct sb_seeds_store {
    enum sb_seeds_way way;
    size_t n, deal, cells;
    _Atomic uint64_t *bit;   /* [deals / 64 + 1] a bit for each deal, by rank; owned */
    struct sb_deck_key *key; /* [keys] the keys of all decks so far; owned */
    _Atomic uint64_t keys;
    uint8_t *sketch; /* [SB_SKETCH_SIZE] registers; owned */
};

/* One thread's decks. Of count, key and sketch, only the array that the method needs is allocated. */
struct sb_seeds_notes {
    uint64_t *count;         /* [cells] counts by rank; owned */
    struct sb_deck_key *key; /* [block] the keys of the current block; the first `held` are set; owned */
    size_t held;
    uint8_t *sketch; /* [SB_SKETCH_SIZE] registers; owned */
    uint64_t seen;   /* number of decks */
};

/* Chooses the method for this number of decks, and allocates its memory. Chooses counts if sb_cells(n, deal)
 * > 0. Otherwise chooses keys if the keys fit in `room` bytes, else bits if the bits fit, else the estimate.
 * The caller closes the store, even after an error. SB_NO_MEMORY. */
enum sb_status sb_seeds_store_open(size_t n, size_t deal, uint64_t decks, uint64_t room,
                                   struct sb_seeds_store *store);
void sb_seeds_store_close(struct sb_seeds_store *store);

/* Opens a thread's notes for blocks of at most `block` decks. The caller closes the notes, even after an
 * error. SB_NO_MEMORY. */
enum sb_status sb_seeds_notes_open(const struct sb_seeds_store *store, size_t block,
                                   struct sb_seeds_notes *notes);
void sb_seeds_notes_close(struct sb_seeds_notes *notes);

/* The first function adds a deck. The second ends a block of up to `block` decks. Several threads may call
 * these functions at the same time, each thread with its own notes. */
void sb_seeds_see(struct sb_seeds_store *store, struct sb_seeds_notes *notes, const sb_item deck[]);
void sb_seeds_end_block(struct sb_seeds_store *store, struct sb_seeds_notes *notes);

/* Adds the notes of a finished thread to evidence->total, and to evidence->counts or to the store. */
void sb_seeds_collect(struct sb_seeds_store *store, const struct sb_seeds_notes *notes,
                      struct sb_evidence *evidence);

/* Combines the results of all MPI ranks at the root. */
void sb_seeds_meet(struct sb_seeds_store *store, const struct sb_ranks *ranks, struct sb_evidence *evidence);

/* Call this function at the end. It sets evidence->reach: how many deals are reached, and how often the most
 * frequent and the least frequent deal occur. */
void sb_seeds_settle_reach(struct sb_seeds_store *store, size_t threads, const struct sb_evidence *evidence);

/* ---- seeds_sketch.c ---- */

enum {
    SB_SKETCH_BITS = 20,
    SB_SKETCH_SIZE = 1 << SB_SKETCH_BITS, /* number of registers; each is a byte and starts at 0 */
};

/* Adds a key to the sketch. */
void sb_sketch_add(uint8_t sketch[SB_SKETCH_SIZE], struct sb_deck_key key);

/* Adds the keys of another sketch. */
void sb_sketch_merge(uint8_t sketch[SB_SKETCH_SIZE], const uint8_t other[SB_SKETCH_SIZE]);

/* The first function estimates the number of different keys. The second returns the relative standard error
 * of this estimate. */
double sb_sketch_estimate(const uint8_t sketch[SB_SKETCH_SIZE]);
double sb_sketch_error(void);

#endif
