/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lemire's draw: multiply, take the high half, reject a few low halves.
 *
 * For a W-bit word u and m = u * bound, the answer is floor(m / 2^W). As long as m mod 2^W is below 2^W mod
 * bound, the draw takes a new u. Each answer then comes from exactly floor(2^W / bound) words, so the draw is
 * exactly uniform. For a bound larger than 2^W, the draw uses a wider word.
 *
 * Cost: one multiplication; two divisions with probability bound / 2^W; fewer than 2 words on average.
 *
 * In use: Go's math/rand/v2 (since Go 1.22), Swift's randomElement() (since 2019), NumPy's
 * Generator.integers() (since 1.17).
 *
 * D. Lemire, Fast random integer generation in an interval, ACM TOMACS 29 (2019) 3, doi:10.1145/3230636.
 */
#include "core/numbers.h"
#include "draw/draw.h"

/* Returns the width of the word: W or, if the draw has no W, the number of whole bits in a word of the
 * generator. If the bound needs more bits than this, returns the number of bits that the bound needs. */
static unsigned lemire_width(const struct sb_draw *self, const struct sb_words *words, uint32_t bound)
{
    const unsigned width = self->width ? (unsigned)self->width : sb_words_width(words->largest);

    return bound - 1 <= sb_words_mask(width) ? width : 32 - (unsigned)__builtin_clz(bound - 1);
}

static uint32_t lemire_pick(const struct sb_draw *self, struct sb_words *words, uint32_t bound)
{
    const unsigned width = lemire_width(self, words, bound);
    const uint64_t mask = sb_words_mask(width);
    sb_wide product = sb_wide_product(sb_words_bits(words, width), bound);

    if ((sb_wide_low(product) & mask) <
        /* the remainder is less than the bound, so this test saves most divisions */
        bound) {
        const uint64_t remainder = (mask % bound + 1) % bound; /* 2^W mod bound */
        uint32_t rejected = 0;

        while ((sb_wide_low(product) & mask) < remainder) {
            if (!sb_words_reject(words, &rejected))
                return 0;
            product = sb_wide_product(sb_words_bits(words, width), bound);
        }
    }
    return (uint32_t)sb_wide_low(sb_wide_shift(product, width));
}

const struct sb_draw_type sb_draw_lemire = {
    .name = "lemire",
    .title = "Lemire's multiplication of a W-bit word with rejection, exactly uniform",
    .cite = "doi:10.1145/3230636",
    .parameter = { .name = "W", .meaning = "bits of a word", .low = 1, .high = 64, .standard = 0 },
    .pick = lemire_pick,
};
