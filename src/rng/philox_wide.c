/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fills buffers with Philox words. This file is compiled once per instruction set; SB_PHILOX_FILL is the name
 * of the resulting function. Cost: 0.4 ns per 32-bit word with 64-byte vectors, and 1.2 ns with 16-byte
 * vectors.
 */
#include "rng/philox_wide.h"

#include "rng/philox_vector.h"

#include <string.h>

enum { WIDE_GROUP = 16 }; /* number of counters in a group */

/* Writes the words of `count` vectors of counters; count is 1 or 2. The first of these vectors has the index
 * `first` in the block and the index `i` in the buffer. */
static inline void wide_write(const struct sb_philox_keys *keys, uint64_t first, uint64_t block, size_t count,
                              size_t i, uint32_t word[])
{
    const uint64_t counter = first * SB_VECTOR_COUNTERS;
    sb_vector32 x[2][4];

    sb_philox_vector(keys, (uint32_t)counter, (uint32_t)(counter >> 32), block, count, x);
    for (size_t v = 0; v < count; v++)
        for (size_t w = 0; w < 4; w++) {
            const size_t c = (i + v) * SB_VECTOR_COUNTERS;

            memcpy(word + c / WIDE_GROUP * 64 + WIDE_GROUP * w + c % WIDE_GROUP, &x[v][w], sizeof x[v][w]);
        }
}

void SB_PHILOX_FILL(uint64_t seed, uint64_t block, uint64_t first_group, size_t groups, uint32_t word[])
{
    const struct sb_philox_keys keys = sb_philox_keys(seed);
    const uint64_t first = first_group * WIDE_GROUP / SB_VECTOR_COUNTERS;
    const size_t vectors = groups * WIDE_GROUP / SB_VECTOR_COUNTERS;
    size_t i = 0;

    /* writes two vectors at a time; the first of them has an even index in the block, so the counters of both
     * vectors have the same second word */
    if (first % 2 == 1 && i < vectors)
        wide_write(&keys, first, block, 1, i++, word);
    for (; i + 1 < vectors; i += 2)
        wide_write(&keys, first + i, block, 2, i, word);
    if (i < vectors)
        wide_write(&keys, first + i, block, 1, i, word);
}
