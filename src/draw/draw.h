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
    /* W, if the draw uses words of W bits, 1..64, or more if the draw joins words; 0 if the draw uses the words of the
     * generator unchanged */
    uint64_t width;
};

struct sb_draw_type {
    const char *name, *title, *cite;
    /* the width W; if the draw's name carries no W, `standard` is a fixed width, or 0 */
    struct sb_parameter parameter;
    /* whether the draw promises only that answers are uniform, and not which word gives which answer. If so,
     * a sampler may use a faster method. */
    bool any_words;
    /* Returns an integer in 0..bound-1, bound >= 2. self->width is at most sb_words_width() of the words, or above
     * 64. */
    uint32_t (*pick)(const struct sb_draw *self, struct sb_words *words, uint32_t bound);
    /*
     * Sets law[j], for each j < bound, to the number of words in 0..largest that give the answer j; bound >=
     * 2. These counts add up to largest + 1, and each fits in 64 bits. Of words above 64 bits it is not the law; see
     * sb_modulo_rest(). NULL if the draw is exactly uniform for bounds up to largest + 1.
     */
    void (*law)(const struct sb_draw *self, uint64_t largest, uint32_t bound, uint64_t law[]);
};

extern const struct sb_draw_type *const sb_draw_types[];
extern const size_t sb_draw_types_count;

/* Returns whether the draw's words have more than 64 bits, as only those of `modulo` may. `draw` may be NULL. */
static inline bool sb_draw_wide(const struct sb_draw *draw)
{
    return draw && draw->width > 64;
}

/* Returns the largest word that the draw uses: 2^W - 1 if the draw has a width W, else `largest`, the largest
 * word of the generator. Of words above 64 bits it is UINT64_MAX. */
static inline uint64_t sb_draw_largest(const struct sb_draw *draw, uint64_t largest)
{
    return sb_draw_wide(draw) ? UINT64_MAX : draw->width ? sb_words_mask((unsigned)draw->width) : largest;
}

/* Returns r = 2^W mod bound. If u is a word of W bits, u mod bound has each of the answers below r with probability
 * (1 + (bound - r) / 2^W) / bound, and each other answer with probability (1 - r / 2^W) / bound. */
uint32_t sb_modulo_rest(uint64_t width, uint32_t bound);

/* The methods of `modulo`, which `byte-modulo` shares. */
uint32_t sb_modulo_pick(const struct sb_draw *self, struct sb_words *words, uint32_t bound);
void sb_modulo_law(const struct sb_draw *self, uint64_t largest, uint32_t bound, uint64_t law[]);

#endif
