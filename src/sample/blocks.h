/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The blocks that the work on a sample is cut into, and parts of them. */
#ifndef SB_SAMPLE_BLOCKS_H
#define SB_SAMPLE_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

enum { SB_SHARDS_MOST = 1000000 }; /* that a sample is divided into */

/* A range of blocks, from 0. */
struct sb_blocks {
    uint64_t first, count;
};

/* All blocks of a sample of `total` decks of n items. Each but the last has sb_block_decks(n) of them. */
struct sb_blocks sb_blocks_all(size_t n, uint64_t total);

/*
 * The part-th of so many parts, 1 <= part <= parts <= SB_SHARDS_MOST, that together are all blocks, each once,
 * in their order. Two parts differ by a block at most. Some are empty where there are more parts than blocks,
 * but the last is not, unless all are.
 */
struct sb_blocks sb_blocks_part(struct sb_blocks all, uint64_t part, uint64_t parts);

/* How many decks are in a range of the blocks of that sample. */
uint64_t sb_blocks_decks(struct sb_blocks blocks, size_t n, uint64_t total);

#endif
