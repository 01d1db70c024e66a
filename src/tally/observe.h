/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tallies of permutation statistics, for deals that come in batches. */
#ifndef SB_TALLY_OBSERVE_H
#define SB_TALLY_OBSERVE_H

#include "core/calls.h"
#include "core/ranks.h"
#include "core/tally.h"
#include "statistic/rows/rows.h"
#include "statistic/statistic.h"

struct sb_observer;

/*
 * Makes tallies of these statistics for deals of `deal` out of n. If `most` is not 0, the cells of each
 * statistic except the rank are merged into at most `most` cells of about equal probability under the null
 * law. The caller frees the observer; freeing NULL is allowed. SB_TOO_LARGE: a statistic has too many cells;
 * SB_NO_MEMORY.
 */
enum sb_status sb_observer_new(size_t n, size_t deal, const struct sb_statistic_type *const types[],
                               size_t count, size_t most, struct sb_error *error,
                               struct sb_observer **observer);
/* Makes an observer as sb_observer_new() does; but if `fine` is set, the statistics that sb_statistic_merges() exempts keep
 * their own cells. `multiset` says which items are equal, and must outlive the observer; NULL: all items differ. */
enum sb_status sb_observer_new_equal(const struct sb_multiset *multiset, size_t n, size_t deal,
                                     const struct sb_statistic_type *const types[], size_t count, size_t most,
                                     bool fine, struct sb_error *error, struct sb_observer **observer);
void sb_observer_free(struct sb_observer *observer);

/*
 * Makes an observer that receives cells instead of permutations: sb_observer_add_cells() adds the cell of
 * each statistic. All statistics must have one member. No deals may be added to this observer.
 */
enum sb_status sb_observer_new_of_cells(size_t n, const struct sb_statistic_type *const types[], size_t count,
                                        size_t most, struct sb_error *error, struct sb_observer **observer);
void sb_observer_add_cells(struct sb_observer *observer, const uint32_t cell[]);
/* Adds `count` cells of each statistic: those of statistic i are cell[i][count]. */
void sb_observer_add_cells_of(struct sb_observer *observer, const uint16_t *const cell[], size_t count);

/* Adds valid deals, items[count * deal]. */
void sb_observer_add(struct sb_observer *observer, const sb_item items[], size_t count);

/* Adds the deals that are in the rows, items[rows->deals * deal]. */
void sb_observer_add_rows(struct sb_observer *observer, const sb_item items[], struct sb_rows *rows);

/* Adds `times` equal deals. */
void sb_observer_add_times(struct sb_observer *observer, const sb_item items[], uint64_t times);

/*
 * Makes an empty observer of the same statistics for another thread. The fork borrows the original's laws, so
 * the fork must be freed first. sb_observer_join() adds the fork's tallies to the original's. SB_NO_MEMORY.
 */
enum sb_status sb_observer_fork(const struct sb_observer *observer, struct sb_observer **forked);
void sb_observer_join(struct sb_observer *observer, const struct sb_observer *forked);

/* At the root, adds the tallies of all other MPI ranks. At the other MPI ranks, sets the tallies to zero.
 * Call this function only if all deals were added to forks. */
void sb_observer_meet(struct sb_observer *observer, const struct sb_ranks *ranks);

/* Adds the tallies of an earlier observer of the same statistics, as sb_observer_read() returned them. If
 * this observer's cells are merged, the tallies may also have unmerged cells, which this function merges. */
void sb_observer_resume(struct sb_observer *observer, const struct sb_tally tally[]);

/* Reads the tallies. There is one tally for each statistic, in the order of the statistics. The observer owns
 * the tallies; they are valid until the next deals are added. */
void sb_observer_read(struct sb_observer *observer, struct sb_tally tally[]);

#endif
