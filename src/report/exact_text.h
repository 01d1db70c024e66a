/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The integers and fractions of evidence, written digit by digit. */
#ifndef SB_REPORT_EXACT_TEXT_H
#define SB_REPORT_EXACT_TEXT_H

#include "core/evidence.h"

/* Writes the number with index `i`. Writes nothing if the numbers are doubles. */
void sb_exact_number(const struct sb_numbers *numbers, size_t i, FILE *stream);
/* Writes the sum of the counts: the denominator, or the number of shuffles. */
void sb_exact_total(const struct sb_evidence *evidence, FILE *stream);

/* Returns the word for exact evidence: "exact", or "in part" if some of the probability is not resolved. */
const char *sb_exact_word(const struct sb_evidence *evidence);

/* The notation of the deal with the rank `rank`. The rank is below evidence->cells, so the deal has at most
 * 64 items. */
struct sb_notation {
    char text[SB_NOTATION_ROOM];
};
struct sb_notation sb_exact_notation(const struct sb_evidence *evidence, size_t rank);

/* A fraction as text. The text is empty if the fraction is too long to be useful, or is negative, which
 * stands for unknown. */
struct sb_fraction {
    char text[32];
};
/* Writes a fraction as text of at most `digits` digits; `digits` is at most 20. The text is empty for -1,
 * which stands for unknown. */
struct sb_fraction sb_exact_fraction(mpq_srcptr fraction, size_t digits);
/* Writes the count of a rank as an unreduced fraction of the denominator (6/16, not 3/8), with at most 16
 * digits. The text is empty if the counts are doubles. */
struct sb_fraction sb_exact_over(const struct sb_evidence *evidence, size_t rank);
/* Writes a cell of the matrix in lowest terms, with at most 16 digits. */
struct sb_fraction sb_exact_cell(const struct sb_evidence *evidence, size_t item, size_t position);

#endif
