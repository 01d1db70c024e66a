/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A list of numbers in one of several forms. Counts are integers of 32 bits, of 64 bits or of any size. Where
 * integers would take too much memory, the list holds probabilities as doubles.
 */
#ifndef SB_CORE_NUMBERS_H
#define SB_CORE_NUMBERS_H

#include "core/calls.h"
#include "core/integer.h"

#include <stdbool.h>

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

#endif
