/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts decks by item and position. One increment counts two decks at one position, so each card costs half
 * an increment. Cells have 16 bits, so that the cells of one position fit in the nearest cache. The cells are
 * emptied before any of them can overflow. Additional cost: for each pair of decks, a product and a sum,
 * which the compiler vectorises; for every 65,536 pairs, about (n + 1)^2 additions at each position.
 */
#include "sample/lanes/lanes.h"

#include <stdlib.h>
#include <string.h>

enum {
    PAIRS = SB_LANES_QUEUE / 2,
    /* rows are whole cache lines, since access to a vector that lies in two lines costs twice as much */
    CACHE_LINE = 64,
};

enum sb_status sb_lanes_matrix_open(size_t n, size_t deal, struct sb_lanes_matrix *matrix)
{
    struct sb_lanes_matrix made = { .n = n, .deal = deal };

    made.queue = aligned_alloc(CACHE_LINE, (deal + 1) * SB_LANES_QUEUE_ROW);
    made.pair = calloc(deal * (n + 1) * (n + 1) + 1, sizeof *made.pair);
    made.count = calloc(n * deal + 1, sizeof *made.count);
    if (!made.queue || !made.pair || !made.count) {
        sb_lanes_matrix_close(&made);
        return SB_NO_MEMORY;
    }
    *matrix = made;
    return SB_OK;
}

void sb_lanes_matrix_close(struct sb_lanes_matrix *matrix)
{
    free(matrix->queue);
    free(matrix->pair);
    free(matrix->count);
    *matrix = (struct sb_lanes_matrix) { 0 };
}

/* For one position, adds the pairs of decks in the queue to the counts pair[]. */
static void matrix_count_pairs(const uint8_t queue[SB_LANES_QUEUE], uint16_t row, uint16_t pair[])
{
    uint16_t cell[PAIRS];

    for (size_t k = 0; k < PAIRS; k++)
        cell[k] = (uint16_t)(queue[2 * k] * row + queue[2 * k + 1]);
#pragma GCC unroll 8
    for (size_t k = 0; k < PAIRS; k++)
        pair[cell[k]]++;
}

/* Adds the cells of position j to the counts, and sets these cells to 0. */
static void matrix_empty(const struct sb_lanes_matrix *matrix, size_t j)
{
    const size_t n = matrix->n;
    uint16_t *cell = matrix->pair + j * (n + 1) * (n + 1);
    uint32_t first[SB_LANES_ITEMS_MOST + 1] = { 0 }, second[SB_LANES_ITEMS_MOST + 1] = { 0 };

    for (size_t x = 0; x <= n; x++)
        for (size_t y = 0; y <= n; y++, cell++) {
            first[x] += *cell;
            second[y] += *cell;
            *cell = 0;
        }
    for (size_t i = 0; i < n; i++)
        matrix->count[i * matrix->deal + j] += first[i] + second[i];
}

void sb_lanes_matrix_count(struct sb_lanes_matrix *matrix)
{
    const size_t row = matrix->n + 1;

    for (size_t j = 0; j < matrix->deal; j++) {
        uint8_t *const queue = matrix->queue + j * SB_LANES_QUEUE_ROW;

        memset(queue + matrix->waiting, (int)matrix->n, SB_LANES_QUEUE - matrix->waiting);
        matrix_count_pairs(queue, (uint16_t)row, matrix->pair + j * row * row);
        if (matrix->pairs + 2 * PAIRS > UINT16_MAX)
            matrix_empty(matrix, j);
    }
    matrix->pairs = matrix->pairs + 2 * PAIRS > UINT16_MAX ? 0 : matrix->pairs + PAIRS;
    matrix->waiting = 0;
}

void sb_lanes_matrix_settle(struct sb_lanes_matrix *matrix)
{
    sb_lanes_matrix_count(matrix);
    for (size_t j = 0; j < matrix->deal; j++)
        matrix_empty(matrix, j);
    matrix->pairs = 0;
}
