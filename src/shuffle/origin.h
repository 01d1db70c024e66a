/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The `origin` method returns the position that an item came from. It is for shuffles made of steps, each of
 * which permutes the positions at random, independently of the steps before. For such a shuffle, the position
 * of a single item is a Markov chain with n states, while the whole deck would need n! states.
 *
 * An engine calls the method for one position at a time, and the method makes only the draws that matter for
 * this position. The method may make these draws in any order, since all draws below one bound have the same
 * law. The method may also ask for many draws at once, if all that matters is how many of these draws are 0,
 * or how many of them come before the first 0.
 */
#ifndef SB_SHUFFLE_ORIGIN_H
#define SB_SHUFFLE_ORIGIN_H

#include "shuffle/shuffle.h"

/* Returns 1. This is the `steps` method of a shuffle that has a single step. */
static inline size_t sb_steps_one(const struct sb_shuffle *self, size_t n)
{
    return 1;
}

/* Returns how many of `count` draws below `bound` are 0. */
static inline size_t sb_draw_zeros(struct sb_source *src, uint32_t bound, size_t count)
{
    return src->many(src, SB_ZEROS, bound, count);
}

/* Returns how many of `count` draws below `bound` come before the first 0; `count` if no draw is 0. */
static inline size_t sb_draw_run(struct sb_source *src, uint32_t bound, size_t count)
{
    return src->many(src, SB_RUN, bound, count);
}

/* Returns the origin of the item that is at position q after positions i and j were exchanged. */
static inline size_t sb_origin_swap(size_t q, size_t i, size_t j)
{
    return q == i ? j : q == j ? i : q;
}

/* Returns the origin of the item that is at position q after an insertion. The insertion moved the item at
 * `from` to position `to` <= `from`, and moved the items at to..from-1 up by one. */
static inline size_t sb_origin_insert(size_t q, size_t from, size_t to)
{
    if (q < to || q > from)
        return q;
    return q == to ? from : q - 1;
}

#endif
