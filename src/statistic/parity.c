/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parity: cell 0 if an even number of swaps makes the permutation, and cell 1 if an odd number does.
 *
 * Null law: 1/2 for each cell, if there are two items or more. Cost of classifying: n steps, since a cycle of
 * c items is a product of c - 1 swaps.
 *
 * Stanley, Enumerative Combinatorics 1, 1.3.
 */
#include "statistic/statistic.h"

#include <stdio.h>

static size_t parity_cells(size_t n, size_t k)
{
    return k < n ? 0 : n < 2 ? 1 : 2;
}

static void parity_classify(size_t n, size_t k, const sb_item a[], uint32_t cell[])
{
    cell[0] = (n - sb_permutation_cycles(n, a)) % 2;
}

static void parity_label(const struct sb_item_names *names, size_t n, size_t k, size_t member, size_t cell,
                         char text[SB_LABEL_ROOM])
{
    snprintf(text, SB_LABEL_ROOM, "%s", cell ? "odd" : "even");
}

const struct sb_statistic_type sb_statistic_parity = {
    .name = "parity",
    .title = "even or odd",
    .cite = "Stanley, EC1, 1.3",
    .obtained = "closed form",
    .range = "whole permutations",
    .cells = parity_cells,
    .classify = parity_classify,
    .label = parity_label,
};
