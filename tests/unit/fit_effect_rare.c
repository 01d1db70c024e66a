/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Effects of the largest counts, and of a law of which hardly anything is known. */
#include "unit/test.h"

#include "core/evidence.h"
#include "fit/fit.h"
#include "unit/assert_near.h"
#include "unit/evidence_counts.h"

#include <math.h>
#include <stdlib.h>

/* 2^64 - 1 and a third of it: 3/4 and 1/4. */
TEST(largest_counts)
{
    struct sb_evidence evidence = open_counts(SB_BY_EXACT, 2, 2, (uint64_t[]) { 3, 1 });
    struct sb_effect effect;

    evidence.counts.u64[0] = UINT64_MAX;
    evidence.counts.u64[1] = UINT64_MAX / 3;
    evidence.total = 0;
    sb_mpz_set_u64(evidence.denominator, UINT64_MAX / 3);
    mpz_mul_ui(evidence.denominator, evidence.denominator, 4);
    assert_int_equal(sb_effect_of(&evidence, &effect), SB_OK);
    assert_near(effect.total_variation, 0.25, 1e-15);
    assert_near(effect.kl_bits, 1 + 0.75 * log2(0.75) + 0.25 * log2(0.25), 1e-14);
    assert_true(effect.max_ratio == 1.5 && effect.min_ratio == 0.5);
    assert_fraction(effect.total_variation_exact, "1/4");
    mpq_clear(effect.total_variation_exact);
    sb_evidence_close(&evidence);
}

/* Only one path of probability 2^-130 is known: total variation is anywhere between 0 and 1. */
TEST(hardly_anything_is_known)
{
    struct sb_evidence evidence = open_counts(SB_BY_EXACT, 3, 3, (uint64_t[]) { 1, 0, 0, 0, 0, 0 });
    struct sb_effect effect;

    evidence.inquiry = calloc(1, sizeof *evidence.inquiry);
    assert_non_null(evidence.inquiry);
    evidence.total = 0;
    mpz_set_ui(evidence.denominator, 1);
    mpz_mul_2exp(evidence.denominator, evidence.denominator, 130);
    mpq_init(evidence.inquiry->unresolved);
    mpz_sub_ui(mpq_numref(evidence.inquiry->unresolved), evidence.denominator, 1);
    mpz_set(mpq_denref(evidence.inquiry->unresolved), evidence.denominator);
    assert_int_equal(sb_effect_of(&evidence, &effect), SB_OK);
    assert_near(effect.total_variation, 0.5, 1e-15);
    assert_near(effect.total_variation_error, 0.5, 1e-15);
    assert_true(isnan(effect.kl_bits) && isnan(effect.max_ratio) && effect.most_total == 0);
    assert_fraction(effect.total_variation_exact, "-1");
    mpq_clear(effect.total_variation_exact);
    sb_evidence_close(&evidence);
}
