/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts by rank, in cells of one byte. Large tables use huge pages. Without huge pages, each increment of
 * one of millions of cells would also need a page look-up. Cost: one byte per cell, and eight more bytes that
 * stay untouched until the cell wraps.
 */
#define _DEFAULT_SOURCE /* for madvise() */

#include "sample/lanes/lanes.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    CACHE_LINE = 64,
    HUGE_PAGE = 2 * 1024 * 1024,
    /* if decks are counted together, the most cells, so that all cells fit in the nearest cache */
    TOGETHER_MOST = 16384,
};

/* (cells + 1)^fold */
static size_t tally_together(size_t cells, size_t fold)
{
    size_t together = 1;

    for (size_t k = 0; k < fold; k++)
        together *= cells + 1;
    return together;
}

enum sb_status sb_lanes_tally_open(size_t cells, struct sb_lanes_tally *tally)
{
    const size_t fold = tally_together(cells, 4) <= TOGETHER_MOST   ? 4
                        : tally_together(cells, 2) <= TOGETHER_MOST ? 2
                                                                    : 1;
    const size_t together = tally_together(cells, fold);
    const bool huge = together >= HUGE_PAGE / 2;
    const size_t unit = huge ? HUGE_PAGE : CACHE_LINE, size = (together + unit - 1) / unit * unit;
    void *const cell = aligned_alloc(unit, size);
    uint64_t *const wraps = calloc(together, sizeof *wraps);

    if (!cell || !wraps) {
        free(cell);
        free(wraps);
        return SB_NO_MEMORY;
    }
#ifdef MADV_HUGEPAGE
    if (huge)
        (void)madvise(cell, size, MADV_HUGEPAGE); /* if the kernel refuses, counting is slower but correct */
#endif
    memset(cell, 0, size);
    *tally = (struct sb_lanes_tally) {
        .cells = cells,
        .fold = fold,
        .together = together,
        .cell = cell,
        .wraps = wraps,
    };
    return SB_OK;
}

void sb_lanes_tally_close(struct sb_lanes_tally *tally)
{
    free(tally->cell);
    free(tally->wraps);
    *tally = (struct sb_lanes_tally) { 0 };
}

void sb_lanes_tally_add(const struct sb_lanes_tally *tally, uint64_t count[])
{
    for (size_t i = 0; i < tally->together; i++) {
        const uint64_t decks = (tally->wraps[i] << 8) + tally->cell[i];

        for (size_t k = 0, ranks = i; k < tally->fold; k++, ranks /= tally->cells + 1)
            if (ranks % (tally->cells + 1) < tally->cells)
                count[ranks % (tally->cells + 1)] += decks;
    }
}
