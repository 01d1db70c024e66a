/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names of candidates, and the names of biased draws. */
#include "study/catalogue/catalogue_build.h"

#include <stdio.h>

const unsigned sb_catalogue_words[SB_CATALOGUE_WORDS] = { 8, 15, 16, 31 };
const char *const sb_catalogue_biased_draws[SB_CATALOGUE_BIASED_DRAWS] = { "modulo", "multiply" };

const char *const sb_catalogue_named[SB_CATALOGUE_NAMED] = {
    "identity",
    "insertion",
    "fisher-yates-starts-late",
    "forward-stops-early",
    "fisher-yates/round",
    "fisher-yates-forward/round",
};

const char *const sb_catalogue_forms[SB_VARIANTS] = {
    [0] = "plain",
    [SB_VARIANT_INVERTED] = "inverted",
    [SB_VARIANT_REVERSED] = "reversed",
    [SB_VARIANT_INVERTED + SB_VARIANT_REVERSED] = "inverted and reversed",
};

char *sb_catalogue_name(const char *scheme, unsigned variant, char text[SB_CATALOGUE_NAME])
{
    snprintf(text, SB_CATALOGUE_NAME, "%.190s%s%s", scheme, variant ? ", " : "",
             variant ? sb_catalogue_forms[variant] : "");
    return text;
}
