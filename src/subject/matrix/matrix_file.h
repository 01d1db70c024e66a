/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A matrix of items by positions that somebody else has counted, in a file. */
#ifndef SB_SUBJECT_MATRIX_MATRIX_FILE_H
#define SB_SUBJECT_MATRIX_MATRIX_FILE_H

#include "shufflebias.h"

struct sb_matrix_file {
    char *name; /* for people; owned */
    size_t n, deal;
    uint64_t total;  /* shuffles: what each column adds up to */
    uint64_t *count; /* [n * deal], a row per item; owned */
};

/*
 * Reads it: a line per item, a count per position, between them commas, semicolons, tabs or blanks; a line of
 * titles before and a column of names are left out. `deal` is the number of positions, fewer than the items
 * or as many; 0: as many. "-" is standard input. Closed by the caller. SB_INVALID: it cannot be opened, or is
 * no such matrix, or holds a row or a column of sums: the line says where; SB_IO, SB_STOPPED, SB_NO_MEMORY.
 */
enum sb_status sb_matrix_file_read(const char *path, size_t deal, const volatile sig_atomic_t *stop,
                                   struct sb_error *error, struct sb_matrix_file *matrix);

/* Fine twice, and on zeroes. */
void sb_matrix_file_close(struct sb_matrix_file *matrix);

#endif
