/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Divides the work on a sample into blocks, and divides B blocks into M parts. Part number `part` has the
 * blocks [floor(B (part-1) / M), floor(B part / M)), so each block is in exactly one part, and each process
 * can compute its own part. Cost: O(1).
 */
#include "sample/blocks.h"

#include "sample/plain.h"

struct sb_blocks sb_blocks_all(size_t n, uint64_t total)
{
    const uint64_t decks = sb_block_decks(n);

    return (struct sb_blocks) { .first = 0, .count = total / decks + (total % decks > 0) };
}

/* Returns floor(count * part / parts). No product overflows, because `part` and count % parts are at most
 * 10^6. */
static uint64_t blocks_share(uint64_t count, uint64_t part, uint64_t parts)
{
    return count / parts * part + count % parts * part / parts;
}

struct sb_blocks sb_blocks_part(struct sb_blocks all, uint64_t part, uint64_t parts)
{
    const uint64_t begin = blocks_share(all.count, part - 1, parts);
    const uint64_t end = blocks_share(all.count, part, parts);

    return (struct sb_blocks) { .first = all.first + begin, .count = end - begin };
}

uint64_t sb_blocks_decks(struct sb_blocks blocks, size_t n, uint64_t total)
{
    const uint64_t decks = sb_block_decks(n);
    const uint64_t first =
        blocks.first * decks; /* at most `total`, because every block starts within the sample */
    const uint64_t left = first < total ? total - first : 0;

    return blocks.count <= left / decks ? blocks.count * decks : left;
}
