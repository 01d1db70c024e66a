/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The integers and fractions of evidence, written digit by digit. */
#include "report/exact_text.h"

#include <inttypes.h>

static void exact_write(uint64_t narrow, mpz_srcptr wide, FILE *stream)
{
    if (wide)
        mpz_out_str(stream, 10, wide);
    else
        fprintf(stream, "%" PRIu64, narrow);
}

void sb_exact_count(const struct sb_evidence *evidence, size_t rank, FILE *stream)
{
    if (sb_evidence_counted(evidence))
        exact_write(evidence->wide ? 0 : sb_evidence_count(evidence, rank),
                    evidence->wide ? evidence->wide[rank] : NULL, stream);
}

void sb_exact_total(const struct sb_evidence *evidence, FILE *stream)
{
    exact_write(evidence->total, evidence->by == SB_BY_EXACT ? evidence->denominator : NULL, stream);
}

void sb_exact_matrix_count(const struct sb_evidence *evidence, size_t item, size_t position, FILE *stream)
{
    const size_t cell = item * evidence->deal + position;

    if (evidence->matrix_share)
        return;
    exact_write(evidence->wide_matrix ? 0 : evidence->matrix[cell],
                evidence->wide_matrix ? evidence->wide_matrix[cell] : NULL, stream);
}

const char *sb_exact_word(const struct sb_evidence *evidence)
{
    return sb_evidence_partial(evidence) ? "in part" : "exact";
}

bool sb_exact_has_matrix(const struct sb_evidence *evidence)
{
    return sb_exact_counts_matrix(evidence) || evidence->matrix_share;
}

bool sb_exact_counts_matrix(const struct sb_evidence *evidence)
{
    return evidence->matrix || evidence->wide_matrix;
}

struct sb_notation sb_exact_notation(const struct sb_evidence *evidence, size_t rank)
{
    struct sb_notation notation;
    sb_item a[64];

    sb_permutation_unrank(evidence->n, evidence->deal, rank, a);
    sb_permutation_notation(evidence->n, evidence->deal, a, notation.text, sizeof notation.text);
    return notation;
}

struct sb_fraction sb_exact_fraction(mpq_srcptr fraction, size_t digits)
{
    struct sb_fraction written = { "" };

    if (mpq_sgn(fraction) >= 0 &&
        mpz_sizeinbase(mpq_numref(fraction), 10) + mpz_sizeinbase(mpq_denref(fraction), 10) <= digits)
        mpq_get_str(written.text, 10, fraction);
    return written;
}

struct sb_fraction sb_exact_over(const struct sb_evidence *evidence, size_t rank)
{
    const uint64_t narrow =
        sb_evidence_counted(evidence) && !evidence->wide ? sb_evidence_count(evidence, rank) : 0;
    struct sb_fraction written = { "" };
    mpq_t fraction;

    if (!sb_evidence_counted(evidence))
        return written;
    mpq_init(fraction);
    if (evidence->wide)
        mpz_set(mpq_numref(fraction), evidence->wide[rank]);
    else
        mpz_import(mpq_numref(fraction), 1, 1, sizeof narrow, 0, 0, &narrow);
    mpz_set(mpq_denref(fraction), evidence->denominator);
    written = sb_exact_fraction(fraction, 16);
    mpq_clear(fraction);
    return written;
}

struct sb_fraction sb_exact_cell(const struct sb_evidence *evidence, size_t item, size_t position)
{
    struct sb_fraction written = { "" };
    mpq_t fraction;

    if (evidence->matrix_share)
        return written;
    mpq_init(fraction);
    sb_evidence_matrix_fraction(evidence, item, position, fraction);
    written = sb_exact_fraction(fraction, 16);
    mpq_clear(fraction);
    return written;
}
