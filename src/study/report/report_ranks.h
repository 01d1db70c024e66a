/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the first member of a crew asks the others for. */
#ifndef SB_STUDY_REPORT_REPORT_RANKS_H
#define SB_STUDY_REPORT_REPORT_RANKS_H

#include "core/ranks.h"
#include "subject/scheme.h"

/*
 * Asks for help with one sample or with seeds, as settled options have it: the next that the first member
 * does is sb_sample_tally() or sb_seeds_reach(), with the crew that is returned. NULL: none, to be done
 * alone, as is the one stream of a generator without a counter.
 */
const struct sb_crew *sb_crew_call(const struct sb_options *options, enum sb_by by,
                                   const struct sb_scheme *scheme, bool compares);

#endif
