/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes the common order of the positions, the layouts of the slices, and the tables of moves
 * (convolve_slices.h). */
#include "exact/convolve/convolve_slices.h"

#include <stdlib.h>
#include <string.h>

void sb_slices_order(size_t n, size_t centre, sb_item order[])
{
    size_t count = 1;

    order[0] = (sb_item)centre;
    for (size_t p = 0; p < n; p++)
        if (p != centre)
            order[count++] = (sb_item)p;
}

size_t sb_slices_place(const sb_item order[], size_t position)
{
    size_t place = 0;

    while (order[place] != position)
        place++;
    return place;
}

void sb_slices_order_next(size_t centre, sb_item order[])
{
    const size_t place = sb_slices_place(order, centre);

    order[place] = order[0];
    order[0] = (sb_item)centre;
}

void sb_slices_layout(const struct sb_slices_plan *slices, const sb_item order[], size_t x,
                      struct sb_convolve_layout *layout)
{
    const size_t n = slices->plan->n, m = slices->inner.m;
    size_t count = 0;

    layout->missing = n;
    if (x == order[0])
        layout->position[count++] = order[m + 1];
    for (size_t place = 0; place < n; place++)
        if (order[place] != x && !(x == order[0] && place == m + 1))
            layout->position[count++] = order[place];
}

enum sb_status sb_slices_tables_open(struct sb_slices_tables *tables)
{
    enum { K = SB_CONVOLVE_TILE, CELLS = SB_CONVOLVE_CELLS };
    const struct sb_slices_tables made = { calloc(K * CELLS, sizeof *made.extract),
                                           calloc(K * CELLS, sizeof *made.insert) };

    *tables = made;
    if (!made.extract || !made.insert) {
        sb_slices_tables_close(tables);
        return SB_NO_MEMORY;
    }
    for (size_t cell = 0; cell < CELLS; cell++) {
        sb_item a[K], b[K];

        sb_permutation_unrank(K, K, cell, a);
        for (size_t j = 0; j < K; j++) {
            b[0] = a[j];
            memcpy(b + 1, a, j * sizeof a[0]);
            memcpy(b + 1 + j, a + j + 1, (K - 1 - j) * sizeof a[0]);
            const size_t moved = (size_t)sb_permutation_rank(K, K, b);

            made.extract[j * CELLS + cell] = (uint16_t)moved;
            made.insert[j * CELLS + moved] = (uint16_t)cell;
        }
    }
    return SB_OK;
}

void sb_slices_tables_close(struct sb_slices_tables *tables)
{
    free(tables->extract);
    free(tables->insert);
    *tables = (struct sb_slices_tables) { 0 };
}
