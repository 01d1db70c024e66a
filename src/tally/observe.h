/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The statistics of an observer, which two files of this folder share. */
#ifndef SB_TALLY_OBSERVE_H
#define SB_TALLY_OBSERVE_H

#include "tally/tally.h"

/* One statistic of an observer. */
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
    /* [cells] null law or, if `separate`, [members * cells]; NULL: all are equally likely; owned, unless forked */
    double *ln_p;
    bool separate; /* as in a tally */
    /* [number of cells before merging] the merged cell of each cell; NULL: no cells are merged; owned, unless forked */
    uint32_t *map;
    uint32_t *first, *last; /* [cells] as in a tally; owned, unless forked */
    uint32_t *cell;         /* [members] scratch: the cell of each member for one deal; owned */
    /* If the observer counts deals: `few` is the number of distinct deals. `rank`, [members * few], lists the
     * ranks of these deals for each member, sorted by the cell of the deal. `end`, [members * cells], has for
     * each member and cell the index in this list after the cell's last rank. If the observer does not count
     * deals, `few` is 0, and both arrays are NULL. Both arrays are owned. */
    size_t few;
    uint16_t *rank, *end;
    struct sb_outlier *outlier; /* the unmerged values; owned; NULL: not counted */
};

/* Makes a part that counts unmerged values look for outliers; ln_p[part->cells] is its law. SB_NO_MEMORY. */
enum sb_status sb_observe_seek(const double ln_p[], struct sb_observe_part *part);

/* Sets the law, and merges cells as sb_observer_new() says; if `seek` is set, the unmerged values of a number are
 * counted, too. SB_NO_MEMORY. */
enum sb_status sb_observe_law(const struct sb_fair *fair, size_t most, bool fine, bool seek,
                              struct sb_observe_part *part);

#endif
