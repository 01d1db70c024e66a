/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds those cells of a sampled matrix whose deviation from the fair share cannot be explained by chance. */
#ifndef SB_FIT_EFFECT_PLACES_H
#define SB_FIT_EFFECT_PLACES_H

#include "core/finding.h"

/*
 * Compares every cell of evidence->matrix with the fair share 1/n. The confidence intervals of all cells are
 * valid simultaneously at level 1 - alpha, 0 < alpha < 1. Each end has a relative error of at most 1e-12. If the
 * sample is empty, no cell is examined.
 */
void sb_places_find(const struct sb_evidence *evidence, double alpha, struct sb_places *places);

#endif
