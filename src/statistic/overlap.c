/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many items of a line are in the same group as before: of a lottery, how many numbers of the last draw came again.
 * Of a single line, "before" is the order before the shuffle; the gate and the report compare lines at several lags.
 *
 * A partition with j given items in their own groups is a way to place j rooks on the squares (item of group g, place
 * of group g). There are R(j) = [x^j] product over groups of sum of C(m, i)^2 i! x^i ways for groups of m items, and
 * the other n - j items are free. So P(exactly r) = sum over j >= r of (-1)^(j-r) C(j, r) R(j) (n-j)!/n!, in integers,
 * because terms of both signs cancel. Of a set of k it is the hypergeometric law. I. Kaplansky and J. Riordan, The
 * problem of the rooks, Duke Mathematical Journal 13 (1946) 259, doi:10.1215/S0012-7094-46-01324-5.
 */
#include "core/numbers.h"
#include "statistic/statistic.h"

#include <math.h>

enum { OVERLAP_DEALT_MOST = 256, OVERLAP_ITEMS_MOST = 8192 };

bool sb_overlap_known(const struct sb_multiset *multiset, size_t n, size_t k)
{
    const size_t dealt = multiset && multiset->groups ? multiset->begin[multiset->groups] : multiset ? SIZE_MAX : k;

    return n <= OVERLAP_ITEMS_MOST && dealt <= OVERLAP_DEALT_MOST;
}

static size_t overlap_members(const struct sb_multiset *multiset, size_t k)
{
    return multiset->groups && sb_overlap_known(multiset, multiset->n, k);
}

static size_t overlap_cells(const struct sb_multiset *multiset, size_t k)
{
    return overlap_members(multiset, k) ? multiset->begin[multiset->groups] + 1 : 0;
}

/* Multiplies rooks[0..degree] by the sum of C(m, i)^2 i! x^i; scratch[0..degree + m] is scratch. */
static void overlap_multiply(mpz_t rooks[], size_t degree, size_t m, mpz_t scratch[])
{
    mpz_t ways;

    mpz_init_set_ui(ways, 1);
    for (size_t j = 0; j <= degree + m; j++)
        mpz_set_ui(scratch[j], 0);
    for (size_t i = 0; i <= m; i++) {
        for (size_t j = 0; j <= degree; j++)
            mpz_addmul(scratch[i + j], ways, rooks[j]);
        mpz_mul_ui(ways, ways, (m - i) * (m - i)); /* C(m, i+1)^2 (i+1)! = C(m, i)^2 i! (m-i)^2 / (i+1) */
        mpz_divexact_ui(ways, ways, i + 1);
    }
    for (size_t j = 0; j <= degree + m; j++)
        mpz_swap(rooks[j], scratch[j]);
    mpz_clear(ways);
}

static enum sb_status overlap_null_law(const struct sb_multiset *multiset, size_t k, double ln_p[])
{
    const size_t n = multiset->n, dealt = multiset->begin[multiset->groups];
    mpz_t *const rooks = sb_mpz_new(2 * (dealt + 1), 64);
    mpz_t all, free, count, choose;

    if (!rooks)
        return SB_NO_MEMORY;
    mpz_inits(all, free, count, choose, NULL);
    mpz_set_ui(rooks[0], 1);
    for (size_t g = 0; g < multiset->groups; g++)
        overlap_multiply(rooks, multiset->begin[g], sb_multiset_copies(multiset, g), rooks + dealt + 1);
    mpz_fac_ui(all, n);
    mpz_set(free, all);
    for (size_t j = 0; j <= dealt; j++) { /* R(j) (n-j)! */
        mpz_mul(rooks[j], rooks[j], free);
        if (j < n)
            mpz_divexact_ui(free, free, n - j);
    }
    for (size_t r = 0; r <= dealt; r++) {
        mpz_set_ui(count, 0);
        for (size_t j = r; j <= dealt; j++) {
            mpz_bin_uiui(choose, j, r);
            if ((j - r) % 2)
                mpz_submul(count, choose, rooks[j]);
            else
                mpz_addmul(count, choose, rooks[j]);
        }
        ln_p[r] = mpz_sgn(count) > 0 ? sb_mpz_ln_ratio(count, all) : -HUGE_VAL;
    }
    mpz_clears(all, free, count, choose, NULL);
    sb_mpz_free(rooks, 2 * (dealt + 1));
    return SB_OK;
}

static void overlap_classify(const struct sb_multiset *multiset, size_t k, const sb_item a[], uint32_t cell[])
{
    const size_t dealt = multiset->begin[multiset->groups];

    cell[0] = 0;
    for (size_t j = 0; j < dealt; j++)
        cell[0] += multiset->kind[a[j]] == multiset->kind[j];
}

static const struct sb_statistic_equal overlap_equal = {
    .members = overlap_members,
    .cells = overlap_cells,
    .null_law = overlap_null_law,
    .classify = overlap_classify,
};

const struct sb_statistic_type sb_statistic_overlap = {
    .name = "overlap",
    .title = "how many items are in the same group as at the start",
    .cite = "Kaplansky and Riordan, doi:10.1215/S0012-7094-46-01324-5",
    .obtained = "integers, by inclusion and exclusion",
    .range = "sets and hands of up to 256 of 8,192 items",
    .equal = &overlap_equal,
};
