/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that GMP lacks: arrays of integers, conversions from 64 and 128 bits that work for any width of the type
 * `long`, and logarithms. */
#ifndef SB_CORE_INTEGER_H
#define SB_CORE_INTEGER_H

#include "core/wide.h"

#include <stddef.h>
#include <stdio.h> /* must come before gmp.h, which otherwise does not declare mpz_out_str() */

#include <gmp.h>

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

#endif
