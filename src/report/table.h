/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table that is filled cell by cell, row by row, the titles first, and then laid out on a page. */
#ifndef SB_REPORT_TABLE_H
#define SB_REPORT_TABLE_H

#include "report/page.h"

enum { SB_TABLE_COLUMNS_MOST = 64 };

struct sb_table_cell {
    char *text;       /* owned; NULL in a column of bars */
    double deviation; /* the bar's; NaN for none */
    enum sb_ink ink;
};

struct sb_table {
    const char *columns;        /* a letter each: l to the left, r to the right, b a bar, which comes last */
    size_t count, room;         /* cells there are, and there is room for */
    struct sb_table_cell *cell; /* [count]; owned */
    enum sb_status status;      /* sticky: SB_NO_MEMORY */
};

/* `columns` is kept, at most SB_TABLE_COLUMNS_MOST letters. */
void sb_table_open(const char *columns, struct sb_table *table);
void sb_table_close(struct sb_table *table);

/* The next cell. */
__attribute__((format(printf, 3, 4))) void sb_table_add(struct sb_table *table, enum sb_ink ink,
                                                        const char *format, ...);

/* The next cell, in a column of bars: a ratio's deviation from 1. In the row of titles it becomes the axis.
 */
void sb_table_bar(struct sb_table *table, double deviation);

/* Lays it out; the page remembers what failed. A table with no row but its titles is left out. */
void sb_table_print(struct sb_table *table, struct sb_page *page);

#endif
