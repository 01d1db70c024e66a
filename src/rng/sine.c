/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The fraction of 10000 sin(s), s = seed, seed + 1, ...: Math.sin(seed++) * 10000 minus its floor, in double
 * precision. The word is the first 53 bits of the fraction, so the draw is `multiply:53`.
 *
 * Only the low 53 bits of the seed are used, because larger integers are not all doubles. Neighbouring seeds
 * share all words but one. 10838702 is 2 pi 1725033 + 0.00000008, so seeds that are 10838702 apart have nearly
 * the same words.
 *
 * The sine here is the nearest double. Libraries and engines differ in the last bit of some sines: depending on its
 * version and build, V8 has the code of fdlibm, of glibc or of LLVM. Of 80,000 sines, 3.4% were not the nearest
 * doubles in node 20; of 40,000, 0.15% in Chromium 156. Such a bit changes a fraction by less than 2^-39, and so less
 * than one deck of 52 cards in 10^10. This file computes with integers, so that the words are the same everywhere:
 *
 *   1. s 2/pi = q + y with an integer q and 0 <= y < 1, from 192 bits of 2/pi.
 *   2. |sin(s)| = sin(pi/2 y), or sin(pi/2 (1 - y)) if q is odd. The sign is that of sin(pi/2 q + pi/4).
 *   3. sin(pi/2 y) = y (c[0] - y^2 (c[1] - y^2 (c[2] - ...))), c[k] = (pi/2)^(2k+1) / (2k+1)!.
 *
 * The error is below 2^-120. The doubles near the sine are much farther apart, so the nearest double is certain
 * unless the sine is within 2^-120 of the middle between two doubles. Chance would bring one of the 2^53 seeds so
 * close with a probability of about 2^-13.
 *
 * Cost: 80 products of two words.
 *
 * In use: the function shuffle of @vitest/utils, packages/utils/src/random.ts, whose seed is the time in
 * milliseconds. https://stackoverflow.com/questions/521295 suggests it.
 */
#include "core/numbers.h"
#include "rng/rng.h"

#include <math.h>

enum {
    SINE_BITS = 53,
    SINE_TERMS = 19, /* the next term is below 2^-128 */
};

struct sine_stream {
    struct sb_words words;
    uint64_t s;
    sb_wide c[SINE_TERMS]; /* [k] 2^127 c[k] */
};

/* Returns floor(a b / 2^128). */
static sb_wide sine_high(sb_wide a, sb_wide b)
{
    const uint64_t a1 = sb_wide_high(a), a0 = sb_wide_low(a), b1 = sb_wide_high(b), b0 = sb_wide_low(b);
    const sb_wide x = sb_wide_product(a1, b0), y = sb_wide_product(a0, b1);
    const sb_wide carry = sb_wide_add(sb_wide_from(sb_wide_high(sb_wide_product(a0, b0))),
                                      sb_wide_add(sb_wide_from(sb_wide_low(x)), sb_wide_from(sb_wide_low(y))));

    return sb_wide_add(sb_wide_add(sb_wide_product(a1, b1), sb_wide_from(sb_wide_high(carry))),
                       sb_wide_add(sb_wide_from(sb_wide_high(x)), sb_wide_from(sb_wide_high(y))));
}

/* Sets c[k] by c[k] = c[k-1] (pi/2)^2 / (2k (2k + 1)). */
static void sine_prepare(const struct sb_rng *self, struct sb_words *words)
{
    sb_wide *const c = ((struct sine_stream *)words)->c;

    c[0] = sb_wide_join(UINT64_C(0xC90FDAA22168C234), UINT64_C(0xC4C6628B80DC1CD1)); /* 2^127 pi/2 */
    const sb_wide square = sine_high(c[0], c[0]);                                    /* 2^126 (pi/2)^2 */

    for (uint64_t k = 1; k < SINE_TERMS; k++) {
        const sb_wide product = sine_high(c[k - 1], square); /* 2^125 c[k-1] (pi/2)^2 */
        sb_wide rest;

        c[k] = sb_wide_divide(sb_wide_add(product, product), sb_wide_from(k * (2 * k + 1)), &rest);
    }
}

/* Returns 2^127 |sin(s)| for s = stream->s, with an error of less than 2^7. Sets *negative to whether sin(s) is
 * negative. */
static sb_wide sine_magnitude(const struct sine_stream *stream, bool *negative)
{
    /* 2^192 times the fraction 2/pi */
    static const uint64_t ratio[] = { UINT64_C(0xA2F9836E4E441529), UINT64_C(0xFC2757D1F534DDC0),
                                      UINT64_C(0xDB6295993C439041) };
    const sb_wide low = sb_wide_add(sb_wide_product(stream->s, ratio[1]),
                                    sb_wide_from(sb_wide_high(sb_wide_product(stream->s, ratio[2]))));
    const sb_wide high = sb_wide_add(sb_wide_product(stream->s, ratio[0]), sb_wide_from(sb_wide_high(low)));
    const uint64_t quadrant = sb_wide_high(high);
    sb_wide y = sb_wide_join(sb_wide_low(high), sb_wide_low(low)), sum = stream->c[SINE_TERMS - 1];

    if (quadrant % 2)
        y = sb_wide_subtract(sb_wide_from(0), y); /* 1 - y */
    const sb_wide square = sine_high(y, y);

    for (size_t k = SINE_TERMS - 1; k-- > 0;)
        sum = sb_wide_subtract(stream->c[k], sine_high(square, sum));
    *negative = quadrant % 4 >= 2;
    return sine_high(y, sum);
}

static uint64_t sine_next(struct sb_words *words)
{
    struct sine_stream *stream = (struct sine_stream *)words;
    bool negative;
    int exponent;
    const double sine = frexp(sb_wide_double(sine_magnitude(stream, &negative)), &exponent);
    /* the product has more than 53 bits; the conversion to a double rounds it */
    const sb_wide product = sb_wide_product((uint64_t)ldexp(sine, SINE_BITS), 10000);
    const double value = ldexp(sb_wide_double(product), exponent - SINE_BITS - 127);
    const double fraction = ldexp(value - floor(value), SINE_BITS);

    stream->s++;
    /* Doubles round 1 - fraction, too, but never to 1: among the integers up to 2^53, 6134899525417045, the numerator
     * of a convergent of pi, has the smallest sine, 2^-53.2. */
    return negative ? (UINT64_C(1) << SINE_BITS) - (uint64_t)rint(fraction) : (uint64_t)fraction;
}

static enum sb_status sine_reseed(struct sb_words *words, uint64_t seed)
{
    struct sine_stream *stream = (struct sine_stream *)words;

    stream->s = seed & sb_words_mask(SINE_BITS);
    return SB_OK;
}

const struct sb_rng_type sb_rng_sine = {
    .name = "sine",
    .title = "the fraction of sin(seed++) * 10000, 53 bits",
    .cite = "@vitest/utils, random.ts",
    .largest = (UINT64_C(1) << SINE_BITS) - 1,
    .seeds = UINT64_C(1) << SINE_BITS,
    .size = sizeof(struct sine_stream),
    .next = sine_next,
    .prepare = sine_prepare,
    .reseed = sine_reseed,
};
