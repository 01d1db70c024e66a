/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that GMP lacks: arrays of integers, conversions and logarithms. */
#include "core/integer.h"

#include <math.h>
#include <stdlib.h>

mpz_t *sb_mpz_new(size_t count, size_t bits)
{
    mpz_t *const made = calloc(count + 1, sizeof *made);

    for (size_t i = 0; made && i < count; i++)
        mpz_init2(made[i], bits);
    return made;
}

void sb_mpz_free(mpz_t number[], size_t count)
{
    for (size_t i = 0; number && i < count; i++)
        mpz_clear(number[i]);
    free(number);
}

void sb_mpz_set_u64(mpz_t value, uint64_t narrow)
{
    mpz_import(value, 1, 1, sizeof narrow, 0, 0, &narrow);
}

uint64_t sb_mpz_get_u64(const mpz_t value)
{
    uint64_t low = 0;
    mpz_t rest;

    mpz_init(rest);
    mpz_fdiv_r_2exp(rest, value, 64);
    mpz_export(&low, NULL, 1, sizeof low, 0, 0, rest);
    mpz_clear(rest);
    return low;
}

void sb_mpz_set_wide(mpz_t value, sb_wide narrow)
{
    const uint64_t halves[2] = { sb_wide_low(narrow), sb_wide_high(narrow) };

    mpz_import(value, 2, -1, sizeof halves[0], 0, 0, halves);
}

double sb_mpz_ln_ratio(const mpz_t numerator, const mpz_t denominator)
{
    signed long above, below;
    const double one = mpz_get_d_2exp(&above, numerator), other = mpz_get_d_2exp(&below, denominator);

    return log(one / other) + (double)(above - below) * 0.69314718055994530942;
}

char *sb_mpz_text(const mpz_t number)
{
    char *const text = malloc(mpz_sizeinbase(number, 10) + 2); /* plus a sign and the closing 0 */

    if (text)
        mpz_get_str(text, 10, number);
    return text;
}

char *sb_mpq_text(const mpq_t fraction)
{
    char *const text =
        malloc(mpz_sizeinbase(mpq_numref(fraction), 10) + mpz_sizeinbase(mpq_denref(fraction), 10) + 3);

    if (text)
        mpq_get_str(text, 10, fraction);
    return text;
}
