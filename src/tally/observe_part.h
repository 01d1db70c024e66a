/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One statistic of an observer: the null law, the merging of cells, and the counts. */
#ifndef SB_TALLY_OBSERVE_PART_H
#define SB_TALLY_OBSERVE_PART_H

#include "core/calls.h"
#include "statistic/rows/rows.h"
#include "statistic/statistic.h"

struct sb_observe_part {
    size_t n, deal;
    const struct sb_statistic_type *type;
    const struct sb_multiset *multiset;     /* which items are equal; borrowed; NULL: all differ */
    const struct sb_statistic_equal *equal; /* the methods for equal items; NULL: the methods of `type` */
    /* method for deals in rows; NULL: deals are classified one at a time */
    const struct sb_rows_method *rows;
    size_t members, cells;
    uint64_t *count; /* [members * cells]; owned */
    /* [members * cells + 2] the low byte of each count, then a byte that is 0 as long as all counts are below 256,
     * and then the largest count as long as that is so; owned; NULL: not used */
    uint8_t *small;
    double *ln_p; /* [cells] null law; NULL: all cells are equally likely; owned, unless forked */
    /* [number of cells before merging] the merged cell of each cell; NULL: no cells are merged; owned, unless
     * forked */
    uint32_t *map;
    uint32_t *first, *last; /* [cells] as in a tally; owned, unless forked */
    uint32_t *cell;         /* [members] scratch: the cell of each member for one deal; owned */
    /* If the observer counts deals: `few` is the number of distinct deals. `rank`, [members * few], lists the
     * ranks of these deals for each member, sorted by the cell of the deal. `end`, [members * cells], has for
     * each member and cell the index in this list after the cell's last rank. If the observer does not count
     * deals, `few` is 0, and both arrays are NULL. Both arrays are owned. */
    size_t few;
    uint16_t *rank, *end;
};

/*
 * Opens a statistic of deals of k out of n with all counts 0. `multiset` says which items are equal. If
 * `most` is not 0, merges the statistic's cells into at most `most` cells. If `fine` is set, does not merge
 * the cells of a statistic that sb_statistic_merges() exempts. `few` is the number of distinct deals if the
 * observer counts deals, else 0. The caller closes the part even after an error. SB_NO_MEMORY, SB_TOO_LARGE.
 */
enum sb_status sb_observe_part_open(const struct sb_statistic_type *type, const struct sb_multiset *multiset,
                                    size_t n, size_t k, size_t most, bool fine, size_t few,
                                    struct sb_error *error, struct sb_observe_part *part);

/* Opens a part for an observer that does not count deals, with all counts 0. The part borrows the law of
 * `of`. The caller closes the part even after an error. SB_NO_MEMORY. */
enum sb_status sb_observe_part_fork(const struct sb_observe_part *of, struct sb_observe_part *part);

/* Updates part->small, which must not be NULL. Call this function after each change of the counts, except
 * after sb_observe_part_add(). */
void sb_observe_part_refresh(const struct sb_observe_part *part);

/* Frees what the part owns; `forked` says whether the part borrows its law. */
void sb_observe_part_close(struct sb_observe_part *part, bool forked);

/* Adds times[r] deals of each rank r, if the observer counts deals. */
void sb_observe_part_add_few(const struct sb_observe_part *part, const uint64_t times[]);

/* Computes the cell of each member for one deal. */
void sb_observe_part_cells(const struct sb_observe_part *part, const sb_item a[], uint32_t cell[]);

/* Adds the deals in the rows; part->rows must not be NULL. */
void sb_observe_part_add_rows(const struct sb_observe_part *part, struct sb_rows *rows);

enum { SB_OBSERVE_AHEAD = 24 }; /* how many members ahead the memory of a count is requested */

/* Adds a deal to part->count and to part->small. cell[] has the cell of each member. The counts of a thousand
 * members of a thousand cells are in no cache, so each is requested in advance. */
static inline void sb_observe_part_add_small(const struct sb_observe_part *part, const uint32_t cell[])
{
    const size_t members = part->members, cells = part->cells;
    uint64_t *const count = part->count;
    uint8_t *const small = part->small, *const end = small + members * cells, over = 0, most = end[1];

    for (size_t member = 0; member < members; member++) {
        const size_t at = member * cells + cell[member], next = member + SB_OBSERVE_AHEAD;

        if (next < members)
            __builtin_prefetch(&count[next * cells + cell[next]], 1);
        count[at]++;
        const uint8_t now = ++small[at];

        over |= now == 0;
        most = now > most ? now : most;
    }
    end[0] |= over;
    end[1] = most;
}

/* Adds `times` equal deals. cell[] has the cell of each member. */
static inline void sb_observe_part_add(const struct sb_observe_part *part, const uint32_t cell[],
                                       uint64_t times)
{
    uint64_t *row = part->count;

    if (part->small && times == 1) {
        sb_observe_part_add_small(part, cell);
        return;
    }
    for (size_t member = 0; member < part->members; member++, row += part->cells)
        row[cell[member]] += times;
    if (part->small)
        sb_observe_part_refresh(part);
}

#endif
