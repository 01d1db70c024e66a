/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The laws of faulty shuffles, as fractions: of draws, of riffles, of rotations, and by rank. */
#include "certified/exact_law.h"

#include "exact/engine.h"
#include "study/catalogue/look.h"
#include "subject/subject.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void parse(const char *name, struct sb_scheme *scheme)
{
    assert_int_equal(sb_scheme_parse(name, NULL, NULL, NULL, scheme), SB_OK);
}

/* Fisher-Yates with a biased draw: words that give the answer, of all words. */
static void law_of_biased_draws(const struct sb_scheme *scheme, size_t n, slong bits, arb_ptr ratio)
{
    const uint64_t largest = sb_draw_largest(&scheme->draw, scheme->rng.largest);
    uint64_t mass[SB_CATALOGUE_ITEMS];

    for (size_t i = 1; i < n; i++) {
        scheme->draw.type->law(&scheme->draw, largest, (uint32_t)(i + 1), mass);
        for (size_t d = 0; d <= i; d++) {
            const arb_ptr to = ratio + sb_deck_draws_cell(i, d);

            arb_set_ui(to, (ulong)mass[d]);
            arb_mul_ui(to, to, i + 1, bits);
            arb_div_ui(to, to, (ulong)largest + 1, bits);
        }
    }
}

/* Shuffles that draw from a part of 0..i only, or do not draw at all for some i. */
static void law_of_steps(const struct sb_scheme *scheme, size_t n, slong bits, arb_ptr ratio)
{
    struct sb_shuffler shuffler;

    assert_int_equal(sb_shuffler_open(scheme->shuffle, n, n, &shuffler), SB_OK);
    for (size_t i = 1; i < n; i++) {
        size_t from = i, bound = 1;

        for (size_t k = 0; k < shuffler.count; k++)
            if (shuffler.steps[k].at == i) {
                from = shuffler.steps[k].from;
                bound = shuffler.steps[k].bound;
            }
        for (size_t d = 0; d <= i; d++) {
            const arb_ptr to = ratio + sb_deck_draws_cell(i, d);

            arb_set_ui(to, d >= from && d < from + bound ? i + 1 : 0);
            arb_div_ui(to, to, bound, bits);
        }
    }
    sb_shuffler_close(&shuffler);
}

static void law_of_draws(const struct sb_candidate *candidate, size_t n, slong bits, arb_ptr ratio)
{
    struct sb_scheme scheme;

    parse(candidate->scheme, &scheme);
    if (scheme.draw.type->law)
        law_of_biased_draws(&scheme, n, bits, ratio);
    else
        law_of_steps(&scheme, n, bits, ratio);
    for (size_t i = 1; i < n && candidate->of >= SB_VIEW_FORWARD; i++)
        for (size_t d = 0; d < i - d; d++)
            arb_swap(ratio + sb_deck_draws_cell(i, d), ratio + sb_deck_draws_cell(i, i - d));
}

/* The number behind the colon of a scheme. */
static ulong parameter(const char *scheme)
{
    return strtoul(strchr(scheme, ':') + 1, NULL, 10);
}

static bool is_reversed(const struct sb_candidate *candidate)
{
    return strstr(candidate->name, "reversed") != NULL;
}

/* C(m + n - r, n) n!/m^n for r rising sequences, with m = 2^K (Bayer and Diaconis). */
static void law_of_riffles(const struct sb_candidate *candidate, size_t n, slong bits, arb_ptr ratio)
{
    const slong packets = WORD(1) << parameter(candidate->scheme);

    for (slong r = 1; r <= (slong)n; r++) {
        const arb_ptr to = ratio + (is_reversed(candidate) ? (slong)n - r : r - 1);

        arb_one(to);
        for (slong i = 0; i < (slong)n; i++) {
            const slong left = packets + (slong)n - r - i;

            arb_mul_si(to, to, left > 0 ? left : 0, bits);
            arb_div_si(to, to, packets, bits);
        }
    }
}

/* A rotation by k, times n!: n!/n, or n! C(n, k)/2^n with k = n for k = 0. Read from its end, it has the item k - 1 in
 * front. */
static void law_of_rotations(const struct sb_candidate *candidate, size_t n, slong bits, arb_ptr ratio)
{
    const bool cut = strcmp(candidate->scheme, "cut") == 0;

    for (size_t i = 0; i <= 2 * n; i++)
        arb_zero(ratio + i);
    for (size_t k = 0; k < n; k++) {
        const arb_ptr to = ratio + (is_reversed(candidate) ? n + (k + n - 1) % n : k);
        ARBS(share);

        arb_fac_ui(to, n, bits);
        if (cut) {
            arb_bin_uiui(share, n, k, bits);
            arb_add_ui(share, share, k == 0, bits);
            arb_mul_2exp_si(share, share, -(slong)n);
            arb_mul(to, to, share, bits);
        } else {
            arb_div_ui(to, to, n, bits);
        }
    }
}

/* What a program prints: the deck, its inverse, or one of these from its end. */
static size_t printed_rank(size_t n, size_t rank, bool inverted, bool reversed)
{
    sb_item a[SB_CATALOGUE_RANKED], to[SB_CATALOGUE_RANKED];

    sb_permutation_unrank(n, n, rank, a);
    for (size_t j = 0; j < n; j++)
        to[inverted ? a[j] : j] = (sb_item)(inverted ? j : a[j]);
    for (size_t j = 0; j < n; j++)
        a[reversed ? n - 1 - j : j] = to[j];
    return (size_t)sb_permutation_rank(n, n, a);
}

static void law_by_rank(const struct sb_candidate *candidate, size_t n, slong bits, arb_ptr ratio)
{
    struct sb_evidence evidence = { 0 };
    struct sb_request options;
    struct sb_scheme scheme;
    struct sb_shuffler shuffler;
    struct sb_error error;
    fmpz_t integer;
    mpz_t count;

    fmpz_init(integer);
    mpz_init(count);
    sb_request_init(&options, SB_REPORT);
    options.threads = 1;
    parse(candidate->scheme, &scheme);
    assert_int_equal(sb_shuffler_open(scheme.shuffle, n, n, &shuffler), SB_OK);
    const struct sb_law law = sb_scheme_law(&scheme, &shuffler, &options);

    assert_int_equal(sb_engine_law(&law, HUGE_VAL, &error, &evidence), SB_OK);
    assert_true(sb_numbers_whole(&evidence.counts));
    for (size_t rank = 0; rank < evidence.cells; rank++) {
        const arb_ptr to =
            ratio + printed_rank(n, rank, strstr(candidate->name, "inverted") != NULL, is_reversed(candidate));

        sb_numbers_integer(&evidence.counts, rank, count);
        fmpz_set_mpz(integer, count);
        arb_set_fmpz(to, integer);
        arb_mul_ui(to, to, evidence.cells, bits);
        fmpz_set_mpz(integer, evidence.denominator);
        arb_div_fmpz(to, to, integer, bits);
    }
    sb_evidence_close(&evidence);
    sb_shuffler_close(&shuffler);
    mpz_clear(count);
    fmpz_clear(integer);
}

void exact_law(const struct sb_candidate *candidate, size_t n, slong bits, arb_ptr ratio)
{
    if (candidate->of < SB_VIEWS)
        law_of_draws(candidate, n, bits, ratio);
    else if (candidate->of == SB_COUNTS_ROTATIONS)
        law_of_rotations(candidate, n, bits, ratio);
    else if (candidate->of == SB_COUNTS_RANKS)
        law_by_rank(candidate, n, bits, ratio);
    else
        law_of_riffles(candidate, n, bits, ratio);
}

/* The numbers of permutations with 0..n-1 descents: A(n, k) = (k+1) A(n-1, k) + (n-k) A(n-1, k-1). */
static void eulerian(size_t n, arb_ptr number)
{
    enum { EXACT = 1 << 14 };
    ARBS(term);

    arb_one(number);
    for (size_t m = 2; m <= n; m++)
        for (size_t k = m; k-- > 0;) {
            arb_mul_ui(number + k, number + k, k + 1, EXACT);
            if (k > 0) {
                arb_mul_ui(term, number + k - 1, m - k, EXACT);
                arb_add(number + k, number + k, term, EXACT);
            }
        }
}

static void mean_of_draws(size_t n, arb_srcptr ln_ratio, slong bits, arb_t mean)
{
    ARBS(sum, term);

    arb_one(mean);
    for (size_t i = 1; i < n; i++) {
        arb_zero(sum);
        for (size_t d = 0; d <= i; d++) {
            arb_exp(term, ln_ratio + sb_deck_draws_cell(i, d), bits);
            arb_add(sum, sum, term, bits);
        }
        arb_div_ui(sum, sum, i + 1, bits);
        arb_mul(mean, mean, sum, bits);
    }
}

void exact_mean(size_t n, size_t of, arb_srcptr ln_ratio, slong bits, arb_t mean)
{
    const size_t cells = sb_catalogue_cells(n, of);
    const bool riffles = of == SB_COUNTS_RISES || of == SB_COUNTS_DESCENTS;
    arb_ptr number = _arb_vec_init((slong)n);
    ARBS(term);

    if (of < SB_VIEWS) {
        mean_of_draws(n, ln_ratio, bits, mean);
        _arb_vec_clear(number, (slong)n);
        return;
    }
    if (riffles)
        eulerian(n, number);
    arb_zero(mean);
    for (size_t i = 0; i < cells; i++) {
        arb_exp(term, ln_ratio + i, bits);
        if (riffles)
            arb_mul(term, term, number + i, bits);
        arb_add(mean, mean, term, bits);
    }
    arb_fac_ui(term, n, bits);
    arb_div(mean, mean, term, bits);
    _arb_vec_clear(number, (slong)n);
}
