/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between tallies and the evidence of a sample: each can be had from the other. */
#ifndef SB_TALLY_EVIDENCE_TALLY_H
#define SB_TALLY_EVIDENCE_TALLY_H

#include "core/evidence.h"
#include "core/tally.h"
#include "tally/observe.h"

/* What tallies of the rank and of the position amount to, as evidence of a sample; others are ignored. The
 * caller closes it. SB_NO_MEMORY. */
enum sb_status sb_evidence_tallied(const struct sb_tally tally[], size_t count, size_t n, size_t deal,
                                   struct sb_evidence *evidence);

/* The matrix as tallies of the position, that is of deals with the column "not dealt", which it lacks; owned
 * by the caller. NULL for no memory. */
uint64_t *sb_evidence_positions(const struct sb_evidence *evidence);

/* Adds the deals that are counted by rank to an observer, by up to so many threads; 0: one per processor.
 * SB_NO_MEMORY. */
enum sb_status sb_classify_counts(const struct sb_evidence *evidence, unsigned threads,
                                  struct sb_observer *observer);

#endif
