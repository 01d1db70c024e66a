/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Builds exact evidence from masses. A mass is a probability num/den that is added to the count of a rank.
 * The counts have one denominator, the least common multiple of all den so far. When the denominator grows,
 * all counts are scaled. Counts are 64-bit integers while the denominator fits in 64 bits, and GMP integers
 * ("wide") after that.
 */
#ifndef SB_CORE_EXACT_H
#define SB_CORE_EXACT_H

#include "core/evidence.h"
#include "core/integer.h"

/* Adds num/den. If 64 bits are not enough, returns false and changes nothing. The caller then calls
 * sb_exact_widen() and sb_exact_add_wide(). */
bool sb_exact_add(struct sb_evidence *evidence, size_t rank, uint64_t num, uint64_t den);

/* Makes the counts wide. SB_NO_MEMORY. */
enum sb_status sb_exact_widen(struct sb_evidence *evidence);

/* Adds num/den to wide counts. */
void sb_exact_add_wide(struct sb_evidence *evidence, size_t rank, const mpz_t num, const mpz_t den);

/* Removes all masses. */
void sb_exact_clear(struct sb_evidence *evidence);

/* Sets the denominator of 64-bit counts. Returns whether the masses add up to 1. */
bool sb_exact_finish(struct sb_evidence *evidence);

/* Makes wide counts 64-bit counts if the denominator has at most 64 bits. SB_NO_MEMORY. */
enum sb_status sb_exact_narrow(struct sb_evidence *evidence);

/* For a law from which masses may be missing: brings counts and denominator to lowest terms, and sets
 * `missing` to 1 minus the sum of the masses. */
void sb_exact_settle(struct sb_evidence *evidence, mpq_t missing);

#endif
