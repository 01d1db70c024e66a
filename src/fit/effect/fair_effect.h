/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The effect sizes that the counts of a fair shuffle show on average. */
#ifndef SB_FIT_EFFECT_FAIR_EFFECT_H
#define SB_FIT_EFFECT_FAIR_EFFECT_H

#include "core/finding.h"

/* Sets the fields of `effect` whose names end in _fair, for `total` shuffles and `cells` >= 1 equally likely
 * deals. If total is 0, these fields are NaN. */
void sb_effect_fair(uint64_t total, size_t cells, struct sb_effect *effect);

#endif
