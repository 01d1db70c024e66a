/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random words: the output of a generator and the input of a bounded draw. */
#ifndef SB_CORE_WORDS_H
#define SB_CORE_WORDS_H

#include <stdbool.h>
#include <stdint.h>

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

#endif
