/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Single precision: floor(f * bound), where f = u / 2^24 and u is a word of 24 bits. A float has 24 bits, so the
 * product is rounded to 24 bits before the fraction is cut off.
 *
 * Law: the exact product reaches j for u >= j 2^24 / bound. Rounding may lift the product of the word before
 * this limit to j. No other word: the product grows by bound / 2^24 > j / 2^24 from word to word, and floats
 * just below j are at most j / 2^23 apart, so rounding lifts a product by at most j / 2^24. For the same reason
 * no answer is `bound`. So an answer may come from one word more or less than in the draw `multiply:24`.
 *
 * The bound must be at most 2^24, so that it is a float itself. No deck has more items.
 *
 * Cost: one word, one multiplication.
 *
 * In use: (int)(random.nextFloat() * n) in Java; games and shaders, whose random numbers are floats.
 *
 * IEEE 754, binary32; Java SE API, java.util.Random.nextFloat().
 */
#include "draw/draw.h"

enum { FLOAT24_BITS = 24 };

static uint32_t float24_answer(uint64_t word, uint32_t bound)
{
    const float product = (float)word * (float)bound;

    return (uint32_t)(product / (float)(1 << FLOAT24_BITS));
}

static uint32_t float24_pick(const struct sb_draw *self, struct sb_words *words, uint32_t bound)
{
    return float24_answer(sb_words_bits(words, FLOAT24_BITS), bound);
}

static void float24_law(const struct sb_draw *self, uint64_t largest, uint32_t bound, uint64_t law[])
{
    uint64_t first = 0; /* the smallest word that gives the answer j */

    for (uint64_t j = 0; j < bound; j++) {
        uint64_t next = (((j + 1) << FLOAT24_BITS) + bound - 1) / bound;

        next -= float24_answer(next - 1, bound) > j;
        law[j] = next - first;
        first = next;
    }
}

const struct sb_draw_type sb_draw_float24 = {
    .name = "float24",
    .title = "a float of 24 bits scaled down in single precision: (int)(random.nextFloat() * n)",
    .cite = "IEEE 754, binary32",
    .parameter = { .standard = FLOAT24_BITS },
    .pick = float24_pick,
    .law = float24_law,
};
