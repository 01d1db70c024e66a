/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shuffles decks side by side. The functions count the decks by rank, count them by item and position, or return them.
 * This file is compiled once per instruction set: SB_LANES_ISA is the name of the resulting variable, and SB_LANES_NAME
 * is the name of the instruction set. If decks are counted by rank, the cost in addition to the shuffle is one
 * increment for each deck, or for 2 or 4 decks together. If decks are counted by item and position, it is one for each
 * dealt card.
 *
 * A swap shuffle depends only on its draws, and a deck of few items has few series of draws: Fisher-Yates on n items
 * has n! series. So in a long sample the code counts series, without shuffling. The counts are exactly those of
 * decks that are shuffled one by one.
 *
 * A word x serves draws with the bounds b1, b2, ..., bm, whose product is P. The draws are the digits of floor(x P /
 * 65536) in mixed radix: floor(x b1 / 65536) is the first draw, the remainder of this division gives the second draw,
 * and so on. So one multiplication makes all draws of a word. The low half of x P is the last low half, which decides
 * whether the deck is rejected.
 */
#include "sample/lanes/lanes_batch.h"
#include "statistic/statistic.h"

/*
 * Generates the next word for each deck. Appends the draws of this word to the digits in number[] or, if
 * `starts`, begins number[] with these draws. number[u][0] is for the decks in the even byte lanes of vector
 * u, and number[u][1] is for the decks in the odd byte lanes. Few batches have a rejected deck, so this
 * function looks for rejected decks only if the smallest low half is below the word's `reject`.
 */
static inline void lanes_series_word(struct lanes_batch *f, bool starts, sb_vector16 number[VECTORS][2])
{
    const struct sb_lanes_word word = f->program->word[f->words];
    const uint16_t product = (uint16_t)word.product;
    sb_vector16 least = (sb_vector16) { 0 } - 1;
    sb_vector32 pair[VECTORS / 2][4];
    sb_vector16(*const x)[2] = (sb_vector16(*)[2])pair; /* [VECTORS] */

    lanes_words(f, pair);
#pragma GCC unroll 4
    for (int u = 0; u < VECTORS; u++)
#pragma GCC unroll 2
        for (int o = 0; o < 2; o++) {
            const sb_vector16 draws = sb_vector_multiply_high(x[u][o], product);

            if (starts)
                number[u][o] = draws;
            else
                number[u][o] = number[u][o] * product + draws;
            x[u][o] *= product;
            least = sb_vector_least(least, x[u][o]);
        }
    if (sb_vector_any_below(least, word.reject))
        lanes_reject(f, (const sb_vector16(*)[2])x, word.reject);
}

/* Makes the draws of a batch of fresh decks, and computes the series of each deck, which fits in 16 bits. The first
 * deck is deck `deck` of the block. */
static void lanes_series(struct lanes_batch *f, size_t deck, struct lanes_halves *series)
{
    lanes_begin(f, deck);
    series->weight = 1;
    for (int u = 0; f->program->words == 0 && u < VECTORS; u++)
        series->high[u][0] = series->high[u][1] = (sb_vector16) { 0 };
    while (f->words < f->program->words)
        lanes_series_word(f, f->words == 0, series->high);
}

/* Computes the rank or the series of each deck of a batch, whichever the tally counts. */
static inline void lanes_number(struct lanes_batch *f, size_t deck, const struct sb_lanes_tally *tally,
                                struct lanes_halves *x)
{
    if (tally->series) {
        lanes_series(f, deck, x);
    } else {
        lanes_shuffle(f, deck);
        lanes_rank(f, x);
    }
    if (f->rejects)
        lanes_mark(f, tally->cells, x);
}

/* Combines the ranks or series of `fold` decks, one from each of `fold` vectors, into the index of a cell
 * (see struct sb_lanes_tally). Each index fits in 16 bits. */
static inline void lanes_fold(const struct sb_lanes_tally *tally, struct lanes_halves *x)
{
    const uint16_t base = (uint16_t)(tally->cells + 1);

    for (size_t fold = 1; fold < tally->fold; fold *= 2)
#pragma GCC unroll 2
        for (size_t u = 0; u < VECTORS / 2; u++)
#pragma GCC unroll 2
            for (size_t o = 0; o < 2; o++)
                x->high[u][o] = x->high[2 * u][o] * (uint16_t)(fold == 1 ? base : base * base) + x->high[2 * u + 1][o];
}

/* Counts the decks of `batches` whole batches, at most 65536 decks, starting with deck `deck` of the block. Returns how
 * many of these decks were rejected. */
static size_t lanes_tally_batches(struct lanes_batch *f, size_t deck, size_t batches, struct sb_lanes_tally *tally)
{
    const size_t count = BATCH / tally->fold, times = f->program->words;
    sb_vector32 number[2][VECTORS][4];
    sb_vector16 minus = { 0 }; /* the sum of the marks, which are -1 for rejected decks */
    struct lanes_halves x = { .weight = 1 };
    size_t rejected = 0;

    f->queue = (struct lanes_queue) { .tally = tally, .number = (const uint32_t *)number };
    f->queue.share = (count / (times + !times) + 3) / 4 * 4;
    for (size_t k = 0; k < batches; k++) {
        lanes_number(f, deck + k * BATCH, tally, &x);
        lanes_count(&f->queue, count);
        if (tally->fold > 1)
            lanes_fold(tally, &x);
        lanes_widen(&x, VECTORS / tally->fold, number[k % 2]);
        f->queue.number = (const uint32_t *)number[k % 2];
        f->queue.left = count;
        for (int u = 0; f->rejects && u < VECTORS; u++)
            minus += f->rejected[u][0] + f->rejected[u][1];
    }
    lanes_count(&f->queue, count);
    for (int i = 0; i < SB_VECTOR_BYTES / 2; i++)
        rejected += (uint16_t)-minus[i];
    return rejected;
}

static size_t lanes_tally_some(struct lanes_batch *f, size_t deck, size_t decks, struct sb_lanes_tally *tally)
{
    const uint32_t cells = (uint32_t)tally->cells;
    sb_vector32 number[VECTORS][4];
    struct lanes_halves x = { .weight = 1 };
    size_t counted = 0;

    lanes_number(f, deck, tally, &x);
    lanes_widen(&x, VECTORS, number);
    for (size_t d = 0; d < BATCH && counted < decks; d++) {
        const struct lanes_index index = lanes_index(d);
        uint32_t numbers = number[index.vector][index.byte][index.lane];

        if (numbers == cells)
            continue;
        for (size_t k = 1; k < tally->fold; k++)
            /* the digit `cells` stands for each missing deck of the group */
            numbers = numbers * (cells + 1) + cells;
        if (++tally->cell[numbers] == 0)
            tally->wraps[numbers]++;
        counted++;
    }
    return counted;
}

static void lanes_start(struct lanes_batch *f, const struct sb_lanes_program *program, uint64_t seed, uint64_t block)
{
    f->program = program;
    f->keys = sb_philox_keys(seed);
    f->block = block;
    f->queue = (struct lanes_queue) { 0 };
    for (size_t k = 0; k < program->steps; k++)
        f->at[k] = lanes_all(program->step[k].at.low);
}

static void lanes_tally(const struct sb_lanes_program *program, uint64_t seed, uint64_t block, size_t decks,
                        struct sb_lanes_tally *tally)
{
    struct lanes_batch flight;
    size_t deck = 0;

    lanes_start(&flight, program, seed, block);
    while (decks >= BATCH) { /* rejected decks do not reduce `decks`, so later decks take their place */
        const size_t batches = decks / BATCH;

        decks -= batches * BATCH - lanes_tally_batches(&flight, deck, batches, tally);
        deck += batches * BATCH;
    }
    for (; decks > 0; deck += BATCH)
        decks -= lanes_tally_some(&flight, deck, decks, tally);
}

/* Counts the decks of a batch by item and position, and rejected decks as item n. */
static void lanes_matrix(const struct lanes_batch *f, uint64_t matrix[])
{
    const size_t n = f->program->n, deal = f->program->deal;
    sb_vector8 rejected[VECTORS], item[VECTORS];

    for (int u = 0; u < VECTORS; u++)
        rejected[u] = (sb_vector8)((f->rejected[u][0] & 0xFF) | f->rejected[u][1] << 8);
    for (size_t j = 0; j < deal; j++, matrix += n + 1) {
        for (int u = 0; u < VECTORS; u++)
            item[u] = (rejected[u] & lanes_all(n)) | (~rejected[u] & f->item[j][u]);
#pragma GCC unroll 8
        for (size_t d = 0; d < BATCH; d++)
            matrix[((const uint8_t *)item)[d]]++;
    }
}

/* Sets bytes[d] to the items of the deck in byte lane d of the batch, for decks of at most 64 items. */
static void lanes_gather(const struct lanes_batch *f, size_t deal, uint8_t bytes[BATCH][SB_ROWS_ITEMS_MOST])
{
    uint8_t row[SB_ROWS_ITEMS_MOST][SB_ROWS_DEALS] = { 0 };

    for (size_t d = 0; d < BATCH; d += SB_ROWS_DEALS) {
        for (size_t j = 0; j < deal; j++)
            memcpy(row[j], (const uint8_t *)f->item[j] + d, SB_ROWS_DEALS);
        sb_rows_transpose(row, bytes + d);
    }
}

/* Copies the items of a deck: 16 at a time, then 4 at a time, then one by one. */
static inline void lanes_copy_deck(size_t deal, const uint8_t byte[SB_ROWS_ITEMS_MOST], sb_item items[])
{
    size_t i = 0;

    for (; i + 16 <= deal; i += 16)
#pragma GCC unroll 16
        for (size_t j = 0; j < 16; j++)
            items[i + j] = byte[i + j];
    for (; i + 4 <= deal; i += 4)
#pragma GCC unroll 4
        for (size_t j = 0; j < 4; j++)
            items[i + j] = byte[i + j];
    for (; i < deal; i++)
        items[i] = byte[i];
}

/* Writes the accepted decks of a batch to items[]. Returns a pointer to the place after these decks. */
static sb_item *lanes_deal_batch(struct lanes_batch *f, size_t deal, sb_item items[])
{
    const bool narrow = deal <= SB_ROWS_ITEMS_MOST;
    uint8_t bytes[BATCH][SB_ROWS_ITEMS_MOST];

    if (narrow)
        lanes_gather(f, deal, bytes);
    for (size_t d = 0; d < BATCH; d++) {
        const struct lanes_index index = lanes_index(d);
        const size_t lane = index.vector * SB_VECTOR_BYTES + sb_part_in_memory(4 * index.lane + index.byte, 4);

        if (*lanes_rejected(f, index))
            continue;
        if (narrow)
            lanes_copy_deck(deal, bytes[lane], items);
        else
            for (size_t i = 0; i < deal; i++)
                items[i] = ((const uint8_t *)f->item[i])[lane];
        items += deal;
    }
    return items;
}

static void lanes_deal(const struct sb_lanes_program *program, uint64_t seed, uint64_t block, size_t decks,
                       sb_item items[], uint64_t matrix[])
{
    struct lanes_batch flight;

    lanes_start(&flight, program, seed, block);
    for (size_t deck = 0; decks > 0; deck += BATCH) {
        lanes_shuffle(&flight, deck);
        decks -= lanes_admit(&flight, decks);
        if (matrix)
            lanes_matrix(&flight, matrix);
        if (items)
            items = lanes_deal_batch(&flight, program->deal, items);
    }
}

const struct sb_lanes_isa SB_LANES_ISA = {
    .name = SB_LANES_NAME,
    .tally = lanes_tally,
    .deal = lanes_deal,
};
