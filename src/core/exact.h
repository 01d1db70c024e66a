/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Builds exact evidence out of masses num/den, added to the count of a rank. The counts go over one
 * denominator, the least common multiple of those met so far; when it grows, all counts are scaled. They are
 * 64-bit integers while the denominator fits, then GMP's.
 */
#ifndef SB_CORE_EXACT_H
#define SB_CORE_EXACT_H

#include "core/evidence.h"
#include "core/integer.h"

/* Adds num/den; false, with nothing changed, where 64 bits do not do: widen, and add it again. */
bool sb_exact_add(struct sb_evidence *evidence, size_t rank, uint64_t num, uint64_t den);

/* Makes the counts wide. SB_NO_MEMORY. */
enum sb_status sb_exact_widen(struct sb_evidence *evidence);

/* Adds num/den to wide counts. SB_NO_MEMORY, and then the counts mean nothing any more. */
enum sb_status sb_exact_add_wide(struct sb_evidence *evidence, size_t rank, const mpz_t num, const mpz_t den);

/* Takes all masses away again. */
void sb_exact_clear(struct sb_evidence *evidence);

/* Settles the denominator; whether the masses add up to 1. */
bool sb_exact_finish(struct sb_evidence *evidence);

/* The same where masses may be missing: brings counts and denominator to lowest terms; what is missing. */
void sb_exact_settle(struct sb_evidence *evidence, mpq_t missing);

#endif
