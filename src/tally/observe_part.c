/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One statistic of an observer. */
#include "tally/observe_part.h"

#include "core/core.h"
#include "core/numbers.h"
#include "core/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* the most items for counting deals: at most 720 deals are counted, and n items have at least n deals */
    PART_FEW_ITEMS_MOST = 720,
    PART_RANKED_MOST = 10, /* the most items for counting whole permutations */
    /* the most items for counting positions; more would exceed SB_MATRIX_MOST cells */
    PART_MOST = 8192,
    PART_SMALL_LEAST = 64, /* the fewest members whose counts are also kept as bytes */
};

/* Merges the cells of the law into at most `most` cells, in place. */
static enum sb_status part_merge(size_t most, double ln_p[], struct sb_observe_part *part)
{
    const size_t cells = part->cells;
    double *const merged = calloc(cells, sizeof *merged);

    part->map = calloc(cells, sizeof part->map[0]);
    part->first = calloc(2 * most, sizeof part->first[0]);
    if (!merged || !part->map || !part->first) {
        free(merged);
        return SB_NO_MEMORY;
    }
    part->cells = sb_merge_cells(ln_p, cells, 1 / (double)most, part->map, merged);
    part->last = part->first + most;
    for (size_t cell = 0; cell < cells; cell++)
        if (ln_p[cell] > -HUGE_VAL)
            part->last[part->map[cell]] = (uint32_t)cell;
    for (size_t cell = cells; cell-- > 0;)
        if (ln_p[cell] > -HUGE_VAL)
            part->first[part->map[cell]] = (uint32_t)cell;
    if (part->cells == cells) { /* no cells were merged */
        free(part->map);
        free(part->first);
        part->map = part->first = part->last = NULL;
    }
    memcpy(ln_p, merged, part->cells * sizeof ln_p[0]);
    free(merged);
    return SB_OK;
}

/* Merges the cells if required, and sets the null law, which stays NULL if all cells are equally likely. */
static enum sb_status part_null_law(size_t most, bool fine, struct sb_observe_part *part)
{
    const bool merged = fine ? sb_statistic_merges(part->type, part->n) : part->type != &sb_statistic_rank;
    double *const ln_p = calloc(part->cells + 1, sizeof *ln_p);
    enum sb_status status = ln_p ? SB_OK : SB_NO_MEMORY;
    bool uniform = true;

    if (status == SB_OK)
        status = part->equal ? part->equal->null_law(part->multiset, part->deal, ln_p)
                             : part->type->null_law(part->n, part->deal, 0, ln_p);
    if (status == SB_OK && merged && most)
        status = part_merge(most, ln_p, part);
    if (status) {
        free(ln_p);
        return status;
    }
    for (size_t cell = 1; cell < part->cells; cell++)
        uniform = uniform && ln_p[cell] == ln_p[0];
    if (uniform)
        free(ln_p);
    else
        part->ln_p = ln_p;
    return SB_OK;
}

/* Sets part->rank and part->end: sorts the ranks of all distinct deals by their cells. */
static enum sb_status part_group(size_t few, struct sb_observe_part *part)
{
    const size_t members = part->members, cells = part->cells;
    uint32_t *const cell = calloc(few * members + 1, sizeof *cell);
    sb_item a[PART_FEW_ITEMS_MOST];

    part->few = few;
    part->rank = calloc(few * members + 1, sizeof part->rank[0]);
    part->end = calloc(members * cells + 1, sizeof part->end[0]);
    if (!cell || !part->rank || !part->end) {
        free(cell);
        return SB_NO_MEMORY;
    }
    for (size_t r = 0; r < few; r++) {
        sb_permutation_unrank(part->n, part->deal, r, a);
        sb_observe_part_cells(part, a, cell + r * members);
    }
    for (size_t member = 0; member < members; member++) {
        uint16_t *const rank = part->rank + member * few, *const end = part->end + member * cells;
        size_t placed = 0;

        for (size_t c = 0; c < cells; c++) {
            for (size_t r = 0; r < few; r++)
                if (cell[r * members + member] == c)
                    rank[placed++] = (uint16_t)r;
            end[c] = (uint16_t)placed;
        }
    }
    free(cell);
    return SB_OK;
}

void sb_observe_part_add_few(const struct sb_observe_part *part, const uint64_t times[])
{
    for (size_t member = 0; member < part->members; member++) {
        const uint16_t *const rank = part->rank + member * part->few;
        const uint16_t *const end = part->end + member * part->cells;
        uint64_t *const count = part->count + member * part->cells;
        size_t i = 0;

        for (size_t c = 0; c < part->cells; c++) {
            uint64_t sum = 0;

            for (; i < end[c]; i++)
                sum += times[rank[i]];
            count[c] += sum;
        }
    }
}

enum sb_status sb_observe_part_open(const struct sb_statistic_type *type, const struct sb_multiset *multiset,
                                    size_t n, size_t k, size_t most, bool fine, size_t few,
                                    struct sb_error *error, struct sb_observe_part *part)
{
    *part = (struct sb_observe_part) {
        .n = n,
        .deal = k,
        .type = type,
        .multiset = multiset,
        .equal = multiset ? type->equal : NULL,
        .members = sb_statistic_members(type, multiset, n, k),
        .cells = sb_statistic_cells(type, multiset, n, k),
    };
    if (part->cells == 0 || part->members > SB_MATRIX_MOST / part->cells)
        return sb_error_set(error, SB_TOO_LARGE,
                            "`n = %zu` is too large for the tallies of %s: use n <= %d, or a smaller `deal`",
                            n, type->name, type == &sb_statistic_rank ? PART_RANKED_MOST : PART_MOST);
    if (part_null_law(most, fine, part))
        return sb_error_memory(error, "tallies");
    part->rows = part->equal ? NULL : sb_rows_find(type->name, n, k);
    if (part->rows && part->rows->count && part->map) /* this method would count unmerged cells */
        part->rows = NULL;
    part->count = sb_huge_pages_new(part->members * part->cells + 1, sizeof part->count[0]);
    part->cell = calloc(part->members + 1, sizeof part->cell[0]);
    if (fine && few == 0 && !part->rows && part->members >= PART_SMALL_LEAST)
        part->small = calloc(part->members * part->cells + 2, 1); /* may be NULL, which only costs time */
    if (!part->count || !part->cell || (few && part_group(few, part)))
        return sb_error_memory(error, "tallies");
    return SB_OK;
}

void sb_observe_part_refresh(const struct sb_observe_part *part)
{
    const size_t cells = part->members * part->cells;

    part->small[cells] = part->small[cells + 1] = 0;
    for (size_t i = 0; i < cells; i++) {
        part->small[i] = (uint8_t)part->count[i];
        part->small[cells] |= part->count[i] > UINT8_MAX;
        if (part->small[i] > part->small[cells + 1])
            part->small[cells + 1] = part->small[i];
    }
}

enum sb_status sb_observe_part_fork(const struct sb_observe_part *of, struct sb_observe_part *part)
{
    *part = *of;
    part->small = NULL;
    part->few = 0;
    part->rank = part->end = NULL;
    part->count = calloc(part->members * part->cells + 1, sizeof part->count[0]);
    part->cell = calloc(part->members + 1, sizeof part->cell[0]);
    return part->count && part->cell ? SB_OK : SB_NO_MEMORY;
}

void sb_observe_part_close(struct sb_observe_part *part, bool forked)
{
    free(part->count);
    free(part->small);
    free(part->cell);
    free(part->rank);
    free(part->end);
    if (forked)
        return;
    free(part->ln_p);
    free(part->map);
    free(part->first);
}

void sb_observe_part_cells(const struct sb_observe_part *part, const sb_item a[], uint32_t cell[])
{
    if (part->equal)
        part->equal->classify(part->multiset, part->deal, a, cell);
    else
        part->type->classify(part->n, part->deal, a, cell);
    for (size_t member = 0; part->map && member < part->members; member++)
        cell[member] = part->map[cell[member]];
}

void sb_observe_part_add_rows(const struct sb_observe_part *part, struct sb_rows *rows)
{
    uint16_t cell[SB_ROWS_DEALS];

    if (part->rows->count) {
        part->rows->count(rows, part->count);
        return;
    }
    part->rows->cells(rows, cell);
    for (size_t d = 0; d < rows->deals; d++)
        part->count[part->map ? part->map[cell[d]] : cell[d]]++;
}
