/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rand() of glibc, its TYPE_3 additive feedback: r[i] = (r[i-3] + r[i-31]) mod 2^32; the word is r[i] / 2.
 *
 * Seeding: r[0] = seed, 1 in place of 0; r[i] = 16807 r[i-1] mod 2^31 - 1 for i = 1..30 by Schrage's
 * method, the seed read as a signed number; r[i] = r[i-31] for i = 31..33; the words of i = 34..343 are
 * thrown away. Of the seed here the low 32 bits count.
 *
 * Check: srand(1) gives 1804289383, 846930886, 1681692777, 1714636915.
 *
 * Cost: one addition.
 *
 * P. Selinger, The GLIBC random number generator, 2007, www.mscs.dal.ca/~selinger/random/; glibc's
 * stdlib/random_r.c.
 */
#include "rng/rng.h"

#include <stdlib.h>

enum {
    GLIBC_RAND_DEGREE = 31,
    GLIBC_RAND_LAG = 3,
    GLIBC_RAND_DISCARDED = 310,
};

struct glibc_rand_stream {
    struct sb_words words;
    uint32_t r[GLIBC_RAND_DEGREE]; /* the last 31, in a ring */
    unsigned at;                   /* the place of r[i-31], which becomes r[i] */
};

static uint64_t glibc_rand_next(struct sb_words *words)
{
    struct glibc_rand_stream *stream = (struct glibc_rand_stream *)words;
    const unsigned at = stream->at;
    const unsigned lag = at >= GLIBC_RAND_LAG ? at - GLIBC_RAND_LAG : at + GLIBC_RAND_DEGREE - GLIBC_RAND_LAG;

    stream->r[at] += stream->r[lag];
    stream->at = at + 1 < GLIBC_RAND_DEGREE ? at + 1 : 0;
    return stream->r[at] >> 1;
}

/* 16807 word mod 2^31 - 1 without overflow, as the library does it, also for the one negative word. */
static int32_t glibc_rand_schrage(int32_t word)
{
    const int32_t next = 16807 * (word % 127773) - 2836 * (word / 127773);

    return next < 0 ? next + INT32_MAX : next;
}

static enum sb_status glibc_rand_open(const struct sb_rng *self, uint64_t seed, struct sb_words **words)
{
    struct glibc_rand_stream *stream = calloc(1, sizeof *stream);

    if (!stream)
        return SB_NO_MEMORY;
    stream->words = (struct sb_words) { .largest = self->largest, .next = glibc_rand_next };
    stream->r[0] = (uint32_t)seed ? (uint32_t)seed : 1;
    for (size_t i = 1; i < GLIBC_RAND_DEGREE; i++)
        stream->r[i] = (uint32_t)glibc_rand_schrage((int32_t)stream->r[i - 1]);
    stream->at = GLIBC_RAND_LAG;
    for (size_t i = 0; i < GLIBC_RAND_DISCARDED; i++)
        glibc_rand_next(&stream->words);
    *words = &stream->words;
    return SB_OK;
}

static void glibc_rand_close(struct sb_words *words)
{
    free(words);
}

const struct sb_rng_type sb_rng_glibc_rand = {
    .name = "glibc-rand",
    .title = "rand() of glibc, additive feedback, 31 bits",
    .cite = "Selinger, The GLIBC random number generator (2007)",
    .largest = INT32_MAX,
    .open = glibc_rand_open,
    .close = glibc_rand_close,
};
