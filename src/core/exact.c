/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds probabilities over one denominator. Cost: one addition each, and a pass over all counts when the
 * denominator grows. */
#include "core/exact.h"

#include "core/system/gmp_memory.h"

#include <stdlib.h>

mpz_t *sb_mpz_new(size_t count, size_t bits)
{
    mpz_t *const made = calloc(count + 1, sizeof *made);

    for (size_t i = 0; made && i < count; i++) {
        mpz_init2(made[i], bits);
        if (sb_gmp_short()) {
            sb_mpz_free(made, i + 1);
            return NULL;
        }
    }
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

static uint64_t exact_gcd(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

bool sb_exact_add(struct sb_evidence *evidence, size_t rank, uint64_t num, uint64_t den)
{
    const uint64_t old = evidence->total;

    if (old == 0 || old % den != 0) {
        const uint64_t factor = old ? den / exact_gcd(old, den) : den;

        if (__builtin_mul_overflow(old ? old : 1, factor, &evidence->total)) {
            evidence->total = old;
            return false;
        }
        for (size_t i = 0; i < evidence->cells; i++)
            evidence->count[i] *= factor; /* no overflow: at most the denominator */
    }
    evidence->count[rank] += num * (evidence->total / den);
    return true;
}

enum sb_status sb_exact_widen(struct sb_evidence *evidence)
{
    mpz_t *const wide = sb_mpz_new(evidence->cells, 64);

    if (!wide)
        return SB_NO_MEMORY;
    for (size_t i = 0; i < evidence->cells; i++)
        sb_mpz_set_u64(wide[i], evidence->count[i]);
    sb_mpz_set_u64(evidence->denominator, evidence->total ? evidence->total : 1);
    free(evidence->count);
    evidence->count = NULL;
    evidence->total = 0;
    evidence->wide = wide;
    return SB_OK;
}

char *sb_mpz_text(const mpz_t number)
{
    char *const text = malloc(mpz_sizeinbase(number, 10) + 2); /* + 2: its sign and the closing 0 */

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

enum sb_status sb_exact_add_wide(struct sb_evidence *evidence, size_t rank, const mpz_t num, const mpz_t den)
{
    bool cut = false;
    mpz_t factor;

    mpz_init(factor);
    if (!mpz_divisible_p(evidence->denominator, den)) {
        mpz_gcd(factor, evidence->denominator, den);
        mpz_divexact(factor, den, factor);
        mpz_mul(evidence->denominator, evidence->denominator, factor);
        for (size_t i = 0; i < evidence->cells && !cut; i++) {
            mpz_mul(evidence->wide[i], evidence->wide[i], factor);
            cut = sb_gmp_short();
        }
    }
    mpz_divexact(factor, evidence->denominator, den);
    mpz_addmul(evidence->wide[rank], factor, num);
    mpz_clear(factor);
    return cut || sb_gmp_short() ? SB_NO_MEMORY : SB_OK;
}

void sb_exact_clear(struct sb_evidence *evidence)
{
    for (size_t i = 0; i < evidence->cells; i++)
        if (evidence->wide)
            mpz_set_ui(evidence->wide[i], 0);
        else
            evidence->count[i] = 0;
    evidence->total = 0;
    mpz_set_ui(evidence->denominator, 1);
}

bool sb_exact_finish(struct sb_evidence *evidence)
{
    uint64_t narrow = 0;
    mpz_t sum;

    if (!evidence->wide) {
        for (size_t i = 0; i < evidence->cells; i++)
            narrow += evidence->count[i];
        sb_mpz_set_u64(evidence->denominator, evidence->total);
        return narrow == evidence->total;
    }
    mpz_init(sum);
    for (size_t i = 0; i < evidence->cells; i++)
        mpz_add(sum, sum, evidence->wide[i]);
    const bool whole = mpz_cmp(sum, evidence->denominator) == 0;
    mpz_clear(sum);
    return whole;
}

/* Brings 64-bit counts and their denominator to lowest terms; returns the sum of the counts. */
static uint64_t exact_lower(struct sb_evidence *evidence)
{
    uint64_t divisor = evidence->total ? evidence->total : 1, sum = 0;

    for (size_t i = 0; i < evidence->cells && divisor > 1; i++)
        divisor = exact_gcd(divisor, evidence->count[i]);
    for (size_t i = 0; i < evidence->cells; i++)
        sum += evidence->count[i] /= divisor;
    evidence->total = evidence->total ? evidence->total / divisor : 1;
    return sum;
}

/* The same for GMP integers. */
static void exact_lower_wide(struct sb_evidence *evidence, mpz_t sum)
{
    mpz_t divisor;

    mpz_init_set(divisor, evidence->denominator);
    for (size_t i = 0; i < evidence->cells; i++)
        mpz_gcd(divisor, divisor, evidence->wide[i]);
    for (size_t i = 0; i < evidence->cells; i++) {
        mpz_divexact(evidence->wide[i], evidence->wide[i], divisor);
        mpz_add(sum, sum, evidence->wide[i]);
    }
    mpz_divexact(evidence->denominator, evidence->denominator, divisor);
    mpz_clear(divisor);
}

void sb_exact_settle(struct sb_evidence *evidence, mpq_t missing)
{
    mpz_t sum;

    mpz_init(sum);
    if (evidence->wide) {
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
