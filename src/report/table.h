/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table: the caller adds cells row by row, the titles first, and then lays it out on a page. */
#ifndef SB_REPORT_TABLE_H
#define SB_REPORT_TABLE_H

#include "report/page.h"

enum { SB_TABLE_COLUMNS_MOST = 64 };

struct sb_table_cell {
    char *text;       /* text of the cell; owned; NULL in a column of bars */
    double deviation; /* deviation that the bar shows; NaN for no bar */
    enum sb_ink ink;
};

struct sb_table {
    /* one letter per column: l for left-aligned, r for right-aligned, b for a bar, which must come last */
    const char *columns;
    size_t count, room;         /* number of cells, and capacity */
    struct sb_table_cell *cell; /* [count]; owned */
    enum sb_status status;      /* the first failure, SB_NO_MEMORY; it stays set */
};

/* Begins a table. It keeps `columns`, at most SB_TABLE_COLUMNS_MOST letters. */
void sb_table_open(const char *columns, struct sb_table *table);
void sb_table_close(struct sb_table *table);

/* Adds the next cell. */
__attribute__((format(printf, 3, 4))) void sb_table_add(struct sb_table *table, enum sb_ink ink,
                                                        const char *format, ...);

/* Adds the next cell in a column of bars: a ratio's deviation from 1. In the row of titles it becomes the
 * axis. */
void sb_table_bar(struct sb_table *table, double deviation);

/* Lays out the table; the page keeps the error status. A table with only its titles is left out. */
void sb_table_print(struct sb_table *table, struct sb_page *page);

#endif
