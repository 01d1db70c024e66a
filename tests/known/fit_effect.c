/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Effect sizes: those of the naive swap in each form of numbers, of the rarest laws, and what a fair shuffle's are on
 * average. tests/certified/sizes.c encloses them.
 */
#include "unit/test.h"

#include "core/evidence.h"
#include "fit/fit.h"
#include "known/assert_near.h"
#include "known/evidence_counts.h"

#include <math.h>
#include <stdlib.h>

/* 123:4 132:5 213:5 231:5 312:4 321:4 of 27, by hand: three ratios are 10/9, three 8/9. */
static void assert_naive(const struct sb_effect *effect)
{
    static const size_t least[] = { 0, 4, 5 };

    assert_near(effect->total_variation, 1.0 / 18, 1e-15);
    assert_near(effect->kl_bits, 5.0 / 9 * log2(10.0 / 9) + 4.0 / 9 * log2(8.0 / 9), 1e-14);
    assert_near(effect->chi2_per_sample, 1.0 / 81, 1e-14);
    assert_near(effect->max_ratio, 10.0 / 9, 1e-15);
    assert_near(effect->min_ratio, 8.0 / 9, 1e-15);
    assert_int_equal(effect->most_count, 3);
    assert_int_equal(effect->most_total, 3);
    assert_int_equal(effect->least_count, 3);
    assert_int_equal(effect->least_total, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(effect->most[i], i + 1);     /* 132 213 231 */
        assert_int_equal(effect->least[i], least[i]); /* 123 312 321 */
    }
}

/* Checks the naive swap's law of three items after `change`, and closes it. */
static void check_naive(void change(struct sb_evidence *evidence), const char *fraction)
{
    struct sb_evidence evidence = open_counts(SB_BY_EXACT, 3, 3, (uint64_t[]) { 4, 5, 5, 5, 4, 4 });
    struct sb_effect effect;

    change(&evidence);
    assert_int_equal(sb_effect_of(&evidence, &effect), SB_OK);
    assert_naive(&effect);
    assert_fraction(effect.total_variation_exact, fraction);
    assert_true(isnan(effect.total_variation_fair));
    mpq_clear(effect.total_variation_exact);
    sb_evidence_close(&evidence);
}

static void unchanged(struct sb_evidence *evidence)
{
}

static void in_32_bits(struct sb_evidence *evidence, unsigned shift)
{
    struct sb_numbers numbers;

    assert_int_equal(sb_numbers_open(SB_NUMBERS_U32, evidence->cells, &numbers), SB_OK);
    for (size_t i = 0; i < evidence->cells; i++)
        numbers.u32[i] = (uint32_t)evidence->counts.u64[i] << shift;
    sb_numbers_close(&evidence->counts);
    evidence->counts = numbers;
    mpz_mul_2exp(evidence->denominator, evidence->denominator, shift);
}

/* Told by how many have each. */
static void small_counts(struct sb_evidence *evidence)
{
    in_32_bits(evidence, 0);
}

/* Over 27 * 2^23: too large to tell by how many have each. */
static void large_counts(struct sb_evidence *evidence)
{
    in_32_bits(evidence, 23);
}

/* Over 27 * 2^3000, which neither 64 bits nor a double can hold. */
static void big_numbers(struct sb_evidence *evidence)
{
    assert_int_equal(sb_exact_widen(evidence), SB_OK);
    for (size_t i = 0; i < 6; i++)
        mpz_mul_2exp(evidence->counts.wide[i], evidence->counts.wide[i], 3000);
    mpz_mul_2exp(evidence->denominator, evidence->denominator, 3000);
}

/* There is no fraction, and shares that differ by rounding are equally likely. */
static void in_doubles(struct sb_evidence *evidence)
{
    struct sb_numbers shares;

    assert_int_equal(sb_numbers_open(SB_NUMBERS_SHARE, evidence->cells, &shares), SB_OK);
    for (size_t i = 0; i < evidence->cells; i++)
        shares.share[i] = (double)evidence->counts.u64[i] / 27;
    shares.share[2] = nextafter(shares.share[2], 1);
    sb_numbers_close(&evidence->counts);
    evidence->counts = shares;
    evidence->error = 1e-15;
    evidence->total = 0;
    mpz_set_ui(evidence->denominator, 0);
}

TEST(naive_of_three)
{
    check_naive(unchanged, "1/18");
    check_naive(small_counts, "1/18");
    check_naive(large_counts, "1/18");
    check_naive(big_numbers, "1/18");
    check_naive(in_doubles, "-1");
}

/* One deal of all, always: total variation (K-1)/K, log2 K bits, chi-square K - 1, ratios K and 0. */
TEST(always_the_same)
{
    uint64_t count[24] = { 0 };
    struct sb_evidence evidence;
    struct sb_effect effect;

    count[7] = 10;
    evidence = open_counts(SB_BY_EXACT, 4, 4, count);
    assert_int_equal(sb_effect_of(&evidence, &effect), SB_OK);
    assert_near(effect.total_variation, 23.0 / 24, 1e-15);
    assert_near(effect.kl_bits, log2(24), 1e-14);
    assert_near(effect.chi2_per_sample, 23, 1e-14);
    assert_true(effect.max_ratio == 24 && effect.min_ratio == 0);
    assert_int_equal(effect.most_total, 1);
    assert_int_equal(effect.most[0], 7);
    assert_int_equal(effect.least_total, 23);
    assert_int_equal(effect.least_count, SB_EXTREMES_MOST);
    assert_int_equal(effect.least[7], 8); /* 0..6, then 8 */
    mpq_clear(effect.total_variation_exact);
    sb_evidence_close(&evidence);
}

TEST(nothing_counted_or_only_the_matrix)
{
    struct sb_evidence evidence = open_counts(SB_BY_SAMPLE, 3, 3, (uint64_t[]) { 0, 0, 0, 0, 0, 0 });
    struct sb_effect effect;

    assert_int_equal(sb_effect_of(&evidence, &effect), SB_OK);
    assert_true(isnan(effect.total_variation) && isnan(effect.total_variation_fair) && isnan(effect.kl_bits));
    assert_true(isnan(effect.chi2_per_sample) && isnan(effect.max_ratio) && isnan(effect.min_ratio));
    assert_true(effect.most_total == 0 && effect.least_total == 0);
    mpq_clear(effect.total_variation_exact);
    sb_evidence_close(&evidence);
    assert_int_equal(sb_evidence_open(SB_BY_SAMPLE, 52, 52, &evidence), SB_OK);
    assert_int_equal(sb_effect_of(&evidence, &effect), SB_INVALID);
    sb_evidence_close(&evidence);
}

/* Twelve shuffles of six deals, all 6^12 outcomes by their multinomial weights: what the effects are on
 * average. */
TEST(fair_effects_by_enumeration)
{
    const double total = 12;
    double mean[4] = { 0 };
    struct sb_effect effect;
    int x[6];

    for (int code = 0; code < 13 * 13 * 13 * 13 * 13; code++) {
        double weight = lgamma(total + 1) - total * log(6), most = 0, least = total, kl = 0, square = 0;
        int left = 12;

        for (int i = 0, rest = code; i < 5; i++, rest /= 13)
            left -= x[i] = rest % 13;
        if (left < 0)
            continue;
        x[5] = left;
        for (int i = 0; i < 6; i++) {
            const double share = x[i] / total;

            weight -= lgamma(x[i] + 1.0);
            most = fmax(most, 6 * share);
            least = fmin(least, 6 * share);
            kl += share > 0 ? share * log2(6 * share) : 0;
            square += 6 * (share - 1.0 / 6) * (share - 1.0 / 6);
        }
        mean[0] += exp(weight) * kl;
        mean[1] += exp(weight) * square;
        mean[2] += exp(weight) * most;
        mean[3] += exp(weight) * least;
    }
    sb_effect_fair(12, 6, &effect);
    assert_near(effect.kl_bits_fair, mean[0], 1e-10);
    assert_near(effect.chi2_per_sample_fair, mean[1], 1e-10);
    assert_near(effect.max_ratio_fair, mean[2], 1e-10);
    assert_near(effect.min_ratio_fair, mean[3], 1e-10);
}

/* The largest count of one shuffle is 1, that of two is 2 with probability 1/K, and that of few of very many deals is 2
 * about as often as there are pairs of shuffles for a deal. The smallest count of three of two deals is 1, unless all
 * three are equal. */
TEST(fair_extremes_of_few)
{
    struct sb_effect effect;

    for (size_t cells = 2; cells <= 3628800; cells *= 6) {
        const double deals = (double)cells;

        sb_effect_fair(1, cells, &effect);
        assert_near(effect.max_ratio_fair, deals, 1e-8);
        assert_true(effect.min_ratio_fair == 0);
        sb_effect_fair(2, cells, &effect);
        assert_near(effect.max_ratio_fair, deals / 2 * (1 + 1 / deals), 1e-8);
    }
    for (size_t total = 20; total <= 500; total += 20) {
        const double shuffles = (double)total, deals = 3628800, pairs = shuffles * (shuffles - 1) / 2 / deals;

        sb_effect_fair(total, 3628800, &effect);
        assert_near(effect.max_ratio_fair, deals / shuffles * (2 - exp(-pairs)), 0.003);
        assert_true(effect.min_ratio_fair == 0);
    }
    sb_effect_fair(3, 2, &effect);
    assert_near(effect.min_ratio_fair, 2.0 / 3 * 3 / 4, 1e-12);
}

/* Two deals: the larger count is E + E|X - E|. Where a formula takes over from a sum, both agree. */
TEST(fair_effects_of_many)
{
    struct sb_effect below, beyond;

    for (uint64_t total = 100; total < 1000000000; total *= 100) {
        sb_effect_fair(total, 2, &below);
        assert_near(below.max_ratio_fair - 1, 2 * below.total_variation_fair, 1e-5 + 0.5 / (double)total);
        assert_near(1 - below.min_ratio_fair, 2 * below.total_variation_fair, 1e-5 + 0.5 / (double)total);
    }
    for (size_t cells = 2; cells < 1000000; cells *= 17) {
        sb_effect_fair(10000 * cells, cells, &below);
        sb_effect_fair(10001 * cells, cells, &beyond);
        assert_near(below.kl_bits_fair * 10000 / 10001, beyond.kl_bits_fair, 1e-7);
        sb_effect_fair(100000 * cells, cells, &below);
        sb_effect_fair(100001 * cells, cells, &beyond);
        assert_near((below.max_ratio_fair - 1) * sqrt(100000.0 / 100001), beyond.max_ratio_fair - 1, 1e-4);
        assert_near((1 - below.min_ratio_fair) * sqrt(100000.0 / 100001), 1 - beyond.min_ratio_fair, 1e-4);
    }
    sb_effect_fair(0, 6, &below);
    assert_true(isnan(below.kl_bits_fair) && isnan(below.max_ratio_fair));
    sb_effect_fair(5, 1, &below);
    assert_true(below.kl_bits_fair == 0 && below.chi2_per_sample_fair == 0 && below.max_ratio_fair == 1);
}

/* ---- fit effect rare ---- */

/* Effects of the largest counts, and of a law of which hardly anything is known. */

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
