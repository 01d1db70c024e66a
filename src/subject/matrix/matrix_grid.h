/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A text of lines and fields. Most fields are counts. */
#ifndef SB_SUBJECT_MATRIX_MATRIX_GRID_H
#define SB_SUBJECT_MATRIX_MATRIX_GRID_H

#include "core/calls.h"

#define SB_GRID_WORD UINT64_MAX /* stands for a field that is a word */
/* stands for a field that is a word for sums, such as "total" */
#define SB_GRID_SUM (UINT64_MAX - 1)

struct sb_grid {
    const char *name;     /* name of the file; borrowed */
    size_t rows, columns; /* number of non-empty rows, and number of columns */
    size_t *line;         /* [rows] line number in the file, from 1; owned */
    /* [rows * columns] each element is a count or one of the two constants above; owned */
    uint64_t *count;
    const char **title; /* [rows] the first field of each row, as text; points into the text; owned */
    size_t rows_room, titles_room, room; /* capacities of `line`, `title` and `count` */
};

/*
 * Splits a zero-terminated text into the counts of a grid, and modifies the text. Only the first row and the
 * first column may have words. The caller closes the grid, even after an error. Errors: SB_INVALID, with the
 * line and the column; SB_NO_MEMORY.
 */
enum sb_status sb_grid_read(char *text, struct sb_error *error, struct sb_grid *grid);
void sb_grid_close(struct sb_grid *grid);

#endif
