/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For a shuffle that is a series of steps, each of which permutes the positions at random and whatever was
 * before: where the item at a position came from. So one item by itself is a Markov chain on the positions,
 * though the deck is none that could be written down.
 *
 * Such a method is asked about one position at a time, and asks in turn for those draws only that decide
 * about it: in any order, since draws below one bound are all alike, and many at once where it is their
 * number that counts.
 */
#ifndef SB_SHUFFLE_ORIGIN_H
#define SB_SHUFFLE_ORIGIN_H

#include "shuffle/shuffle.h"

/* The number of steps of a shuffle that is but one. */
static inline size_t sb_steps_one(const struct sb_shuffle *self, size_t n)
{
    (void)self;
    (void)n;
    return 1;
}

/* How many of `count` draws below a bound are 0. */
static inline size_t sb_draw_zeros(struct sb_source *src, uint32_t bound, size_t count)
{
    return src->many(src, SB_ZEROS, bound, count);
}

/* How many draws below a bound come before the first that is 0: at most `count`, which is where they end. */
static inline size_t sb_draw_run(struct sb_source *src, uint32_t bound, size_t count)
{
    return src->many(src, SB_RUN, bound, count);
}

/* Where position q has its item from if i and j were exchanged. */
static inline size_t sb_origin_swap(size_t q, size_t i, size_t j)
{
    return q == i ? j : q == j ? i : q;
}

/* Where it has it from if the item at `from` was put in at `to` <= `from`, and those between moved up. */
static inline size_t sb_origin_insert(size_t q, size_t from, size_t to)
{
    if (q < to || q > from)
        return q;
    return q == to ? from : q - 1;
}

#endif
