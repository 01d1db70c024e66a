/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bounded draws: how a random word becomes an integer below a bound. One file each, which ends in a const
 * descriptor. A draw publishes its exact law, so that exact results cover the draw as well as the shuffle.
 */
#ifndef SB_DRAW_DRAW_H
#define SB_DRAW_DRAW_H

#include "core/parameter.h"
#include "core/words.h"

#include <stddef.h>

struct sb_draw {
    const struct sb_draw_type *type;
    uint64_t width; /* W: it uses words of W bits, 1..64; 0: the generator's own words */
};

struct sb_draw_type {
    const char *name, *title, *cite;
    struct sb_parameter parameter;
    /* whether the draw only promises uniform answers, and not which words give them; then a sampler may
     * use a faster way */
    bool any_words;
    /* An integer in 0..bound-1, bound >= 2; self->width is at most sb_words_width() of the words. */
    uint32_t (*pick)(const struct sb_draw *self, struct sb_words *words, uint32_t bound);
    /*
     * law[j], j < bound: how many of the words 0..largest give j; bound >= 2. The sum is largest + 1, and
     * each count fits 64 bits. NULL: exactly uniform, for bounds up to largest + 1.
     */
    void (*law)(const struct sb_draw *self, uint64_t largest, uint32_t bound, uint64_t law[]);
};

extern const struct sb_draw_type *const sb_draw_types[];
extern const size_t sb_draw_types_count;

/* The largest word that the draw uses of a generator with words 0..largest: 2^W - 1, or `largest` itself. */
uint64_t sb_draw_largest(const struct sb_draw *draw, uint64_t largest);

#endif
