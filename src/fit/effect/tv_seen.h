/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The total variation of the observed counts: an estimate without a confidence interval. */
#ifndef SB_FIT_EFFECT_TV_SEEN_H
#define SB_FIT_EFFECT_TV_SEEN_H

#include "core/tally.h"

struct sb_tv_seen {
    double seen; /* total variation of the observed shares from the null law; NaN if no deal was counted */
    double fair; /* the average of `seen` for the same number of fair deals */
};

/* Computes `seen` and `fair` for one member of a tally with cells. */
struct sb_tv_seen sb_tv_seen(const struct sb_tally *tally, size_t member);

#endif
