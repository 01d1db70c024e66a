/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The intervals of a report's tables, from the counts on: shares of deals, shares of places, and the effect of repeated
 * decks. All ends are within the errors that the headers state. */
#include "certified/certify.h"

#include "core/evidence.h"
#include "fit/fit.h"

#include <math.h>
#include <stdlib.h>

static struct claim claim_low = { "sb_rows_of, sb_places_find: low", .relative = 1e-12 };
static struct claim claim_high = { "sb_rows_of, sb_places_find: high", .relative = 1e-12 };
static struct claim claim_effect = { "birthday: effect", .relative = 1e-12, .absolute = 1e-12 };
static struct claim claim_effect_low = { "birthday: effect_low", .relative = 2e-12, .absolute = 2e-12 };
static struct claim claim_effect_high = { "birthday: effect_high", .relative = 2e-12, .absolute = 2e-12 };

extern const struct sb_test_type sb_test_birthday;

enum { BITS = 256 };

/* Checks Clopper and Pearson's ends, if `intervals` intervals share alpha. */
static void check_interval(uint64_t count, uint64_t total, double alpha, size_t intervals, double low, double high)
{
    const double x[4] = { (double)count, (double)total, alpha, (double)intervals };

    if (count > 0)
        certify_root(&claim_low, low, 0, 1, exact_binomial_low, x);
    else
        assert_true(low == 0);
    if (count < total)
        certify_root(&claim_high, high, 0, 1, exact_binomial_high, x);
    else
        assert_true(high == 1);
}

/* The deals of three to five items. Some deals are rare, and some never came. */
TEST(rows)
{
    uint64_t seed = 50;

    for (size_t i = 0; i < certify_cases(12); i++) {
        const size_t n = 3 + i % 3;
        const double alpha = random_scale(&seed, 1e-9, 0.5), most = random_scale(&seed, 10, 1e6);
        struct sb_evidence evidence;
        struct sb_row *row;
        size_t count;

        assert_int_equal(sb_evidence_open(SB_BY_SAMPLE, n, n, &evidence), SB_OK);
        for (size_t rank = 0; rank < evidence.cells; rank++)
            evidence.total += evidence.counts.u64[rank] =
                random_below(&seed, 5) ? (uint64_t)random_scale(&seed, 0.5, most) : 0;
        sb_mpz_set_u64(evidence.denominator, evidence.total);
        assert_int_equal(sb_rows_of(&evidence, &evidence, alpha, &row, &count), SB_OK);
        for (size_t k = 0; k < count; k++)
            check_interval(evidence.counts.u64[row[k].rank], evidence.total, alpha, evidence.cells, row[k].low,
                           row[k].high);
        free(row);
        sb_evidence_close(&evidence);
    }
}

/* The one position of a deal of one of 5 to 100 items. Some items come up to ten times as often as others. A listed
 * item is one whose interval excludes 1/n: its count is beyond the bounds for certain. */
TEST(places)
{
    uint64_t seed = 51;

    for (size_t i = 0; i < certify_cases(12); i++) {
        const size_t n = 5 + random_below(&seed, 96);
        const double alpha = random_scale(&seed, 1e-9, 0.5), most = random_scale(&seed, 100, 1e6);
        struct sb_evidence evidence;
        struct sb_places found;

        assert_int_equal(sb_evidence_open(SB_BY_SAMPLE, n, 1, &evidence), SB_OK);
        sb_numbers_close(&evidence.matrix);
        assert_int_equal(sb_numbers_open(SB_NUMBERS_U64, n, &evidence.matrix), SB_OK);
        for (size_t item = 0; item < n; item++)
            evidence.total += evidence.matrix.u64[item] = (uint64_t)random_scale(&seed, most / 10, most);
        sb_places_find(&evidence, alpha, &found);
        assert_true(found.count > 0);
        for (size_t k = 0; k < found.count; k++)
            check_interval(found.place[k].count, evidence.total, alpha, n, found.place[k].low, found.place[k].high);
        sb_evidence_close(&evidence);
    }
}

/* The equation of Garwood's end, for the effect x: ln P(R >= r) - ln(alpha/2) or ln(alpha/2) - ln P(R <= r), at the
 * mean (1 + x) N(N-1)/2 e^ln_pair. x[]: r, alpha, N, ln_pair. */
static void repeats_sign(const double x[], bool low, const arb_t effect, slong bits, arb_t value)
{
    ARBS(mean, part);

    arb_set_d(mean, x[3]);
    arb_exp(mean, mean, bits);
    arb_set_d(part, x[2]);
    arb_mul(mean, mean, part, bits);
    arb_sub_ui(part, part, 1, bits);
    arb_mul(mean, mean, part, bits);
    arb_mul_2exp_si(mean, mean, -1);
    arb_add_ui(part, effect, 1, bits);
    arb_mul(mean, mean, part, bits);
    arb_set_d(part, low ? x[0] : x[0] + 1);
    if (low)
        exact_ln_gamma_p(part, mean, bits, value);
    else
        exact_ln_gamma_q(part, mean, bits, value);
    arb_set_d(part, 0.5 * x[1]);
    arb_log(part, part, bits);
    arb_sub(value, value, part, bits);
    if (!low)
        arb_neg(value, value);
}

static void repeats_low(const double x[], const arb_t effect, slong bits, arb_t value)
{
    repeats_sign(x, true, effect, bits, value);
}

static void repeats_high(const double x[], const arb_t effect, slong bits, arb_t value)
{
    repeats_sign(x, false, effect, bits, value);
}

/* r/(N(N-1)/2 e^ln_pair) - 1; x[] as in repeats_sign(). */
static void exact_effect(const double x[], slong bits, arb_t value)
{
    ARBS(part);

    arb_set_d(value, -x[3]);
    arb_exp(value, value, bits);
    arb_set_d(part, 2 * x[0]);
    arb_mul(value, value, part, bits);
    arb_set_d(part, x[2]);
    arb_div(value, value, part, bits);
    arb_sub_ui(part, part, 1, bits);
    arb_div(value, value, part, bits);
    arb_sub_ui(value, value, 1, bits);
}

/* Repeats of decks of 8 to 52 cards, from about as many as fair decks show to a thousand times as many. */
TEST(repeats)
{
    uint64_t seed = 52;

    for (size_t i = 0; i < certify_cases(60); i++) {
        const double ln_pair = -lgamma(9 + (double)random_below(&seed, 45));
        const double decks = floor(random_scale(&seed, 2, 1e9)), mean = 0.5 * decks * (decks - 1) * exp(ln_pair);
        const uint64_t repeat = (uint64_t)fmin(decks / 2, mean * random_scale(&seed, 0.5, 1000) + 2);
        const double x[4] = { (double)repeat, random_scale(&seed, 1e-9, 0.5), decks, ln_pair };
        const struct sb_tally tally = { .statistic = "repeat",
                                        .members = 1,
                                        .cells = 1,
                                        .total = (uint64_t)decks,
                                        .count = &repeat,
                                        .ln_p = &ln_pair };
        struct sb_finding finding;

        assert_int_equal(sb_test_birthday.run(&tally, x[1], &finding), SB_OK);
        if (finding.effect > 0)
            certify(&claim_effect, finding.effect, exact_effect, x);
        if (finding.effect_low > 0)
            certify_root(&claim_effect_low, finding.effect_low, -1, HUGE_VAL, repeats_low, x);
        if (finding.effect_high > 0)
            certify_root(&claim_effect_high, finding.effect_high, -1, HUGE_VAL, repeats_high, x);
    }
    assert_true(claim_effect_low.cases > 30);
}
