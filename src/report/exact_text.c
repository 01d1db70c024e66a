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

void sb_exact_number(const struct sb_numbers *numbers, size_t i, FILE *stream)
{
    if (sb_numbers_whole(numbers))
        exact_write(sb_numbers_narrow(numbers) ? sb_numbers_u64(numbers, i) : 0,
                    sb_numbers_narrow(numbers) ? NULL : numbers->wide[i], stream);
}

void sb_exact_total(const struct sb_evidence *evidence, FILE *stream)
{
    exact_write(evidence->total, evidence->by == SB_BY_EXACT ? evidence->denominator : NULL, stream);
}

const char *sb_exact_word(const struct sb_evidence *evidence)
{
    return sb_evidence_partial(evidence) ? "in part" : "exact";
}

struct sb_notation sb_exact_notation(const struct sb_evidence *evidence, size_t rank)
{
    struct sb_notation notation;
    sb_item a[64];

    sb_evidence_unrank(evidence, rank, a);
    sb_item_notation(evidence->names, evidence->n, evidence->deal, a, notation.text, sizeof notation.text);
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
    struct sb_fraction written = { "" };
    mpq_t fraction;

    if (!sb_numbers_whole(&evidence->counts))
        return written;
    mpq_init(fraction);
    sb_numbers_integer(&evidence->counts, rank, mpq_numref(fraction));
    mpz_set(mpq_denref(fraction), evidence->denominator);
    written = sb_exact_fraction(fraction, 16);
    mpq_clear(fraction);
    return written;
}

struct sb_fraction sb_exact_cell(const struct sb_evidence *evidence, size_t item, size_t position)
{
    struct sb_fraction written = { "" };
    mpq_t fraction;

    if (evidence->matrix.form == SB_NUMBERS_SHARE)
        return written;
    mpq_init(fraction);
    sb_evidence_matrix_fraction(evidence, item, position, fraction);
    written = sb_exact_fraction(fraction, 16);
    mpq_clear(fraction);
    return written;
}
