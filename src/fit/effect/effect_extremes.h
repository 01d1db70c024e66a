/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The most and the least likely deals. */
#ifndef SB_FIT_EFFECT_EFFECT_EXTREMES_H
#define SB_FIT_EFFECT_EFFECT_EXTREMES_H

#include "core/evidence.h"
#include "core/finding.h"

/*
 * Finds the ranks whose count times `sign` is largest, and returns one of these ranks. Sets *total to the
 * number of these ranks. Writes the first SB_EXTREMES_MOST of these ranks to rank[], or all of them if there
 * are fewer. Sets *listed to the number of ranks written. If times[entries] is not NULL, counts have 32 bits,
 * and times[c] is the number of cells with the count c.
 */
size_t sb_effect_extremes(const struct sb_evidence *evidence, const uint32_t times[], size_t entries,
                          int sign, size_t *total, size_t *listed, size_t rank[SB_EXTREMES_MOST]);

#endif
