/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decks that have been seen before. */
#ifndef SB_TALLY_REPEAT_H
#define SB_TALLY_REPEAT_H

#include "core/permutation.h"
#include "shufflebias.h"
#include "tally/distinct_decks.h"

enum { SB_REPEAT_MOST = 1 << 24 }; /* decks that are kept: later ones are compared with these */

struct sb_repeat;

/* For deals of k out of n; none is kept yet. Owned by the caller; NULL is fine to free. NULL: no memory. */
struct sb_repeat *sb_repeat_new(size_t n, size_t k);
void sb_repeat_free(struct sb_repeat *repeat);

/*
 * The same in constant memory, for decks without end: only those are compared whose hash falls into one part
 * of 2^SB_REPEAT_PART, at most SB_REPEAT_ERA of them, 16 MB; once there are so many, all are forgotten, and
 * new ones are kept. So a generator that is changed late is found out, too.
 */
struct sb_repeat *sb_repeat_new_part(size_t n, size_t k);

enum { SB_REPEAT_PART = 4, SB_REPEAT_ERA = 1 << 19 };

/* Whether this deck is compared at all. */
bool sb_repeat_wants(const struct sb_repeat *repeat, const sb_item deck[]);

/* How many different decks are kept. */
uint64_t sb_repeat_kept(const struct sb_repeat *repeat);

/* Whether this deck is among them; else it is from now on, as long as there is memory. */
bool sb_repeat_see(struct sb_repeat *repeat, const sb_item deck[]);

enum { SB_REPEAT_CARRIED = 1 << 18 }; /* decks that go from one run to another: 4 MB */

/*
 * Keeps the decks with these keys, key[0..count-1], and notes from now on in which order decks come, for
 * sb_repeat_newest(). Once, before any other deck. False: there is no memory.
 */
bool sb_repeat_carry(struct sb_repeat *repeat, const struct sb_seeds_key key[], size_t count);

/* The keys of the newest decks that are kept, the oldest of them first: key[0..return-1], which has room for
 * SB_REPEAT_CARRIED. None without sb_repeat_carry(). */
size_t sb_repeat_newest(const struct sb_repeat *repeat, struct sb_seeds_key key[]);

/*
 * ln of the probability, at most, that a fair shuffle's deck is taken for one given other deck: 1 over the
 * number of deals, and where their ranks do not fit 64 bits that of sharing its key.
 */
double sb_repeat_ln_pair(size_t n, size_t k);

/* The same of two decks that are both of the part. The part has no fewer decks than this takes it for, but
 * for six standard deviations of a count of decks that are spread evenly. */
double sb_repeat_ln_pair_part(size_t n, size_t k);

#endif
