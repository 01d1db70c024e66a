/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs any shuffle on an array: calls its C function, or carries out its swaps one by one. Cost of a swap: 4
 * array accesses.
 */
#include "shuffle/shuffle.h"

#include <stdlib.h>

/* Returns whether each swap takes exactly one draw, for the second of its positions. */
static bool shuffle_draws_once(const struct sb_swap steps[], size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (steps[k].at_bound > 1 || steps[k].bound < 2)
            return false;
    return true;
}

enum sb_status sb_shuffler_open(struct sb_shuffle shuffle, size_t n, size_t deal, struct sb_shuffler *shuffler)
{
    struct sb_shuffler made = { .shuffle = shuffle, .n = n, .deal = deal };

    if (shuffle.type->plan && n > 1) {
        made.count = shuffle.type->plan(&shuffle, n, deal, NULL);
        made.steps = calloc(made.count + 1, sizeof *made.steps);
        if (!made.steps)
            return SB_NO_MEMORY;
        shuffle.type->plan(&shuffle, n, deal, made.steps);
        made.once = shuffle_draws_once(made.steps, made.count);
    }
    *shuffler = made;
    return SB_OK;
}

void sb_shuffler_close(struct sb_shuffler *shuffler)
{
    free(shuffler->steps);
    *shuffler = (struct sb_shuffler) { 0 };
}

static void shuffle_exchange(sb_item a[], size_t i, size_t j)
{
    const sb_item item = a[i];

    a[i] = a[j];
    a[j] = item;
}

static void shuffle_swap(const struct sb_swap *step, sb_item a[], struct sb_source *src)
{
    const size_t i = step->at + sb_draw_below(src, (uint32_t)step->at_bound);
    const size_t j = step->from + sb_draw_below(src, (uint32_t)step->bound);

    shuffle_exchange(a, i, j);
}

/* Carries out the first swaps, and stops when the buffered words run out or when a word may have to be
 * rejected. Each swap must draw only its second position. Returns the number of swaps done. The draws have
 * the same answers as those of sb_draw_below(), but the source is updated only once, at the end. */
static size_t shuffle_at_hand(const struct sb_swap steps[], size_t count, sb_item a[], struct sb_source *src)
{
    const uint32_t *const word = src->word;
    const size_t words = (size_t)(src->end - word), most = count < words ? count : words;
    size_t k = 0;

    if (words == 0)
        return 0;
    for (; k < most; k++) {
        const uint32_t bound = (uint32_t)steps[k].bound;
        const uint64_t product = (uint64_t)word[k] * bound;

        if ((uint32_t)product < bound)
            break;
        shuffle_exchange(a, steps[k].at, steps[k].from + (size_t)(product >> 32));
    }
    src->word += k;
    return k;
}

static void shuffle_swaps(const struct sb_shuffler *shuffler, sb_item a[], struct sb_source *src)
{
    const struct sb_swap *const steps = shuffler->steps;
    const size_t count = shuffler->count;

    for (size_t k = 0; k < count; k++) {
        if (shuffler->once)
            k += shuffle_at_hand(steps + k, count - k, a, src);
        if (k < count)
            shuffle_swap(&steps[k], a, src);
    }
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
