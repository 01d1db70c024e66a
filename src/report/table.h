/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table. The caller adds cells row by row, beginning with the row of titles, and then prints the table on a
 * page. */
#ifndef SB_REPORT_TABLE_H
#define SB_REPORT_TABLE_H

#include "report/page.h"

enum { SB_TABLE_COLUMNS_MOST = 64 };

struct sb_table_cell {
    char *text;       /* text of the cell; owned; NULL in a column of bars */
    double deviation; /* deviation that the bar shows; NaN: no bar */
    enum sb_ink ink;
    const char *link; /* prefix of the id to which the cell links in HTML; NULL: no link */
    size_t link_number;
};

struct sb_table {
    /* one letter per column: l for left-aligned, r for right-aligned, b for a bar, which must come last */
    const char *columns;
    size_t count, room;         /* number of cells, and capacity */
    struct sb_table_cell *cell; /* [count]; owned */
    enum sb_status status;      /* SB_NO_MEMORY after a failure; later calls do not reset the status */
};

/* Begins a table. `columns` has at most SB_TABLE_COLUMNS_MOST letters and must outlive the table. */
void sb_table_open(const char *columns, struct sb_table *table);
void sb_table_close(struct sb_table *table);

/* Adds the next cell. */
__attribute__((format(printf, 3, 4))) void sb_table_add(struct sb_table *table, enum sb_ink ink,
                                                        const char *format, ...);

/* Makes the last cell a link to the heading with the anchor PREFIX-NUMBER (sb_page_anchor()). `prefix` must outlive
 * the table. */
void sb_table_link(struct sb_table *table, const char *prefix, size_t number);

/* Adds the next cell in a column of bars. The bar shows a ratio's deviation from 1. In the row of titles the
 * cell shows the axis. */
void sb_table_bar(struct sb_table *table, double deviation);

/* Prints the table on the page; an error sets the status of the page. Prints nothing if the table has only
 * titles. */
void sb_table_print(struct sb_table *table, struct sb_page *page);

#endif
