/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Unsigned integers of 128 bits, for products of two words and sums of such products. The type is the
 * compiler's own type of 128 bits if there is one, as on 64-bit processors, else a pair of words. All
 * operations are modulo 2^128. Cost of the two-word version: four products of words per product, and a step
 * for each bit of a quotient.
 *
 * SB_WIDE_PORTABLE forces the two-word version, for the tests.
 */
#ifndef SB_CORE_WIDE_H
#define SB_CORE_WIDE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#if defined __SIZEOF_INT128__ && !defined SB_WIDE_PORTABLE

__extension__ typedef unsigned __int128 sb_wide;

static inline sb_wide sb_wide_join(uint64_t high, uint64_t low)
{
    return (sb_wide)high << 64 | low;
}

static inline uint64_t sb_wide_low(sb_wide a)
{
    return (uint64_t)a;
}

static inline uint64_t sb_wide_high(sb_wide a)
{
    return (uint64_t)(a >> 64);
}

static inline sb_wide sb_wide_product(uint64_t a, uint64_t b)
{
    return (sb_wide)a * b;
}

static inline sb_wide sb_wide_multiply(sb_wide a, sb_wide b)
{
    return a * b;
}

static inline sb_wide sb_wide_add(sb_wide a, sb_wide b)
{
    return a + b;
}

static inline sb_wide sb_wide_subtract(sb_wide a, sb_wide b)
{
    return a - b;
}

static inline bool sb_wide_below(sb_wide a, sb_wide b)
{
    return a < b;
}

/* Returns a / b, b > 0; the remainder goes to *rest. */
static inline sb_wide sb_wide_divide(sb_wide a, sb_wide b, sb_wide *rest)
{
    *rest = a % b;
    return a / b;
}

/* Returns a / 2^bits, bits < 128. */
static inline sb_wide sb_wide_shift(sb_wide a, unsigned bits)
{
    return a >> bits;
}

/* Returns the nearest double. If two doubles are equally near, returns the one whose last bit is 0. */
static inline double sb_wide_double(sb_wide a)
{
    return (double)a;
}

#else

typedef struct {
    uint64_t low, high;
} sb_wide;

static inline sb_wide sb_wide_join(uint64_t high, uint64_t low)
{
    return (sb_wide) { .low = low, .high = high };
}

static inline uint64_t sb_wide_low(sb_wide a)
{
    return a.low;
}

static inline uint64_t sb_wide_high(sb_wide a)
{
    return a.high;
}

static inline sb_wide sb_wide_product(uint64_t a, uint64_t b)
{
    const uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    const uint64_t low = a0 * b0, middle = a1 * b0 + (low >> 32), other = a0 * b1 + (uint32_t)middle;

    return sb_wide_join(a1 * b1 + (middle >> 32) + (other >> 32), other << 32 | (uint32_t)low);
}

static inline sb_wide sb_wide_multiply(sb_wide a, sb_wide b)
{
    const sb_wide low = sb_wide_product(a.low, b.low);

    return sb_wide_join(low.high + a.low * b.high + a.high * b.low, low.low);
}

static inline sb_wide sb_wide_add(sb_wide a, sb_wide b)
{
    const uint64_t low = a.low + b.low;

    return sb_wide_join(a.high + b.high + (low < a.low), low);
}

static inline sb_wide sb_wide_subtract(sb_wide a, sb_wide b)
{
    return sb_wide_join(a.high - b.high - (a.low < b.low), a.low - b.low);
}

static inline bool sb_wide_below(sb_wide a, sb_wide b)
{
    return a.high != b.high ? a.high < b.high : a.low < b.low;
}

/* Returns a / 2^bits, bits < 128. */
static inline sb_wide sb_wide_shift(sb_wide a, unsigned bits)
{
    if (bits >= 64)
        return sb_wide_join(0, a.high >> (bits - 64));
    return bits ? sb_wide_join(a.high >> bits, a.high << (64 - bits) | a.low >> bits) : a;
}

/* Returns a / b, b > 0, computed bit by bit; the remainder goes to *rest. */
static inline sb_wide sb_wide_divide(sb_wide a, sb_wide b, sb_wide *rest)
{
    sb_wide quotient = { 0, 0 };
    unsigned bits = 0;

    while (bits < 127 && !sb_wide_below(sb_wide_shift(a, bits + 1), b))
        bits++;
    *rest = sb_wide_shift(a, bits); /* the remainder stays below 2b */
    for (;; bits--) {
        const bool fits = !sb_wide_below(*rest, b);

        quotient = sb_wide_join(quotient.high << 1 | quotient.low >> 63, quotient.low << 1 | fits);
        *rest = fits ? sb_wide_subtract(*rest, b) : *rest;
        if (bits == 0)
            return quotient;
        *rest = sb_wide_join(rest->high << 1 | rest->low >> 63,
                             rest->low << 1 | (sb_wide_shift(a, bits - 1).low & 1));
    }
}

/* Returns the nearest double. If two doubles are equally near, returns the one whose last bit is 0. The code
 * sets the last of the leading 64 bits if any lower bit is set. This is enough for correct rounding. */
static inline double sb_wide_double(sb_wide a)
{
    unsigned bits = 0;

    while (sb_wide_shift(a, bits).high)
        bits++;
    const uint64_t leading = sb_wide_shift(a, bits).low;
    const bool beyond = bits && a.low << (64 - bits);

    return ldexp((double)(leading | beyond), (int)bits);
}

#endif

static inline sb_wide sb_wide_from(uint64_t a)
{
    return sb_wide_join(0, a);
}

static inline bool sb_wide_is_zero(sb_wide a)
{
    return !(sb_wide_low(a) | sb_wide_high(a));
}

static inline bool sb_wide_equal(sb_wide a, sb_wide b)
{
    return sb_wide_low(a) == sb_wide_low(b) && sb_wide_high(a) == sb_wide_high(b);
}

/* Returns a - b, rounded once to a double. */
static inline double sb_wide_difference(sb_wide a, sb_wide b)
{
    return sb_wide_below(a, b) ? -sb_wide_double(sb_wide_subtract(b, a))
                               : sb_wide_double(sb_wide_subtract(a, b));
}

#endif
