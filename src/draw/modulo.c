/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The remainder: u % bound. Here u is a W-bit word or, if no W is given, an unchanged word of the generator.
 *
 * Law: let L be the largest word, q = floor(L / bound) and r = L mod bound. Each answer j <= r comes from q +
 * 1 of the words 0..L, and each larger answer comes from q of these words. So low answers are too frequent
 * unless the bound divides L + 1, the number of words.
 *
 * A word of more than 64 bits is joined from several words of the generator.
 *
 * Cost: one word, one division; W/32 of each for W above 64.
 *
 * In use: `rand() % n` in many C programs, with RAND_MAX = 32767 (Microsoft) or 2147483647 (glibc); `keccak256(...)`
 * mod n on chains, with 256 bits.
 *
 * comp.lang.c FAQ, question 13.16, c-faq.com/lib/randrange.html.
 */
#include "draw/draw.h"

uint32_t sb_modulo_rest(uint64_t width, uint32_t bound)
{
    uint64_t rest = 1 % bound;

    for (uint64_t bit = 0; bit < width; bit++)
        rest = 2 * rest % bound;
    return (uint32_t)rest;
}

static uint32_t modulo_pick_wide(uint64_t width, struct sb_words *words, uint32_t bound)
{
    uint64_t rest = 0;

    for (uint64_t left = width, bits; left > 0; left -= bits) {
        bits = left % 32 ? left % 32 : 32;
        rest = (rest << bits | sb_words_bits(words, (unsigned)bits)) % bound;
    }
    return (uint32_t)rest;
}

uint32_t sb_modulo_pick(const struct sb_draw *self, struct sb_words *words, uint32_t bound)
{
    if (sb_draw_wide(self))
        return modulo_pick_wide(self->width, words, bound);
    const uint64_t word = self->width ? sb_words_bits(words, (unsigned)self->width) : sb_words_next(words);

    return (uint32_t)(word % bound);
}

void sb_modulo_law(const struct sb_draw *self, uint64_t largest, uint32_t bound, uint64_t law[])
{
    for (uint32_t j = 0; j < bound; j++)
        law[j] = largest / bound + (j <= largest % bound);
}

const struct sb_draw_type sb_draw_modulo = {
    .name = "modulo",
    .title = "the remainder of a W-bit word: rand() % n",
    .cite = "comp.lang.c FAQ 13.16",
    .parameter = { .name = "W", .meaning = "bits of a word", .low = 1, .high = 256, .standard = 0 },
    .pick = sb_modulo_pick,
    .law = sb_modulo_law,
};
