/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Effect sizes: how far the law of the deals is from uniform.
 *
 * Let K be the number of cells, c the count of a cell, D the denominator (for a sample, the total), p = c/D,
 * and d = (c K - D)/D. So d is the relative deviation of p from 1/K. Let k be the number of cells with a
 * count above D/K, and C the sum of their counts. Each sum runs over all cells:
 *   total variation    sum |p - 1/K| / 2 = (K C - k D)/(K D)
 *   Kullback-Leibler   sum p log2(p K) = sum ((1+d) ln(1+d) - d) / (K ln 2), where no term is negative
 *   chi-square         sum (p - 1/K)^2 K = sum d^2 / K
 *   ratio to uniform   p K = 1 + d
 *
 * The code computes c K - D in whole numbers before rounding, so no digits are lost, however near the law is
 * to uniform. If only doubles p are known, each with a relative error of at most e, the sum of their errors is at most
 * e. So total variation, half of a sum of |p - 1/K|, has an error of at most e/2; with the roundings of p K and of p K
 * - 1, which are at most 2^-53 p K and 2^-53 (1 + p K), it is at most e/2 + 2^-52.
 *
 * Cost: O(K), in a few passes. Counts beyond 64 bits use GMP. Kullback and Leibler, doi:10.1214/aoms/1177729694.
 */
#include "fit/fit.h"

#include "core/evidence.h"
#include "core/numbers.h"
#include "fit/numeric.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Whether two ranks are equally likely. If only doubles are known, whether the doubles differ by no more than
 * their errors. */
static bool extremes_same(const struct sb_evidence *evidence, size_t a, size_t b)
{
    const struct sb_numbers *const counts = &evidence->counts;

    if (counts->form != SB_NUMBERS_SHARE)
        return sb_numbers_compare(counts, a, b) == 0;
    return fabs(counts->share[a] - counts->share[b]) <= 2 * evidence->error * counts->share[b];
}

/* Returns a rank whose count times `sign` is largest. Sets *total to the number of ranks that are as likely
 * as this rank. */
static size_t extremes_rank(const struct sb_evidence *evidence, int sign, size_t *total)
{
    size_t best = 0, found = 0;

    for (size_t i = 1; i < evidence->cells; i++)
        if (sign * sb_numbers_compare(&evidence->counts, i, best) > 0)
            best = i;
    for (size_t i = 0; i < evidence->cells; i++)
        found += extremes_same(evidence, i, best);
    *total = found;
    return best;
}

/* Finds the ranks whose count times `sign` is largest, and returns one of them. Sets *total to their number, and lists the
 * first *listed of them. */
static size_t effect_extremes(const struct sb_evidence *evidence, int sign, size_t *total, size_t *listed,
                              size_t rank[SB_EXTREMES_MOST])
{
    const size_t best = extremes_rank(evidence, sign, total);
    size_t found = 0;

    *listed = *total < SB_EXTREMES_MOST ? *total : SB_EXTREMES_MOST;
    for (size_t i = 0; found < *listed; i++)
        if (extremes_same(evidence, i, best))
            rank[found++] = i;
    return best;
}

enum { EFFECT_MEMO = 1 << 14 };

/* A cached term of the divergence. Caching helps because millions of deals share few distinct counts. */
struct effect_memo {
    uint64_t next; /* the count + 1; 0 if the entry is empty */
    double term;
};

/* One interface to all kinds of evidence, exact or sampled, with counts of any form. */
struct effect_law {
    const struct sb_evidence *evidence;
    bool narrow;       /* whether counts fit in 64 bits, and the denominator in 126 bits */
    sb_wide whole;     /* the denominator D, if narrow */
    mpz_t denominator; /* the denominator D; 0 if only doubles are known */
    mpz_t number;
    struct effect_memo *memo; /* [EFFECT_MEMO] cached terms by count, if narrow; owned; may be NULL */
};

static void effect_open(const struct sb_evidence *evidence, struct effect_law *law)
{
    uint64_t halves[2] = { 0 };

    *law = (struct effect_law) { .evidence = evidence };
    mpz_init(law->denominator);
    mpz_init(law->number);
    if (evidence->by == SB_BY_EXACT)
        mpz_set(law->denominator, evidence->denominator);
    else
        sb_mpz_set_u64(law->denominator, evidence->total);
    law->narrow = sb_numbers_narrow(&evidence->counts) && mpz_sizeinbase(law->denominator, 2) <= 126;
    if (law->narrow) {
        mpz_export(halves, NULL, -1, sizeof halves[0], 0, 0, law->denominator);
        law->whole = sb_wide_join(halves[1], halves[0]);
        law->memo = calloc(EFFECT_MEMO, sizeof *law->memo);
    }
}

static void effect_close(struct effect_law *law)
{
    mpz_clear(law->number);
    mpz_clear(law->denominator);
    free(law->memo);
}

/* The deviation d of the count of a rank. */
static double effect_deviation(struct effect_law *law, size_t rank)
{
    const size_t cells = law->evidence->cells;
    long above, below;
    double ratio;

    if (law->evidence->counts.form == SB_NUMBERS_SHARE)
        return law->evidence->counts.share[rank] * (double)cells - 1;
    if (law->narrow)
        return sb_wide_difference(sb_wide_product(sb_numbers_u64(&law->evidence->counts, rank), cells), law->whole) /
               sb_wide_double(law->whole);
    sb_numbers_integer(&law->evidence->counts, rank, law->number);
    mpz_mul_ui(law->number, law->number, cells);
    mpz_sub(law->number, law->number, law->denominator);
    /* `number` and `denominator` may be too large for a double */
    ratio = mpz_get_d_2exp(&above, law->number);
    ratio /= mpz_get_d_2exp(&below, law->denominator);
    return ldexp(ratio, (int)(above - below));
}

/* Returns (1 + d) ln(1 + d) - d, where d is the deviation of the count of `rank`. */
static double effect_divergence(struct effect_law *law, size_t rank, double d)
{
    if (!law->memo)
        return sb_divergence(1 + d, 1, -d);
    const uint64_t count = sb_numbers_u64(&law->evidence->counts, rank);
    struct effect_memo *const memo = &law->memo[count % EFFECT_MEMO];

    if (memo->next != count + 1 || count == UINT64_MAX)
        *memo = (struct effect_memo) { count + 1, sb_divergence(1 + d, 1, -d) };
    return memo->term;
}

/* Sets `sum` to the sum of the counts above D/K. Returns the number of these counts. */
static size_t effect_excess(struct effect_law *law, mpz_t sum)
{
    const size_t cells = law->evidence->cells;
    sb_wide rest, narrow = sb_wide_from(0);
    const sb_wide narrow_even = sb_wide_divide(law->whole, sb_wide_from(cells), &rest);
    size_t over = 0;
    mpz_t even;

    mpz_init(even);
    mpz_fdiv_q_ui(even, law->denominator, cells);
    for (size_t i = 0; i < cells; i++) {
        if (law->narrow) {
            const uint64_t count = sb_numbers_u64(&law->evidence->counts, i);

            if (sb_wide_below(narrow_even, sb_wide_from(count))) {
                narrow = sb_wide_add(narrow, sb_wide_from(count));
                over++;
            }
            continue;
        }
        sb_numbers_integer(&law->evidence->counts, i, law->number);
        if (mpz_cmp(law->number, even) > 0) {
            mpz_add(sum, sum, law->number);
            over++;
        }
    }
    if (law->narrow)
        sb_mpz_set_wide(sum, narrow);
    mpz_clear(even);
    return over;
}

/* Returns total variation as a double, and sets `fraction` to total variation in lowest terms. If only
 * doubles are known, sets `fraction` to -1. */
static double effect_total_variation(struct effect_law *law, mpq_t fraction)
{
    const size_t cells = law->evidence->cells;
    struct sb_sum half = { 0 };
    mpz_t sum;

    if (law->evidence->counts.form == SB_NUMBERS_SHARE) {
        mpq_set_si(fraction, -1, 1);
        for (size_t i = 0; i < cells; i++)
            sb_sum_add(&half, fabs(effect_deviation(law, i)));
        return sb_sum_value(&half) / (2 * (double)cells);
    }
    mpz_init(sum);
    const size_t over = effect_excess(law, sum);

    mpz_mul_ui(mpq_numref(fraction), sum, cells);
    mpz_submul_ui(mpq_numref(fraction), law->denominator, over);
    mpz_mul_ui(mpq_denref(fraction), law->denominator, cells);
    mpq_canonicalize(fraction);
    mpz_clear(sum);
    return mpq_get_d(fraction);
}

/* Adds up the terms of the divergence, and the squares of d, over all cells. */
static void effect_sums(struct effect_law *law, struct sb_sum *divergence, struct sb_sum *square)
{
    for (size_t i = 0; i < law->evidence->cells; i++) {
        const double d = effect_deviation(law, i);

        sb_sum_add(divergence, effect_divergence(law, i, d));
        sb_sum_add(square, d * d);
    }
}

/*
 * Computes bounds on total variation if part of the probability is unresolved, which means that the deals of
 * this part are unknown. At the lower bound, the whole part belongs to deals that have too little probability
 * so far, so the excess so far is the total variation. At the upper bound, the whole part belongs to deals
 * that have too much probability already.
 */
static void effect_bracket(const mpq_t unresolved, struct sb_effect *effect)
{
    /* not 0, although the probability may be below the range of double */
    const double half = fmax(mpq_get_d(unresolved) / 2, DBL_MIN);

    effect->total_variation += half;
    effect->total_variation_error = half;
    mpq_set_si(effect->total_variation_exact, -1, 1);
    effect->kl_bits = effect->chi2_per_sample = effect->max_ratio = effect->min_ratio = NAN;
    effect->most_count = effect->most_total = effect->least_count = effect->least_total = 0;
}

enum sb_status sb_effect_of(const struct sb_evidence *evidence, struct sb_effect *effect)
{
    const double cells = (double)evidence->cells;
    struct sb_effect made = { .total_variation = NAN, .total_variation_fair = NAN, .kl_bits = NAN };
    struct sb_sum divergence = { 0 }, square = { 0 };
    struct effect_law law;

    if (evidence->cells == 0)
        return SB_INVALID;
    made.chi2_per_sample = made.max_ratio = made.min_ratio = made.max_excess = made.min_excess = NAN;
    made.shuffles_to_see = NAN;
    made.kl_bits_fair = made.chi2_per_sample_fair = made.max_ratio_fair = made.min_ratio_fair = NAN;
    mpq_init(made.total_variation_exact);
    effect_open(evidence, &law);
    if (mpz_sgn(law.denominator) > 0 || evidence->counts.form == SB_NUMBERS_SHARE) {
        made.total_variation = effect_total_variation(&law, made.total_variation_exact);
        if (evidence->by != SB_BY_EXACT)
            sb_effect_fair(evidence->total, evidence->cells, &made);
        if (evidence->by == SB_BY_SAMPLE)
            mpq_set_ui(made.total_variation_exact, 0, 1);
        if (evidence->counts.form == SB_NUMBERS_SHARE)
            made.total_variation_error = evidence->error / 2 + 0x1p-52;
        effect_sums(&law, &divergence, &square);
        made.kl_bits = sb_sum_value(&divergence) / (cells * 0.69314718055994530942);
        made.chi2_per_sample = sb_sum_value(&square) / cells;
        made.max_excess =
            effect_deviation(&law, effect_extremes(evidence, 1, &made.most_total, &made.most_count, made.most));
        made.min_excess =
            effect_deviation(&law, effect_extremes(evidence, -1, &made.least_total, &made.least_count, made.least));
        made.max_ratio = 1 + made.max_excess;
        /* near -1, the excess has lost the digits of a small ratio */
        made.min_ratio =
            made.min_excess < -0.9999 ? sb_evidence_share(evidence, made.least[0]) * cells : 1 + made.min_excess;
    }
    effect_close(&law);
    if (sb_evidence_partial(evidence))
        effect_bracket(evidence->inquiry->unresolved, &made);
    *effect = made; /* the caller now owns the memory of the fraction */
    return SB_OK;
}
