/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Repeated whole decks, found by their keys (tally/deck_key.h). A gate checks the decks of a stream in order,
 * at any time. In a sample, threads and ranks count the decks in any order, and the number of repeats is
 * known at the end. So there are two algorithms, with one law.
 */
#ifndef SB_TALLY_REPEATS_H
#define SB_TALLY_REPEATS_H

#include "core/permutation.h"
#include "core/ranks.h"
#include "shufflebias.h"
#include "tally/deck_key.h"

enum { SB_REPEATS_MOST = 1 << 24 }; /* the most decks that later ones are compared with: the first */

/* The key of a deck, which is never zero: zero marks a free slot in both algorithms. */
static inline struct sb_deck_key sb_repeats_key(size_t n, size_t k, const sb_item deck[])
{
    struct sb_deck_key key = sb_deck_key(n, k, deck);

    key.low += !(key.high | key.low);
    return key;
}

/* ---- repeats_stream.c: a set of the decks so far ---- */

struct sb_repeats_stream;

/* Makes an empty set for deals of k out of n. The caller frees it; freeing NULL is allowed. NULL if memory
 * runs out. */
struct sb_repeats_stream *sb_repeats_stream_new(size_t n, size_t k);
void sb_repeats_stream_free(struct sb_repeats_stream *repeats);

/*
 * Makes a set in constant memory, for an unlimited number of decks. The set compares only decks whose hash
 * falls into a part of 1 in 2^SB_REPEATS_PART, and keeps at most SB_REPEATS_ERA of them, 16 MB. Once it is
 * full, it forgets all decks and starts again. So it also detects a generator that changes late.
 */
struct sb_repeats_stream *sb_repeats_stream_new_part(size_t n, size_t k);

enum { SB_REPEATS_PART = 4, SB_REPEATS_ERA = 1 << 19 };

/* The key of a deck. Asks the processor for the memory that adding this key needs, so that a caller who computes
 * some keys before adding them waits less. */
struct sb_deck_key sb_repeats_stream_key(const struct sb_repeats_stream *repeats, const sb_item deck[]);

/* Whether the deck with this key is in the compared part. */
bool sb_repeats_stream_wants(const struct sb_repeats_stream *repeats, struct sb_deck_key key);

/* The number of different decks in the set. */
uint64_t sb_repeats_stream_kept(const struct sb_repeats_stream *repeats);

/* Returns whether the set has the deck with this key; if not, adds it, as long as there is memory. */
bool sb_repeats_stream_add(struct sb_repeats_stream *repeats, struct sb_deck_key key);

enum { SB_REPEATS_CARRIED = 1 << 18 }; /* decks passed from one run to the next: 4 MB */

/*
 * Adds the decks with these keys, key[0..count-1]. After this call the set also records the order of decks,
 * for sb_repeats_stream_newest(). Call it once, before adding any deck. False if memory runs out.
 */
bool sb_repeats_stream_carry(struct sb_repeats_stream *repeats, const struct sb_deck_key key[], size_t count);

/* The keys of the newest decks in the set, oldest first, in key[], which has room for SB_REPEATS_CARRIED.
 * Returns their number, 0 without sb_repeats_stream_carry(). */
size_t sb_repeats_stream_newest(const struct sb_repeats_stream *repeats, struct sb_deck_key key[]);

/* sb_deck_key_ln_pair() for two decks of the part. The size of the part is reduced by six standard deviations
 * of a count of evenly distributed decks, as a safety margin. */
double sb_repeats_stream_ln_pair_part(size_t n, size_t k);

/* ---- repeats_sample.c: a key for each deck, by index, sorted at the end ---- */

struct sb_repeats_sample;

/*
 * Makes a list for a sample of `total` deals of k out of n, and compares the first of them with each other:
 * at most SB_REPEATS_MOST, which take 16 bytes each, and at most half of D^(3/4) if D deals are possible, so
 * that the law of the repeats is close to Poisson's. The caller frees it; freeing NULL is allowed. NULL if
 * memory runs out.
 */
struct sb_repeats_sample *sb_repeats_sample_new(size_t n, size_t k, uint64_t total);
void sb_repeats_sample_free(struct sb_repeats_sample *repeats);

/* Whether deal `first` of the sample is compared. */
bool sb_repeats_sample_wants(const struct sb_repeats_sample *repeats, uint64_t first);

/* Stores the keys of deals, items[count * k], which start at index `first` of the sample. Threads may call it
 * at the same time with different deals. */
void sb_repeats_sample_note(struct sb_repeats_sample *repeats, uint64_t first, const sb_item items[],
                            size_t count);

/* Collects the keys of all ranks at the root; each deal has been noted by one rank. */
void sb_repeats_sample_meet(struct sb_repeats_sample *repeats, const struct sb_ranks *ranks);

/* After the last deal: the number of compared deals, and how many of these equal an earlier one. Forgets the
 * deals. */
void sb_repeats_sample_count(struct sb_repeats_sample *repeats, size_t threads, uint64_t *decks,
                             uint64_t *count);

#endif
