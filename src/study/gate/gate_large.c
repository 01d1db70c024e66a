/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lists the statistics that a gate or a watch leaves out for large decks. A statistic that is tested for
 * decks of ten items is left out at a large n if computing its law takes more than O(n) steps, or if its
 * counts take more than a few megabytes.
 */
#include "statistic/statistic.h"
#include "study/gate/gate_run.h"

#include <stdlib.h>

enum {
    LARGE_SMALL = 10
    /* number of items at which every statistic that needs no profile has cells, except the statistics that
     * are only for large decks */
};

/* Returns whether a statistic is tested for small decks, but has no cells or too many cells at this n. */
static bool large_lacks(const struct sb_statistic_type *type, size_t n, size_t deal)
{
    const size_t small = deal < n ? LARGE_SMALL / 2 : LARGE_SMALL;

    return type != &sb_statistic_rank && sb_statistic_joins(type, LARGE_SMALL, small) &&
           !sb_statistic_joins(type, n, deal);
}

enum sb_status sb_gate_leave_out(size_t n, size_t deal, struct sb_gate *gate)
{
    if (n <= SB_LAW_ITEMS_MOST)
        return SB_OK;
    gate->left_out = calloc(sb_statistic_types_count, sizeof *gate->left_out);
    if (!gate->left_out)
        return SB_NO_MEMORY;
    for (size_t i = 0; i < sb_statistic_types_count; i++)
        if (large_lacks(sb_statistic_types[i], n, deal))
            gate->left_out[gate->left_out_count++] = sb_statistic_types[i]->name;
    return SB_OK;
}

enum sb_status sb_gate_large_say(struct sb_gate_run *run)
{
    const bool counted = run->options->saved && run->options->saved->report;

    return counted ? SB_OK : sb_gate_leave_out(run->n, run->deal, run->gate);
}
