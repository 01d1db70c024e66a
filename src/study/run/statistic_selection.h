/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selects the statistics to test. The selection depends only on n, deal and the request, so that no observed
 * permutation affects the selection. */
#ifndef SB_STUDY_RUN_STATISTIC_SELECTION_H
#define SB_STUDY_RUN_STATISTIC_SELECTION_H

#include "gate/gate.h"
#include "statistic/statistic.h"

/* Checks that a gate or a watch can tally deals of `deal` out of n items, with this profile, which may be NULL, and if
 * `increments` is true also the steps between them. Errors: SB_INVALID, SB_TOO_LARGE. */
enum sb_status sb_selection_check(size_t n, size_t deal, const char *profile, bool increments,
                                  struct sb_error *error);

/*
 * Sets type[] to the statistics to test for deals of `deal` out of n items, and returns their number. type[]
 * has room for all statistics; `profile` may be NULL. `multiset` says which items are equal; NULL: all
 * differ. The function always selects the position of each item. The function also selects every statistic
 * for which a fair subject can pass within terms->limit permutations. If this is impossible even for the
 * positions, the gate cannot pass. Then, to find failures, the function selects all statistics except the
 * rank, which may have millions of cells.
 */
size_t sb_selection_choose(const struct sb_multiset *multiset, size_t n, size_t deal, const char *profile,
                           const struct sb_gate_terms *terms, const struct sb_statistic_type *type[]);

/*
 * Returns whether to compare whole decks. `first` is the first selected statistic. Decks are compared under
 * three conditions: a statistic is selected; the first statistic is not the rank; and there are more possible
 * decks than seeds of 16 bits.
 */
bool sb_selection_repeats(const struct sb_multiset *multiset, size_t n, size_t deal,
                          const struct sb_statistic_type *first);

/*
 * Returns whether to run a bettor (tally/bettor.h). `first` is the first selected statistic. A bettor runs
 * under three conditions: whole permutations are dealt; the first statistic is not the rank; and the number
 * of items is from SB_BETTOR_LEAST to SB_BETTOR_MOST.
 */
bool sb_selection_bets(size_t n, size_t deal, const struct sb_statistic_type *first);

#endif
