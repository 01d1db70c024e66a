/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turns random words into bits, or into integers below a bound without bias. */
#include "core/words.h"

unsigned sb_words_width(uint64_t largest)
{
    return largest == UINT64_MAX ? 64 : 63 - (unsigned)__builtin_clzll(largest + 1);
}

static uint64_t words_whole(struct sb_words *words, unsigned width)
{
    const uint64_t mask = sb_words_mask(width);
    uint64_t word = sb_words_next(words);
    uint32_t rejected = 0;

    while (word > mask) {
        if (!sb_words_reject(words, &rejected))
            return 0;
        word = sb_words_next(words);
    }
    return word;
}

uint64_t sb_words_bits(struct sb_words *words, unsigned width)
{
    const unsigned whole = sb_words_width(words->largest);
    uint64_t bits = 0;

    for (; width > whole; width -= whole) /* in this loop whole < 64, so the shift is defined */
        bits = bits << (whole & 63) | words_whole(words, whole);
    return bits << (width & 63) |
           /* if width is 64, `bits` is 0, so shifting it by 0 instead of 64 makes no difference */
           words_whole(words, whole) >> (whole - width);
}

uint64_t sb_words_below(struct sb_words *words, uint64_t bound)
{
    /* floor((largest + 1) / bound), without the overflow of largest + 1 */
    const uint64_t share = words->largest / bound + (words->largest % bound == bound - 1);
    uint64_t place;
    uint32_t rejected = 0;

    if (share == 0) /* the bound is 1 and there are 2^64 words */
        return 0;
    do
        place = sb_words_next(words) / share;
    while (place >= bound && sb_words_reject(words, &rejected));
    return place < bound ? place : 0;
}
