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
 * D. Bayer and P. Diaconis, Trailing the dovetail shuffle to its lair, Annals of Applied Probability 2 (1992)
 * 294, doi:10.1214/aoap/1177005705, Theorem 1.
 */
#include "exact/closed/closed_piles.h"

#include "core/evidence.h"

#include <stdlib.h>

void sb_piles_close(struct sb_piles *piles)
{
    for (size_t d = 0; d < piles->n; d++) {
        if (piles->ways)
            mpz_clear(piles->ways[d]);
        if (piles->count)
            mpz_clear(piles->count[d]);
    }
    free(piles->ways);
    free(piles->count);
    mpz_clears(piles->orders, piles->all, NULL);
}

/* Sets piles->count[d], for each number of descents d. */
static void piles_set_counts(struct sb_piles *piles)
{
    const size_t n = piles->n;
    mpz_t m, rest;

    mpz_inits(m, rest, NULL);
    mpz_setbit(m, piles->bits);
    mpz_add_ui(m, m, n - 1);
    mpz_bin_ui(piles->count[0], m, n);
    for (size_t d = 1; d < n;
         d++) { /* C(m-1, n) = C(m, n) (m-n) / m. Once a count is 0, all later counts are 0 */
        mpz_sub_ui(rest, m, n);
        mpz_mul(piles->count[d], piles->count[d - 1], rest);
        mpz_divexact(piles->count[d], piles->count[d], m);
        mpz_sub_ui(m, m, 1);
    }
    mpz_clears(m, rest, NULL);
}

enum sb_status sb_piles_open(const struct sb_law *law, struct sb_piles *piles)
{
    *piles = (struct sb_piles) { .n = law->shuffler->n, .bits = (unsigned)law->shuffler->shuffle.parameter };
    mpz_inits(piles->orders, piles->all, NULL);
    mpz_fac_ui(piles->orders, piles->n);
    mpz_setbit(piles->all, piles->n * piles->bits);
    piles->ways = calloc(piles->n, sizeof *piles->ways);
    piles->count = calloc(piles->n, sizeof *piles->count);
    for (size_t d = 0; d < piles->n; d++) {
        if (piles->ways)
            mpz_init(piles->ways[d]);
        if (piles->count)
            mpz_init(piles->count[d]);
    }
    if (!piles->ways || !piles->count) {
        sb_piles_close(piles);
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

    return sb_cells(n, n) && (n <= SB_PILES_WIDE || piles_fit(law));
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
    return (shuffler->deal == shuffler->n && shuffler->n <= SB_PILES_MOST) || sb_piles_countable(law);
}

/* Returns the number of descents of a permutation or, if `inverse`, of its inverse. */
static size_t piles_descents(size_t n, const sb_item a[], bool inverse)
{
    sb_item place[SB_PILES_COUNTED];
    size_t descents = 0;

    for (size_t j = 0; j < n; j++)
        place[inverse ? a[j] : j] = (sb_item)(inverse ? j : a[j]);
    for (size_t j = 1; j < n; j++)
        descents += place[j - 1] > place[j];
    return descents;
}

/* Adds the count of each permutation to the count of the deal with which the permutation begins. The
 * permutations that begin with the same deal have consecutive ranks. */
static enum sb_status piles_count(const struct sb_law *law, const struct sb_piles *piles,
                                  struct sb_evidence *evidence)
{
    const bool inverse = law->shuffler->shuffle.type->form == SB_FORM_RIFFLE;
    const size_t n = piles->n, permutations = sb_cells(n, n), each = permutations / evidence->cells;
    uint64_t narrow[SB_PILES_COUNTED] = { 0 };
    struct sb_numbers *const counts = &evidence->counts;
    const bool wide = counts->form == SB_NUMBERS_WIDE;

    for (size_t d = 0; d < n && !wide; d++)
        mpz_export(&narrow[d], NULL, 1, sizeof narrow[d], 0, 0, piles->count[d]);

    for (size_t rank = 0; rank < permutations; rank++) {
        sb_item a[SB_PILES_COUNTED];

        if (rank % 65536 == 0 && law->stop && *law->stop)
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
    struct sb_piles piles;
    enum sb_status status = sb_piles_open(law, &piles);

    if (status)
        return status;
    if (!piles_fit(law))
        status = sb_exact_widen(evidence);
    else
        evidence->total = UINT64_C(1) << piles.n * piles.bits;
    mpz_set(evidence->denominator, piles.all);
    if (status == SB_OK)
        status = piles_count(law, &piles, evidence);
    sb_piles_close(&piles);
    return status;
}
