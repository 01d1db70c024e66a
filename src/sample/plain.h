/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a shuffle as its author wrote it, on the words of a generator, one deck after the other.
 *
 * If the draw is ideal and the generator fills buffers of 32-bit words, the draw is done as Lemire's draw, in
 * most cases without a function call (core/draws.h). Every other draw takes the generator's words one by
 * one.
 */
#ifndef SB_SAMPLE_PLAIN_H
#define SB_SAMPLE_PLAIN_H

#include "draw/draw.h"
#include "rng/rng.h"
#include "shuffle/shuffle.h"

/* What to sample. All pointers are borrowed. */
struct sb_recipe {
    const struct sb_shuffler *shuffler;
    const struct sb_draw *draw;
    const struct sb_rng *rng;
    uint64_t seed;
    const volatile sig_atomic_t *stop; /* stop flag, which ends even a single long shuffle; may be NULL */
};

/* Returns how many decks a block has, 16..65536. This number depends only on n, so that results do not depend
 * on the number of threads. */
size_t sb_block_decks(size_t n);

enum {
    SB_PLAIN_WORDS = 1024, /* number of 32-bit words in the buffer; a multiple of 64 */
    /* The largest number of rejected answers for one deck. `redraw` needs about 700,000 for 65535 items.
     * After almost 100 times as many rejected answers, the awaited answer will never come. */
    SB_PLAIN_REDRAWS_MOST = 1 << 26,
};

struct sb_plain {
    struct sb_source src; /* must be the first member: a shuffle sees only this member */
    const struct sb_recipe *recipe;
    struct sb_words *words; /* stream of random words; owned */
    struct sb_deck deck;    /* the deck; deck.a is the result of the last shuffle */
    size_t refill;          /* number of words generated at a time, at most SB_PLAIN_WORDS */
    uint32_t buffer[SB_PLAIN_WORDS];
};

/* Opens *plain. The caller closes *plain. The caller must not move *plain in memory while it is open.
 * SB_NO_MEMORY; SB_INVALID: the generator refuses the seed. */
enum sb_status sb_plain_open(const struct sb_recipe *recipe, struct sb_plain *plain);
void sb_plain_close(struct sb_plain *plain);

/* Moves to the start of a block. A generator without a counter just continues its stream. */
void sb_plain_seek(struct sb_plain *plain, uint64_t block);

/*
 * Starts again from this seed, as if newly opened. From now on, generates only a few words at a time, so that
 * one or two decks of each seed are cheap. SB_INVALID: the generator refuses the seed.
 */
enum sb_status sb_plain_reseed(struct sb_plain *plain, uint64_t seed);

/*
 * Shuffles the next deck into plain->deck.a. SB_STOPPED: the stop flag is raised. SB_BROKEN: the generator
 * has such a short period that the shuffle or a draw would redraw indefinitely. After an error the deck is
 * invalid.
 */
enum sb_status sb_plain_next(struct sb_plain *plain);

#endif
