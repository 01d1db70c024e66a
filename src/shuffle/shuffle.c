/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs any shuffle on an array: calls its C function, or carries out its swaps one by one. Cost of a swap: 4
 * array accesses.
 */
#include "shuffle/shuffle.h"

#include <stdlib.h>

enum sb_status sb_shuffler_open(struct sb_shuffle shuffle, size_t n, size_t deal, struct sb_shuffler *shuffler)
{
    struct sb_shuffler made = { .shuffle = shuffle, .n = n, .deal = deal };

    if (shuffle.type->plan && n > 1) {
        made.count = shuffle.type->plan(&shuffle, n, deal, NULL);
        made.steps = calloc(made.count + 1, sizeof *made.steps);
        if (!made.steps)
            return SB_NO_MEMORY;
        shuffle.type->plan(&shuffle, n, deal, made.steps);
    }
    *shuffler = made;
    return SB_OK;
}

void sb_shuffler_close(struct sb_shuffler *shuffler)
{
    free(shuffler->steps);
    *shuffler = (struct sb_shuffler) { 0 };
}

static void shuffle_swaps(const struct sb_shuffler *shuffler, sb_item a[], struct sb_source *src)
{
    struct sb_hand hand = sb_hand_take(src);

    for (size_t k = 0; k < shuffler->count; k++) {
        const struct sb_swap *const step = &shuffler->steps[k];
        const size_t i = step->at + sb_hand_below(&hand, (uint32_t)step->at_bound);
        const size_t j = step->from + sb_hand_below(&hand, (uint32_t)step->bound);

        sb_items_swap(a, i, j);
    }
    sb_hand_give(&hand);
}

void sb_shuffler_run(const struct sb_shuffler *shuffler, struct sb_deck *deck, struct sb_source *src)
{
    sb_deck_reset(deck);
    if (shuffler->n < 2)
        return;
    if (shuffler->steps)
        shuffle_swaps(shuffler, deck->a, src);
    else
        shuffler->shuffle.type->run(&shuffler->shuffle, deck, src);
}
