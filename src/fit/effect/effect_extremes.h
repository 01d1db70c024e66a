/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The most and the least likely deals. */
#ifndef SB_FIT_EFFECT_EFFECT_EXTREMES_H
#define SB_FIT_EFFECT_EFFECT_EXTREMES_H

#include "core/evidence.h"
#include "core/finding.h"

/*
 * Lists the first ranks whose count times `sign` is largest, at most SB_EXTREMES_MOST, and sets *total to the number
 * of all such ranks. Returns one of them. If times[entries] is not NULL, it says how many of the 32-bit counts have
 * each value.
 */
size_t sb_effect_extremes(const struct sb_evidence *evidence, const uint32_t times[], size_t entries,
                          int sign, size_t *total, size_t *listed, size_t rank[SB_EXTREMES_MOST]);

#endif
