/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selects the statistics to test, from n, deal and the request alone, so that no observed permutation affects
 * the selection. */
#ifndef SB_STUDY_RUN_STATISTIC_SELECTION_H
#define SB_STUDY_RUN_STATISTIC_SELECTION_H

#include "gate/findings.h"
#include "statistic/statistic.h"

/*
 * The statistics to test for deals of `deal` out of n and a profile, which may be NULL: type[], with room for
 * all statistics; returns their number. The position of each item is always selected, and so is every other
 * statistic with which a fair subject can pass on these terms. If not even the positions can pass, there will
 * be no pass; to find failures, all others are selected, except the rank, which may have millions of cells.
 */
size_t sb_selection_choose(size_t n, size_t deal, const char *profile, const struct sb_gate_terms *terms,
                           const struct sb_statistic_type *type[]);

/* Whether to compare whole decks: if the rank, which would be `first`, is not selected but another statistic
 * is, and there are more decks than the shortest seeds give. */
bool sb_selection_repeats(size_t n, size_t deal, const struct sb_statistic_type *first);

/* Whether to have a bettor: for whole permutations, if the rank, which would be `first`, is not selected, and there
 * are not too many items. */
bool sb_selection_bets(size_t n, size_t deal, const struct sb_statistic_type *first);

#endif
