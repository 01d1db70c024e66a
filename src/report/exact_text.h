/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The integers and fractions of evidence, written digit by digit. */
#ifndef SB_REPORT_EXACT_TEXT_H
#define SB_REPORT_EXACT_TEXT_H

#include "core/evidence.h"

/* One of the counts, nothing where there are only doubles; and what the counts add up to (the denominator, the
 * number of shuffles). */
void sb_exact_number(const struct sb_numbers *numbers, size_t i, FILE *stream);
void sb_exact_total(const struct sb_evidence *evidence, FILE *stream);

/* What exact evidence is called: "exact", or "in part" where some of the probability is not resolved. */
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
/* At most `digits` digits, which is at most 20; empty for -1, which stands for unknown. */
struct sb_fraction sb_exact_fraction(mpq_srcptr fraction, size_t digits);
/* The count of a rank over the denominator, not reduced: 6/16 and not 3/8. At most 16 digits; empty if
 * there are only doubles. */
struct sb_fraction sb_exact_over(const struct sb_evidence *evidence, size_t rank);
/* A cell of the matrix in lowest terms; 16 digits at most. */
struct sb_fraction sb_exact_cell(const struct sb_evidence *evidence, size_t item, size_t position);

#endif
