/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rand() of glibc with its default state, TYPE_3: r[i] = (r[i-3] + r[i-31]) mod 2^32; the word is r[i] >> 1.
 *
 * Seeding: r[0] = seed, or 1 if the seed is 0; r[i] = 16807^i seed mod (2^31 - 1) for i = 1..30, where the
 * seed is a signed number; r[i] = r[i-31] for i = 31..33; the words of i = 34..343 are discarded. Only the
 * low 32 bits of the seed are used.
 *
 * Check: srand(1) gives 1804289383, 846930886, 1681692777, 1714636915.
 *
 * Cost: one addition.
 *
 * P. Selinger, The GLIBC random number generator, 2007, www.mscs.dal.ca/~selinger/random/; glibc's
 * stdlib/random_r.c.
 */
#include "rng/rng.h"

#include <string.h>

enum {
    GLIBC_RAND_DEGREE = 31,
    GLIBC_RAND_LAG = 3,
    GLIBC_RAND_DISCARDED = 310,
};

struct glibc_rand_stream {
    struct sb_words words;
    uint32_t r[GLIBC_RAND_DEGREE];     /* the last 31 values r, in a ring */
    unsigned at;                       /* where the ring holds r[i-31]; r[i] replaces this value */
    uint64_t power[GLIBC_RAND_DEGREE]; /* [i] 16807^i mod (2^31 - 1) */
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

/*
 * glibc computes each r[i], i <= 30, from r[i-1]. This code multiplies the seed by powers of 16807, which are
 * the same for all seeds. The products do not depend on each other, so the processor can compute them in
 * parallel.
 */
static enum sb_status glibc_rand_reseed(struct sb_words *words, uint64_t seed)
{
    struct glibc_rand_stream *const stream = (struct glibc_rand_stream *)words;
    const uint32_t first = (uint32_t)seed ? (uint32_t)seed : 1;
    const int64_t rest = (int32_t)first % INT32_MAX;
    const uint64_t base = (uint64_t)(rest < 0 ? rest + INT32_MAX : rest);
    uint32_t r[GLIBC_RAND_DEGREE + GLIBC_RAND_LAG + GLIBC_RAND_DISCARDED];
    uint32_t *const last = r + GLIBC_RAND_LAG + GLIBC_RAND_DISCARDED;
    uint32_t a, b, c; /* the three previous values of r */

    r[0] = first;
    for (size_t i = 1; i < GLIBC_RAND_DEGREE; i++)
        r[i] = (uint32_t)(base * stream->power[i] % INT32_MAX);
    r[GLIBC_RAND_DEGREE] = a = r[0];
    r[GLIBC_RAND_DEGREE + 1] = b = r[1];
    r[GLIBC_RAND_DEGREE + 2] = c = r[2];
    for (uint32_t *next = r + GLIBC_RAND_DEGREE + GLIBC_RAND_LAG; next < last + GLIBC_RAND_DEGREE; next++) {
        const uint32_t sum = a + *(next - GLIBC_RAND_DEGREE);

        *next = sum;
        a = b;
        b = c;
        c = sum;
    }
    memcpy(stream->r, last, sizeof stream->r);
    stream->at = 0;
    return SB_OK;
}

static void glibc_rand_prepare(const struct sb_rng *self, struct sb_words *words)
{
    uint64_t *const power = ((struct glibc_rand_stream *)words)->power;

    power[0] = 1;
    for (size_t i = 1; i < GLIBC_RAND_DEGREE; i++)
        power[i] = power[i - 1] * 16807 % INT32_MAX;
}

const struct sb_rng_type sb_rng_glibc_rand = {
    .name = "glibc-rand",
    .title = "rand() of glibc, additive feedback, 31 bits",
    .cite = "Selinger, The GLIBC random number generator (2007)",
    .largest = INT32_MAX,
    .seeds = UINT64_C(1) << 32,
    .size = sizeof(struct glibc_rand_stream),
    .next = glibc_rand_next,
    .prepare = glibc_rand_prepare,
    .reseed = glibc_rand_reseed,
};
