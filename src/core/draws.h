/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws: a shuffle and its deck, the engine that answers, random words, and shuffles outside the library. */
#ifndef SB_CORE_DRAWS_H
#define SB_CORE_DRAWS_H

#include "core/core.h"

/* The items that a shuffle works on, and the scratch space of the shuffle. Both are allocated once for many
 * shuffles. */

struct sb_deck {
    size_t n;      /* number of items, 0..SB_ITEMS_MOST */
    size_t deal;   /* number of items dealt, from positions 0..deal-1; deal <= n */
    sb_item *a;    /* [n] before a shuffle, the identity; after it, the result; may be exchanged with b */
    sb_item *b;    /* [n] scratch; undefined before and after a shuffle */
    uint64_t *key; /* [n] scratch; undefined before and after a shuffle */
};

/* Allocates a deck, which the caller frees with sb_deck_close(). SB_NO_MEMORY. */
enum sb_status sb_deck_open(size_t n, size_t deal, struct sb_deck *deck);
void sb_deck_close(struct sb_deck *deck);

/* Puts item i at position i. */
static inline void sb_deck_reset(struct sb_deck *deck)
{
    sb_item item = 0;

    for (size_t i = 0; i < deck->n; i++)
        deck->a[i] = item++;
}

/* Exchanges the pointers a and b, for a shuffle whose result is in b. Copies no items. */
static inline void sb_deck_exchange(struct sb_deck *deck)
{
    sb_item *const a = deck->a;

    deck->a = deck->b;
    deck->b = a;
}

/*
 * The central idea: a shuffle is a program that asks for bounded draws. The engine that answers the draws
 * decides what we learn: it may try all possible answers, give random answers, or follow a single item.
 */

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

/* Random words: the output of a generator and the input of a bounded draw. */

/* A stream of words, each meant to be uniform on 0..largest. A generator embeds this struct as its first
 * member. */
struct sb_words {
    uint64_t largest; /* at least 1; UINT64_MAX if words have 64 bits */
    uint64_t (*next)(struct sb_words *self);
    /* Whether a draw has rejected more words in a row than chance allows. Such a draw returns 0. From then on
     * `stuck` stays true, and every draw that would reject a word returns 0. */
    bool stuck;
};

static inline uint64_t sb_words_next(struct sb_words *words)
{
    return words->next(words);
}

enum { SB_WORDS_REJECTED_MOST = 1 << 20 };

/*
 * Rejects a word, and returns whether to draw another word. Returns false if the stream is stuck, so that
 * every loop of a draw ends. `rejected` counts the words that the draw has rejected so far. A draw rejects a
 * word with a probability of at most 1/2. So a good generator is wrongly called stuck with a probability of
 * 2^-1048576.
 */
static inline bool sb_words_reject(struct sb_words *words, uint32_t *rejected)
{
    if (++*rejected > SB_WORDS_REJECTED_MOST)
        words->stuck = true;
    return !words->stuck;
}

/* Returns how many whole bits a word of 0..largest carries: the largest b with 2^b - 1 <= largest. */
unsigned sb_words_width(uint64_t largest);

/* Returns 2^width - 1; width is 1..64. */
static inline uint64_t sb_words_mask(unsigned width)
{
    return UINT64_MAX >> (64 - width);
}

/*
 * Returns `width` bits, which are uniform if the words are uniform; width is 1..64. Discards every word that
 * is 2^b or greater, where b is sb_words_width(largest). Then takes bits from one word, or from several words
 * if one is not enough. If a word has more bits than needed, the function takes the high bits, because the
 * low bits of linear generators are poor.
 */
uint64_t sb_words_bits(struct sb_words *words, unsigned width);

/* Returns an integer that is uniform on 0..bound-1 if the words are uniform. Requires 1 <= bound <= largest +
 * 1. Divides 0..largest into `bound` equal shares and rejects the words that are left over, as
 * gsl_rng_uniform_int() does. */
uint64_t sb_words_below(struct sb_words *words, uint64_t bound);

/* The number that a name may carry after a colon, such as 53 in `sort-by-key:53`. */

struct sb_parameter {
    /* a letter for the number in lists, as in `modulo:W`; NULL if the name carries no number */
    const char *name;
    const char *meaning; /* what the number means, such as "bits of a word", for error messages */
    uint64_t low, high;  /* range of the number */
    /* default of the number; may lie outside the range, meaning "none"; the only value if `name` is NULL */
    uint64_t standard;
};

/*
 * A peer: a shuffle outside the library that takes its draws from the library. A peer is either a program at
 * the other end of a pipe or a function in C; the caller does not know which.
 */

/* Answers the peer's draws. An engine embeds this struct as its first member. */
struct sb_draws {
    /* Returns an integer in 0..bound-1, bound >= 1. */
    uint32_t (*below)(struct sb_draws *self, uint32_t bound);
    /* Returns a number in [0, 1). */
    double (*uniform)(struct sb_draws *self);
    /* Whether the result of this shuffle is no longer needed, so that the peer may abandon the shuffle. */
    bool over;
};

struct sb_peer {
    const char *name; /* name for people; owned by the peer */
    /*
     * Shuffles n items: deck[j] becomes the item at position j, for each j < n. The caller checks that these
     * items are valid. If draws->over was set, the deck is undefined. SB_SUBJECT: the peer violated the
     * protocol; SB_STOPPED.
     */
    enum sb_status (*shuffle)(struct sb_peer *self, struct sb_draws *draws, size_t n, sb_item deck[],
                              struct sb_error *error);
    void (*free)(struct sb_peer *self);
};

#endif
