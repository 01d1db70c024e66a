/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the most and the least likely deals. The code makes passes over all counts. */
#include "fit/fit.h"

#include <float.h>

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

/* Does what extremes_rank() does, in one pass over counts of 64 bits. */
static size_t extremes_u64(const uint64_t count[], size_t cells, int sign, size_t *total)
{
    uint64_t value = count[0];
    size_t best = 0, found = 0;

    for (size_t i = 0; i < cells; i++) {
        if (sign > 0 ? count[i] > value : count[i] < value) {
            value = count[i];
            best = i;
            found = 0;
        }
        found += count[i] == value;
    }
    *total = found;
    return best;
}

/* Does what extremes_rank() does, but uses times[entries], where times[c] is the number of ranks with the
 * count c. */
static size_t extremes_count(const struct sb_evidence *evidence, const uint32_t times[], size_t entries, int sign,
                             size_t *total)
{
    size_t count = sign > 0 ? entries - 1 : 0, rank = 0;

    while (times[count] == 0)
        count++; /* stops at the largest count at the latest */
    *total = times[count];
    while (evidence->counts.u32[rank] != count)
        rank++;
    return rank;
}

/* Finds the ranks whose count times `sign` is largest, and returns one of them. Sets *total to their number, and lists
 * the first *listed of them. If times[entries] is not NULL, times[c] is the number of cells with the count c. */
static size_t effect_extremes(const struct sb_evidence *evidence, const uint32_t times[], size_t entries, int sign,
                              size_t *total, size_t *listed, size_t rank[SB_EXTREMES_MOST])
{
    size_t best, found = 0;

    if (times)
        best = extremes_count(evidence, times, entries, sign, total);
    else if (evidence->counts.form == SB_NUMBERS_U64)
        best = extremes_u64(evidence->counts.u64, evidence->cells, sign, total);
    else
        best = extremes_rank(evidence, sign, total);
    *listed = *total < SB_EXTREMES_MOST ? *total : SB_EXTREMES_MOST;
    for (size_t i = 0; found < *listed; i++)
        if (extremes_same(evidence, i, best))
            rank[found++] = i;
    return best;
}

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
 * Cost: O(K), in three passes. If counts have 32 bits, as with tens of millions of cells, two passes find out
 * how many cells have each count. Each sum then has one term for each count instead of one for each cell. Counts
 * beyond 64 bits use GMP. Kullback and Leibler,
 * doi:10.1214/aoms/1177729694.
 */

enum {
    EFFECT_MEMO = 1 << 14,
    EFFECT_COUNTS_MOST = 1 << 22, /* cells are grouped by their counts only if no count is larger than this */
};

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
    /* number of terms of each sum: one for each cell or, if `times` is set, one for each count 0, 1, 2, ... */
    size_t entries;
    uint32_t *times; /* [entries] how many cells have each count; owned; may be NULL */
};

/* Sets law->times[c] to the number of cells with the count c, for every c. Does nothing if the largest count
 * is above EFFECT_COUNTS_MOST. */
static void effect_count_cells(struct effect_law *law)
{
    const size_t cells = law->evidence->cells;
    const uint32_t *const count = law->evidence->counts.u32;
    uint32_t most = 0;

    for (size_t i = 0; i < cells; i++)
        most = count[i] > most ? count[i] : most;
    if (most > EFFECT_COUNTS_MOST)
        return;
    law->times = calloc((size_t)most + 1, sizeof *law->times);
    if (!law->times) /* without this memory, the sums run cell by cell */
        return;
    law->entries = (size_t)most + 1;
    for (size_t i = 0; i < cells; i++)
        law->times[count[i]]++;
}

/* Whether there is an entry for each count, not for each cell. */
static bool effect_grouped(const struct effect_law *law)
{
    return law->times;
}

static void effect_open(const struct sb_evidence *evidence, struct effect_law *law)
{
    uint64_t halves[2] = { 0 };

    *law = (struct effect_law) { .evidence = evidence, .entries = evidence->cells };
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
        if (evidence->counts.form == SB_NUMBERS_U32)
            effect_count_cells(law);
        if (!effect_grouped(law))
            law->memo = calloc(EFFECT_MEMO, sizeof *law->memo);
    }
}

static void effect_close(struct effect_law *law)
{
    mpz_clear(law->number);
    mpz_clear(law->denominator);
    free(law->memo);
    free(law->times);
}

/* Returns the number of cells of an entry. */
static uint64_t effect_times(const struct effect_law *law, size_t entry)
{
    return law->times ? law->times[entry] : 1;
}

/* Returns the count of an entry, and sets *times to the number of cells of the entry. Requires
 * law->narrow. */
static uint64_t effect_entry(const struct effect_law *law, size_t entry, uint64_t *times)
{
    *times = effect_times(law, entry);
    return effect_grouped(law) ? entry : sb_numbers_u64(&law->evidence->counts, entry);
}

/* The deviation d of a count. Requires law->narrow. */
static double effect_deviation_narrow(const struct effect_law *law, uint64_t count)
{
    const sb_wide scaled = sb_wide_product(count, law->evidence->cells);

    return sb_wide_difference(scaled, law->whole) / sb_wide_double(law->whole);
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
        return effect_deviation_narrow(law, sb_numbers_u64(&law->evidence->counts, rank));
    sb_numbers_integer(&law->evidence->counts, rank, law->number);
    mpz_mul_ui(law->number, law->number, cells);
    mpz_sub(law->number, law->number, law->denominator);
    /* `number` and `denominator` may be too large for a double */
    ratio = mpz_get_d_2exp(&above, law->number);
    ratio /= mpz_get_d_2exp(&below, law->denominator);
    return ldexp(ratio, (int)(above - below));
}

/* Returns (1 + d) ln(1 + d) - d. If there is a memo, d must be the deviation of the count of `rank`. If there
 * is no memo, `rank` is not used. */
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
    for (size_t i = 0; i < law->entries; i++) {
        if (law->narrow) {
            uint64_t times;
            const uint64_t count = effect_entry(law, i, &times);

            if (sb_wide_below(narrow_even, sb_wide_from(count))) {
                narrow = sb_wide_add(narrow, sb_wide_product(count, times));
                over += (size_t)times; /* entries stand for cells */
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
    for (size_t i = 0; i < law->entries; i++) {
        const double times = (double)effect_times(law, i);

        if (times == 0)
            continue;
        const double d = effect_grouped(law) ? effect_deviation_narrow(law, i) : effect_deviation(law, i);

        sb_sum_add(divergence, times * effect_divergence(law, i, d));
        sb_sum_add(square, times * (d * d));
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
        made.max_excess = effect_deviation(
            &law, effect_extremes(evidence, law.times, law.entries, 1, &made.most_total, &made.most_count, made.most));
        made.min_excess = effect_deviation(&law, effect_extremes(evidence, law.times, law.entries, -1,
                                                                 &made.least_total, &made.least_count, made.least));
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
