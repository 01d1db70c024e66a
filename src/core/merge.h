/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Merges cells that are too unlikely for a test with their neighbours, using only the null law. Starting
 * from the first, cells join until they have the required probability; the rest at the end joins the last
 * merged cell.
 */
#ifndef SB_CORE_MERGE_H
#define SB_CORE_MERGE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Merges cells of the law ln_p[0..cells-1] until each has probability `least` or more, or only one is left.
 * map[cell] becomes the index of its merged cell, and merged[0..] the law of the merged cells; `merged`
 * may be ln_p itself. Returns the number of merged cells. O(cells).
 */
size_t sb_merge_cells(const double ln_p[], size_t cells, double least, uint32_t map[], double merged[]);

#endif
