/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ideal draw: exactly uniform if the words are uniform, however many different words there are.
 *
 * The answer is floor(word / share), where share = floor(span / bound) and span is the number of possible
 * words. A word is rejected if it is not below share * bound. For a bound larger than the span, the draw
 * joins bits of several words, and rejects a value that is not below the bound.
 *
 * Cost: two divisions; fewer than 2 words on average, if the bound is at most the span.
 *
 * For bounds up to the span, this is the method of gsl_rng_uniform_int(), except that the share is computed
 * from the span, and not from the largest word. GNU Scientific Library Reference Manual, "Sampling from a
 * random number generator".
 */
#include "draw/draw.h"

static uint32_t ideal_pick(const struct sb_draw *self, struct sb_words *words, uint32_t bound)
{
    uint64_t place;
    uint32_t rejected = 0;

    if (bound - 1 <= words->largest)
        return (uint32_t)sb_words_below(words, bound);
    do
        place = sb_words_bits(words, sb_words_width(bound - 1) + 1);
    while (place >= bound && sb_words_reject(words, &rejected));
    return place < bound ? (uint32_t)place : 0;
}

const struct sb_draw_type sb_draw_ideal = {
    .name = "ideal",
    .title = "exactly uniform, by equal shares of the generator's span, the rest rejected",
    .cite = "GSL Reference Manual, gsl_rng_uniform_int()",
    .any_words = true,
    .pick = ideal_pick,
};
