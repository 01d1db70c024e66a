/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocates a deck as one block of memory. Each array begins at the start of a cache line, so that the array
 * touches as few cache lines as possible. */
#include "core/deck.h"

#include <stdlib.h>
#include <string.h>

enum { DECK_LINE = 64 };

static size_t deck_lines(size_t bytes)
{
    return (bytes + DECK_LINE) / DECK_LINE * DECK_LINE;
}

enum sb_status sb_deck_open(size_t n, size_t deal, struct sb_deck *deck)
{
    const size_t keys = deck_lines(n * sizeof *deck->key), items = deck_lines(n * sizeof *deck->a);
    unsigned char *const block = aligned_alloc(DECK_LINE, keys + 2 * items);

    if (!block)
        return SB_NO_MEMORY;
    memset(block, 0, keys + 2 * items);
    *deck = (struct sb_deck) {
        .n = n,
        .deal = deal,
        .key = (uint64_t *)(void *)block,
        .a = (sb_item *)(void *)(block + keys),
        .b = (sb_item *)(void *)(block + keys + items),
    };
    return SB_OK;
}

void sb_deck_close(struct sb_deck *deck)
{
    free(deck->key);
    *deck = (struct sb_deck) { 0 };
}
