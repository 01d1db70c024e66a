/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The scaled word: floor(u * bound / span), where u is a W-bit word and span is 2^W. If no W is given, u is a
 * word of the generator, and span is the number of possible words.
 *
 * Law: floor(u * bound / span) = j for u from ceil(j span / bound) to ceil((j+1) span / bound) - 1. Some
 * answers come from one more word than the others do. These more frequent answers are spread evenly over
 * 0..bound-1. In the draw `modulo`, the more frequent answers are the lowest ones.
 *
 * Cost: one word, one multiplication, and a division if there is no W.
 *
 * In use: Math.floor(Math.random() * n) in JavaScript, with W = 52 (V8 11.3, in node 20) or 53 (V8 15.6, in
 * Chromium 156); int(random() * n) in many languages. These programs round the product. For a few of the 2^W
 * words, the product is just below an integer and is rounded up to this integer, so the answer is one too
 * large. The law in this file is for the exact product.
 *
 * D. E. Knuth, The Art of Computer Programming, vol. 2, 3.4.1 A; v8.dev/blog/math-random.
 */
#include "core/numbers.h"
#include "draw/draw.h"

static uint32_t multiply_pick(const struct sb_draw *self, struct sb_words *words, uint32_t bound)
{
    const unsigned width = (unsigned)self->width;

    if (width)
        return (uint32_t)sb_wide_low(sb_wide_shift(sb_wide_product(sb_words_bits(words, width), bound), width));

    const sb_wide span = sb_wide_add(sb_wide_from(words->largest), sb_wide_from(1));
    sb_wide rest;

    return (uint32_t)sb_wide_low(sb_wide_divide(sb_wide_product(sb_words_next(words), bound), span, &rest));
}

static void multiply_law(const struct sb_draw *self, uint64_t largest, uint32_t bound, uint64_t law[])
{
    const sb_wide span = sb_wide_add(sb_wide_from(largest), sb_wide_from(1));
    /* the smallest word that gives the answer j; j * span stays below 2^96 */
    sb_wide first = sb_wide_from(0);

    for (uint32_t j = 0; j < bound; j++) {
        const sb_wide words = sb_wide_multiply(sb_wide_from((uint64_t)j + 1), span);
        sb_wide rest;
        const sb_wide next = sb_wide_divide(sb_wide_add(words, sb_wide_from(bound - 1)), sb_wide_from(bound), &rest);

        law[j] = sb_wide_low(sb_wide_subtract(next, first));
        first = next;
    }
}

const struct sb_draw_type sb_draw_multiply = {
    .name = "multiply",
    .title = "a W-bit word scaled down: Math.floor(Math.random() * n)",
    .cite = "Knuth, TAOCP vol. 2, 3.4.1 A",
    .parameter = { .name = "W", .meaning = "bits of a word", .low = 1, .high = 64, .standard = 0 },
    .pick = multiply_pick,
    .law = multiply_law,
};
