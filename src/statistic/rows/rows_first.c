/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The statistics first-k (the first few cards in their order) and first-k-set (the first few cards in any
 * order), for deals in rows. The cells are the same as in first_k.c and first_k_set.c. Cost for each deal: a
 * few operations for each pair of these cards. For cards in any order, there is also one look-up for each
 * card, in a table of binomial coefficients. The table is made once for all deals.
 */
#include "statistic/rows/rows.h"
#include "statistic/statistic.h"

#include <string.h>

/* Sets below[d] to the number of positions in first..end-1 at which deal d has a smaller item than at
 * position j. */
static void rows_below(const struct sb_rows *rows, size_t j, size_t first, size_t end,
                       uint8_t below[SB_ROWS_DEALS])
{
    memset(below, 0, SB_ROWS_DEALS);
    for (size_t i = first; i < end; i++)
        for (size_t d = 0; d < SB_ROWS_DEALS; d++)
            below[d] = (uint8_t)(below[d] + (rows->item[i][d] < rows->item[j][d]));
}

void sb_rows_first_k(struct sb_rows *rows, uint16_t cell[SB_ROWS_DEALS])
{
    const size_t n = rows->n, cards = sb_first_k_cards(n, rows->deal);
    uint8_t earlier[SB_ROWS_DEALS]; /* number of earlier cards that are smaller than card j */

    memset(cell, 0, SB_ROWS_DEALS * sizeof cell[0]);
    for (size_t j = 0; j < cards; j++) {
        rows_below(rows, j, 0, j, earlier);
        for (size_t d = 0; d < SB_ROWS_DEALS; d++)
            cell[d] = (uint16_t)(cell[d] * (n - j) + rows->item[j][d] - earlier[d]);
    }
}

void sb_rows_first_k_set(struct sb_rows *rows, uint16_t cell[SB_ROWS_DEALS])
{
    const size_t cards = sb_first_k_set_cards(rows->n, rows->deal);
    uint16_t binomial[SB_FIRST_K_CARDS_MOST + 1][SB_ROWS_ITEMS_MOST]; /* [r][a] = C(a, r), by Pascal's rule */
    uint8_t lower[SB_ROWS_DEALS]; /* number of these cards that are smaller than card j */

    for (size_t a = 0; a < rows->n; a++) {
        binomial[0][a] = 1;
        for (size_t r = 1; r <= cards; r++)
            binomial[r][a] = (uint16_t)(a ? binomial[r][a - 1] + binomial[r - 1][a - 1] : 0);
    }
    memset(cell, 0, SB_ROWS_DEALS * sizeof cell[0]);
    for (size_t j = 0; j < cards; j++) {
        rows_below(rows, j, 0, cards, lower);
        for (size_t d = 0; d < SB_ROWS_DEALS; d++)
            cell[d] = (uint16_t)(cell[d] + binomial[lower[d] + 1][rows->item[j][d]]);
    }
}
