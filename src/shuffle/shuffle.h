/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shuffles. Each shuffle has its own file, and the last thing in the file is the shuffle's descriptor, a
 * constant. To add a shuffle, add a file and a line in meson.build.
 *
 * A shuffle that is a fixed series of random swaps gives its swaps as data (`plan`). An engine can run the
 * swaps on an array or on many decks side by side, or can compute the law of the swaps. Every other shuffle
 * is plain C, as its author wrote it, and asks a source for draws (`run`). A descriptor has either `plan` or
 * `run`. A descriptor with `run` may also have `origin`, which follows single items, so that the matrix of
 * the shuffle can be computed exactly.
 *
 * In the comments of src/shuffle, costs are counted as follows. A draw is one answer of the source with a
 * bound of 2 or more. An array access reads or writes one item, in the deck or in scratch. Filling the deck
 * with 0..n-1 beforehand is not counted.
 */
#ifndef SB_SHUFFLE_SHUFFLE_H
#define SB_SHUFFLE_SHUFFLE_H

#include "core/draws.h"

/* What the algorithm promises when every draw is uniform. */
enum sb_claim {
    SB_UNIFORM,        /* every deal is equally likely */
    SB_NEARLY_UNIFORM, /* uniform except for a bias, which becomes smaller if the parameter is larger */
    SB_BIASED,         /* for some n, some deals are more likely than others */
    /* for some n, a deal of fewer than n cards is biased, but a deal of all n cards is uniform */
    SB_BIASED_DEALS,
};

/* Forms of shuffles whose law is known in closed form. B is the parameter of the shuffle. */
enum sb_shuffle_form {
    SB_FORM_NONE,
    SB_FORM_RIFFLE,         /* a riffle of 2^B packets; all draws are below 2 */
    SB_FORM_INVERSE_RIFFLE, /* the inverse of a riffle of 2^B packets; all draws are keys of B bits */
};

struct sb_shuffle {
    const struct sb_shuffle_type *type;
    uint64_t parameter; /* the parameter, in the type's range; 0 if the type has none */
};

/*
 * One step of a swap shuffle, which exchanges a[at + x] with a[from + y]. First x is drawn below at_bound,
 * then y is drawn below bound. A bound of 1 takes no draw; at_bound is usually 1. Always at + at_bound <= n
 * and from + bound <= n.
 */
struct sb_swap {
    size_t at, at_bound, from, bound;
};

struct sb_shuffle_type {
    const char *name, *title, *cite;
    /* Texts for the reader of a report. `pseudocode`: the algorithm, one step per line, where draw(k) is a
     * draw below k. `why`: why the shuffle is fair or biased, in sentences that hold for every n >= 2 and every
     * deal, as long as all draws are uniform. */
    const char *pseudocode, *why;
    enum sb_claim claim;
    /* Whether the shuffle is used only if the user names it. `report`, `bench` and `zoo` without a scheme and
     * the catalogue of faulty shuffles leave it out. These shuffles are the last of the list. */
    bool by_name_only;
    enum sb_shuffle_form form;
    struct sb_parameter parameter;
    /* Returns the number of swaps that deal the first `deal` of n items, n >= 2. Writes the swaps if `steps`
     * is not NULL. */
    size_t (*plan)(const struct sb_shuffle *self, size_t n, size_t deal, struct sb_swap steps[]);
    /* Shuffles deck->a, which holds the identity, n >= 2. The result is a[0..deal-1]. */
    void (*run)(const struct sb_shuffle *self, struct sb_deck *deck, struct sb_source *src);
    /* Returns the position from which step `step` moved an item to `position`. Only for a shuffle made of
     * independent steps, each of which permutes the positions; NULL for other shuffles. See below. */
    size_t (*origin)(const struct sb_shuffle *self, size_t n, size_t step, size_t position, struct sb_source *src);
    /* Returns the number of steps of the shuffle for n items, n >= 2; `origin` follows an item through one of
     * them. NULL if there are n steps. */
    size_t (*steps)(const struct sb_shuffle *self, size_t n);
    /* Returns how many different answers the shuffle needs from draws below n, n >= 2. Only for a shuffle
     * that draws again until an answer is new; NULL for all other shuffles. */
    size_t (*awaits)(const struct sb_shuffle *self, size_t n, size_t deal);
};

/* All shuffles in the order of src/shuffle/meson.build, and their number. */
extern const struct sb_shuffle_type *const sb_shuffle_types[];
extern const size_t sb_shuffle_types_count;

/* Returns how many shuffles at the start of the list are used without being named. */
static inline size_t sb_shuffles_unnamed(void)
{
    size_t count = 0;

    while (count < sb_shuffle_types_count && !sb_shuffle_types[count]->by_name_only)
        count++;
    return count;
}

/* A shuffle prepared for one n and deal; immutable while it runs, so threads may share it. */
struct sb_shuffler {
    struct sb_shuffle shuffle;
    size_t n, deal;
    size_t count;          /* number of swaps in the plan */
    struct sb_swap *steps; /* [count], owned; NULL if the shuffle is plain C */
};

/* Prepares a shuffle; deal <= n. SB_NO_MEMORY. */
enum sb_status sb_shuffler_open(struct sb_shuffle shuffle, size_t n, size_t deal, struct sb_shuffler *shuffler);
void sb_shuffler_close(struct sb_shuffler *shuffler);

/* Sets deck->a to the identity and shuffles it; there is nothing to shuffle if n < 2. The deck must have been
 * opened with the shuffler's n and deal. */
void sb_shuffler_run(const struct sb_shuffler *shuffler, struct sb_deck *deck, struct sb_source *src);

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

/* Exchanges a[i] and a[j]. */
static inline void sb_items_swap(sb_item a[], size_t i, size_t j)
{
    const sb_item item = a[i];

    a[i] = a[j];
    a[j] = item;
}

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
