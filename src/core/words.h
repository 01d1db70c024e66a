/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random words: what a generator gives and a bounded draw takes. */
#ifndef SB_CORE_WORDS_H
#define SB_CORE_WORDS_H

#include <stdbool.h>
#include <stdint.h>

/* A stream of words, each meant to be uniform on 0..largest. A generator embeds it first. */
struct sb_words {
    uint64_t largest; /* >= 1; all ones where the words are 64 bits wide */
    uint64_t (*next)(struct sb_words *self);
    /* Sticky: a draw has rejected more words in a row than can be by chance. It gave 0, and so does from then
     * on each that would have to reject. */
    bool stuck;
};

static inline uint64_t sb_words_next(struct sb_words *words)
{
    return words->next(words);
}

enum { SB_WORDS_REJECTED_MOST = 1 << 20 };

/*
 * Rejects a word, and says whether to draw another: false where the stream is stuck, so that every loop of a
 * draw ends. `rejected` counts the words that the draw has rejected so far. A draw rejects a word with a
 * probability of at most 1/2, so a good generator has a chance of 2^-1048576 to be called stuck.
 */
static inline bool sb_words_reject(struct sb_words *words, uint32_t *rejected)
{
    if (++*rejected > SB_WORDS_REJECTED_MOST)
        words->stuck = true;
    return !words->stuck;
}

/* How many whole bits a word of 0..largest carries: the largest b with 2^b - 1 <= largest. */
unsigned sb_words_width(uint64_t largest);

/* 2^width - 1, width 1..64. */
static inline uint64_t sb_words_mask(unsigned width)
{
    return UINT64_MAX >> (64 - width);
}

/*
 * `width` bits, 1..64, uniform if the words are: words of 2^b or more are thrown away, b the width of the
 * generator, then the high bits of one word are taken, or those of several where one does not do. (The high
 * bits, since the low ones of the linear generators are the poor ones.)
 */
uint64_t sb_words_bits(struct sb_words *words, unsigned width);

/*
 * Uniform on 0..bound-1 if the words are, 1 <= bound <= largest + 1: by whole equal shares of the span, the
 * rest rejected, as gsl_rng_uniform_int() does.
 */
uint64_t sb_words_below(struct sb_words *words, uint64_t bound);

#endif
