/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocates and frees evidence, and computes its fractions. */
#include "core/evidence.h"

#include <stdlib.h>

enum sb_status sb_evidence_open(enum sb_by by, size_t n, size_t deal, struct sb_evidence *evidence)
{
    struct sb_evidence made = { .by = by, .n = n, .deal = deal, .cells = sb_cells(n, deal) };

    if (made.cells && sb_numbers_open(SB_NUMBERS_U64, made.cells, &made.counts))
        return SB_NO_MEMORY;
    if (!made.cells && by != SB_BY_SEEDS && sb_numbers_open(SB_NUMBERS_U64, n * deal, &made.matrix))
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
    sb_numbers_close(&evidence->counts);
    sb_numbers_close(&evidence->matrix);
    if (evidence->reach)
        mpz_clear(evidence->reach->deals);
    free(evidence->reach);
    if (evidence->inquiry)
        mpq_clear(evidence->inquiry->unresolved);
    free(evidence->inquiry);
    mpz_clear(evidence->denominator);
    *evidence = (struct sb_evidence) { 0 };
}

/* Sets `fraction` to number i divided by the denominator, in lowest terms. */
static void evidence_fraction(const struct sb_evidence *evidence, const struct sb_numbers *numbers, size_t i,
                              mpq_t fraction)
{
    sb_numbers_integer(numbers, i, mpq_numref(fraction));
    if (evidence->by == SB_BY_EXACT)
        mpz_set(mpq_denref(fraction), evidence->denominator);
    else
        sb_mpz_set_u64(mpq_denref(fraction), evidence->total);
    if (mpz_sgn(mpq_denref(fraction)) == 0) /* nothing was counted */
        mpz_set_ui(mpq_denref(fraction), 1);
    mpq_canonicalize(fraction);
}

void sb_evidence_fraction(const struct sb_evidence *evidence, size_t rank, mpq_t fraction)
{
    evidence_fraction(evidence, &evidence->counts, rank, fraction);
}

void sb_evidence_matrix_fraction(const struct sb_evidence *evidence, size_t item, size_t position,
                                 mpq_t fraction)
{
    evidence_fraction(evidence, &evidence->matrix, item * evidence->deal + position, fraction);
}

static double evidence_share(const struct sb_evidence *evidence, const struct sb_numbers *numbers, size_t i)
{
    mpq_t fraction;
    double share;

    if (numbers->form == SB_NUMBERS_SHARE)
        return numbers->share[i];
    if (sb_numbers_narrow(numbers) && evidence->total)
        return (double)sb_numbers_u64(numbers, i) / (double)evidence->total;
    if (evidence->by != SB_BY_EXACT) /* nothing was counted */
        return 0;
    mpq_init(fraction);
    evidence_fraction(evidence, numbers, i, fraction);
    share = mpq_get_d(fraction);
    mpq_clear(fraction);
    return share;
}

double sb_evidence_share(const struct sb_evidence *evidence, size_t rank)
{
    return evidence_share(evidence, &evidence->counts, rank);
}

double sb_evidence_matrix_share(const struct sb_evidence *evidence, size_t item, size_t position)
{
    return evidence_share(evidence, &evidence->matrix, item * evidence->deal + position);
}
