/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The integers and fractions of evidence, written digit by digit. */
#ifndef SB_REPORT_EXACT_TEXT_H
#define SB_REPORT_EXACT_TEXT_H

#include "core/evidence.h"

/* Writes one of the counts, or nothing if there are only doubles; and the number that the counts add up to
 * (the denominator, or the number of shuffles). */
void sb_exact_number(const struct sb_numbers *numbers, size_t i, FILE *stream);
void sb_exact_total(const struct sb_evidence *evidence, FILE *stream);

/* Returns what exact evidence is called: "exact", or "in part" if some of the probability is not resolved. */
const char *sb_exact_word(const struct sb_evidence *evidence);

/* The notation of the deal of that rank. rank < evidence->cells, so it has at most 64 items. */
struct sb_notation {
    char text[SB_NOTATION_ROOM];
};
struct sb_notation sb_exact_notation(const struct sb_evidence *evidence, size_t rank);

/* A fraction as text; empty if it is too long to be useful, or negative, which stands for unknown. */
struct sb_fraction {
    char text[32];
};
/* Writes a fraction as text of at most `digits` digits, which is at most 20; nothing for -1, which stands
 * for unknown. */
struct sb_fraction sb_exact_fraction(mpq_srcptr fraction, size_t digits);
/* Writes the count of a rank over the denominator, not reduced: 6/16 and not 3/8. At most 16 digits;
 * nothing if there are only doubles. */
struct sb_fraction sb_exact_over(const struct sb_evidence *evidence, size_t rank);
/* Writes a cell of the matrix in lowest terms; at most 16 digits. */
struct sb_fraction sb_exact_cell(const struct sb_evidence *evidence, size_t item, size_t position);

#endif
