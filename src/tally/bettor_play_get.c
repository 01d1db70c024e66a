/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the betting function for a given instruction set. */
#include "tally/bettor_wide.h"

#include <string.h>

sb_bettor_play *sb_bettor_play_get(const char *isa)
{
#if defined __x86_64__ || defined __i386__
    if (strcmp(isa, "avx512") == 0)
        return sb_bettor_play_avx512;
    if (strcmp(isa, "avx2") == 0)
        return sb_bettor_play_avx2;
#else
    (void)isa;
#endif
    return sb_bettor_play_plain;
}
