/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The one idea of the house: a shuffle is a program that asks for bounded draws. Whoever answers them (every
 * answer in turn, a random generator, a peer over a pipe) decides what is learned.
 */
#ifndef SB_CORE_SOURCE_H
#define SB_CORE_SOURCE_H

#include "shufflebias.h"

#include <stdbool.h>
#include <stdint.h>

/* What is asked of many draws below one bound. */
enum sb_many {
    SB_ZEROS, /* how many of them are 0 */
    SB_RUN,   /* how many come before the first that is 0 */
};

/* Who answers the draws. An engine embeds it first in a structure of its own. */
struct sb_source {
    /* An integer in 0..bound-1, bound >= 2. Sets `status` when there is none to give, and answers 0 from then
     * on. */
    uint32_t (*choose)(struct sb_source *self, uint32_t bound);
    /* A key of `bits` random bits, 1..64. */
    uint64_t (*bits)(struct sb_source *self, unsigned bits);
    /* Strikes the last answer out; NULL where there is nothing to do. */
    void (*again)(struct sb_source *self);
    /* An answer in 0..count about `count` draws below a bound; NULL but where items are followed one by one.
     */
    size_t (*many)(struct sb_source *self, enum sb_many what, uint32_t bound, size_t count);
    /* Uniform 32-bit words at hand, word..end-1, which choose() refills; both NULL where choose() answers
     * alone. */
    const uint32_t *word, *end;
    /* Sticky, as ferror() is: once it is not SB_OK, every answer is 0. */
    enum sb_status status;
};

/*
 * The words at hand in a loop's own variables, which the compiler keeps in registers, where a source is
 * memory that each draw would read and write: sb_hand_take() before the loop, sb_hand_below() for its draws,
 * sb_hand_give() after it, and no other draw from that source in between.
 */
struct sb_hand {
    struct sb_source *src;
    const uint32_t *word, *end;
};

static inline struct sb_hand sb_hand_take(struct sb_source *src)
{
    return (struct sb_hand) { .src = src, .word = src->word, .end = src->end };
}

static inline void sb_hand_give(const struct sb_hand *hand)
{
    hand->src->word = hand->word;
}

/*
 * An integer in 0..bound-1; a bound below 2 takes no draw and gives 0.
 *
 * With words at hand the common case of Lemire's draw stands here, so that a shuffle in plain C pays no call
 * for it: the product of a word and the bound, its high half the answer; a low half below the bound might
 * have to be rejected, which choose() decides. Lemire, doi:10.1145/3230636.
 */
static inline uint32_t sb_hand_below(struct sb_hand *hand, uint32_t bound)
{
    uint32_t draw;

    if (bound < 2)
        return 0;
    if (hand->word != hand->end) {
        const uint64_t product = (uint64_t)*hand->word * bound;

        if ((uint32_t)product >= bound) {
            hand->word++;
            return (uint32_t)(product >> 32);
        }
    }
    sb_hand_give(hand);
    draw = hand->src->choose(hand->src, bound);
    *hand = sb_hand_take(hand->src);
    return draw;
}

/* The same, of a single draw. */
static inline uint32_t sb_draw_below(struct sb_source *src, uint32_t bound)
{
    struct sb_hand hand = sb_hand_take(src);
    const uint32_t draw = sb_hand_below(&hand, bound);

    sb_hand_give(&hand);
    return draw;
}

/* A key of `bits` random bits, 1..64: not a choice among few, so it is its own call. */
static inline uint64_t sb_draw_bits(struct sb_source *src, unsigned bits)
{
    return src->bits(src, bits);
}

/*
 * Says that the last answer of sb_draw_below() is struck out and will be drawn again, and whether to do so:
 * false once the source has failed, so that every redraw loop ends. Must follow the draw before any other.
 */
static inline bool sb_draw_again(struct sb_source *src)
{
    if (src->again)
        src->again(src);
    return src->status == SB_OK;
}

#endif
