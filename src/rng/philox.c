/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Philox4x32-10: ten rounds of multiplication turn a counter and a key into four 32-bit words x0..x3.
 *
 * The key is the seed. The counter consists of i and the number of a block; i = 0, 1, ... counts the outputs
 * of the block. The seed, i and the number of the block have 64 bits each, and the low half comes first. So
 * each of 2^64 blocks has 2^64 outputs of its own, and all blocks are independent.
 *
 * next() gives two words of 64 bits from each output: first x0 + 2^32 x1, then x2 + 2^32 x3. fill() gives groups of 64
 * words of 32 bits, many counters at once. Let g be the number of a group, c < 16 and w < 4. Then word 64 g + 16 w + c
 * of the block is x_w of output 16 g + c.
 *
 * Cost: 20 multiplications of 32 x 32 bits for 128 bits.
 *
 * J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, Parallel random numbers: as easy as 1, 2, 3, SC 2011,
 * doi:10.1145/2063384.2063405; Random123's own header is used here.
 */
#include "rng/philox_vector.h"
#include "rng/rng.h"

#include <Random123/philox.h>
#include <string.h>

enum {
    PHILOX_COUNTERS = 16, /* number of counters in a group of fill() */
    PHILOX_GROUP = 64,    /* number of words in a group */
};

struct philox_stream {
    struct sb_words words;
    uint64_t seed, block;
    uint64_t output; /* the i of the next output that next() computes */
    uint64_t spare;  /* the second word of the output that next() computed last */
    bool has_spare;  /* whether next() still has to return `spare` */
    uint64_t group;  /* the group that fill() writes next */
};

static uint64_t philox_next(struct sb_words *words)
{
    struct philox_stream *stream = (struct philox_stream *)words;
    const philox4x32_ctr_t counter = { { (uint32_t)stream->output, (uint32_t)(stream->output >> 32),
                                         (uint32_t)stream->block, (uint32_t)(stream->block >> 32) } };
    const philox4x32_key_t key = { { (uint32_t)stream->seed, (uint32_t)(stream->seed >> 32) } };
    philox4x32_ctr_t x;

    stream->has_spare = !stream->has_spare;
    if (!stream->has_spare)
        return stream->spare;
    x = philox4x32_R(SB_PHILOX_ROUNDS, counter, key);
    stream->output++;
    stream->spare = x.v[2] | (uint64_t)x.v[3] << 32;
    return x.v[0] | (uint64_t)x.v[1] << 32;
}

void sb_philox_fill(uint64_t seed, uint64_t block, uint64_t first_group, size_t groups, uint32_t word[])
{
    const struct sb_philox_keys keys = sb_philox_keys(seed);

    for (size_t c = 0; c < groups * PHILOX_COUNTERS; c += SB_VECTOR_COUNTERS) {
        const uint64_t counter = first_group * PHILOX_COUNTERS + c;
        sb_vector32 x[1][4];

        sb_philox_vector(&keys, (uint32_t)counter, (uint32_t)(counter >> 32), block, 1, x);
        for (size_t w = 0; w < 4; w++)
            memcpy(word + c / PHILOX_COUNTERS * PHILOX_GROUP + PHILOX_COUNTERS * w + c % PHILOX_COUNTERS, &x[0][w],
                   sizeof x[0][w]);
    }
}

static void philox_fill(struct sb_words *words, size_t count, uint32_t word[])
{
    struct philox_stream *stream = (struct philox_stream *)words;
    const size_t groups = count / PHILOX_GROUP;

    sb_philox_fill(stream->seed, stream->block, stream->group, groups, word);
    stream->group += groups;
}

static void philox_seek(struct sb_words *words, uint64_t block)
{
    struct philox_stream *stream = (struct philox_stream *)words;

    stream->block = block;
    stream->output = 0;
    stream->has_spare = false;
    stream->group = 0;
}

static enum sb_status philox_reseed(struct sb_words *words, uint64_t seed)
{
    struct philox_stream *stream = (struct philox_stream *)words;

    stream->seed = seed;
    philox_seek(words, 0);
    return SB_OK;
}

const struct sb_rng_type sb_rng_philox = {
    .name = "philox",
    .title = "Philox4x32-10 of Random123, counter based",
    .cite = "doi:10.1145/2063384.2063405",
    .largest = UINT64_MAX,
    .in_vectors = true,
    .size = sizeof(struct philox_stream),
    .next = philox_next,
    .reseed = philox_reseed,
    .seek = philox_seek,
    .fill = philox_fill,
};
