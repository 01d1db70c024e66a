/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Effect sizes: how far the law of the deals is from uniform. */
#ifndef SB_FIT_EFFECT_EFFECT_H
#define SB_FIT_EFFECT_EFFECT_H

#include "core/finding.h"

/*
 * Computes the effect sizes of exact or sampled counts. After SB_OK, total_variation_exact is initialised,
 * and sb_report_close() or the caller clears it. If nothing was counted, every double is NaN,
 * total_variation_exact is 0, and no deal is listed. The doubles are accurate to ten digits even if they are
 * tiny.
 *
 * SB_INVALID if only the matrix is known; in this case nothing is initialised.
 */
enum sb_status sb_effect_of(const struct sb_evidence *evidence, struct sb_effect *effect);

#endif
