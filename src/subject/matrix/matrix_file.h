/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A matrix of items by positions that another program recorded in a file. */
#ifndef SB_SUBJECT_MATRIX_MATRIX_FILE_H
#define SB_SUBJECT_MATRIX_MATRIX_FILE_H

#include "core/core.h"

struct sb_matrix_file {
    char *name; /* name to show in messages; owned */
    size_t n, deal;
    uint64_t total;  /* number of shuffles, which equals the sum of each column */
    uint64_t *count; /* [n * deal], a row per item; owned */
    /* the titles of the rows; owned; NULL: rows count from 1, or have no titles */
    struct sb_item_names *names;
};

/*
 * Reads a file with a line per item. Each line has a count per position; commas, semicolons, tabs or blanks
 * separate the counts. Skips a line of titles and a column of names. `deal` is the number of positions, which
 * is at most the number of items; 0 means the number of items. The path "-" means standard input. The caller
 * closes the matrix. Errors: SB_INVALID if the file cannot be opened, is not a matrix of this form, or has a
 * row or a column of sums (the error line names the place); SB_IO, SB_STOPPED, SB_NO_MEMORY.
 */
enum sb_status sb_matrix_file_read(const char *path, size_t deal, const volatile sig_atomic_t *stop,
                                   struct sb_error *error, struct sb_matrix_file *matrix);

/* Frees the memory of a matrix. A second call for the same matrix, and a zeroed matrix, are allowed. */
void sb_matrix_file_close(struct sb_matrix_file *matrix);

#endif
