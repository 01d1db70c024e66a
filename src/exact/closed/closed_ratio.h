/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ratio of a probability to the fair share, with all its digits. */
#ifndef SB_EXACT_CLOSED_CLOSED_RATIO_H
#define SB_EXACT_CLOSED_CLOSED_RATIO_H

#include <math.h>

/* Returns the ratio whose excess over 1 and whose ln are given. Each is accurate where the other is not: the ln of a
 * ratio near 1 loses digits, and so does the excess of a small ratio. The result is 0 if ln_ratio is -HUGE_VAL. */
static inline double sb_closed_ratio(double excess, double ln_ratio)
{
    return excess < -0.9999 ? exp(ln_ratio) : 1 + excess;
}

#endif
