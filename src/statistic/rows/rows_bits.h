/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts of values in rows, by bits, on processors with AVX-512 that compose permutations (VBMI) and count the ones of
 * eight words at once (VPOPCNTDQ). */
#ifndef SB_STATISTIC_ROWS_ROWS_BITS_H
#define SB_STATISTIC_ROWS_ROWS_BITS_H

#include "statistic/rows/rows.h"

/* Whether this machine can run the functions below. */
bool sb_rows_bits_possible(void);

/* Adds the positions of all items, in rows->place, to count[n * n], by item and position. */
void sb_rows_bits_position(const struct sb_rows *rows, uint64_t count[]);

/* Adds the cells of the statistic `successor` to count[n * n], from rows->inverse. */
void sb_rows_bits_successor(const struct sb_rows *rows, uint64_t count[]);

#endif
