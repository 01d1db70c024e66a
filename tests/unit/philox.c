/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Buffers of Philox words, on every instruction set of this machine, against Random123's own Philox. */
#include "unit/test.h"

#include "rng/rng.h"
#include "unit/lanes_one.h"

/* Known answers for philox4x32 with 10 rounds from Random123 1.14, tests/kat_vectors. */
TEST(philox_has_the_known_answers)
{
    static const struct {
        uint64_t seed, block, i; /* i: the low two words of the counter */
        uint32_t expected[4];
    } known[] = {
        { 0, 0, 0, { 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 } },
        { UINT64_MAX, UINT64_MAX, UINT64_MAX, { 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd } },
        { 0x299f31d0a4093822,
          0x0370734413198a2e,
          0x85a308d3243f6a88,
          { 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 } },
    };

    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        uint32_t word[64];

        sb_philox_fill(known[k].seed, known[k].block, known[k].i / 16, 1, word);
        for (size_t w = 0; w < 4; w++)
            assert_int_equal(word[16 * w + known[k].i % 16], known[k].expected[w]);
    }
}

TEST(philox_fills_as_Random123_does)
{
    const uint64_t seed = 0x0123456789abcdef, block = 0xfedcba9876543210;
    /* the counter's second word comes up in the middle, after an even and after an odd number of groups */
    const uint64_t least = ((uint64_t)1 << 28) - 2;
    uint32_t word[64 * 5];

    for (uint64_t first = least; first < least + 2; first++) {
        sb_philox_fill(seed, block, first, 5, word);
        for (size_t k = 0; k < 64 * 5; k++) {
            const uint64_t i = 16 * (first + k / 64) + k % 16;
            const philox4x32_ctr_t x = philox(seed, (uint32_t)i, (uint32_t)(i >> 32), block);

            assert_int_equal(word[k], x.v[k / 16 % 4]);
        }
    }
}
