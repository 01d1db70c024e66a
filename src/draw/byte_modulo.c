/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One random byte modulo the bound. This is the draw `modulo:8` under the name of its cause, for readers who
 * look for `bytes[i] % n`.
 *
 * Law: let q = floor(256 / bound) and r = 256 mod bound. Each answer j < r comes from q + 1 bytes, and each
 * larger answer comes from q bytes. For a bound above 256, the answers from 256 on never come up.
 *
 * Cost: one word, one division.
 *
 * In use: crypto-shuffle 1.0.1 (npm), whose bytes come from crypto.getRandomValues().
 *
 * comp.lang.c FAQ, question 13.16, c-faq.com/lib/randrange.html.
 */
#include "draw/draw.h"

const struct sb_draw_type sb_draw_byte_modulo = {
    .name = "byte-modulo",
    .title = "the remainder of a random byte: bytes[i] % n, the same as modulo:8",
    .cite = "comp.lang.c FAQ 13.16",
    .parameter = { .standard = 8 },
    .pick = sb_modulo_pick,
    .law = sb_modulo_law,
};
