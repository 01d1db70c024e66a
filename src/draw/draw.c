/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes the range of the words that a draw uses. */
#include "draw/draw.h"

uint64_t sb_draw_largest(const struct sb_draw *draw, uint64_t largest)
{
    return draw->width ? sb_words_mask((unsigned)draw->width) : largest;
}
