/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parts of a sample: each block is in exactly one part, the parts are in order, and their sizes differ by at
 * most one block.
 */
#include "unit/test.h"

#include "sample/sample.h"

TEST(every_block_is_in_one_part)
{
    for (uint64_t count = 0; count <= 40; count++)
        for (uint64_t parts = 1; parts <= 45; parts++) {
            const struct sb_blocks all = { .first = 0, .count = count };
            uint64_t next = 0;

            for (uint64_t k = 1; k <= parts; k++) {
                const struct sb_blocks part = sb_blocks_part(all, k, parts);

                assert_int_equal(part.first, next);
                assert_in_range(part.count, count / parts, (count + parts - 1) / parts);
                next += part.count;
            }
            assert_int_equal(next, count);
        }
}

/* floor(B k / M) by integers of any size, as Python has them: B k does not fit 64 bits. */
TEST(large_ones_too)
{
    const struct sb_blocks all = { .first = 0, .count = (UINT64_C(1) << 59) - 1 };
    const struct sb_blocks middle = sb_blocks_part(all, 500001, 999983);
    const struct sb_blocks last = sb_blocks_part(all, SB_SHARDS_MOST, SB_SHARDS_MOST);

    assert_int_equal(middle.first, 288235276151406317);
    assert_int_equal(middle.count, 576470552303);
    assert_int_equal(last.first, 576460175842671183);
    assert_int_equal(last.first + last.count, all.count);
}

/* The last block may be short; what is empty has no decks. */
TEST(decks_of_ranges)
{
    const uint64_t block = sb_block_decks(52);

    for (uint64_t total = 1; total <= 3 * block; total += block / 4 + 1) {
        const struct sb_blocks all = sb_blocks_all(52, total);

        assert_int_equal(sb_blocks_decks(all, 52, total), total);
        for (uint64_t parts = 1; parts <= 5; parts++) {
            uint64_t decks = 0;

            for (uint64_t k = 1; k <= parts; k++)
                decks += sb_blocks_decks(sb_blocks_part(all, k, parts), 52, total);
            assert_int_equal(decks, total);
        }
        assert_int_equal(sb_blocks_decks((struct sb_blocks) { .first = all.count }, 52, total), 0);
        assert_int_equal(sb_blocks_decks((struct sb_blocks) { .count = 1 }, 52, total),
                         total < block ? total : block);
    }
    assert_int_equal(sb_blocks_decks(sb_blocks_all(3, INT64_MAX), 3, INT64_MAX), INT64_MAX);
}
