/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole decks that come up again, by their keys (tally/deck_key.h). A gate looks all the time at decks that
 * come in order; of a sample, whose decks threads and ranks count in any order, the number of repeats is
 * known at the end. These are two algorithms with one law.
 */
#ifndef SB_TALLY_REPEATS_H
#define SB_TALLY_REPEATS_H

#include "core/permutation.h"
#include "core/ranks.h"
#include "shufflebias.h"
#include "tally/deck_key.h"

enum { SB_REPEATS_MOST = 1 << 24 }; /* decks that later ones are compared with: the first ones */

/* The key of a deck, which is never all zero: that is a free place in both. */
static inline struct sb_deck_key sb_repeats_key(size_t n, size_t k, const sb_item deck[])
{
    struct sb_deck_key key = sb_deck_key(n, k, deck);

    key.low += !(key.high | key.low);
    return key;
}

/* ---- repeats_stream.c: a set of the decks so far ---- */

struct sb_repeats_stream;

/* For deals of k out of n; the set is empty. Owned by the caller; NULL is fine to free. NULL: no memory. */
struct sb_repeats_stream *sb_repeats_stream_new(size_t n, size_t k);
void sb_repeats_stream_free(struct sb_repeats_stream *repeats);

/*
 * The same in constant memory, for decks without end: only those are compared whose hash falls into one part
 * of 2^SB_REPEATS_PART, at most SB_REPEATS_ERA of them, 16 MB; once there are so many, all are forgotten, and
 * new ones are kept. So a generator that is changed late is found out, too.
 */
struct sb_repeats_stream *sb_repeats_stream_new_part(size_t n, size_t k);

enum { SB_REPEATS_PART = 4, SB_REPEATS_ERA = 1 << 19 };

/* Whether this deck is compared at all. */
bool sb_repeats_stream_wants(const struct sb_repeats_stream *repeats, const sb_item deck[]);

/* How many different decks are kept. */
uint64_t sb_repeats_stream_kept(const struct sb_repeats_stream *repeats);

/* Whether this deck is in the set; else it is from now on, as long as there is memory. */
bool sb_repeats_stream_add(struct sb_repeats_stream *repeats, const sb_item deck[]);

enum { SB_REPEATS_CARRIED = 1 << 18 }; /* decks that go from one run to another: 4 MB */

/*
 * Keeps the decks with these keys, key[0..count-1], and notes from now on in which order decks come, for
 * sb_repeats_stream_newest(). Once, before any other deck. False: there is no memory.
 */
bool sb_repeats_stream_carry(struct sb_repeats_stream *repeats, const struct sb_deck_key key[], size_t count);

/* The keys of the newest decks that are kept, the oldest of them first: key[0..return-1], which has room for
 * SB_REPEATS_CARRIED. None without sb_repeats_stream_carry(). */
size_t sb_repeats_stream_newest(const struct sb_repeats_stream *repeats, struct sb_deck_key key[]);

/* sb_deck_key_ln_pair() of two decks that are both of the part. The part has no fewer decks than this takes
 * it for, but for six standard deviations of a count of decks that are spread evenly. */
double sb_repeats_stream_ln_pair_part(size_t n, size_t k);

/* ---- repeats_sample.c: a key for each deck at its place, sorted at the end ---- */

struct sb_repeats_sample;

/*
 * For a sample of `total` deals of k out of n, of which the first are compared with each other: at most
 * SB_REPEATS_MOST, 16 bytes each, and no more than half of D^(3/4) where there are D deals, so that the law of
 * the repeats is near Poisson's. Owned by the caller; NULL is fine to free. NULL: no memory.
 */
struct sb_repeats_sample *sb_repeats_sample_new(size_t n, size_t k, uint64_t total);
void sb_repeats_sample_free(struct sb_repeats_sample *repeats);

/* Whether the first-th deal of the sample is one of those that are compared. */
bool sb_repeats_sample_wants(const struct sb_repeats_sample *repeats, uint64_t first);

/* Notes deals, items[count * k], the first of which is the first-th of the sample, from 0. Threads may do so
 * at once, each with deals of its own. */
void sb_repeats_sample_note(struct sb_repeats_sample *repeats, uint64_t first, const sb_item items[],
                            size_t count);

/* What all ranks have noted, each deal once, reaches the root. */
void sb_repeats_sample_meet(struct sb_repeats_sample *repeats, const struct sb_ranks *ranks);

/* Once all are noted: how many deals were compared, and how many of these were there before. Forgets them. */
void sb_repeats_sample_count(struct sb_repeats_sample *repeats, size_t threads, uint64_t *decks,
                             uint64_t *count);

#endif
