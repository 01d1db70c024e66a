/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts by item and position, of two decks at once. Cost: emptying the cells, (n + 1)^2 additions for each
 * position every 65,536 pairs, a few for each pair at n = 52.
 */
#include "engine/lanes.h"

#include <stdlib.h>
#include <string.h>

enum sb_status sb_lanes_matrix_open(size_t n, size_t deal, struct sb_lanes_matrix *matrix)
{
    struct sb_lanes_matrix made = { .n = n, .deal = deal, .cells = (n + 1) * (n + 1) };

    made.pair = calloc(deal * made.cells + 1, sizeof *made.pair);
    made.queue = calloc(deal * SB_LANES_QUEUE_ROW + 1, sizeof *made.queue);
    made.count = calloc(n * deal + 1, sizeof *made.count);
    if (!made.pair || !made.queue || !made.count) {
        sb_lanes_matrix_close(&made);
        return SB_NO_MEMORY;
    }
    *matrix = made;
    return SB_OK;
}

void sb_lanes_matrix_close(struct sb_lanes_matrix *matrix)
{
    free(matrix->pair);
    free(matrix->queue);
    free(matrix->count);
    *matrix = (struct sb_lanes_matrix) { 0 };
}

void sb_lanes_matrix_settle(struct sb_lanes_matrix *matrix)
{
    const size_t n = matrix->n;

    for (size_t j = 0; j < matrix->deal; j++) {
        const uint16_t *cell = matrix->pair + j * matrix->cells;
        uint32_t first[SB_LANES_ITEMS_MOST + 1] = { 0 }, second[SB_LANES_ITEMS_MOST + 1] = { 0 };

        for (size_t x = 0; x <= n; x++)
            for (size_t y = 0; y <= n; y++, cell++) {
                first[x] += *cell;
                second[y] += *cell;
            }
        for (size_t i = 0; i < n; i++)
            matrix->count[i * matrix->deal + j] += first[i] + second[i];
    }
    memset(matrix->pair, 0, matrix->deal * matrix->cells * sizeof *matrix->pair);
    matrix->pairs = 0;
}
