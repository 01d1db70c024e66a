/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The root's calls to the other MPI ranks. */
#ifndef SB_STUDY_REPORT_REPORT_RANKS_H
#define SB_STUDY_REPORT_REPORT_RANKS_H

#include "core/core.h"
#include "subject/scheme.h"

/*
 * Calls the other ranks to work on one sample or on seeds. The options must come from sb_options_settle(). The root
 * then calls sb_sample_tally() or sb_seeds_reach() with the returned ranks. Returns NULL if there are no other
 * ranks, or if the root does the work alone because the
 * generator has no counter.
 */
const struct sb_ranks *sb_ranks_begin(const struct sb_options *options, enum sb_by by,
                                      const struct sb_scheme *scheme, bool compares);

/* The start of a call; the texts follow. All ranks run the same program on the same type of machine. */
struct sb_ranks_call {
    char version[16];
    uint64_t by; /* enum sb_by; 0: no more calls */
    uint64_t samples, seed, seeds_first, seeds_count, threads, increments, compares;
    size_t n, deal;
    size_t statistics, profile; /* bytes of each text with its closing zero byte; 0 stands for NULL */
    char scheme[SB_SCHEME_ROOM];
};

#endif
