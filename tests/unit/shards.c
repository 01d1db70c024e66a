/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shards of a run: how people write them, and their blocks and decks. */
#include "unit/test.h"

#include "sample/sample.h"
#include "store/store.h"

#include <string.h>

/* Those parts of so many whose numbers are here, 0 at the end. */
static struct sb_shards parts_of(uint64_t of, const uint64_t numbers[], struct sb_shard part[])
{
    struct sb_shards parts = { .of = of, .part = part };

    while (numbers[parts.count]) {
        part[parts.count] = (struct sb_shard) { .number = numbers[parts.count] };
        parts.count++;
    }
    return parts;
}

TEST(said_in_words)
{
    static const struct {
        uint64_t of, numbers[16];
        const char *text;
    } said[] = {
        { 1, { 1 }, "part 1 of 1" },
        { 7, { 3 }, "part 3 of 7" },
        { 7, { 3, 4 }, "parts 3 and 4 of 7" },
        { 7, { 3, 5 }, "parts 3 and 5 of 7" },
        { 7, { 1, 2, 3, 4, 5, 6, 7 }, "parts 1 to 7 of 7" },
        { 9, { 1, 3, 4, 6, 7, 8 }, "parts 1, 3, 4 and 6 to 8 of 9" },
        { 20, { 1, 3, 5, 7, 9, 11 }, "parts 1, 3, 5, 7, 9 and 11 of 20" },
        { 20, { 1, 3, 5, 7, 9, 11, 13 }, "7 parts of 20" },
    };

    for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
        struct sb_shard part[16];
        const struct sb_shards parts = parts_of(said[i].of, said[i].numbers, part);
        char text[SB_SHARD_ROOM];

        sb_shards_say(&parts, text);
        assert_string_equal(text, said[i].text);
    }
}

/* The longest there is: six rows of three, of the largest numbers. */
TEST(the_longest_fits)
{
    struct sb_shard part[18];
    struct sb_shards parts = { .of = SB_SHARDS_MOST, .count = 18, .part = part };
    char text[SB_SHARD_ROOM];

    for (size_t i = 0; i < 18; i++)
        part[i] = (struct sb_shard) { .number = SB_SHARDS_MOST - 22 + i + i / 3 };
    sb_shards_say(&parts, text);
    assert_non_null(strstr(text, " and 999998 to 1000000 of 1000000"));
    parts.of = 0;
    sb_shards_say(&parts, text);
    assert_string_equal(text, "");
}

/* Three blocks and a bit in two parts; the bit is in the last. */
TEST(blocks_and_decks)
{
    const uint64_t block = sb_block_decks(52), samples = 3 * block + 5;
    struct sb_shard part[] = { { .number = 1, .done = 1 }, { .number = 2, .done = 2 } };
    struct sb_shards parts = { .of = 2, .count = 2, .part = part };

    assert_int_equal(sb_shards_decks(&parts, 52, samples), samples);
    assert_int_equal(sb_shards_counted(&parts, 52, samples), 2 * block + 5);
    assert_int_equal(sb_shards_done(&parts), 3);
    part[0].done = 2;
    assert_int_equal(sb_shards_counted(&parts, 52, samples), samples);
    parts.count = 1;
    assert_int_equal(sb_shards_decks(&parts, 52, samples), 2 * block);
    parts = (struct sb_shards) { .of = 0 };
    assert_int_equal(sb_shards_decks(&parts, 52, samples), samples);
}
