/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The variance of the statistics of tests under an exact law. */
#ifndef SB_FIT_EFFECT_LAW_SPREAD_H
#define SB_FIT_EFFECT_LAW_SPREAD_H

#include "core/evidence.h"
#include "fit/effect/spread.h"

/* These functions set everything but the curve, for a law whose deals have counts. `effect` is the noncentrality per
 * shuffle. */
struct sb_spread sb_law_spread_pearson(const struct sb_evidence *evidence, double effect);
struct sb_spread sb_law_spread_likelihood_ratio(const struct sb_evidence *evidence, double effect);

/* The law must have its matrix, too. SB_NO_MEMORY. */
enum sb_status sb_law_spread_matrix(const struct sb_evidence *evidence, double effect,
                                    struct sb_spread *spread);

#endif
