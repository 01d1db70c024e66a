/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the root asks the other ranks for. */
#ifndef SB_STUDY_REPORT_REPORT_RANKS_H
#define SB_STUDY_REPORT_REPORT_RANKS_H

#include "core/ranks.h"
#include "subject/scheme.h"

/*
 * Asks for help with one sample or with seeds, as settled options have it: the next that the first member
 * does is sb_sample_tally() or sb_seeds_reach(), with the ranks that are returned. NULL: none, to be done
 * alone, as is the one stream of a generator without a counter.
 */
const struct sb_ranks *sb_ranks_begin(const struct sb_options *options, enum sb_by by,
                                      const struct sb_scheme *scheme, bool compares);

/* What is told first; the texts follow. Members are the same program on like machines. */
struct sb_ranks_call {
    char version[16];
    uint64_t by; /* enum sb_by; 0: that is all */
    uint64_t samples, seed, seeds_first, seeds_count, threads, increments, compares;
    size_t n, deal;
    size_t statistics, profile; /* bytes of these texts, with the end; 0: NULL */
    char scheme[SB_SCHEME_ROOM];
};

#endif
