/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A deck's memory: one block for the keys and the items. */
#include "core/deck.h"

#include <stdlib.h>

enum sb_status sb_deck_open(size_t n, size_t deal, struct sb_deck *deck)
{
    uint64_t *block = calloc(n + 1, sizeof *block + 2 * sizeof *deck->a);

    if (!block)
        return SB_NO_MEMORY;
    *deck = (struct sb_deck) {
        .n = n,
        .deal = deal,
        .key = block,
        .a = (sb_item *)(block + n),
        .b = (sb_item *)(block + n) + n,
    };
    return SB_OK;
}

void sb_deck_close(struct sb_deck *deck)
{
    free(deck->key);
    *deck = (struct sb_deck) { 0 };
}
