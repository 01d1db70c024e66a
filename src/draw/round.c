/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rounded word: u (bound - 1) / span, rounded to the nearest integer, halves up. Here u is a W-bit word and
 * span is 2^W. If no W is given, u is a word of the generator, and span is the number of possible words.
 *
 * Law: the answer is at least j > 0 if u >= (2j - 1) span / (2 (bound - 1)). So each inner answer comes from
 * about span / (bound - 1) words, and 0 and bound - 1 come from half as many words each. With bound = 2, both
 * answers are ends, so the draw is fair if span is even.
 *
 * Cost: one word, one division.
 *
 * In use: Math.round(Math.random() * (n - 1)) in JavaScript, where Math.floor(Math.random() * n) was meant. As
 * in the draw `multiply`, programs round the product before they use it. The law in this file is for the exact
 * product.
 *
 * MDN Web Docs, Math.random(): "Using Math.round() will give you a non-uniform distribution!"
 */
#include "core/numbers.h"
#include "draw/draw.h"

static sb_wide round_span(uint64_t largest)
{
    return sb_wide_add(sb_wide_from(largest), sb_wide_from(1));
}

static uint32_t round_pick(const struct sb_draw *self, struct sb_words *words, uint32_t bound)
{
    const uint64_t largest = sb_draw_largest(self, words->largest);
    const uint64_t word = self->width ? sb_words_bits(words, (unsigned)self->width) : sb_words_next(words);
    const sb_wide span = round_span(largest);
    /* floor(u (bound - 1) / span + 1/2) = floor((2 u (bound - 1) + span) / (2 span)) */
    const sb_wide twice = sb_wide_product(word, 2 * ((uint64_t)bound - 1));
    sb_wide rest;

    return (uint32_t)sb_wide_low(sb_wide_divide(sb_wide_add(twice, span), sb_wide_add(span, span), &rest));
}

static void round_law(const struct sb_draw *self, uint64_t largest, uint32_t bound, uint64_t law[])
{
    const sb_wide span = round_span(largest), divisor = sb_wide_from(2 * ((uint64_t)bound - 1));
    sb_wide first = sb_wide_from(0); /* the smallest word that gives the answer j */

    for (uint32_t j = 0; j < bound; j++) {
        const sb_wide words = sb_wide_multiply(sb_wide_from(2 * (uint64_t)j + 1), span);
        sb_wide rest, next = sb_wide_divide(words, divisor, &rest);

        if (!sb_wide_is_zero(rest))
            next = sb_wide_add(next, sb_wide_from(1));
        if (j == bound - 1)
            next = span;
        law[j] = sb_wide_low(sb_wide_subtract(next, first));
        first = next;
    }
}

const struct sb_draw_type sb_draw_round = {
    .name = "round",
    .title = "a W-bit word rounded: Math.round(Math.random() * (n - 1)), the ends half as likely",
    .cite = "MDN Web Docs, Math.random()",
    .parameter = { .name = "W", .meaning = "bits of a word", .low = 1, .high = 64, .standard = 0 },
    .pick = round_pick,
    .law = round_law,
};
