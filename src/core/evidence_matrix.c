/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes the matrix of items by positions from the counts by rank.
 *
 * Ranks are lexicographic, so all deals that begin with the same items are consecutive. The sum of the counts
 * of these deals is computed only once. It is added to the matrix, and it is also a term of the sum for the
 * beginning that is one item shorter. Cost: 2.7 additions for each permutation, for any n. With doubles, the
 * rounding error of each addition is summed as well (Knuth, The Art of Computer Programming, vol. 2, 4.2.2,
 * theorem B), so that a sum is as accurate as its terms.
 */
#include "core/evidence.h"
#include "core/wide.h"

#include <stdlib.h>

/* The sums so far, [n * deal], in the number type of the evidence. */
struct matrix_sums {
    const struct sb_evidence *evidence;
    size_t next;   /* rank of the next deal */
    bool *used;    /* [n] which items are at the positions before the current one */
    sb_wide *mass; /* [n * deal] the sums of counts of 32 or 64 bits */
    double *low;   /* [n * deal] sums of rounding errors: a sum of shares is matrix.share + low */
    struct sb_numbers matrix;
};

static sb_wide matrix_pair(uint64_t one, uint64_t other)
{
    return sb_wide_add(sb_wide_from(one), sb_wide_from(other));
}

/* Handles the last three positions. Three items, a < b < c, have no positions yet, so six permutations
 * remain. Adds the counts of these permutations to the cells of the last three positions. Returns the sum of
 * the six counts. */
static sb_wide matrix_last(struct matrix_sums *sums)
{
    const size_t n = sums->evidence->n, deal = sums->evidence->deal;
    uint64_t abc[6]; /* abc acb bac bca cab cba */
    sb_wide *mass[3];
    size_t found = 0;

    for (size_t item = 0; item < n && found < 3; item++)
        if (!sums->used[item])
            mass[found++] = sums->mass + item * deal + deal - 3;
    for (size_t k = 0; k < 6; k++)
        abc[k] = sb_numbers_u64(&sums->evidence->counts, sums->next++);

    const sb_wide a = matrix_pair(abc[0], abc[1]), b = matrix_pair(abc[2], abc[3]);
    const sb_wide c = matrix_pair(abc[4], abc[5]);

    mass[0][0] = sb_wide_add(mass[0][0], a);
    mass[1][0] = sb_wide_add(mass[1][0], b);
    mass[2][0] = sb_wide_add(mass[2][0], c);
    mass[0][1] = sb_wide_add(mass[0][1], matrix_pair(abc[2], abc[4]));
    mass[1][1] = sb_wide_add(mass[1][1], matrix_pair(abc[0], abc[5]));
    mass[2][1] = sb_wide_add(mass[2][1], matrix_pair(abc[1], abc[3]));
    mass[0][2] = sb_wide_add(mass[0][2], matrix_pair(abc[3], abc[5]));
    mass[1][2] = sb_wide_add(mass[1][2], matrix_pair(abc[1], abc[4]));
    mass[2][2] = sb_wide_add(mass[2][2], matrix_pair(abc[0], abc[2]));
    return sb_wide_add(sb_wide_add(a, b), c);
}

/* Handles all deals that begin with the `depth` items chosen so far. Adds the counts of these deals to the
 * cells of the later positions. Returns the sum of the counts. */
static sb_wide matrix_counts(struct matrix_sums *sums, size_t depth)
{
    const size_t n = sums->evidence->n, deal = sums->evidence->deal;
    sb_wide all = sb_wide_from(0);

    if (depth == deal)
        return sb_wide_from(sb_numbers_u64(&sums->evidence->counts, sums->next++));
    if (depth + 3 == n && deal == n)
        return matrix_last(sums);
    for (size_t item = 0; item < n; item++) {
        if (sums->used[item])
            continue;
        sums->used[item] = true;
        const sb_wide mass = matrix_counts(sums, depth + 1);
        sums->mass[item * deal + depth] = sb_wide_add(sums->mass[item * deal + depth], mass);
        all = sb_wide_add(all, mass);
        sums->used[item] = false;
    }
    return all;
}

static double matrix_shares(struct matrix_sums *sums, size_t depth)
{
    const size_t n = sums->evidence->n, deal = sums->evidence->deal;
    double all = 0;

    if (depth == deal)
        return sums->evidence->counts.share[sums->next++];
    for (size_t item = 0; item < n; item++) {
        if (sums->used[item])
            continue;
        sums->used[item] = true;
        const double share = matrix_shares(sums, depth + 1), old = sums->matrix.share[item * deal + depth];
        const double new = old + share, taken = new - old;

        sums->matrix.share[item * deal + depth] = new;
        sums->low[item * deal + depth] += (old - (new - taken)) + (share - taken);
        all += share;
        sums->used[item] = false;
    }
    return all;
}

/* Does what matrix_counts() does, for GMP integers. Adds the sum of the counts to `all`. */
static void matrix_wide(struct matrix_sums *sums, size_t depth, mpz_t all)
{
    const size_t n = sums->evidence->n, deal = sums->evidence->deal;
    mpz_t sum;

    if (depth == deal) {
        mpz_add(all, all, sums->evidence->counts.wide[sums->next++]);
        return;
    }
    mpz_init(sum);
    for (size_t item = 0; item < n; item++) {
        if (sums->used[item])
            continue;
        sums->used[item] = true;
        mpz_set_ui(sum, 0);
        matrix_wide(sums, depth + 1, sum);
        mpz_add(sums->matrix.wide[item * deal + depth], sums->matrix.wide[item * deal + depth], sum);
        mpz_add(all, all, sum);
        sums->used[item] = false;
    }
    mpz_clear(sum);
}

/* Computes the matrix from counts of 32 or 64 bits. The sums are stored in 64 bits if the total fits, else as
 * GMP integers. */
static enum sb_status matrix_of_counts(struct matrix_sums *sums, size_t size)
{
    const bool narrow = sums->evidence->total || sums->evidence->by != SB_BY_EXACT;

    sums->mass = calloc(size + 1, sizeof *sums->mass);
    if (!sums->mass || sb_numbers_open(narrow ? SB_NUMBERS_U64 : SB_NUMBERS_WIDE, size, &sums->matrix))
        return SB_NO_MEMORY;
    matrix_counts(sums, 0);
    for (size_t i = 0; i < size; i++)
        if (narrow)
            sums->matrix.u64[i] = sb_wide_low(sums->mass[i]);
        else
            sb_mpz_set_wide(sums->matrix.wide[i], sums->mass[i]);
    return SB_OK;
}

static enum sb_status matrix_of_shares(struct matrix_sums *sums, size_t size)
{
    sums->low = calloc(size + 1, sizeof *sums->low);
    if (!sums->low || sb_numbers_open(SB_NUMBERS_SHARE, size, &sums->matrix))
        return SB_NO_MEMORY;
    matrix_shares(sums, 0);
    for (size_t i = 0; i < size; i++)
        sums->matrix.share[i] += sums->low[i];
    return SB_OK;
}

static enum sb_status matrix_of_wide(struct matrix_sums *sums, size_t size)
{
    mpz_t all;

    if (sb_numbers_open(SB_NUMBERS_WIDE, size, &sums->matrix))
        return SB_NO_MEMORY;
    mpz_init(all);
    matrix_wide(sums, 0, all);
    mpz_clear(all);
    return SB_OK;
}

enum sb_status sb_evidence_matrix(struct sb_evidence *evidence)
{
    const enum sb_number_form form = evidence->counts.form;
    const size_t size = evidence->n * evidence->deal;
    struct matrix_sums sums = { .evidence = evidence };
    enum sb_status status = SB_NO_MEMORY;

    if (evidence->matrix.form || evidence->cells == 0)
        return SB_OK;
    sums.used = calloc(evidence->n + 1, sizeof *sums.used);
    if (sums.used)
        status = form == SB_NUMBERS_WIDE    ? matrix_of_wide(&sums, size)
                 : form == SB_NUMBERS_SHARE ? matrix_of_shares(&sums, size)
                                            : matrix_of_counts(&sums, size);
    free(sums.used);
    free(sums.mass);
    free(sums.low);
    evidence->matrix = sums.matrix;
    return status;
}
