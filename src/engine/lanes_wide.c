/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shuffles decks side by side, ranks them and counts them or hands them out. Compiled once per instruction
 * set; SB_LANES_ISA is the name of the result, SB_LANES_NAME its name in words.
 *
 * rank = sum of digits in mixed radix, digit i = a[i] - #{j < i : a[j] < a[i]} with radix n - i, by Horner's
 * rule in bytes as far as they go, then in 16 bits, at last in 32. Cost, per vector: k(k-1)/2 comparisons for
 * deals of k, two operations for each digit and six for each byte of them; per deck an increment, or part of
 * one.
 */
#include "engine/lanes_flight.h"

/* Horner's rule over the digits of one byte: digit i is a[i] less the number of smaller items before it. */
static inline void lanes_pack(const struct lanes_flight *f, const struct sb_lanes_byte *byte,
                              sb_vector8 code[VECTORS])
{
    for (size_t i = byte->first; i < byte->end; i++) {
        const uint16_t radix = (uint16_t)(i == byte->first ? 0 : f->program->n - i);
        sb_vector8 digit[VECTORS], item[VECTORS];

#pragma GCC unroll 4
        for (int u = 0; u < VECTORS; u++)
            digit[u] = item[u] = f->item[i][u];
        for (size_t j = 0; j < i; j++)
#pragma GCC unroll 4
            for (int u = 0; u < VECTORS; u++)
                digit[u] += (sb_vector8)((sb_signed8)f->item[j][u] < (sb_signed8)item[u]);
#pragma GCC unroll 4
        for (int u = 0; u < VECTORS; u++) /* no byte overflows, so they are multiplied in pairs */
            code[u] = (sb_vector8)((sb_vector16)code[u] * radix) + digit[u];
    }
}

/* Horner's rule over bytes first..end-1: half a rank, of the even byte lanes and of the odd ones. */
static inline void lanes_rank_half(const struct lanes_flight *f, size_t first, size_t end,
                                   sb_vector16 half[VECTORS][2])
{
    const sb_vector8 zero = { 0 };
    sb_vector8 code[VECTORS];

#pragma GCC unroll 4
    for (int u = 0; u < VECTORS; u++) {
        code[u] = zero;
        half[u][0] = half[u][1] = (sb_vector16)zero;
    }
    for (size_t k = first; k < end; k++) {
        const struct sb_lanes_byte *const byte = &f->program->byte[k];

        lanes_pack(f, byte, code);
#pragma GCC unroll 4
        for (int u = 0; u < VECTORS; u++) {
            half[u][0] = half[u][0] * byte->radix + ((sb_vector16)code[u] & 0xFF);
            half[u][1] = half[u][1] * byte->radix + ((sb_vector16)code[u] >> 8);
        }
    }
}

/* rank[u][b][q]: of the deck in byte b of 32-bit lane q of vector u; `cells` if it is rejected. */
static void lanes_rank(const struct lanes_flight *f, sb_vector32 rank[VECTORS][4])
{
    const struct sb_lanes_program *const program = f->program;
    const uint16_t beyond = (uint16_t)(program->cells / program->weight);
    sb_vector16 high[VECTORS][2], low[VECTORS][2];

    lanes_rank_half(f, 0, program->split, high);
#pragma GCC unroll 4
    for (int u = 0; u < VECTORS; u++)
#pragma GCC unroll 2
        for (int o = 0; o < 2; o++) {
            const sb_vector16 rejected = f->rejected[u][o];

            high[u][o] = (rejected & beyond) | (~rejected & high[u][o]);
            rank[u][o] = (sb_vector32)high[u][o] & 0xFFFF;
            rank[u][o + 2] = (sb_vector32)high[u][o] >> 16;
        }
    if (program->split == program->bytes)
        return;
    lanes_rank_half(f, program->split, program->bytes, low);
#pragma GCC unroll 4
    for (int u = 0; u < VECTORS; u++)
#pragma GCC unroll 2
        for (int o = 0; o < 2; o++) {
            low[u][o] &= ~f->rejected[u][o];
            rank[u][o] = rank[u][o] * program->weight + ((sb_vector32)low[u][o] & 0xFFFF);
            rank[u][o + 2] = rank[u][o + 2] * program->weight + ((sb_vector32)low[u][o] >> 16);
        }
}

/* Makes the ranks of `fold` decks, which are in as many vectors, one: sb_lanes_tally says how. */
static void lanes_fold(sb_vector32 rank[VECTORS][4], const struct sb_lanes_tally *tally)
{
    for (size_t u = 0; u < VECTORS; u += tally->fold)
        for (size_t b = 0; b < 4; b++) {
            sb_vector32 ranks = rank[u][b];

            for (size_t k = 1; k < tally->fold; k++)
                ranks = ranks * (uint32_t)(tally->cells + 1) + rank[u + k][b];
            rank[u / tally->fold][b] = ranks;
        }
}

/*
 * Counts `batches` whole batches from deck `deck` of the block on, at most 65536 decks. Returns how many of
 * them were rejected.
 */
static size_t lanes_tally_batches(struct lanes_flight *f, size_t deck, size_t batches,
                                  struct sb_lanes_tally *tally)
{
    const size_t count = BATCH / tally->fold, times = f->program->words * VECTORS / 2;
    sb_vector32 rank[2][VECTORS][4];
    sb_vector16 minus = { 0 }; /* a yes is -1 */
    size_t rejected = 0;

    f->queue = (struct lanes_queue) { .tally = tally, .rank = (const uint32_t *)rank };
    f->queue.share = (count / (times + !times) + 3) / 4 * 4;
    for (size_t k = 0; k < batches; k++) {
        lanes_shuffle(f, deck + k * BATCH);
        lanes_count(&f->queue, count);
        lanes_rank(f, rank[k % 2]);
        lanes_fold(rank[k % 2], tally);
        f->queue.rank = (const uint32_t *)rank[k % 2];
        f->queue.left = count;
        for (int u = 0; u < VECTORS; u++)
            minus += f->rejected[u][0] + f->rejected[u][1];
    }
    lanes_count(&f->queue, count);
    for (int i = 0; i < SB_VECTOR_BYTES / 2; i++)
        rejected += (uint16_t)-minus[i];
    return rejected;
}

/* Where lanes_rank() and the flight have deck d of a batch. */
struct lanes_seat {
    size_t vector, byte, lane;
};

static inline struct lanes_seat lanes_seat(size_t d)
{
    const size_t pair = d / (2 * SB_VECTOR_BYTES);

    return (struct lanes_seat) { .vector = 2 * pair + (d >> 2 & 1), .byte = d & 3, .lane = (d >> 3) % LANES };
}

/* Counts the first accepted ones of a batch, `decks` at most; returns how many. */
static size_t lanes_tally_some(struct lanes_flight *f, size_t deck, size_t decks,
                               struct sb_lanes_tally *tally)
{
    const uint32_t cells = (uint32_t)tally->cells;
    sb_vector32 rank[VECTORS][4];
    size_t counted = 0;

    lanes_shuffle(f, deck);
    lanes_rank(f, rank);
    for (size_t d = 0; d < BATCH && counted < decks; d++) {
        const struct lanes_seat seat = lanes_seat(d);
        uint32_t ranks = rank[seat.vector][seat.byte][seat.lane];

        if (ranks == cells)
            continue;
        for (size_t k = 1; k < tally->fold; k++)
            ranks = ranks * (cells + 1) + cells; /* with nobody */
        if (++tally->cell[ranks] == 0)
            tally->wraps[ranks]++;
        counted++;
    }
    return counted;
}

static void lanes_board(struct lanes_flight *f, const struct sb_lanes_program *program, uint64_t seed,
                        uint64_t block)
{
    f->program = program;
    f->keys = sb_philox_keys(seed);
    f->block = block;
    f->queue = (struct lanes_queue) { 0 };
}

static void lanes_tally(const struct sb_lanes_program *program, uint64_t seed, uint64_t block, size_t decks,
                        struct sb_lanes_tally *tally)
{
    struct lanes_flight flight;
    size_t deck = 0;

    lanes_board(&flight, program, seed, block);
    while (decks >= BATCH) { /* and again for as many as were rejected */
        const size_t batches = decks / BATCH;

        decks -= batches * BATCH - lanes_tally_batches(&flight, deck, batches, tally);
        deck += batches * BATCH;
    }
    for (; decks > 0; deck += BATCH)
        decks -= lanes_tally_some(&flight, deck, decks, tally);
}

static void lanes_deal(const struct sb_lanes_program *program, uint64_t seed, uint64_t block, size_t decks,
                       sb_item items[])
{
    struct lanes_flight flight;
    sb_vector32 rank[VECTORS][4];

    lanes_board(&flight, program, seed, block);
    for (size_t deck = 0; decks > 0; deck += BATCH) {
        lanes_shuffle(&flight, deck);
        lanes_rank(&flight, rank);
        for (size_t d = 0; d < BATCH && decks > 0; d++) {
            const struct lanes_seat seat = lanes_seat(d);

            if (rank[seat.vector][seat.byte][seat.lane] == program->cells)
                continue;
            for (size_t i = 0; i < program->deal; i++)
                *items++ = ((sb_vector32)flight.item[i][seat.vector])[seat.lane] >> (8 * seat.byte) & 0xFF;
            decks--;
        }
    }
}

const struct sb_lanes_isa SB_LANES_ISA = {
    .name = SB_LANES_NAME,
    .tally = lanes_tally,
    .deal = lanes_deal,
};
