/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table that is filled cell by cell and then printed on a page: as aligned text, as a table in GitHub's
 * Markdown, or as a table in HTML. */
#include "report/table.h"

#include "core/text.h"
#include "report/bar.h"
#include "report/prose.h"
#include "report/typeset.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
    TABLE_GAP = 2, /* number of blanks between columns */
    TABLE_HALF_MOST = 20,
};

void sb_table_open(const char *columns, struct sb_table *table)
{
    *table = (struct sb_table) { .columns = columns };
}

void sb_table_close(struct sb_table *table)
{
    for (size_t i = 0; i < table->count; i++)
        free(table->cell[i].text);
    free(table->cell);
    *table = (struct sb_table) { 0 };
}

/* Adds a cell and takes ownership of its text. */
static void table_push(struct sb_table *table, struct sb_table_cell cell)
{
    if (table->count == table->room) {
        const size_t room = 2 * table->room + 32;
        struct sb_table_cell *const grown = realloc(table->cell, room * sizeof *grown);

        if (!grown) {
            table->status = SB_NO_MEMORY;
            free(cell.text);
            return;
        }
        table->cell = grown;
        table->room = room;
    }
    table->cell[table->count++] = cell;
}

void sb_table_add(struct sb_table *table, enum sb_ink ink, const char *format, ...)
{
    struct sb_table_cell cell = { .deviation = NAN, .ink = ink };
    va_list arguments;

    va_start(arguments, format);
    const int length = sb_decimal_format_list(NULL, 0, format, arguments);
    va_end(arguments);
    cell.text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (cell.text) {
        va_start(arguments, format);
        sb_decimal_format_list(cell.text, (size_t)length + 1, format, arguments);
        va_end(arguments);
    } else {
        table->status = SB_NO_MEMORY;
    }
    table_push(table, cell);
}

void sb_table_link(struct sb_table *table, const char *prefix, size_t number)
{
    if (table->count == 0)
        return;
    table->cell[table->count - 1].link = prefix;
    table->cell[table->count - 1].link_number = number;
}

void sb_table_bar(struct sb_table *table, double deviation)
{
    table_push(table, (struct sb_table_cell) { .deviation = deviation });
}

/* The layout of a table. */
struct table_layout {
    size_t columns, rows;
    size_t width[SB_TABLE_COLUMNS_MOST]; /* widths in columns of text */
    size_t half;                         /* width of one side of a bar */
    double scale;
};

/* Writes the label at the end of the axis, such as `12%`. Returns the label's width. */
static size_t table_axis_end(double scale, char text[32])
{
    return (size_t)sb_decimal_format(text, 32, 100 * scale < 1e5 ? "%.6g%%" : "%.2g%%", 100 * scale);
}

/* Converts every cell to ASCII if needed, and measures the columns. */
static enum sb_status table_measure(struct sb_table *table, const struct sb_page *page,
                                    struct table_layout *layout)
{
    double largest = 0;
    size_t used = 0;
    char end[32];

    *layout = (struct table_layout) { .columns = strlen(table->columns) };
    layout->rows = table->count / layout->columns;
    for (size_t i = 0; i < table->count; i++) {
        struct sb_table_cell *const cell = &table->cell[i];
        char *const folded = cell->text ? sb_sanitize_page_text(cell->text, page->look.unicode) : NULL;

        if (cell->text && !folded)
            return SB_NO_MEMORY;
        free(cell->text);
        cell->text = folded;
        const size_t width = folded ? sb_utf8_width(folded) : 0;
        if (width > layout->width[i % layout->columns])
            layout->width[i % layout->columns] = width;
        largest = fmax(largest, fabs(cell->deviation));
    }
    for (size_t c = 0; c < layout->columns; c++)
        used += layout->width[c] + (c > 0 ? TABLE_GAP : 0);
    layout->scale = sb_bar_scale(largest);
    const size_t most = sb_page_width(page);
    const size_t room = used + 1 < most ? (most - used - 1) / 2 : 0;
    const size_t least = table_axis_end(layout->scale, end) + 1;

    layout->half = page->markdown || room > TABLE_HALF_MOST ? TABLE_HALF_MOST : room > least ? room : least;
    return SB_OK;
}

/* Writes the axis, with its two ends and the uniform line. The axis is the title of a column of bars. */
static void table_axis(const struct table_layout *layout, const struct sb_page *page)
{
    const bool unicode = page->look.unicode;
    char end[32];
    const size_t width = table_axis_end(layout->scale, end);
    const int blanks = (int)(layout->half - width - 1);

    fprintf(page->stream, "%s%s%*s%s%*s+%s", unicode ? "\u2212" : "-", end, blanks, "",
            unicode ? "\u2502" : "|", blanks, "", end);
}

static void table_ink(const char *text, const struct sb_page *page, enum sb_ink ink)
{
    /* a cell of blanks needs no colour */
    const enum sb_ink used = text[strspn(text, " ")] ? ink : SB_INK_PLAIN;

    sb_page_ink(page, used);
    fputs(text, page->stream);
    sb_page_ink_off(page, used);
}

static void table_bar(double deviation, const struct table_layout *layout, const struct sb_page *page)
{
    char left[SB_BAR_ROOM], right[SB_BAR_ROOM];

    sb_bar_draw(deviation, layout->scale, layout->half, page->look.unicode, left, right);
    table_ink(left, page, SB_INK_UNDER);
    fputs(page->look.unicode ? "\u2502" : "|", page->stream);
    table_ink(right, page, SB_INK_OVER);
}

/* Returns the width of column c, after the gap before it. */
static size_t table_column_width(const struct sb_table *table, const struct table_layout *layout, size_t c)
{
    return table->columns[c] == 'b' ? 2 * layout->half + 1 : layout->width[c];
}

/* Some columns of a table that is too wide for the terminal: the first column, which names the rows, and then
 * the columns from `from` up to `to` - 1. */
struct table_part {
    size_t from, to;
};

/* Returns the part that begins with the column `from`: as many columns as fit, but at least one. Without a
 * terminal, all columns fit. */
static struct table_part table_part(const struct sb_table *table, const struct table_layout *layout,
                                    const struct sb_page *page, size_t from)
{
    const size_t most = page->look.columns ? sb_page_width(page) : SIZE_MAX;
    size_t used = from > 0 ? table_column_width(table, layout, 0) : 0, to = from;

    do
        used += (used > 0 ? TABLE_GAP : 0) + table_column_width(table, layout, to++);
    while (to < layout->columns && used + TABLE_GAP + table_column_width(table, layout, to) <= most);
    return (struct table_part) { from, to };
}

/* Writes one row as text. Blanks are written only before other text, so that no line ends in a blank. */
static void table_text_row(const struct sb_table *table, const struct table_layout *layout,
                           struct table_part part, size_t row, const struct sb_page *page)
{
    size_t blanks = 0;

    for (size_t c = 0; c < part.to; c = c == 0 && part.from > 1 ? part.from : c + 1) {
        const struct sb_table_cell *const cell = &table->cell[row * layout->columns + c];
        const size_t width = cell->text ? sb_utf8_width(cell->text) : 0;
        const size_t rest = layout->width[c] - width;
        const enum sb_ink ink = row ? cell->ink : SB_INK_STRONG;

        blanks += (c > 0 ? TABLE_GAP : 0) + (table->columns[c] == 'r' ? rest : 0);
        if (width || !cell->text) {
            fprintf(page->stream, "%*s", (int)blanks, "");
            blanks = 0;
        }
        if (width)
            table_ink(cell->text, page, ink);
        if (!cell->text && row == 0)
            table_axis(layout, page);
        else if (!cell->text)
            table_bar(cell->deviation, layout, page);
        blanks += table->columns[c] == 'l' ? rest : 0;
    }
    fputc('\n', page->stream);
}

static void table_text_rule(const struct sb_table *table, const struct table_layout *layout,
                            struct table_part part, const struct sb_page *page)
{
    size_t width = 0;

    for (size_t c = 0; c < part.to; c = c == 0 && part.from > 1 ? part.from : c + 1)
        width += (c > 0 ? TABLE_GAP : 0) + table_column_width(table, layout, c);
    sb_page_ink(page, SB_INK_FAINT);
    for (size_t i = 0; i < width; i++)
        fputs(page->look.unicode ? "\u2500" : "-", page->stream);
    sb_page_ink_off(page, SB_INK_FAINT);
    fputc('\n', page->stream);
}

/* Writes one row as Markdown. Bars are written as code, because Markdown keeps the blanks in code. */
static void table_markdown_row(const struct sb_table *table, const struct table_layout *layout, size_t row,
                               const struct sb_page *page)
{
    fputc('|', page->stream);
    for (size_t c = 0; c < layout->columns; c++) {
        const struct sb_table_cell *const cell = &table->cell[row * layout->columns + c];

        fputc(' ', page->stream);
        if (cell->text) {
            sb_page_escape(page, cell->text);
        } else {
            fputc('`', page->stream);
            if (row == 0)
                table_axis(layout, page);
            else
                table_bar(cell->deviation, layout, page);
            fputc('`', page->stream);
        }
        fputs(" |", page->stream);
    }
    fputc('\n', page->stream);
}

static void table_markdown_rule(const struct sb_table *table, const struct table_layout *layout,
                                const struct sb_page *page)
{
    fputc('|', page->stream);
    for (size_t c = 0; c < layout->columns; c++)
        fputs(table->columns[c] == 'r' ? " ---: |" : " :--- |", page->stream);
    fputc('\n', page->stream);
}

/* Writes one row as HTML. The first cell is the title of the row. Bars are left out, because figures show the
 * same values. */
static void table_html_row(const struct sb_table *table, const struct table_layout *layout, size_t row,
                           const struct sb_page *page)
{
    fputs("<tr>", page->stream);
    for (size_t c = 0; c < layout->columns; c++) {
        const struct sb_table_cell *const cell = &table->cell[row * layout->columns + c];
        const bool title = cell->text && cell->text[0] && (row == 0 || c == 0);
        const bool right = table->columns[c] == 'r';
        /* a cell needs a class unless its text is aligned by default: left in <th>, right in <td> */
        const char *const side = title == right ? title ? "r" : "l" : "";
        const char *const ink = row ? sb_page_class(cell->ink) : "";

        if (!cell->text)
            continue;
        fprintf(page->stream, title ? "<th scope=\"%s\"" : "<td", row == 0 ? "col" : "row");
        if (side[0] || ink[0])
            fprintf(page->stream, " class=\"%s%s%s\"", side, side[0] && ink[0] ? " " : "", ink);
        fputc('>', page->stream);
        if (cell->link)
            fprintf(page->stream, "<a href=\"#%s-%zu\">", cell->link, cell->link_number);
        if (right && row > 0)
            sb_typeset_cell(cell->text, page->stream);
        else
            sb_prose(cell->text, NULL, page->stream);
        fputs(cell->link ? "</a>" : "", page->stream);
        fputs(title ? "</th>" : "</td>", page->stream);
    }
    fputs("</tr>\n", page->stream);
}

/* Writes the table as HTML. The user can scroll a table that is too wide, also with the keyboard. */
static void table_html(const struct sb_table *table, const struct table_layout *layout,
                       const struct sb_page *page)
{
    fputs("<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"table\"><table>\n<thead>",
          page->stream);
    for (size_t row = 0; row < layout->rows; row++) {
        table_html_row(table, layout, row, page);
        fputs(row == 0 ? "</thead>\n<tbody>\n" : "", page->stream);
    }
    fputs("</tbody></table></div>\n", page->stream);
}

/* Writes the table as text. A table that is too wide for the terminal is written in parts, one below the
 * other. */
static void table_text(const struct sb_table *table, const struct table_layout *layout, struct sb_page *page)
{
    for (size_t from = 0; from < layout->columns;) {
        const struct table_part part = table_part(table, layout, page, from);

        sb_page_begin(page);
        for (size_t row = 0; row < layout->rows; row++) {
            table_text_row(table, layout, part, row, page);
            if (row == 0)
                table_text_rule(table, layout, part, page);
        }
        from = part.to;
    }
}

static void table_markdown(const struct sb_table *table, const struct table_layout *layout,
                           struct sb_page *page)
{
    sb_page_begin(page);
    for (size_t row = 0; row < layout->rows; row++) {
        table_markdown_row(table, layout, row, page);
        if (row == 0)
            table_markdown_rule(table, layout, page);
    }
}

void sb_table_print(struct sb_table *table, struct sb_page *page)
{
    struct table_layout layout;

    if (table->status == SB_OK)
        table->status = table_measure(table, page, &layout);
    if (table->status != SB_OK) {
        page->status = table->status;
        return;
    }
    if (layout.rows < 2)
        return;
    if (page->html)
        table_html(table, &layout, page);
    else if (page->markdown)
        table_markdown(table, &layout, page);
    else
        table_text(table, &layout, page);
}
