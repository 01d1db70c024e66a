/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who is shown the decks of a sample one by one: statistics, statistics of their increments, repeats. */
#ifndef SB_TALLY_WITNESS_H
#define SB_TALLY_WITNESS_H

#include "core/increment.h"
#include "tally/again.h"
#include "tally/observe.h"

struct sb_witness {
    size_t n, deal;
    /* Each is NULL where nobody asks for it, and borrowed, but the observers of a fork are its own. */
    struct sb_observer *observer, *increments;
    struct sb_again *again;
    struct sb_increment step; /* from the deck before, where there are increments; owned */
    uint64_t next;            /* the place in the sample of the deck to come */
    bool forked;
};

/* Makes `step` ready, the other fields being set. To be closed in any case; zeroes are fine. SB_NO_MEMORY. */
enum sb_status sb_witness_open(struct sb_witness *witness);
void sb_witness_close(struct sb_witness *witness);

/* Whether anybody is to be shown anything. */
bool sb_witness_wanted(const struct sb_witness *witness);

/* The decks to come are those from place `first` of the sample on; there is no step to the first of them. */
void sb_witness_begin(struct sb_witness *witness, uint64_t first);

/* Is shown valid deals, items[count * deal]. */
void sb_witness_add(struct sb_witness *witness, const sb_item items[], size_t count);

/*
 * Another one for another thread, with empty tallies of its own; it borrows from the first and is to be
 * closed before that, in any case. sb_witness_join() adds its tallies to those of the first. SB_NO_MEMORY.
 */
enum sb_status sb_witness_fork(const struct sb_witness *witness, struct sb_witness *forked);
void sb_witness_join(struct sb_witness *witness, const struct sb_witness *forked);

/* The tallies of all ranks reach the root's witness; sb_again_meet() is for the decks. */
void sb_witness_meet(struct sb_witness *witness, const struct sb_ranks *ranks);

#endif
