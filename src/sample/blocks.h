/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The blocks into which the work on a sample is divided, and ranges of blocks. */
#ifndef SB_SAMPLE_BLOCKS_H
#define SB_SAMPLE_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

enum { SB_SHARDS_MOST = 1000000 }; /* the largest number of parts (shards) of a sample */

/* A range of blocks, which are numbered from 0. */
struct sb_blocks {
    uint64_t first, count;
};

/* Returns the range of all blocks of a sample of `total` decks of n items. Each block has sb_block_decks(n)
 * decks; the last block may have fewer. */
struct sb_blocks sb_blocks_all(size_t n, uint64_t total);

/*
 * Divides `all` into `parts` consecutive parts and returns part `part`, 1 <= part <= parts <= SB_SHARDS_MOST.
 * The sizes of any two parts differ by at most one block. If there are more parts than blocks, some parts are
 * empty. The last part is empty only if there are no blocks.
 */
struct sb_blocks sb_blocks_part(struct sb_blocks all, uint64_t part, uint64_t parts);

/* Returns how many decks are in `blocks`, a range of a sample of `total` decks of n items. */
uint64_t sb_blocks_decks(struct sb_blocks blocks, size_t n, uint64_t total);

#endif
