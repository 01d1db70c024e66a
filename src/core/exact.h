/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Builds exact evidence from masses, which are probabilities num/den, by adding each to the count of a
 * rank. The counts have one denominator, the least common multiple of all den so far; when it grows, all
 * counts are scaled. Counts are 64-bit integers while the denominator fits, and GMP integers ("wide")
 * after that.
 */
#ifndef SB_CORE_EXACT_H
#define SB_CORE_EXACT_H

#include "core/evidence.h"
#include "core/wide.h"

/* Adds num/den. If 64 bits are not enough, returns false and changes nothing: then widen, and add it
 * again. */
bool sb_exact_add(struct sb_evidence *evidence, size_t rank, uint64_t num, uint64_t den);

/* Makes the counts wide. SB_NO_MEMORY. */
enum sb_status sb_exact_widen(struct sb_evidence *evidence);

/* Adds num/den to wide counts. SB_NO_MEMORY: the counts are now invalid. */
enum sb_status sb_exact_add_wide(struct sb_evidence *evidence, size_t rank, const mpz_t num, const mpz_t den);

/* Removes all masses. */
void sb_exact_clear(struct sb_evidence *evidence);

/* Brings counts and denominator to lowest terms; returns whether the masses add up to 1. */
bool sb_exact_finish(struct sb_evidence *evidence);

/* The same if masses may be missing: sets `missing` to 1 minus their sum. */
void sb_exact_settle(struct sb_evidence *evidence, mpq_t missing);

/* `count` integers that are 0, with room for `bits` bits each. The caller frees them with sb_mpz_free().
 * NULL if memory runs out. */
mpz_t *sb_mpz_new(size_t count, size_t bits);
void sb_mpz_free(mpz_t number[], size_t count);

/* A number as text, or "p/q" for a fraction that is not whole; the caller frees it. NULL if memory runs
 * out. */
char *sb_mpz_text(const mpz_t number);
char *sb_mpq_text(const mpq_t fraction);

/* value = a 64-bit integer. (GMP's own functions take a long, which may be narrower.) */
void sb_mpz_set_u64(mpz_t value, uint64_t narrow);

/* The lowest 64 bits of a number. */
uint64_t sb_mpz_get_u64(const mpz_t value);

/* value = an integer of 128 bits. */
void sb_mpz_set_wide(mpz_t value, sb_wide narrow);

#endif
