/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * If a cell is too unlikely for a test, sb_merge_cells() merges the cell with its neighbours. Only the null
 * law decides which cells are merged. From the first cell on, adjacent cells are merged until the merged cell
 * has the required probability. If the last cells together do not reach this probability, they join the
 * merged cell before them.
 */
#ifndef SB_CORE_MERGE_H
#define SB_CORE_MERGE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Merges cells of the law ln_p[0..cells-1] until each has probability `least` or more, or until only one is
 * left. map[cell] becomes the index of its merged cell, and merged[0..] the law of the merged cells; `merged`
 * may be ln_p itself. Returns the number of merged cells. O(cells).
 */
size_t sb_merge_cells(const double ln_p[], size_t cells, double least, uint32_t map[], double merged[]);

#endif
