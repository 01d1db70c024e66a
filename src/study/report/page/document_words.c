/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The colour of a verdict, the source of a matrix, and the notation of a deal. */
#include "study/report/page/document.h"

#include <string.h>

enum sb_ink sb_document_ink(const char *verdict)
{
    if (strcmp(verdict, "biased, too little to see") == 0)
        return SB_INK_PLAIN;
    if (strncmp(verdict, "biased", 6) == 0)
        return SB_INK_BAD;
    return strcmp(verdict, "inconclusive") == 0 ? SB_INK_DOUBT : SB_INK_GOOD;
}

const char *sb_document_source(const struct sb_evidence *evidence)
{
    return evidence->by == SB_BY_EXACT ? sb_exact_word(evidence)
           : evidence->reach           ? "over these seeds"
                                       : "sampled";
}

const char *sb_document_deal(const struct sb_notation *notation)
{
    return notation->text[0] ? notation->text : "()";
}
