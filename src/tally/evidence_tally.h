/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Converts between tallies and the evidence of a sample. */
#ifndef SB_TALLY_EVIDENCE_TALLY_H
#define SB_TALLY_EVIDENCE_TALLY_H

#include "core/evidence.h"
#include "tally/observe.h"

/* Converts tallies of the rank and of the position into evidence of a sample; ignores other tallies. The
 * caller closes the evidence. SB_NO_MEMORY. */
enum sb_status sb_evidence_tallied(const struct sb_tally tally[], size_t count, size_t n, size_t deal,
                                   struct sb_evidence *evidence);

/* The matrix as counts of the statistic "position". If not all items are dealt, the result has an additional
 * column, "not dealt". The caller frees the result. NULL if memory runs out. */
uint64_t *sb_evidence_positions(const struct sb_evidence *evidence);

/* Adds deals to the tallies of an observer. `evidence` has the counts of these deals by rank. Uses up to
 * `threads` threads; 0 means one per processor. SB_NO_MEMORY. */
enum sb_status sb_classify_counts(const struct sb_evidence *evidence, unsigned threads,
                                  struct sb_observer *observer);

#endif
