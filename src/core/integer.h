/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What GMP's integers lack: many at once, and integers of 64 and 128 bits whatever a long has. */
#ifndef SB_CORE_INTEGER_H
#define SB_CORE_INTEGER_H

#include "core/wide.h"

#include <stddef.h>
#include <stdio.h> /* before gmp.h, which declares mpz_out_str() only then */

#include <gmp.h>

/* `count` integers that are 0, with room for so many bits; owned by the caller, who gives them back with
 * sb_mpz_free(). NULL for no memory. */
mpz_t *sb_mpz_new(size_t count, size_t bits);
void sb_mpz_free(mpz_t number[], size_t count);

/* The digits of a number, "p/q" of a fraction that is not whole; owned by the caller. NULL for no memory. */
char *sb_mpz_text(const mpz_t number);
char *sb_mpq_text(const mpq_t fraction);

/* value = a 64-bit integer, where long may be narrower. */
void sb_mpz_set_u64(mpz_t value, uint64_t narrow);

/* A number below 2^64; of any other the lowest 64 bits. */
uint64_t sb_mpz_get_u64(const mpz_t value);

/* value = an integer of 128 bits. */
void sb_mpz_set_wide(mpz_t value, sb_wide narrow);

#endif
