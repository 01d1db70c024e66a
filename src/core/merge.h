/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cells that are too unlikely for a test are merged with their neighbours, by the null law alone: from the
 * first on, cells join until they have the probability asked for; what is left at the end joins the last.
 */
#ifndef SB_CORE_MERGE_H
#define SB_CORE_MERGE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Merges cells of the law ln_p[0..cells-1] until each has probability `least` or more, or there is one.
 * map[cell] becomes the place of each, and merged[0..] the law of what they make, which may be ln_p itself.
 * Returns how many there are. O(cells).
 */
size_t sb_merge_cells(const double ln_p[], size_t cells, double least, uint32_t map[], double merged[]);

#endif
