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
 * This file allocates the state itself, because gsl_rng_alloc() ends the program if memory runs out.
 *
 * Cost: a call through a pointer, in addition to the cost of the GSL generator.
 *
 * GNU Scientific Library Reference Manual, "Random number generation", www.gnu.org/software/gsl.
 */
#include "rng/rng.h"

#include <gsl/gsl_rng.h>
#include <pthread.h>
#include <stdlib.h>

enum {
    GSL_SEEDS = 2147483647, /* 2^31 - 1 */
    /* a generator counts as stuck if its first GSL_STUCK words are all equal */
    GSL_STUCK = 32,
};

struct gsl_stream {
    struct sb_words words;
    const gsl_rng_type *type;
    void *state; /* type->size bytes, after this struct */
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

static enum sb_status gsl_open(const struct sb_rng *self, uint64_t seed, struct sb_words **words)
{
    const gsl_rng_type *type = self->member;
    const size_t align = _Alignof(max_align_t);
    const size_t head = (sizeof(struct gsl_stream) + align - 1) / align * align;
    struct gsl_stream *stream = calloc(1, head + type->size);

    if (!stream)
        return SB_NO_MEMORY;
    stream->words = (struct sb_words) { .largest = self->largest, .next = gsl_next };
    stream->type = type;
    stream->state = (char *)stream + head;
    if (gsl_reseed(&stream->words, seed)) {
        free(stream);
        return SB_INVALID;
    }
    *words = &stream->words;
    return SB_OK;
}

static void gsl_close(struct sb_words *words)
{
    free(words);
}

const struct sb_rng_type sb_rng_gsl = {
    .name = "gsl",
    .title = "the generators of the GNU Scientific Library",
    .cite = "GSL Reference Manual, Random number generation",
    .seeds = GSL_SEEDS,
    .member = gsl_member,
    .open = gsl_open,
    .close = gsl_close,
    .reseed = gsl_reseed,
};
