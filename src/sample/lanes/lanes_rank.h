/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes the ranks of a batch's decks, and finds the place of each deck in the batch. Only
 * sample/lanes/lanes_wide.c includes this header. That file is compiled once per instruction set.
 *
 * The rank is a number in mixed radix. Digit i is a[i] - #{j < i : a[j] < a[i]}, with radix n - i. Horner's
 * rule combines the digits: in bytes as long as bytes suffice, then in 16 bits, finally in 32 bits. Cost, per
 * vector: k(k-1)/2 comparisons for deals of k, two operations for each digit and six for each byte of digits.
 */
#ifndef SB_SAMPLE_LANES_LANES_RANK_H
#define SB_SAMPLE_LANES_LANES_RANK_H

#include "core/vector.h"
#include "sample/lanes/lanes_batch.h"

/* Combines the digits of one byte by Horner's rule. Digit i is a[i] minus the number of smaller items before
 * a[i]. */
static inline void lanes_pack(const struct lanes_batch *f, const struct sb_lanes_byte *byte,
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
        /* no product overflows its byte, so one 16-bit multiplication serves two bytes */
        for (int u = 0; u < VECTORS; u++)
            code[u] = (sb_vector8)((sb_vector16)code[u] * radix) + digit[u];
    }
}

/* Combines bytes first..end-1 by Horner's rule into one half of the rank. half[u][0] is for the decks in the
 * even byte lanes of vector u, and half[u][1] is for the decks in the odd byte lanes. */
static inline void lanes_rank_half(const struct lanes_batch *f, size_t first, size_t end,
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

/* The ranks or the series of a batch's decks, each as high * weight + low. The arrays are indexed as in
 * lanes_rank_half(). */
struct lanes_halves {
    sb_vector16 high[VECTORS][2];
    sb_vector16 low[VECTORS][2]; /* all 0 if weight = 1 */
    uint32_t weight;             /* 1..65535 */
};

/* Computes the rank of each deck. */
static void lanes_rank(const struct lanes_batch *f, struct lanes_halves *rank)
{
    const struct sb_lanes_program *const program = f->program;

    rank->weight = program->weight;
    lanes_rank_half(f, 0, program->split, rank->high);
    if (rank->weight > 1)
        lanes_rank_half(f, program->split, program->bytes, rank->low);
}

/* Sets the rank or series of each rejected deck to `cells`, which marks the deck as rejected. */
static inline void lanes_mark(const struct lanes_batch *f, size_t cells, struct lanes_halves *x)
{
    const uint16_t beyond = (uint16_t)(cells / x->weight);

#pragma GCC unroll 4
    for (int u = 0; u < VECTORS; u++)
#pragma GCC unroll 2
        for (int o = 0; o < 2; o++) {
            const sb_vector16 rejected = f->rejected[u][o];

            x->high[u][o] = (rejected & beyond) | (~rejected & x->high[u][o]);
            if (x->weight > 1)
                x->low[u][o] &= ~rejected;
        }
}

/* Sets number[u][b][q] to the rank or series of the deck in byte b of 32-bit lane q of vector u, for the
 * first `vectors` vectors. */
static inline void lanes_widen(const struct lanes_halves *x, size_t vectors, sb_vector32 number[VECTORS][4])
{
    for (size_t u = 0; u < vectors; u++)
#pragma GCC unroll 2
        for (size_t o = 0; o < 2; o++) {
            number[u][o] = (sb_vector32)x->high[u][o] & 0xFFFF;
            number[u][o + 2] = (sb_vector32)x->high[u][o] >> 16;
        }
    for (size_t u = 0; x->weight > 1 && u < vectors; u++)
#pragma GCC unroll 2
        for (size_t o = 0; o < 2; o++) {
            number[u][o] = number[u][o] * x->weight + ((sb_vector32)x->low[u][o] & 0xFFFF);
            number[u][o + 2] = number[u][o + 2] * x->weight + ((sb_vector32)x->low[u][o] >> 16);
        }
}

/* The place of a deck in the arrays of lanes_rank() and of the batch. */
struct lanes_index {
    size_t vector, byte, lane;
};

static inline struct lanes_index lanes_index(size_t d)
{
    const size_t pair = d / (2 * SB_VECTOR_BYTES);

    return (
        struct lanes_index) { .vector = 2 * pair + (d >> 2 & 1), .byte = d & 3, .lane = (d >> 3) % LANES };
}

/* Returns a pointer to the mark of the deck with this index. The mark is not 0 if the deck is rejected. */
static inline uint16_t *lanes_rejected(struct lanes_batch *f, struct lanes_index index)
{
    return (uint16_t *)&f->rejected[index.vector][index.byte & 1] +
           sb_part_in_memory(2 * index.lane + index.byte / 2, 2);
}

/* Rejects all decks of the batch after the first `most` accepted decks. Returns how many accepted decks
 * remain. */
static inline size_t lanes_admit(struct lanes_batch *f, size_t most)
{
    sb_vector16 minus = { 0 }; /* the sum of the marks, which are -1 for rejected decks */
    size_t accepted = BATCH;

    for (int u = 0; u < VECTORS; u++)
        minus += f->rejected[u][0] + f->rejected[u][1];
    for (int i = 0; i < SB_VECTOR_BYTES / 2; i++)
        accepted -= (uint16_t)-minus[i];
    for (size_t d = BATCH; accepted > most; d--) {
        uint16_t *const rejected = lanes_rejected(f, lanes_index(d - 1));

        accepted -= *rejected == 0;
        *rejected = UINT16_MAX;
    }
    return accepted;
}

#endif
