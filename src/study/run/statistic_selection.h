/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which statistics are looked at: by n, deal and what is asked for alone, so that nothing that was seen has a
 * say in it. */
#ifndef SB_STUDY_RUN_STATISTIC_SELECTION_H
#define SB_STUDY_RUN_STATISTIC_SELECTION_H

#include "gate/findings.h"
#include "statistic/statistic.h"

/*
 * The statistics in play for deals of `deal` out of n and a profile, which may be NULL: type[], of room for
 * all there are; how many. The position of each item always is, and every other one by which a fair subject
 * can pass on these terms. Where not even the positions can, there will be no pass, and for a failure all
 * others are in play, but for the rank, whose cells may be millions.
 */
size_t sb_selection_choose(size_t n, size_t deal, const char *profile, const struct sb_gate_terms *terms,
                           const struct sb_statistic_type *type[]);

/* Whether whole decks that come up again are watched for: where the rank, which would be `first`, is not in
 * play, but something is, and there are more decks than the shortest seeds give. */
bool sb_selection_repeats(size_t n, size_t deal, const struct sb_statistic_type *first);

#endif
