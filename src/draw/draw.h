/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bounded draws: how a random word becomes an integer below a bound. Each draw has its own file, and the last
 * thing in the file is the draw's descriptor, a constant. A draw publishes its exact law, so that exact
 * results cover the draw as well as the shuffle.
 */
#ifndef SB_DRAW_DRAW_H
#define SB_DRAW_DRAW_H

#include "core/draws.h"

#include <stddef.h>

struct sb_draw {
    const struct sb_draw_type *type;
    /* W, if the draw uses words of W bits, 1..64; 0 if the draw uses the words of the generator unchanged */
    uint64_t width;
};

struct sb_draw_type {
    const char *name, *title, *cite;
    /* the width W; if the draw's name carries no W, `standard` is a fixed width, or 0 */
    struct sb_parameter parameter;
    /* whether the draw promises only that answers are uniform, and not which word gives which answer. If so,
     * a sampler may use a faster method. */
    bool any_words;
    /* Returns an integer in 0..bound-1, bound >= 2. self->width is at most sb_words_width() of the words. */
    uint32_t (*pick)(const struct sb_draw *self, struct sb_words *words, uint32_t bound);
    /*
     * Sets law[j], for each j < bound, to the number of words in 0..largest that give the answer j; bound >=
     * 2. These counts add up to largest + 1, and each fits in 64 bits. NULL if the draw is exactly uniform
     * for bounds up to largest + 1.
     */
    void (*law)(const struct sb_draw *self, uint64_t largest, uint32_t bound, uint64_t law[]);
};

extern const struct sb_draw_type *const sb_draw_types[];
extern const size_t sb_draw_types_count;

/* Returns the largest word that the draw uses: 2^W - 1 if the draw has a width W, else `largest`, the largest
 * word of the generator. */
static inline uint64_t sb_draw_largest(const struct sb_draw *draw, uint64_t largest)
{
    return draw->width ? sb_words_mask((unsigned)draw->width) : largest;
}

/* The methods of `modulo`, which `byte-modulo` shares. */
uint32_t sb_modulo_pick(const struct sb_draw *self, struct sb_words *words, uint32_t bound);
void sb_modulo_law(const struct sb_draw *self, uint64_t largest, uint32_t bound, uint64_t law[]);

#endif
