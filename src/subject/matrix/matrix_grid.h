/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A text of lines and fields, most of which are counts. */
#ifndef SB_SUBJECT_MATRIX_MATRIX_GRID_H
#define SB_SUBJECT_MATRIX_MATRIX_GRID_H

#include "shufflebias.h"

#define SB_GRID_WORD UINT64_MAX      /* where no count stands */
#define SB_GRID_SUM (UINT64_MAX - 1) /* where a word names sums: "total" */

struct sb_grid {
    const char *name;       /* of the file; borrowed */
    size_t rows, columns;   /* those that hold something */
    size_t *line;           /* [rows] where each stands in the file, from 1; owned */
    uint64_t *count;        /* [rows * columns]; owned */
    size_t rows_room, room; /* of line and of count */
};

/*
 * Cuts the text, which it changes and which ends in 0, into the counts of a grid. Words may stand in the
 * first row and in the first column alone. SB_INVALID, with line and column; SB_NO_MEMORY. To be closed in
 * any case.
 */
enum sb_status sb_grid_read(char *text, struct sb_error *error, struct sb_grid *grid);
void sb_grid_close(struct sb_grid *grid);

#endif
