/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The number of runs of equal cards, in a deck with equal cards. A run is a longest series of neighbours that
 * are equal: A A B A has three runs.
 *
 * Cut the deck into b blocks of equal cards, which may have equal neighbours. Let a kind have m cards, in j
 * blocks: there are C(m-1, j-1) ways to choose the sizes. So the number of decks that are cut into b blocks
 * is
 *
 *   G(b) = b! [x^b] product over kinds of sum over j of C(m-1, j-1) x^j / j!
 *
 * A deck with r runs can be cut into b blocks in C(n-r, b-r) ways, so G(b) = sum over r of N(r) C(n-r, b-r),
 * where N(r) is the number of decks with r runs. The inversion is N(r) = sum over b <= r of (-1)^(r-b) C(n-b,
 * r-b) G(b). The code computes in integers, because terms of both signs cancel. Cost: n^2 products of
 * integers with about n log2(n) bits.
 *
 * Two kinds: A. Wald and J. Wolfowitz, On a test whether two samples are from the same population, Annals of
 * Mathematical Statistics 11 (1940) 147, doi:10.1214/aoms/1177731909. Several kinds: A. M. Mood, The
 * distribution theory of runs, 11 (1940) 367, doi:10.1214/aoms/1177731825.
 */
#include "core/numbers.h"
#include "statistic/statistic.h"

#include <math.h>

enum { RUNS_ITEMS_MOST = 512 };

static size_t runs_members(const struct sb_multiset *multiset, size_t k)
{
    return k == multiset->n && multiset->n <= RUNS_ITEMS_MOST;
}

static size_t runs_cells(const struct sb_multiset *multiset, size_t k)
{
    return runs_members(multiset, k) ? multiset->n + 1 : 0;
}

/* Multiplies the polynomial p of degree `degree` by the sum over j of C(m-1, j-1) m!/j! x^j. scratch[0..degree+m] is
 * scratch. */
static void runs_multiply(mpz_t p[], size_t degree, size_t m, mpz_t scratch[])
{
    mpz_t factor;

    mpz_init(factor);
    for (size_t b = 0; b <= degree + m; b++)
        mpz_set_ui(scratch[b], 0);
    for (size_t j = 1; j <= m; j++) {
        mpz_bin_uiui(factor, m - 1, j - 1);
        for (size_t i = j + 1; i <= m; i++)
            mpz_mul_ui(factor, factor, i);
        for (size_t b = 0; b <= degree; b++)
            mpz_addmul(scratch[b + j], factor, p[b]);
    }
    for (size_t b = 0; b <= degree + m; b++)
        mpz_swap(p[b], scratch[b]);
    mpz_clear(factor);
}

/* Sets g[b] to G(b) times the product of m! over all kinds, for b = 0..n. */
static void runs_blocks(const struct sb_multiset *multiset, mpz_t g[], mpz_t scratch[])
{
    size_t degree = 0;
    mpz_t factorial;

    mpz_set_ui(g[0], 1);
    for (size_t kind = 0; kind < multiset->kinds; kind++) {
        const size_t m = sb_multiset_copies(multiset, kind);

        runs_multiply(g, degree, m, scratch);
        degree += m;
    }
    mpz_init_set_ui(factorial, 1);
    for (size_t b = 1; b <= multiset->n; b++) {
        mpz_mul_ui(factorial, factorial, b);
        mpz_mul(g[b], g[b], factorial);
    }
    mpz_clear(factorial);
}

/* Sets ln_p[r] from g[], which is G(b) times a constant. */
static void runs_invert(size_t n, const mpz_t g[], double ln_p[])
{
    mpz_t count, choose, all;

    mpz_inits(count, choose, all, NULL);
    mpz_fac_ui(all, n); /* the sum of all N(r), times the same constant: n! */
    for (size_t r = 0; r <= n; r++) {
        mpz_set_ui(count, 0);
        mpz_bin_uiui(choose, n, r);
        for (size_t b = 0; b <= r; b++) {
            if (b > 0) { /* C(n-b, r-b) = C(n-b+1, r-b+1) (r-b+1)/(n-b+1) */
                mpz_mul_ui(choose, choose, r - b + 1);
                mpz_divexact_ui(choose, choose, n - b + 1);
            }
            if ((r - b) % 2)
                mpz_submul(count, choose, g[b]);
            else
                mpz_addmul(count, choose, g[b]);
        }
        ln_p[r] = mpz_sgn(count) > 0 ? sb_mpz_ln_ratio(count, all) : -HUGE_VAL;
    }
    mpz_clears(count, choose, all, NULL);
}

static enum sb_status runs_null_law(const struct sb_multiset *multiset, size_t k, double ln_p[])
{
    const size_t n = multiset->n;
    mpz_t *const g = sb_mpz_new(2 * (n + 1), 64);

    if (!g)
        return SB_NO_MEMORY;
    runs_blocks(multiset, g, g + n + 1);
    runs_invert(n, (const mpz_t *)g, ln_p);
    sb_mpz_free(g, 2 * (n + 1));
    return SB_OK;
}

static void runs_classify(const struct sb_multiset *multiset, size_t k, const sb_item a[], uint32_t cell[])
{
    cell[0] = k > 0;
    for (size_t j = 1; j < k; j++)
        cell[0] += multiset->kind[a[j]] != multiset->kind[a[j - 1]];
}

static const struct sb_statistic_equal runs_equal = {
    .members = runs_members,
    .cells = runs_cells,
    .null_law = runs_null_law,
    .classify = runs_classify,
};

const struct sb_statistic_type sb_statistic_runs = {
    .name = "runs",
    .title = "how many runs of equal cards there are",
    .cite = "Wald and Wolfowitz, doi:10.1214/aoms/1177731909; Mood, doi:10.1214/aoms/1177731825",
    .obtained = "integers, by inclusion and exclusion",
    .range = "whole decks of up to 512 items with equal cards, which `cards` names",
    .equal = &runs_equal,
};
