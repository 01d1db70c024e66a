/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds probabilities over one denominator. Cost: one addition for each probability, and a pass over all
 * counts when the denominator grows. */
#include "core/evidence.h"

#include <stdlib.h>

bool sb_exact_add(struct sb_evidence *evidence, size_t rank, uint64_t num, uint64_t den)
{
    const uint64_t old = evidence->total;

    if (old == 0 || old % den != 0) {
        const uint64_t factor = old ? den / sb_gcd(old, den) : den;

        if (__builtin_mul_overflow(old ? old : 1, factor, &evidence->total)) {
            evidence->total = old;
            return false;
        }
        for (size_t i = 0; i < evidence->cells; i++)
            evidence->counts.u64[i] *= factor; /* no overflow: a count <= the denominator < 2^64 */
    }
    evidence->counts.u64[rank] += num * (evidence->total / den);
    return true;
}

enum sb_status sb_exact_widen(struct sb_evidence *evidence)
{
    struct sb_numbers wide;

    if (sb_numbers_open(SB_NUMBERS_WIDE, evidence->cells, &wide))
        return SB_NO_MEMORY;
    for (size_t i = 0; i < evidence->cells; i++)
        sb_mpz_set_u64(wide.wide[i], evidence->counts.u64[i]);
    sb_mpz_set_u64(evidence->denominator, evidence->total ? evidence->total : 1);
    sb_numbers_close(&evidence->counts);
    evidence->counts = wide;
    evidence->total = 0;
    return SB_OK;
}

void sb_exact_add_wide(struct sb_evidence *evidence, size_t rank, const mpz_t num, const mpz_t den)
{
    mpz_t factor;

    mpz_init(factor);
    if (!mpz_divisible_p(evidence->denominator, den)) {
        mpz_gcd(factor, evidence->denominator, den);
        mpz_divexact(factor, den, factor);
        mpz_mul(evidence->denominator, evidence->denominator, factor);
        for (size_t i = 0; i < evidence->cells; i++)
            mpz_mul(evidence->counts.wide[i], evidence->counts.wide[i], factor);
    }
    mpz_divexact(factor, evidence->denominator, den);
    mpz_addmul(evidence->counts.wide[rank], factor, num);
    mpz_clear(factor);
}

void sb_exact_clear(struct sb_evidence *evidence)
{
    for (size_t i = 0; i < evidence->cells; i++)
        if (evidence->counts.form == SB_NUMBERS_WIDE)
            mpz_set_ui(evidence->counts.wide[i], 0);
        else
            evidence->counts.u64[i] = 0;
    evidence->total = 0;
    mpz_set_ui(evidence->denominator, 1);
}

bool sb_exact_finish(struct sb_evidence *evidence)
{
    uint64_t narrow = 0;
    mpz_t sum;

    if (evidence->counts.form != SB_NUMBERS_WIDE) {
        for (size_t i = 0; i < evidence->cells; i++)
            narrow += evidence->counts.u64[i];
        sb_mpz_set_u64(evidence->denominator, evidence->total);
        return narrow == evidence->total;
    }
    mpz_init(sum);
    for (size_t i = 0; i < evidence->cells; i++)
        mpz_add(sum, sum, evidence->counts.wide[i]);
    const bool whole = mpz_cmp(sum, evidence->denominator) == 0;
    mpz_clear(sum);
    return whole;
}

enum sb_status sb_exact_narrow(struct sb_evidence *evidence)
{
    struct sb_numbers narrow;

    if (mpz_sizeinbase(evidence->denominator, 2) > 64)
        return SB_OK;
    if (sb_numbers_open(SB_NUMBERS_U64, evidence->cells, &narrow))
        return SB_NO_MEMORY;
    for (size_t rank = 0; rank < evidence->cells; rank++)
        narrow.u64[rank] = sb_mpz_get_u64(evidence->counts.wide[rank]);
    sb_numbers_close(&evidence->counts);
    evidence->counts = narrow;
    evidence->total = sb_mpz_get_u64(evidence->denominator);
    return SB_OK;
}

/* Brings 64-bit counts and their denominator to lowest terms; returns the sum of the counts. */
static uint64_t exact_lower(struct sb_evidence *evidence)
{
    uint64_t divisor = evidence->total ? evidence->total : 1, sum = 0;

    for (size_t i = 0; i < evidence->cells && divisor > 1; i++)
        divisor = sb_gcd(divisor, evidence->counts.u64[i]);
    for (size_t i = 0; i < evidence->cells; i++)
        sum += evidence->counts.u64[i] /= divisor;
    evidence->total = evidence->total ? evidence->total / divisor : 1;
    return sum;
}

/* Brings GMP counts and their denominator to lowest terms, and sets `sum` to the sum of the counts. */
static void exact_lower_wide(struct sb_evidence *evidence, mpz_t sum)
{
    mpz_t divisor;

    mpz_init_set(divisor, evidence->denominator);
    for (size_t i = 0; i < evidence->cells; i++)
        mpz_gcd(divisor, divisor, evidence->counts.wide[i]);
    for (size_t i = 0; i < evidence->cells; i++) {
        mpz_divexact(evidence->counts.wide[i], evidence->counts.wide[i], divisor);
        mpz_add(sum, sum, evidence->counts.wide[i]);
    }
    mpz_divexact(evidence->denominator, evidence->denominator, divisor);
    mpz_clear(divisor);
}

void sb_exact_settle(struct sb_evidence *evidence, mpq_t missing)
{
    mpz_t sum;

    mpz_init(sum);
    if (evidence->counts.form == SB_NUMBERS_WIDE) {
        exact_lower_wide(evidence, sum);
    } else {
        sb_mpz_set_u64(sum, exact_lower(evidence));
        sb_mpz_set_u64(evidence->denominator, evidence->total);
    }
    mpz_sub(mpq_numref(missing), evidence->denominator, sum);
    mpz_set(mpq_denref(missing), evidence->denominator);
    mpq_canonicalize(missing);
    mpz_clear(sum);
}
