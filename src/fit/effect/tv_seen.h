/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The total variation that counts show by themselves: an estimate, without a claim of confidence. */
#ifndef SB_FIT_EFFECT_TV_SEEN_H
#define SB_FIT_EFFECT_TV_SEEN_H

#include "core/tally.h"

struct sb_tv_seen {
    double seen; /* from the null law, of the shares that were counted; NaN without a deal */
    double fair; /* what as many fair deals show on average */
};

/* Of one member of a tally with cells. */
struct sb_tv_seen sb_tv_seen(const struct sb_tally *tally, size_t member);

#endif
