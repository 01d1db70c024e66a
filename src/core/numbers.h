/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers: integers of 128 bits and of any size, lists of numbers, and sums. */
#ifndef SB_CORE_NUMBERS_H
#define SB_CORE_NUMBERS_H

#include "core/calls.h"

#include <math.h>

#include <gmp.h> /* after stdio.h, without which it declares no mpz_out_str() */

/* Returns the greatest common divisor; that of a and 0 is a. */
static inline uint64_t sb_gcd(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/*
 * Unsigned integers of 128 bits, for products of two words and sums of such products. The type is the
 * compiler's own type of 128 bits if there is one, as on 64-bit processors, else a pair of words. All
 * operations are modulo 2^128. Cost of the two-word version: four products of words per product, and a step
 * for each bit of a quotient.
 *
 * SB_WIDE_PORTABLE forces the two-word version, for the tests.
 */

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
        *rest = sb_wide_join(rest->high << 1 | rest->low >> 63, rest->low << 1 | (sb_wide_shift(a, bits - 1).low & 1));
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
    return sb_wide_below(a, b) ? -sb_wide_double(sb_wide_subtract(b, a)) : sb_wide_double(sb_wide_subtract(a, b));
}

/* Functions that GMP lacks: arrays of integers, conversions from 64 and 128 bits that work for any width of the type
 * `long`, and logarithms. */

/* Allocates `count` integers of value 0, each with room for `bits` bits. The caller frees the integers with
 * sb_mpz_free(). NULL if memory runs out. */
mpz_t *sb_mpz_new(size_t count, size_t bits);
void sb_mpz_free(mpz_t number[], size_t count);

/* The first function returns the decimal digits of an integer, and the second returns the text "p/q" of a
 * fraction. The caller frees the text. NULL if memory runs out. */
char *sb_mpz_text(const mpz_t number);
char *sb_mpq_text(const mpq_t fraction);

/* Sets `value` to a 64-bit integer, even if long is narrower. */
void sb_mpz_set_u64(mpz_t value, uint64_t narrow);

/* Returns the value of a number below 2^64; the lowest 64 bits of a larger number. */
uint64_t sb_mpz_get_u64(const mpz_t value);

/* Sets `value` to a 128-bit integer. */
void sb_mpz_set_wide(mpz_t value, sb_wide narrow);

/* Returns ln(numerator / denominator) of two positive integers, whose quotient may be out of the range of double. */
double sb_mpz_ln_ratio(const mpz_t numerator, const mpz_t denominator);

/*
 * A list of numbers in one of several forms. Counts are integers of 32 bits, of 64 bits or of any size. Where
 * integers would take too much memory, the list holds probabilities as doubles.
 */

enum sb_number_form {
    SB_NUMBERS_NONE, /* there are no numbers */
    SB_NUMBERS_U32,
    SB_NUMBERS_U64,
    SB_NUMBERS_WIDE, /* GMP's integers */
    SB_NUMBERS_SHARE,
};

struct sb_numbers {
    enum sb_number_form form;
    size_t size;
    union { /* [size]; owned */
        uint32_t *u32;
        uint64_t *u64;
        mpz_t *wide;
        double *share;
    };
};

/* Allocates `size` zeroes. SB_NO_MEMORY. */
enum sb_status sb_numbers_open(enum sb_number_form form, size_t size, struct sb_numbers *numbers);
void sb_numbers_close(struct sb_numbers *numbers);

/* Returns whether the numbers are integers of at most 64 bits. */
static inline bool sb_numbers_narrow(const struct sb_numbers *numbers)
{
    return numbers->form == SB_NUMBERS_U32 || numbers->form == SB_NUMBERS_U64;
}

/* Returns whether the numbers are integers of any size. */
static inline bool sb_numbers_whole(const struct sb_numbers *numbers)
{
    return sb_numbers_narrow(numbers) || numbers->form == SB_NUMBERS_WIDE;
}

/* Returns number i. The numbers must be integers of at most 64 bits. */
static inline uint64_t sb_numbers_u64(const struct sb_numbers *numbers, size_t i)
{
    return numbers->form == SB_NUMBERS_U32 ? numbers->u32[i] : numbers->u64[i];
}

/* Sets `value` to number i. The numbers must be integers, of any size. */
void sb_numbers_integer(const struct sb_numbers *numbers, size_t i, mpz_t value);

/* Compares numbers a and b. Returns a negative value if a is less than b, 0 if they are equal, and a positive
 * value if a is greater. */
static inline int sb_numbers_compare(const struct sb_numbers *numbers, size_t a, size_t b)
{
    if (numbers->form == SB_NUMBERS_WIDE)
        return mpz_cmp(numbers->wide[a], numbers->wide[b]);
    if (numbers->form == SB_NUMBERS_SHARE)
        return (numbers->share[a] > numbers->share[b]) - (numbers->share[a] < numbers->share[b]);
    const uint64_t one = sb_numbers_u64(numbers, a), other = sb_numbers_u64(numbers, b);

    return (one > other) - (one < other);
}

/*
 * Compensated summation: the error of a sum does not grow with the number of terms, and the result depends
 * only on the terms and their order. Cost: 4 additions per term. Neumaier, doi:10.1002/zamm.19740540106.
 */

struct sb_sum {
    double high, low; /* the sum so far is high + low */
};

static inline void sb_sum_add(struct sb_sum *sum, double term)
{
    const double high = sum->high + term;

    if (fabs(sum->high) >= fabs(term))
        sum->low += (sum->high - high) + term;
    else
        sum->low += (term - high) + sum->high;
    sum->high = high;
}

static inline double sb_sum_value(const struct sb_sum *sum)
{
    return sum->high + sum->low;
}

/*
 * ln Gamma(x) for x > 0, for code that any thread may run. The C library's lgamma() also writes the global
 * variable `signgam`, so two threads that call it race, and a caller that reads `signgam` could see the sign of
 * another thread's result.
 */

/* Returns ln Gamma(x), x > 0: the same double as lgamma(x). */
double sb_ln_gamma(double x);

/* Returns ln C(n, k); -inf if k > n. */
double sb_ln_choose(double n, double k);

/* exp(x), but faster where that is 0: the C library takes over three times as long for such x, and a law of many cells
 * has many of them. */
static inline double sb_exp(double x)
{
    return x < -746 ? 0 : exp(x);
}

/*
 * If a cell is too unlikely for a test, sb_merge_cells() merges the cell with its neighbours. Only the null
 * law decides which cells are merged. From the first cell on, adjacent cells are merged until the merged cell
 * has the required probability. If the last cells together do not reach this probability, they join the
 * merged cell before them.
 */

/*
 * Merges cells of the law ln_p[0..cells-1] until each has probability `least` or more, or until only one is
 * left. map[cell] becomes the index of its merged cell, and merged[0..] the law of the merged cells; `merged`
 * may be ln_p itself. Returns the number of merged cells. O(cells).
 */
size_t sb_merge_cells(const double ln_p[], size_t cells, double least, uint32_t map[], double merged[]);

#endif
