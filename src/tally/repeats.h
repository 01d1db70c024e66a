/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Repeated whole decks, found by their keys (tally/deck_key.h). A gate compares each deck of a stream with
 * the earlier decks as soon as the deck arrives. In a sample, threads and MPI ranks store the keys in any
 * order, and the repeats are counted at the end. So there are two algorithms, but the null law of the repeats
 * is the same.
 */
#ifndef SB_TALLY_REPEATS_H
#define SB_TALLY_REPEATS_H

#include "core/calls.h"
#include "core/permutation.h"
#include "core/ranks.h"
#include "tally/deck_key.h"

/* each deck is compared with at most this many decks, which are the first decks */
enum { SB_REPEATS_MOST = 1 << 24 };

/* The key of a deck, which is never zero: zero marks a free slot in both algorithms. */
static inline struct sb_deck_key sb_repeats_key(size_t n, size_t k, const sb_item deck[])
{
    struct sb_deck_key key = sb_deck_key(n, k, deck);

    key.low += !(key.high | key.low);
    return key;
}

/* ---- repeats_stream.c: a set of the decks so far ---- */

struct sb_repeats_stream;

/* Makes an empty set for deals of k out of n. The caller frees the set; freeing NULL is allowed. NULL if
 * memory runs out. */
struct sb_repeats_stream *sb_repeats_stream_new(size_t n, size_t k);
void sb_repeats_stream_free(struct sb_repeats_stream *repeats);

/*
 * Makes a set in constant memory, for an unlimited number of decks. The set compares only one in
 * 2^SB_REPEATS_PART decks, chosen by their keys, and keeps at most SB_REPEATS_ERA of these decks, in 12 MB. A
 * full set forgets all decks and starts again, so that it also detects a fault that begins late.
 */
struct sb_repeats_stream *sb_repeats_stream_new_part(size_t n, size_t k);

enum { SB_REPEATS_PART = 4, SB_REPEATS_ERA = 1 << 19 };

/* The key of a deck. Prefetches the memory that adding this key needs, so computing several keys before
 * adding them reduces waiting. */
struct sb_deck_key sb_repeats_stream_key(const struct sb_repeats_stream *repeats, const sb_item deck[]);

/* Whether the set compares decks with this key. */
bool sb_repeats_stream_wants(const struct sb_repeats_stream *repeats, struct sb_deck_key key);

/* The number of distinct decks in the set. */
uint64_t sb_repeats_stream_kept(const struct sb_repeats_stream *repeats);

/* Returns whether the set has the deck with this key. If not, adds the deck, as long as there is memory. */
bool sb_repeats_stream_add(struct sb_repeats_stream *repeats, struct sb_deck_key key);

enum { SB_REPEATS_CARRIED = 1 << 18 }; /* the most decks that one run passes to the next: 4 MB */

/*
 * Adds the decks with the keys key[0..count-1], and makes the set record the order of decks, for
 * sb_repeats_stream_newest(). Call this function at most once, before adding any deck. Returns false if
 * memory runs out.
 */
bool sb_repeats_stream_carry(struct sb_repeats_stream *repeats, const struct sb_deck_key key[], size_t count);

/* Copies the keys of the newest decks in the set to key[]. The oldest of these decks comes first. key[] has
 * room for SB_REPEATS_CARRIED keys. Returns the number of copied keys. Without sb_repeats_stream_carry(),
 * this number is 0. */
size_t sb_repeats_stream_newest(const struct sb_repeats_stream *repeats, struct sb_deck_key key[]);

/* The same as sb_deck_key_ln_pair(), for two decks in the part that sb_repeats_stream_new_part() compares. As
 * a safety margin, the number of possible decks in this part is taken to be six standard deviations below its
 * mean. */
double sb_repeats_stream_ln_pair_part(size_t n, size_t k);

/* ---- repeats_sample.c: a list of keys by the index of the deck; equal keys are counted at the end ---- */

struct sb_repeats_sample;

/*
 * Makes a list for a sample of `total` deals of k out of n. Only the first deals of the sample are compared
 * with each other: at most SB_REPEATS_MOST, at 16 bytes each, and at most D^(3/4) / 2, where D is the number
 * of possible deals. This second limit keeps the law of the repeats close to Poisson's. The caller frees the
 * list; freeing NULL is allowed. NULL if memory runs out.
 */
struct sb_repeats_sample *sb_repeats_sample_new(size_t n, size_t k, uint64_t total);
void sb_repeats_sample_free(struct sb_repeats_sample *repeats);

/* Whether the deal with index `first` in the sample is compared. */
bool sb_repeats_sample_wants(const struct sb_repeats_sample *repeats, uint64_t first);

/* Stores the keys of the deals items[count * k]. Their indexes in the sample are `first`, `first` + 1, and so
 * on. Several threads may call this function at the same time with different deals. */
void sb_repeats_sample_note(struct sb_repeats_sample *repeats, uint64_t first, const sb_item items[],
                            size_t count);

/* Collects the keys of all MPI ranks at the root. Each deal must have been noted by exactly one rank. */
void sb_repeats_sample_meet(struct sb_repeats_sample *repeats, const struct sb_ranks *ranks);

/* After the last deal, stores the number of compared deals in `*decks`. Stores in `*count` how many of the
 * compared deals equal an earlier deal. Frees the keys. */
void sb_repeats_sample_count(struct sb_repeats_sample *repeats, size_t threads, uint64_t *decks,
                             uint64_t *count);

#endif
