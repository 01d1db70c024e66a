/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tallies of permutation statistics, of deals that come in batches. */
#ifndef SB_TALLY_OBSERVE_H
#define SB_TALLY_OBSERVE_H

#include "core/ranks.h"
#include "core/tally.h"
#include "shufflebias.h"
#include "statistic/statistic.h"

struct sb_observer;

/*
 * Opens tallies of these statistics for deals of `deal` out of n. With `most` the cells of each but the rank
 * are merged, by its null law alone, into at most so many of about equal probability; 0: they are not. Owned
 * by the caller; NULL is fine to free. SB_TOO_LARGE: a statistic has too many cells; SB_NO_MEMORY.
 */
enum sb_status sb_observer_new(size_t n, size_t deal, const struct sb_statistic_type *const types[],
                               size_t count, size_t most, struct sb_error *error,
                               struct sb_observer **observer);
/* Likewise, but statistics that sb_statistic_merges() excepts keep their own cells. */
enum sb_status sb_observer_new_fine(size_t n, size_t deal, const struct sb_statistic_type *const types[],
                                    size_t count, size_t most, struct sb_error *error,
                                    struct sb_observer **observer);
void sb_observer_free(struct sb_observer *observer);

/*
 * The same of permutations that are never seen: sb_observer_add_cells() is told which cell of each statistic,
 * all of one member, a permutation falls into. No other deals may be added.
 */
enum sb_status sb_observer_new_of_cells(size_t n, const struct sb_statistic_type *const types[], size_t count,
                                        size_t most, struct sb_error *error, struct sb_observer **observer);
void sb_observer_add_cells(struct sb_observer *observer, const uint32_t cell[]);

/* Adds valid deals, items[count * deal]. */
void sb_observer_add(struct sb_observer *observer, const sb_item items[], size_t count);

/* Adds `times` equal deals. */
void sb_observer_add_times(struct sb_observer *observer, const sb_item items[], uint64_t times);

/*
 * Another observer of the same statistics, for another thread, with tallies of its own, empty ones; it
 * borrows the laws and has to be freed first. sb_observer_join() adds its tallies to those of the one it was
 * made of. SB_NO_MEMORY.
 */
enum sb_status sb_observer_fork(const struct sb_observer *observer, struct sb_observer **forked);
void sb_observer_join(struct sb_observer *observer, const struct sb_observer *forked);

/* Adds the tallies of all ranks up at the root's; the others begin again. Of forks' joins
 * alone: not where deals were added to the observer itself. */
void sb_observer_meet(struct sb_observer *observer, const struct sb_ranks *ranks);

/* Adds the tallies of an earlier observer of the same statistics, tally[] as it read them, or of all their own
 * cells, which are merged here where the observer's are. */
void sb_observer_resume(struct sb_observer *observer, const struct sb_tally tally[]);

/* The tallies until now, tally[] as many as types, in their order; the observer's own and good until the next
 * deals are added. */
void sb_observer_read(struct sb_observer *observer, struct sb_tally tally[]);

#endif
