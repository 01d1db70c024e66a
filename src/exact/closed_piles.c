/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The law of a riffle of s = 2^B packets, and of its inverse, a stable sort by keys of B bits. K riffles are
 * a riffle of 2^K packets.
 *
 * A permutation has probability C(s + n-1 - d, n) / s^n. For the sort, d is the number of descents a[j] >
 * a[j+1] of the permutation. For the riffle, d is the number of descents of the inverse permutation, which is
 * the number of rising sequences minus 1. Cost: n products of numbers of n B bits, and n n! steps to give
 * each permutation a count.
 *
 * Effects are sums over d. The number of permutations with d descents is the Eulerian number A(n, d) = (d+1) A(n-1, d)
 * + (n-d) A(n-1, d-1). All sums that could suffer cancellation use integers. If exactly the permutations with d < t are
 * more likely than 1/n!, total variation is the fraction
 *
 *   sum over d < t of A(n, d) (C(s + n-1 - d, n) n! - s^n) / (s^n n!).
 *
 * Cost: n^2/2 steps of the Eulerian triangle, with numbers of n log2 n bits, and n products of numbers of n B bits.
 *
 * D. Bayer and P. Diaconis, Trailing the dovetail shuffle to its lair, Annals of Applied Probability 2 (1992)
 * 294, doi:10.1214/aoap/1177005705, Theorem 1.
 */
#include "exact/engine.h"

enum {
    PILES_MOST = 2000,  /* the largest n; the cost grows with the cube of n */
    PILES_COUNTED = 10, /* the largest n for which each permutation gets a count */
    PILES_WIDE = 9,     /* replaces PILES_COUNTED if a count needs more than 64 bits */
};

/* The numbers in the formula of the law. */
struct piles {
    size_t n;
    unsigned bits;
    /* [n] ways[d] is the number of permutations with d descents; 0 until piles_set_ways() computes it; owned */
    mpz_t *ways;
    mpz_t *count; /* [n] count of each permutation with d descents: C(2^bits + n-1 - d, n); owned */
    mpz_t orders; /* n! */
    mpz_t all;    /* 2^(n bits) */
};

static void piles_close(struct piles *piles)
{
    sb_mpz_free(piles->ways, piles->n);
    sb_mpz_free(piles->count, piles->n);
    mpz_clears(piles->orders, piles->all, NULL);
}

/* Sets piles->count[d], for each number of descents d. */
static void piles_set_counts(struct piles *piles)
{
    const size_t n = piles->n;
    mpz_t m, rest;

    mpz_inits(m, rest, NULL);
    mpz_setbit(m, piles->bits);
    mpz_add_ui(m, m, n - 1);
    mpz_bin_ui(piles->count[0], m, n);
    for (size_t d = 1; d < n; d++) { /* C(m-1, n) = C(m, n) (m-n) / m. Once a count is 0, all later counts are 0 */
        mpz_sub_ui(rest, m, n);
        mpz_mul(piles->count[d], piles->count[d - 1], rest);
        mpz_divexact(piles->count[d], piles->count[d], m);
        mpz_sub_ui(m, m, 1);
    }
    mpz_clears(m, rest, NULL);
}

/* Sets everything except `ways`. The caller closes *piles. SB_NO_MEMORY. */
static enum sb_status piles_open(const struct sb_law *law, struct piles *piles)
{
    *piles = (struct piles) { .n = law->shuffler->n, .bits = (unsigned)law->shuffler->shuffle.parameter };
    mpz_inits(piles->orders, piles->all, NULL);
    mpz_fac_ui(piles->orders, piles->n);
    mpz_setbit(piles->all, piles->n * piles->bits);
    piles->ways = sb_mpz_new(piles->n, 64);
    piles->count = sb_mpz_new(piles->n, 64);
    if (!piles->ways || !piles->count) {
        piles_close(piles);
        return SB_NO_MEMORY;
    }
    piles_set_counts(piles);
    return SB_OK;
}

/* Returns whether s^n is below 2^64. */
static bool piles_fit(const struct sb_law *law)
{
    return law->shuffler->n * law->shuffler->shuffle.parameter < 64;
}

bool sb_piles_countable(const struct sb_law *law)
{
    const size_t n = law->shuffler->n;

    return sb_cells(n, n) && (n <= PILES_WIDE || piles_fit(law));
}

/* Returns whether the draw below 2 is a fair coin. */
static bool piles_coin(const struct sb_law *law)
{
    uint64_t coin[2] = { 0 };

    if (law->draw && law->draw->type->law)
        law->draw->type->law(law->draw, law->largest, 2, coin);
    return coin[0] == coin[1];
}

bool sb_piles_has(const struct sb_law *law)
{
    const struct sb_shuffler *const shuffler = law->shuffler;
    const enum sb_shuffle_form form = shuffler->shuffle.type->form;

    if (form == SB_FORM_NONE || shuffler->n < 2 || (form == SB_FORM_RIFFLE && !piles_coin(law)))
        return false;
    return (shuffler->deal == shuffler->n && shuffler->n <= PILES_MOST) || sb_piles_countable(law);
}

/* Returns the number of descents of a permutation or, if `inverse`, of its inverse. */
static size_t piles_descents(size_t n, const sb_item a[], bool inverse)
{
    sb_item place[PILES_COUNTED];
    size_t descents = 0;

    for (size_t j = 0; j < n; j++)
        place[inverse ? a[j] : j] = (sb_item)(inverse ? j : a[j]);
    for (size_t j = 1; j < n; j++)
        descents += place[j - 1] > place[j];
    return descents;
}

/* Adds the count of each permutation to the count of the deal with which the permutation begins. The
 * permutations that begin with the same deal have consecutive ranks. */
static enum sb_status piles_count(const struct sb_law *law, const struct piles *piles, struct sb_evidence *evidence)
{
    const bool inverse = law->shuffler->shuffle.type->form == SB_FORM_RIFFLE;
    const size_t n = piles->n, permutations = sb_cells(n, n), each = permutations / evidence->cells;
    uint64_t narrow[PILES_COUNTED] = { 0 };
    struct sb_numbers *const counts = &evidence->counts;
    const bool wide = counts->form == SB_NUMBERS_WIDE;

    for (size_t d = 0; d < n && !wide; d++)
        mpz_export(&narrow[d], NULL, 1, sizeof narrow[d], 0, 0, piles->count[d]);

    for (size_t rank = 0; rank < permutations; rank++) {
        sb_item a[PILES_COUNTED];

        if (rank % 65536 == 0 && sb_law_stopped(law))
            return SB_STOPPED;
        sb_permutation_unrank(n, n, rank, a);
        const size_t d = piles_descents(n, a, inverse);
        if (wide)
            mpz_add(counts->wide[rank / each], counts->wide[rank / each], piles->count[d]);
        else
            counts->u64[rank / each] += narrow[d];
    }
    return SB_OK;
}

enum sb_status sb_piles_counts(const struct sb_law *law, struct sb_evidence *evidence)
{
    struct piles piles;
    enum sb_status status = piles_open(law, &piles);

    if (status)
        return status;
    if (!piles_fit(law))
        status = sb_exact_widen(evidence);
    else
        evidence->total = UINT64_C(1) << piles.n * piles.bits;
    mpz_set(evidence->denominator, piles.all);
    if (status == SB_OK)
        status = piles_count(law, &piles, evidence);
    piles_close(&piles);
    return status;
}

/* ---- the effects ---- */

enum { PILES_PRECISION = 192 }; /* bits of precision of the numbers that are not integers */

/* The permutations with d descents. */
struct piles_part {
    mpf_t mass, weight; /* probability of the permutations: under the law, under uniformity */
    mpf_t deviation;    /* mass / weight - 1 */
    double ln_ratio;    /* ln(mass / weight); -HUGE_VAL if these permutations never occur */
};

/* Sets piles->ways to row n of the Eulerian triangle. Computes the triangle row by row, in place. */
static enum sb_status piles_set_ways(const struct sb_law *law, struct piles *piles)
{
    mpz_set_ui(piles->ways[0], 1);
    for (size_t m = 2; m <= piles->n; m++) {
        for (size_t d = m - 1; d > 0; d--) {
            mpz_mul_ui(piles->ways[d], piles->ways[d], d + 1);
            mpz_addmul_ui(piles->ways[d], piles->ways[d - 1], m - d);
        }
        if (sb_law_stopped(law))
            return SB_STOPPED;
    }
    return SB_OK;
}

static void piles_divide(mpf_t quotient, const mpz_t num, const mpz_t den)
{
    mpf_t divisor;

    mpf_init2(divisor, PILES_PRECISION);
    mpf_set_z(quotient, num);
    mpf_set_z(divisor, den);
    mpf_div(quotient, quotient, divisor);
    mpf_clear(divisor);
}

static double piles_ln(const mpz_t number)
{
    long exponent;
    const double mantissa = mpz_get_d_2exp(&exponent, number);

    return log(mantissa) + (double)exponent * 0.69314718055994530942;
}

static void piles_part_of(const struct piles *piles, size_t d, struct piles_part *part)
{
    mpz_t number;

    mpz_init(number);
    mpz_mul(number, piles->ways[d], piles->count[d]);
    piles_divide(part->mass, number, piles->all);
    piles_divide(part->weight, piles->ways[d], piles->orders);
    mpz_mul(number, piles->count[d], piles->orders);
    part->ln_ratio = mpz_sgn(number) ? piles_ln(number) - piles_ln(piles->all) : -HUGE_VAL;
    mpz_sub(number, number, piles->all);
    piles_divide(part->deviation, number, piles->all);
    mpz_clear(number);
}

/* Returns a term of the Kullback-Leibler divergence in nats: weight ((1+x) ln(1+x) - x), where x is the
 * deviation. No term is negative. */
static double piles_divergence(const struct piles_part *part)
{
    const double x = mpf_get_d(part->deviation), weight = mpf_get_d(part->weight);

    if (fabs(x) < 0.5 || x == -1)
        return weight * sb_closed_divergence(x);
    return mpf_get_d(part->mass) * (part->ln_ratio - 1) + weight;
}

static void piles_sum(const struct piles *piles, struct sb_effect *effect)
{
    struct piles_part part;
    double divergence = 0;
    mpf_t square, sum;

    mpf_init2(part.mass, PILES_PRECISION);
    mpf_init2(part.weight, PILES_PRECISION);
    mpf_init2(part.deviation, PILES_PRECISION);
    mpf_init2(square, PILES_PRECISION);
    mpf_init2(sum, PILES_PRECISION);
    for (size_t d = 0; d < piles->n; d++) {
        piles_part_of(piles, d, &part);
        divergence += piles_divergence(&part);
        mpf_mul(square, part.deviation, part.deviation);
        mpf_mul(square, square, part.weight);
        mpf_add(sum, sum, square);
        if (d == 0)
            effect->max_excess = mpf_get_d(part.deviation);
    }
    effect->max_ratio = 1 + effect->max_excess;
    effect->min_excess = mpf_get_d(part.deviation);
    effect->min_ratio = sb_closed_ratio(effect->min_excess, part.ln_ratio);
    effect->kl_bits = divergence / 0.69314718055994530942;
    effect->chi2_per_sample = mpf_get_d(sum);
    mpf_clears(part.mass, part.weight, part.deviation, square, sum, NULL);
}

/* Sets `fraction` to total variation. The probability falls as the number of descents d grows, so the
 * permutations that are more likely than 1/n! come first. */
static void piles_total_variation(const struct piles *piles, mpq_t fraction)
{
    mpz_t excess;

    mpz_init(excess);
    for (size_t d = 0; d < piles->n; d++) {
        mpz_mul(excess, piles->count[d], piles->orders);
        mpz_sub(excess, excess, piles->all);
        if (mpz_sgn(excess) <= 0)
            break;
        mpz_addmul(mpq_numref(fraction), excess, piles->ways[d]);
    }
    mpz_mul(mpq_denref(fraction), piles->all, piles->orders);
    mpq_canonicalize(fraction);
    mpz_clear(excess);
}

/* Sets the most likely permutation, which is the identity, and one of the least likely, which is the reversed deck. */
static enum sb_status piles_extremes(const struct piles *piles, struct sb_effect *effect)
{
    mpz_t total;

    effect->most_deal = calloc(piles->n, sizeof *effect->most_deal);
    effect->least_deal = calloc(piles->n, sizeof *effect->least_deal);
    if (!effect->most_deal || !effect->least_deal)
        return SB_NO_MEMORY;
    for (size_t j = 0; j < piles->n; j++) {
        effect->most_deal[j] = (sb_item)j;
        effect->least_deal[j] = (sb_item)(piles->n - 1 - j);
    }
    effect->most_total = 1;
    mpz_init(total);
    for (size_t d = piles->n; d-- > 0 && mpz_cmp(piles->count[d], piles->count[piles->n - 1]) == 0;)
        mpz_add(total, total, piles->ways[d]);
    effect->least_total = mpz_fits_ulong_p(total) ? (size_t)mpz_get_ui(total) : SIZE_MAX;
    mpz_clear(total);
    return SB_OK;
}

enum sb_status sb_piles_effect(const struct sb_law *law, struct sb_effect *effect)
{
    struct sb_effect made = sb_closed_effect;
    struct piles piles;
    enum sb_status status = piles_open(law, &piles);

    if (status)
        return status;
    mpq_init(made.total_variation_exact);
    status = piles_set_ways(law, &piles);
    if (status == SB_OK)
        status = piles_extremes(&piles, &made);
    if (status == SB_OK) {
        piles_total_variation(&piles, made.total_variation_exact);
        made.total_variation = mpq_get_d(made.total_variation_exact);
        piles_sum(&piles, &made);
        *effect = made;
    } else {
        sb_effect_close(&made);
    }
    piles_close(&piles);
    return status;
}
