/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the series of draws of each deck. Only sample/lanes/lanes_wide.c includes this header. That file is
 * compiled once per instruction set.
 *
 * A swap shuffle depends only on its draws, and a deck of few items has few series of draws: Fisher-Yates on
 * n items has n! series. So in a long sample the code counts series, and shuffles and ranks only one deck for
 * each series. The counts are exactly those of decks that are shuffled one by one.
 *
 * A word x serves draws with the bounds b1, b2, ..., bm, whose product is P. The draws are the digits of
 * floor(x P / 65536) in mixed radix: floor(x b1 / 65536) is the first draw, the remainder of this division
 * gives the second draw, and so on. So one multiplication makes all draws of a word. The low half of x P is
 * the last low half, which decides whether the deck is rejected.
 */
#ifndef SB_SAMPLE_LANES_LANES_SERIES_H
#define SB_SAMPLE_LANES_LANES_SERIES_H

#include "sample/lanes/lanes_rank.h"

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

/* Makes the draws of a batch of fresh decks, and computes the series of each deck. The first deck is deck
 * `deck` of the block. */
static void lanes_series(struct lanes_batch *f, size_t deck, struct lanes_halves *series)
{
    const struct sb_lanes_program *const program = f->program;

    lanes_begin(f, deck);
    series->weight = program->series_weight;
    for (int u = 0; program->words == 0 && u < VECTORS; u++)
        series->high[u][0] = series->high[u][1] = (sb_vector16) { 0 };
    while (f->words < program->series_split)
        lanes_series_word(f, f->words == 0, series->high);
    while (f->words < program->words)
        lanes_series_word(f, f->words == program->series_split, series->low);
}

enum { SERIES_DRAWS_MOST = 22 }; /* a series has fewer draws, because 2^22 exceeds SB_CELLS_MOST */

/* The digits of a series in each byte lane. The digits advance like an odometer. */
struct lanes_odometer {
    sb_vector8 digit[SERIES_DRAWS_MOST][VECTORS]; /* [draws], in the order of `serve` */
    uint8_t step[SERIES_DRAWS_MOST];              /* [draws] the digits of the number BATCH */
};

/* Sets digit[0..draws-1] to the digits of `number`. A number beyond the last series wraps around. */
static void lanes_digits(const struct sb_lanes_program *program, size_t number, uint8_t digit[])
{
    for (size_t k = program->draws; k-- > 0;) {
        const size_t bound = program->draw[program->serve[k]].bound;

        digit[k] = (uint8_t)(number % bound);
        number /= bound;
    }
}

/* Sets lane i of the batch to series i, for each i < BATCH. */
static void lanes_odometer_start(const struct sb_lanes_program *program, struct lanes_odometer *odometer)
{
    for (size_t i = 0; i < BATCH; i++) {
        uint8_t digit[SERIES_DRAWS_MOST];

        lanes_digits(program, i, digit);
        for (size_t k = 0; k < program->draws; k++)
            ((uint8_t *)odometer->digit[k])[i] = digit[k];
    }
    lanes_digits(program, BATCH, odometer->step);
}

/* Adds BATCH to the series in each lane. */
static void lanes_odometer_step(const struct sb_lanes_program *program, struct lanes_odometer *odometer)
{
    for (int u = 0; u < VECTORS; u++) {
        sb_vector8 carry = { 0 }; /* -1 in each lane that carries */

        for (size_t k = program->draws; k-- > 0;) {
            const uint8_t bound = program->draw[program->serve[k]].bound;
            sb_vector8 digit = odometer->digit[k][u] + odometer->step[k] - carry;

            carry = (sb_vector8)(digit >= bound);
            odometer->digit[k][u] = digit - (carry & bound);
        }
    }
}

/* Shuffles the decks of a batch with the draws of the odometer. */
static void lanes_shuffle_series(struct lanes_batch *f, const struct lanes_odometer *odometer)
{
    const struct sb_lanes_program *const program = f->program;

    lanes_begin(f, 0);
    f->words = (uint32_t)program->words; /* no words are needed, because the draws come from the odometer */
    for (size_t k = 0; k < program->draws; k++)
        for (int u = 0; u < VECTORS; u++)
            f->place[program->serve[k]][u] =
                odometer->digit[k][u] + (uint8_t)program->draw[program->serve[k]].low;
    lanes_run(f);
}

#endif
