/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocates and frees evidence, and computes its fractions. */
#include "core/evidence.h"

#include "core/exact.h"

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

void sb_evidence_close(struct sb_evidence *evidence)
{
    if (evidence->by == 0)
        return;
    sb_mpz_free(evidence->wide, evidence->cells);
    sb_mpz_free(evidence->wide_matrix, evidence->n * evidence->deal);
    if (evidence->reach)
        mpz_clear(evidence->reach->deals);
    free(evidence->reach);
    if (evidence->inquiry)
        mpq_clear(evidence->inquiry->unresolved);
    free(evidence->inquiry);
    free(evidence->count);
    free(evidence->matrix);
    free(evidence->small);
    free(evidence->share);
    free(evidence->matrix_share);
    mpz_clear(evidence->denominator);
    *evidence = (struct sb_evidence) { 0 };
}

/* num / den in lowest terms; num is a 64-bit or a GMP integer. */
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
    evidence_divide(evidence, evidence->wide ? 0 : sb_evidence_count(evidence, rank),
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
    if (evidence->share)
        return evidence->share[rank];
    return evidence_ratio(evidence, evidence->wide ? 0 : sb_evidence_count(evidence, rank),
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
