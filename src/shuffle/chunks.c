/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shuffled chunks, shuffled within, as with the shards of a data set: chunks of C items (the last one may
 * be shorter) come in random order, and the items of each chunk are shuffled.
 *
 * Biased: the items of a chunk stay together. With m full chunks and r items left over, m! (C!)^m of the
 * n! orders occur, times (m+1) r! if r > 0; all are equally likely. If C divides n, each item comes to each
 * position with probability 1/n, so the matrix shows nothing.
 * Cost: at most n + n/C draws, and 4 array accesses for each swap: about 10n in all.
 *
 * Each chunk is shuffled where it is; then the full chunks are swapped, and the shorter one goes to a random
 * place among them. Each of these steps permutes positions, so the matrix is known.
 *
 * WebDataset: shardshuffle; NVIDIA DALI: shuffle_after_epoch of readers of several files.
 */
#include "shuffle/shuffle.h"

#include <string.h>

/* The chunks of n items. */
struct chunks {
    size_t size; /* items of a full chunk */
    size_t full; /* number of full chunks */
    size_t rest; /* position of the shorter chunk; n if there is none */
};

static struct chunks chunks_of(const struct sb_shuffle *self, size_t n)
{
    const size_t size = self->parameter < n ? (size_t)self->parameter : n;

    return (struct chunks) { .size = size, .full = n / size, .rest = n / size * size };
}

/* Returns the number of items from position i to the end of the chunk of i. */
static size_t chunks_left(const struct chunks *chunks, size_t n, size_t i)
{
    return i < chunks->rest ? chunks->size - i % chunks->size : n - i;
}

static void chunks_run(const struct sb_shuffle *self, struct sb_deck *deck, struct sb_source *src)
{
    const size_t n = deck->n;
    const struct chunks chunks = chunks_of(self, n);
    struct sb_hand hand = sb_hand_take(src);
    sb_item *const a = deck->a;

    for (size_t i = 0; i < n; i++)
        sb_items_swap(a, i, i + sb_hand_below(&hand, (uint32_t)chunks_left(&chunks, n, i)));
    for (size_t k = 0; k < chunks.full; k++) {
        const size_t j = k + sb_hand_below(&hand, (uint32_t)(chunks.full - k));

        for (size_t x = 0; x < chunks.size; x++)
            sb_items_swap(a, k * chunks.size + x, j * chunks.size + x);
    }
    if (chunks.rest < n) {
        const size_t place = sb_hand_below(&hand, (uint32_t)chunks.full + 1) * chunks.size;

        memcpy(deck->b, a, place * sizeof *a);
        memcpy(deck->b + place, a + chunks.rest, (n - chunks.rest) * sizeof *a);
        memcpy(deck->b + place + n - chunks.rest, a + place, (chunks.rest - place) * sizeof *a);
        sb_deck_exchange(deck);
    }
    sb_hand_give(&hand);
}

/* The steps: 0..n-1 swap within chunks, the next m steps swap the m full chunks, and the last step moves the
 * shorter chunk. */
static size_t chunks_steps(const struct sb_shuffle *self, size_t n)
{
    return n + chunks_of(self, n).full + 1;
}

/* Returns the origin of the item at q after the swap of full chunk k with one of the chunks k..full-1. */
static size_t chunks_origin_block(const struct chunks *chunks, size_t k, size_t q, struct sb_source *src)
{
    const size_t own = q / chunks->size;

    if (q >= chunks->rest || own < k)
        return q;
    const size_t j = k + sb_draw_below(src, (uint32_t)(chunks->full - k));

    return sb_origin_swap(own, k, j) * chunks->size + q % chunks->size;
}

static size_t chunks_origin(const struct sb_shuffle *self, size_t n, size_t step, size_t q, struct sb_source *src)
{
    const struct chunks chunks = chunks_of(self, n);
    const size_t shorter = n - chunks.rest;

    if (step < n) {
        const size_t left = chunks_left(&chunks, n, step);

        return q < step || q >= step + left ? q : sb_origin_swap(q, step, step + sb_draw_below(src, (uint32_t)left));
    }
    if (step < n + chunks.full)
        return chunks_origin_block(&chunks, step - n, q, src);
    if (shorter == 0)
        return q;
    const size_t place = sb_draw_below(src, (uint32_t)chunks.full + 1) * chunks.size;

    return q < place ? q : q < place + shorter ? chunks.rest + q - place : q - shorter;
}

const struct sb_shuffle_type sb_shuffle_chunks = {
    .name = "chunks",
    .title = "chunks of C items in random order, each shuffled within, as with shards",
    .cite = "https://github.com/webdataset/webdataset/issues/350",
    .claim = SB_BIASED,
    .by_name_only = true,
    .pseudocode = "cut the deck into chunks of C items\n"
                  "shuffle the items of each chunk\n"
                  "shuffle the chunks\n",
    .why = "Items of one chunk stay together, and items of different chunks never mix. If C divides n, each "
           "item comes to each position equally often, so a test of positions calls it fair; a test of "
           "neighbours sees it at once. It is fair only if C is 1, or n or more.",
    .parameter = { .name = "C", .meaning = "items of a chunk", .low = 1, .high = 10000000, .standard = 2 },
    .run = chunks_run,
    .origin = chunks_origin,
    .steps = chunks_steps,
};
