/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All generators of the GNU Scientific Library, by their GSL names. A word is the value of gsl_rng_get()
 * minus the smallest value of the generator.
 *
 * Seeds are taken modulo 2^31 - 1, because some generators fail with larger seeds. With some larger seeds,
 * minstd and randu stay at 0. ranlxs0 hangs at 2^31, and mrg and taus hang at 2^32. ran1 and ran2 write
 * outside of their memory at 2^48. A generator that only repeats its first word is refused, because a draw
 * that rejects this word would never end.
 *
 * The state is part of the stream, because gsl_rng_alloc() ends the program if memory runs out.
 *
 * Cost: a call through a pointer, in addition to the cost of the GSL generator.
 *
 * GNU Scientific Library Reference Manual, "Random number generation", www.gnu.org/software/gsl.
 */
#include "rng/rng.h"

#include <gsl/gsl_rng.h>
#include <pthread.h>
#include <stddef.h>

enum {
    GSL_SEEDS = 2147483647, /* 2^31 - 1 */
    /* a generator counts as stuck if its first GSL_STUCK words are all equal */
    GSL_STUCK = 32,
};

struct gsl_stream {
    struct sb_words words;
    const gsl_rng_type *type;
    max_align_t state[]; /* type->size bytes */
};

/* GSL's table of generators, which ends in NULL. The table belongs to the process, and GSL rewrites it on every call.
 * So this file calls GSL once: then all threads only read. */
static const gsl_rng_type **gsl_types;
static size_t gsl_types_count;
static pthread_once_t gsl_once = PTHREAD_ONCE_INIT;

static void gsl_set_types(void)
{
    gsl_types = gsl_rng_types_setup();
    while (gsl_types[gsl_types_count])
        gsl_types_count++;
}

static bool gsl_member(size_t index, struct sb_rng *rng, const char **title)
{
    pthread_once(&gsl_once, gsl_set_types);
    const gsl_rng_type *const *const types = gsl_types;

    if (index >= gsl_types_count)
        return false;
    rng->name = types[index]->name;
    rng->member = types[index];
    rng->largest = types[index]->max - types[index]->min;
    rng->extra = types[index]->size;
    *title = "from the GNU Scientific Library";
    return true;
}

static uint64_t gsl_next(struct sb_words *words)
{
    struct gsl_stream *stream = (struct gsl_stream *)words;

    return stream->type->get(stream->state) - stream->type->min;
}

/* Returns whether the stream repeats a single word. */
static bool gsl_stuck(struct sb_words *words)
{
    const uint64_t first = gsl_next(words);

    for (size_t i = 1; i < GSL_STUCK; i++)
        if (gsl_next(words) != first)
            return false;
    return true;
}

static enum sb_status gsl_reseed(struct sb_words *words, uint64_t seed)
{
    struct gsl_stream *stream = (struct gsl_stream *)words;

    stream->type->set(stream->state, (unsigned long)(seed % GSL_SEEDS));
    if (gsl_stuck(words))
        return SB_INVALID;
    stream->type->set(stream->state, (unsigned long)(seed % GSL_SEEDS));
    return SB_OK;
}

static void gsl_prepare(const struct sb_rng *self, struct sb_words *words)
{
    ((struct gsl_stream *)words)->type = self->member;
}

const struct sb_rng_type sb_rng_gsl = {
    .name = "gsl",
    .title = "the generators of the GNU Scientific Library",
    .cite = "GSL Reference Manual, Random number generation",
    .seeds = GSL_SEEDS,
    .member = gsl_member,
    .size = sizeof(struct gsl_stream),
    .next = gsl_next,
    .prepare = gsl_prepare,
    .reseed = gsl_reseed,
};
