/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evidence: its memory, its matrix, its fractions. The matrix of N cells of k items costs N k additions. */
#include "core/evidence.h"

#include <stdlib.h>

enum sb_status sb_evidence_open(enum sb_by by, size_t n, size_t deal, struct sb_evidence *evidence)
{
    struct sb_evidence made = { .by = by, .n = n, .deal = deal, .cells = sb_cells(n, deal) };

    if (made.cells || by == SB_BY_SEEDS)
        made.count = calloc(made.cells + 1, sizeof *made.count);
    else
        made.matrix = calloc(n * deal + 1, sizeof *made.matrix);
    if (!made.count && !made.matrix)
        return SB_NO_MEMORY;
    mpz_init(made.denominator);
    *evidence = made;
    return SB_OK;
}

const char *sb_by_name(enum sb_by by)
{
    return by == SB_BY_EXACT ? "exact" : by == SB_BY_SEEDS ? "seeds" : "sample";
}

static void evidence_free_wide(mpz_t wide[], size_t count)
{
    for (size_t i = 0; wide && i < count; i++)
        mpz_clear(wide[i]);
    free(wide);
}

void sb_evidence_close(struct sb_evidence *evidence)
{
    if (evidence->by == 0)
        return;
    evidence_free_wide(evidence->wide, evidence->cells);
    evidence_free_wide(evidence->wide_matrix, evidence->n * evidence->deal);
    if (evidence->reach)
        mpz_clear(evidence->reach->deals);
    free(evidence->reach);
    free(evidence->count);
    free(evidence->matrix);
    free(evidence->small);
    free(evidence->share);
    free(evidence->matrix_share);
    mpz_clear(evidence->denominator);
    *evidence = (struct sb_evidence) { 0 };
}

/* The next deal of k out of n in lexicographic order, in place; scratch says which items are free. */
static void evidence_next_deal(size_t n, size_t k, sb_item a[], bool used[])
{
    for (size_t i = k; i-- > 0;) {
        size_t item = a[i] + 1U;

        used[a[i]] = false;
        while (item < n && used[item])
            item++;
        if (item == n)
            continue;
        a[i] = (sb_item)item;
        used[item] = true;
        for (size_t j = i + 1, least = 0; j < k; j++, least++) {
            while (used[least])
                least++;
            a[j] = (sb_item)least;
            used[least] = true;
        }
        return;
    }
}

static void evidence_add_up(struct sb_evidence *evidence, sb_item a[], bool used[])
{
    const size_t n = evidence->n, k = evidence->deal;

    for (size_t j = 0; j < k; j++) {
        a[j] = (sb_item)j;
        used[j] = true;
    }
    for (size_t rank = 0; rank < evidence->cells; rank++) {
        for (size_t j = 0; j < k; j++) {
            const size_t cell = a[j] * k + j;

            if (evidence->wide)
                mpz_add(evidence->wide_matrix[cell], evidence->wide_matrix[cell], evidence->wide[rank]);
            else
                evidence->matrix[cell] += evidence->count[rank];
        }
        evidence_next_deal(n, k, a, used);
    }
}

enum sb_status sb_evidence_matrix(struct sb_evidence *evidence)
{
    const size_t size = evidence->n * evidence->deal;
    sb_item *a;
    bool *used;

    if (evidence->matrix || evidence->wide_matrix || evidence->matrix_share || evidence->cells == 0)
        return SB_OK;
    a = calloc(evidence->deal + 1, sizeof *a);
    used = calloc(evidence->n + 1, sizeof *used);
    if (evidence->wide)
        evidence->wide_matrix = calloc(size + 1, sizeof *evidence->wide_matrix);
    else
        evidence->matrix = calloc(size + 1, sizeof *evidence->matrix);
    for (size_t i = 0; evidence->wide_matrix && i < size; i++)
        mpz_init(evidence->wide_matrix[i]);
    const bool had = a && used && (evidence->wide_matrix || evidence->matrix);
    if (had)
        evidence_add_up(evidence, a, used);
    free(a);
    free(used);
    return had ? SB_OK : SB_NO_MEMORY;
}

/* num / den in lowest terms; num is narrow or wide. */
static void evidence_divide(const struct sb_evidence *evidence, uint64_t narrow, mpz_srcptr wide,
                            mpq_t fraction)
{
    if (wide)
        mpz_set(mpq_numref(fraction), wide);
    else
        mpz_import(mpq_numref(fraction), 1, 1, sizeof narrow, 0, 0, &narrow);
    if (evidence->by == SB_BY_EXACT)
        mpz_set(mpq_denref(fraction), evidence->denominator);
    else
        mpz_import(mpq_denref(fraction), 1, 1, sizeof evidence->total, 0, 0, &evidence->total);
    if (mpz_sgn(mpq_denref(fraction)) == 0) /* nothing was counted */
        mpz_set_ui(mpq_denref(fraction), 1);
    mpq_canonicalize(fraction);
}

void sb_evidence_fraction(const struct sb_evidence *evidence, size_t rank, mpq_t fraction)
{
    evidence_divide(evidence, evidence->wide ? 0 : evidence->count[rank],
                    evidence->wide ? evidence->wide[rank] : NULL, fraction);
}

void sb_evidence_matrix_fraction(const struct sb_evidence *evidence, size_t item, size_t position,
                                 mpq_t fraction)
{
    const size_t cell = item * evidence->deal + position;

    evidence_divide(evidence, evidence->wide_matrix ? 0 : evidence->matrix[cell],
                    evidence->wide_matrix ? evidence->wide_matrix[cell] : NULL, fraction);
}

static double evidence_ratio(const struct sb_evidence *evidence, uint64_t narrow, mpz_srcptr wide)
{
    mpq_t fraction;
    double ratio;

    if (!wide && evidence->total)
        return (double)narrow / (double)evidence->total;
    if (!wide && evidence->by != SB_BY_EXACT)
        return 0;
    mpq_init(fraction);
    evidence_divide(evidence, narrow, wide, fraction);
    ratio = mpq_get_d(fraction);
    mpq_clear(fraction);
    return ratio;
}

double sb_evidence_share(const struct sb_evidence *evidence, size_t rank)
{
    return evidence_ratio(evidence, evidence->wide ? 0 : evidence->count[rank],
                          evidence->wide ? evidence->wide[rank] : NULL);
}

double sb_evidence_matrix_share(const struct sb_evidence *evidence, size_t item, size_t position)
{
    const size_t cell = item * evidence->deal + position;

    if (evidence->matrix_share)
        return evidence->matrix_share[cell];
    return evidence_ratio(evidence, evidence->wide_matrix ? 0 : evidence->matrix[cell],
                          evidence->wide_matrix ? evidence->wide_matrix[cell] : NULL);
}
