/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many decks of a sample are there again, whichever thread sees which: known at the end of a report. A
 * gate, which looks all the time at decks in their order, has tally/repeat.h. */
#ifndef SB_TALLY_AGAIN_H
#define SB_TALLY_AGAIN_H

#include "core/permutation.h"
#include "core/ranks.h"

enum { SB_AGAIN_MOST = 1 << 24 }; /* decks that are compared, the first of the sample: 16 bytes each */

struct sb_again;

/*
 * For a sample of `total` deals of k out of n, of which the first are compared with each other: at most
 * SB_AGAIN_MOST, and no more than half of D^(3/4) where there are D deals, so that the law of the repeats is
 * near Poisson's. Owned by the caller; NULL is fine to free. NULL: no memory.
 */
struct sb_again *sb_again_new(size_t n, size_t k, uint64_t total);
void sb_again_free(struct sb_again *again);

/* Whether the first-th deal of the sample is one of those that are compared. */
bool sb_again_wants(const struct sb_again *again, uint64_t first);

/* Notes deals, items[count * k], the first of which is the first-th of the sample, from 0. Threads may do so
 * at once, each with deals of its own. */
void sb_again_note(struct sb_again *again, uint64_t first, const sb_item items[], size_t count);

/* What all ranks have noted, each deal once, reaches the root. */
void sb_again_meet(struct sb_again *again, const struct sb_ranks *ranks);

/* Once all are noted: how many deals were compared, and how many of these were there before. Forgets them. */
void sb_again_count(struct sb_again *again, size_t threads, uint64_t *decks, uint64_t *repeats);

#endif
