/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tells equal items apart at random. If a shuffle is fair, each arrangement of a deck with equal items stands
 * for equally many permutations, so an arrangement whose equal items are numbered at random is a fair
 * permutation: the laws of all statistics hold, and nothing that the arrangement shows is lost.
 */
#ifndef SB_SUBJECT_TIES_H
#define SB_SUBJECT_TIES_H

#include "core/core.h"

/*
 * Makes a feed with the deals of `inner`, whose names have equal items (sb_item_multiset()). The numbers of
 * equal items come from a generator of its own, whose seed is a hash of all earlier deals. So a subject has
 * the same permutations in each run, and runs with different deals have independent numbers. Takes ownership
 * of `inner`, even after a failure. SB_NO_MEMORY; *feed is then NULL.
 */
enum sb_status sb_ties_new(struct sb_feed *inner, struct sb_error *error, struct sb_feed **feed);

#endif
