/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts decks by rank or by series of draws, in cells of one byte. Large tables use huge pages. With
 * millions of cells on small pages, each increment would also need a page look-up. Cost: one byte per cell,
 * and eight more bytes that stay untouched until the cell wraps.
 */
#define _DEFAULT_SOURCE /* for madvise() */

#include "sample/lanes/lanes.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    CACHE_LINE = 64,
    HUGE_PAGE = 2 * 1024 * 1024,
    /* the largest number of cells if one increment counts several decks, so that all cells fit in the nearest
     * cache */
    TOGETHER_MOST = 16384,
};

/* Returns (cells + 1)^fold. */
static size_t tally_together(size_t cells, size_t fold)
{
    size_t together = 1;

    for (size_t k = 0; k < fold; k++)
        together *= cells + 1;
    return together;
}

static enum sb_status tally_open(size_t cells, struct sb_lanes_tally *tally)
{
    const size_t fold = tally_together(cells, 4) <= TOGETHER_MOST   ? 4
                        : tally_together(cells, 2) <= TOGETHER_MOST ? 2
                                                                    : 1;
    const size_t together = tally_together(cells, fold);
    const size_t copies = SB_LANES_COPIES * together <= TOGETHER_MOST ? SB_LANES_COPIES : 1;
    const size_t count = copies * together;
    const bool huge = count >= HUGE_PAGE / 2;
    const size_t unit = huge ? HUGE_PAGE : CACHE_LINE, size = (count + unit - 1) / unit * unit;
    void *const cell = aligned_alloc(unit, size);
    uint64_t *const wraps = calloc(count, sizeof *wraps);

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
        .copies = copies,
        .apart = copies > 1 ? together : 0,
        .cell = cell,
        .wraps = wraps,
    };
    return SB_OK;
}

enum sb_status sb_lanes_tally_open(const struct sb_lanes_program *program, struct sb_lanes_tally *tally)
{
    return tally_open(program->cells, tally);
}

enum sb_status sb_lanes_tally_open_series(const struct sb_lanes_program *program,
                                          struct sb_lanes_tally *tally)
{
    uint32_t *const rank = malloc(program->series * sizeof *rank);
    const enum sb_status status = rank ? tally_open(program->series, tally) : SB_NO_MEMORY;

    if (status) {
        free(rank);
        return status;
    }
    sb_lanes_best()->series_ranks(program, rank);
    tally->rank = rank;
    return SB_OK;
}

void sb_lanes_tally_close(struct sb_lanes_tally *tally)
{
    free(tally->cell);
    free(tally->wraps);
    free(tally->rank);
    *tally = (struct sb_lanes_tally) { 0 };
}

void sb_lanes_tally_add(const struct sb_lanes_tally *tally, uint64_t count[])
{
    const size_t base = tally->cells + 1;

    for (size_t i = 0; i < tally->copies * tally->together; i++) {
        const uint64_t decks = (tally->wraps[i] << 8) + tally->cell[i];

        for (size_t k = 0, numbers = i % tally->together; k < tally->fold; k++, numbers /= base) {
            const size_t number = numbers % base;

            if (number < tally->cells)
                count[tally->rank ? tally->rank[number] : number] += decks;
        }
    }
}
