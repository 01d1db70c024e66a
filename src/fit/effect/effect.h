/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Effect sizes: how far the law of the deals is from uniform. */
#ifndef SB_FIT_EFFECT_EFFECT_H
#define SB_FIT_EFFECT_EFFECT_H

#include "core/finding.h"

/*
 * The effect sizes of exact or sampled counts. total_variation_exact is always initialised and the caller's
 * to clear (sb_report_close() does). Where nothing was counted there is no law: then every number is NaN, the
 * fraction 0 and no deal listed. The doubles are right to ten digits also where they are tiny.
 *
 * SB_INVALID where only the matrix is known; nothing is initialised then.
 */
enum sb_status sb_effect_of(const struct sb_evidence *evidence, struct sb_effect *effect);

#endif
