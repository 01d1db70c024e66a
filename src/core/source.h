/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The central idea: a shuffle is a program that asks for bounded draws. The engine that answers the draws
 * decides what we learn: it may try all possible answers, give random answers, or follow a single item.
 */
#ifndef SB_CORE_SOURCE_H
#define SB_CORE_SOURCE_H

#include "core/calls.h"

#include <stdbool.h>
#include <stdint.h>

/* Questions about many draws below one bound. */
enum sb_many {
    SB_ZEROS, /* how many answers are 0 */
    SB_RUN,   /* how many answers come before the first 0 */
};

/* Answers the draws. An engine embeds this struct as its first member. */
struct sb_source {
    /* Returns an integer in 0..bound-1, bound >= 2. If there is no answer, sets `status`, and returns 0 from
     * then on. */
    uint32_t (*choose)(struct sb_source *self, uint32_t bound);
    /* Returns a key of `bits` random bits; `bits` is 1..64. */
    uint64_t (*bits)(struct sb_source *self, unsigned bits);
    /* Rejects the last answer. NULL if the source does not need to know about rejections. */
    void (*again)(struct sb_source *self);
    /* How many further rejections need no call of again(). 0 if the source must know about each rejection. */
    uint64_t spare_rejections;
    /* Returns the answer, in 0..count, to a question about `count` draws below `bound`. NULL unless the
     * engine follows single items. */
    size_t (*many)(struct sb_source *self, enum sb_many what, uint32_t bound, size_t count);
    /* The buffered words, word..end-1, are uniform and have 32 bits; choose() refills the buffer. Both
     * pointers are NULL if choose() gives all answers. */
    const uint32_t *word, *end;
    /* The status is sticky, like ferror(): once the status is not SB_OK, every answer is 0. */
    enum sb_status status;
};

/*
 * A loop's own copy of the buffer pointers. The compiler keeps this copy in registers. Without this copy,
 * each draw would read and write the source in memory. Call sb_hand_take() before the loop, sb_hand_below()
 * for each draw in the loop, and sb_hand_give() after the loop. Make no other draw from that source in
 * between.
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
 * Returns an integer in 0..bound-1; a bound below 2 takes no draw and gives 0.
 *
 * With buffered words, this inline code handles the common case of Lemire's draw without a call: the answer
 * is the high half of the product of a word and the bound. If the low half is below the bound, choose()
 * decides whether to reject the word. Lemire, doi:10.1145/3230636.
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

/* Returns x if the coin is 1, and y if it is 0. The function has no branch, because a processor mispredicts
 * half of all branches that depend on a coin. */
static inline size_t sb_coin_select(size_t coin, size_t x, size_t y)
{
    return __builtin_expect_with_probability((long)coin, 1, 0.5) ? x : y;
}

/* Takes the next `count` words of the buffer, and sets *words to the first of these words. If the buffer has
 * fewer words, takes no word and returns false. */
static inline bool sb_hand_words(struct sb_hand *hand, size_t count, const uint32_t **words)
{
    if ((size_t)(hand->end - hand->word) < count)
        return false;
    *words = hand->word;
    hand->word += count;
    return true;
}

/* Does what sb_hand_below(hand, 2) does. 2 divides 2^32, so no word is rejected, and the answer is the
 * highest bit of a word. */
static inline uint32_t sb_hand_coin(struct sb_hand *hand)
{
    uint32_t coin;

    if (hand->word != hand->end)
        return *hand->word++ >> 31;
    sb_hand_give(hand);
    coin = hand->src->choose(hand->src, 2);
    *hand = sb_hand_take(hand->src);
    return coin;
}

/* Rejects the last answer of sb_hand_below() if `reject` is true; then the caller draws again. Returns false
 * once the source has failed, so that every redraw loop ends. The call must follow the draw immediately. As
 * long as there are spare rejections, no branch depends on `reject`. */
static inline bool sb_hand_reject(struct sb_hand *hand, bool reject)
{
    struct sb_source *const src = hand->src;

    if (src->spare_rejections > 0) {
        src->spare_rejections -= reject;
    } else if (reject && src->again) {
        sb_hand_give(hand);
        src->again(src);
        *hand = sb_hand_take(src);
    }
    return src->status == SB_OK;
}

/* Does what sb_hand_below() does, for a single draw. */
static inline uint32_t sb_draw_below(struct sb_source *src, uint32_t bound)
{
    struct sb_hand hand = sb_hand_take(src);
    const uint32_t draw = sb_hand_below(&hand, bound);

    sb_hand_give(&hand);
    return draw;
}

/* Returns a key of `bits` random bits, where `bits` is 1..64. A key has too many values for a bounded draw,
 * so keys have a function of their own. */
static inline uint64_t sb_draw_bits(struct sb_source *src, unsigned bits)
{
    return src->bits(src, bits);
}

#endif
