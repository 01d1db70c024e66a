/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Effect sizes of exact laws and of samples are accurate to ten digits, as fit/fit.h states, even if they are
 * tiny. */
#include "certified/certify.h"

#include "core/evidence.h"
#include "fit/fit.h"

#include <math.h>

enum { BITS = 2048 };
enum { TV, KL, CHI2, MAX_EXCESS, MIN_EXCESS, MAX_RATIO, MIN_RATIO, SIZES };

static struct claim claim[SIZES] = {
    [TV] = { "sb_effect_of: total_variation", .relative = 1e-10 },
    [KL] = { "sb_effect_of: kl_bits", .relative = 1e-10 },
    [CHI2] = { "sb_effect_of: chi2_per_sample", .relative = 1e-10 },
    [MAX_EXCESS] = { "sb_effect_of: max_excess", .relative = 1e-10 },
    [MIN_EXCESS] = { "sb_effect_of: min_excess", .relative = 1e-10 },
    [MAX_RATIO] = { "sb_effect_of: max_ratio", .relative = 1e-10 },
    [MIN_RATIO] = { "sb_effect_of: min_ratio", .relative = 1e-10 },
};

/* All sizes, from the definitions: d = p K - 1. */
static void exact_sizes(const struct sb_evidence *evidence, arb_ptr size)
{
    const size_t cells = evidence->cells;
    ARBS(d, term);
    fmpz_t number;
    mpz_t count;

    fmpz_init(number);
    mpz_init(count);
    arb_neg_inf(size + MAX_EXCESS);
    arb_pos_inf(size + MIN_EXCESS);
    for (size_t i = 0; i < cells; i++) {
        sb_numbers_integer(&evidence->counts, i, count);
        mpz_mul_ui(count, count, cells);
        fmpz_set_mpz(number, count);
        arb_set_fmpz(d, number);
        fmpz_set_mpz(number, evidence->denominator);
        arb_div_fmpz(d, d, number, BITS);
        if (arb_is_positive(d)) {
            arb_log(term, d, BITS);
            arb_addmul(size + KL, term, d, BITS);
        }
        arb_sub_ui(d, d, 1, BITS);
        arb_abs(term, d);
        arb_add(size + TV, size + TV, term, BITS);
        arb_addmul(size + CHI2, d, d, BITS);
        arb_max(size + MAX_EXCESS, size + MAX_EXCESS, d, BITS);
        arb_min(size + MIN_EXCESS, size + MIN_EXCESS, d, BITS);
    }
    arb_div_ui(size + TV, size + TV, 2 * cells, BITS);
    arb_div_ui(size + CHI2, size + CHI2, cells, BITS);
    arb_const_log2(term, BITS);
    arb_mul_ui(term, term, cells, BITS);
    arb_div(size + KL, size + KL, term, BITS);
    arb_add_ui(size + MAX_RATIO, size + MAX_EXCESS, 1, BITS);
    arb_add_ui(size + MIN_RATIO, size + MIN_EXCESS, 1, BITS);
    mpz_clear(count);
    fmpz_clear(number);
}

static void check(const struct sb_evidence *evidence, double bits, double bias)
{
    const double x[4] = { (double)evidence->cells, bits, bias, evidence->by };
    arb_ptr size = _arb_vec_init(SIZES);
    struct sb_effect effect;

    assert_int_equal(sb_effect_of(evidence, &effect), SB_OK);
    exact_sizes(evidence, size);
    const double got[SIZES] = {
        [TV] = effect.total_variation,    [KL] = effect.kl_bits,
        [CHI2] = effect.chi2_per_sample,  [MAX_EXCESS] = effect.max_excess,
        [MIN_EXCESS] = effect.min_excess, [MAX_RATIO] = effect.max_ratio,
        [MIN_RATIO] = effect.min_ratio,
    };

    for (size_t i = 0; i < SIZES; i++)
        certify_enclosed(&claim[i], got[i], size + i, x);
    mpq_clear(effect.total_variation_exact);
    _arb_vec_clear(size, SIZES);
}

/* Laws over a denominator K 2^bits whose probabilities differ from 1/K by a random share of up to `bias`. */
TEST(exact_laws)
{
    uint64_t seed = 60;

    for (size_t i = 0; i < certify_cases(60); i++) {
        const size_t n = 3 + i % 4;
        const double bits = floor(random_scale(&seed, 20, 600)), bias = random_scale(&seed, 1e-20, 1);
        struct sb_evidence evidence;
        mpz_t change;

        assert_int_equal(sb_evidence_open(SB_BY_EXACT, n, n, &evidence), SB_OK);
        sb_numbers_close(&evidence.counts);
        assert_int_equal(sb_numbers_open(SB_NUMBERS_WIDE, evidence.cells, &evidence.counts), SB_OK);
        mpz_init(change);
        for (size_t rank = 0; rank < evidence.cells; rank++) {
            mpz_set_d(change, ldexp(bias * (2 * random_share(&seed) - 1), (int)bits));
            mpz_setbit(evidence.counts.wide[rank], (mp_bitcnt_t)bits);
            mpz_add(evidence.counts.wide[rank], evidence.counts.wide[rank], change);
            mpz_add(evidence.denominator, evidence.denominator, evidence.counts.wide[rank]);
        }
        mpz_add_ui(evidence.counts.wide[0], evidence.counts.wide[0], 1); /* not quite uniform */
        mpz_add_ui(evidence.denominator, evidence.denominator, 1);
        check(&evidence, bits, bias);
        mpz_clear(change);
        sb_evidence_close(&evidence);
    }
}

/* Samples, from fair ones to some with deals that never came. */
TEST(samples)
{
    uint64_t seed = 61;

    for (size_t i = 0; i < certify_cases(60); i++) {
        const size_t n = 3 + i % 4;
        const double most = random_scale(&seed, 10, 1e14), bias = random_scale(&seed, 1e-12, 0.999);
        struct sb_evidence evidence;

        assert_int_equal(sb_evidence_open(SB_BY_SAMPLE, n, n, &evidence), SB_OK);
        for (size_t rank = 0; rank < evidence.cells; rank++)
            evidence.total += evidence.counts.u64[rank] =
                i % 5 || rank % 7 ? (uint64_t)(most * (1 - bias * random_share(&seed))) + (rank == 1) : 0;
        sb_mpz_set_u64(evidence.denominator, evidence.total);
        check(&evidence, log2((double)evidence.total), bias);
        sb_evidence_close(&evidence);
    }
}
