/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table that is filled cell by cell and then printed on a page: as aligned text, as a table in GitHub's
 * Markdown, or as a table in HTML. */
#include "core/text.h"
#include "report/page.h"

#include <ctype.h>

enum {
    TABLE_GAP = 2, /* number of blanks between columns */
    TABLE_HALF_MOST = 20,
};

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

static char *table_format(struct sb_table *table, const char *format, va_list arguments)
{
    struct sb_sentence s = { 0 };

    sb_sentence_add_list(&s, format, arguments);
    char *const text = sb_sentence_take(&s);

    if (!text)
        table->status = SB_NO_MEMORY;
    return text;
}

void sb_table_add(struct sb_table *table, enum sb_ink ink, const char *format, ...)
{
    struct sb_table_cell cell = { .deviation = NAN, .ink = ink };
    va_list arguments;

    va_start(arguments, format);
    cell.text = table_format(table, format, arguments);
    va_end(arguments);
    table_push(table, cell);
}

/* Adds the parts of a text, which may be NULL, between "|"; frees the text. */
static void table_split(struct sb_table *table, enum sb_ink ink, char *text)
{
    for (char *from = text, *to; from; from = to) {
        to = strchr(from, '|');
        if (to)
            *to++ = '\0';
        if (table->columns[table->count % strlen(table->columns)] == 'b')
            sb_table_bar(table, NAN);
        else
            sb_table_add(table, ink, "%s", from);
    }
    free(text);
}

void sb_table_begin(struct sb_table *table, const char *columns, const char *titles, ...)
{
    va_list arguments;

    *table = (struct sb_table) { .columns = columns };
    va_start(arguments, titles);
    table_split(table, SB_INK_STRONG, table_format(table, titles, arguments));
    va_end(arguments);
}

void sb_table_row(struct sb_table *table, const char *cells, ...)
{
    va_list arguments;

    va_start(arguments, cells);
    table_split(table, SB_INK_PLAIN, table_format(table, cells, arguments));
    va_end(arguments);
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

static size_t table_axis_end(double scale, char text[32])
{
    return (size_t)sb_decimal_format(text, 32, 100 * scale < 1e5 ? "%.6g%%" : "%.2g%%", 100 * scale);
}

static enum sb_status table_measure(struct sb_table *table, const struct sb_page *page, struct table_layout *layout)
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

static void table_axis(const struct table_layout *layout, const struct sb_page *page)
{
    const bool unicode = page->look.unicode;
    char end[32];
    const size_t width = table_axis_end(layout->scale, end);
    const int blanks = (int)(layout->half - width - 1);

    fprintf(page->stream, "%s%s%*s%s%*s+%s", unicode ? "\u2212" : "-", end, blanks, "", unicode ? "\u2502" : "|",
            blanks, "", end);
}

static size_t table_column_width(const struct sb_table *table, const struct table_layout *layout, size_t c)
{
    return table->columns[c] == 'b' ? 2 * layout->half + 1 : layout->width[c];
}

/* Some columns of a table that is too wide for the terminal: the first column, which names the rows, and then
 * the columns from `from` up to `to` - 1. */
struct table_part {
    size_t from, to;
    size_t width; /* of the part */
};

static struct table_part table_part(const struct sb_table *table, const struct table_layout *layout,
                                    const struct sb_page *page, size_t from)
{
    const size_t most = page->look.columns ? sb_page_width(page) : SIZE_MAX;
    size_t used = from > 0 ? table_column_width(table, layout, 0) : 0, to = from;

    do
        used += (used > 0 ? TABLE_GAP : 0) + table_column_width(table, layout, to++);
    while (to < layout->columns && used + TABLE_GAP + table_column_width(table, layout, to) <= most);
    return (struct table_part) { from, to, used };
}

/* Writes one row as text. Blanks are written only before other text, so that no line ends in a blank. */
static void table_text_row(const struct sb_table *table, const struct table_layout *layout, struct table_part part,
                           size_t row, const struct sb_page *page)
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

static void table_html_row(const struct sb_table *table, const struct table_layout *layout, size_t row,
                           struct sb_page *page)
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
        if (table->class && row > 0)
            sb_page_escape(page, cell->text);
        else if (right && row > 0)
            sb_typeset_cell(cell->text, page->stream);
        else
            sb_prose(cell->text, row == 0 || (title && isalpha((unsigned char)cell->text[0])) ? &page->explained : NULL,
                     page->stream);
        fputs(cell->link ? "</a>" : "", page->stream);
        fputs(title ? "</th>" : "</td>", page->stream);
    }
    fputs("</tr>\n", page->stream);
}

static void table_html(const struct sb_table *table, const struct table_layout *layout, struct sb_page *page)
{
    if (table->picture)
        sb_picture_begin(table, page);
    fputs("<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"table\"><table", page->stream);
    if (table->class)
        fprintf(page->stream, " class=\"%s\"", table->class);
    fputs(">\n<thead>", page->stream);
    for (size_t row = 0; row < layout->rows; row++) {
        table_html_row(table, layout, row, page);
        fputs(row == 0 ? "</thead>\n<tbody>\n" : "", page->stream);
    }
    fputs("</tbody></table></div>\n", page->stream);
    if (table->picture)
        fputs("</details>\n</figure>\n", page->stream);
}

static void table_text(const struct sb_table *table, const struct table_layout *layout, struct sb_page *page)
{
    for (size_t from = 0; from < layout->columns;) {
        const struct table_part part = table_part(table, layout, page, from);

        sb_page_begin(page);
        for (size_t row = 0; row < layout->rows; row++) {
            table_text_row(table, layout, part, row, page);
            if (row == 0)
                sb_page_rule(page, false, part.width);
        }
        from = part.to;
    }
}

static void table_markdown(const struct sb_table *table, const struct table_layout *layout, struct sb_page *page)
{
    sb_page_begin(page);
    for (size_t row = 0; row < layout->rows; row++) {
        table_markdown_row(table, layout, row, page);
        if (row == 0)
            table_markdown_rule(table, layout, page);
    }
}

static void table_print(struct sb_table *table, struct sb_page *page)
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

void sb_table_end(struct sb_table *table, struct sb_page *page)
{
    table_print(table, page);
    for (size_t i = 0; i < table->count; i++)
        free(table->cell[i].text);
    free(table->cell);
    *table = (struct sb_table) { 0 };
}

/*
 * Bars on both sides of the uniform line, which stands for a fair shuffle, on one linear scale. A bar to the
 * left means too rare, and a bar to the right means too frequent.
 *
 * For a column that is filled from the left, Unicode has blocks of one to seven eighths (U+2589..U+258F). For
 * a column that is filled from the right, Unicode has only the half and the eighth (U+2590, U+2595). So the
 * outer end of a bar to the left is rounded to a half, an eighth or a whole column.
 */

static void bar_repeat(const char *glyph, size_t times, char text[])
{
    const size_t length = strlen(glyph);

    for (size_t i = 0; i < times; i++)
        memcpy(text + i * length, glyph, length);
    text[times * length] = '\0';
}

static void bar_right(size_t eighths, char text[])
{
    static const char *const part[] = { "", "\u258F", "\u258E", "\u258D", "\u258C", "\u258B", "\u258A", "\u2589" };

    bar_repeat("\u2588", eighths / 8, text);
    strcat(text, part[eighths % 8]);
}

static void bar_left(size_t eighths, size_t half, char text[])
{
    static const size_t nearest[] = { 0, 1, 1, 4, 4, 4, 8, 8 };
    const size_t end = nearest[eighths % 8];
    const size_t whole = eighths / 8 + (end == 8);
    const char *const part = end == 1 ? "\u2595" : end == 4 ? "\u2590" : "";

    bar_repeat(" ", half - whole - (part[0] != '\0'), text);
    strcat(text, part);
    bar_repeat("\u2588", whole, text + strlen(text));
}

void sb_bar_draw(double deviation, double scale, size_t half, bool unicode, char left[SB_BAR_ROOM],
                 char right[SB_BAR_ROOM])
{
    const double length = isnan(deviation) ? 0 : fmin(fabs(deviation) / scale, 1) * (double)half;
    const size_t eighths = (size_t)lround(8 * length), whole = (size_t)lround(length);
    const bool under = deviation < 0;

    if (unicode) {
        bar_left(under ? eighths : 0, half, left);
        bar_right(under ? 0 : eighths, right);
        return;
    }
    bar_repeat(" ", half - (under ? whole : 0), left);
    bar_repeat("#", under ? whole : 0, left + strlen(left));
    bar_repeat("#", under ? 0 : whole, right);
}
