/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the function that counts draws with a given instruction set. */
#include "tally/deck_draws_wide.h"

#include <string.h>

sb_deck_draws_rows *sb_deck_draws_get(const char *isa)
{
#if defined __x86_64__ || defined __i386__
    if (strcmp(isa, "avx512") == 0)
        return sb_deck_draws_avx512;
    if (strcmp(isa, "avx2") == 0)
        return sb_deck_draws_avx2;
#else
    (void)isa;
#endif
    return sb_deck_draws_plain;
}
