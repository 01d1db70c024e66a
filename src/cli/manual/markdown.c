/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Markdown as roff, as far as the pages under docs/ use it: headings, paragraphs, lists, tables, blocks of code, and in
 * a line code, bold text and links. A row of a table becomes a paragraph whose tag is the first cell. A terminal shows
 * no pictures, so they are left out.
 */
#include "cli/manual/manual.h"

#include <string.h>

enum { MARKDOWN_CELLS = 16, MARKDOWN_CELL = 1024 };

/* The state of a page in the making. */
struct markdown {
    FILE *page;
    bool code, table, list;                   /* what the line before belongs to */
    bool gap;                                 /* whether the line before was empty */
    bool fresh;                               /* whether nothing was written since the last heading */
    char head[MARKDOWN_CELLS][MARKDOWN_CELL]; /* the first row of the table */
    size_t columns;
};

/* Begins a paragraph. The first one after a heading needs no macro. */
static void markdown_paragraph(struct markdown *markdown)
{
    if (!markdown->fresh)
        fputs(".PP\n", markdown->page);
    markdown->fresh = false;
}

/* Writes the text of a link, and returns its last character; NULL if there is no link. */
static const char *markdown_link(FILE *page, const char *text, const char *end)
{
    const char *const close = memchr(text, ']', (size_t)(end - text));
    const char *const url = close && close + 1 < end && close[1] == '(' ? close + 1 : NULL;
    const char *const last = url ? memchr(url, ')', (size_t)(end - url)) : NULL;

    for (const char *at = text + 1; last && at < close; at++)
        if (*at != '`')
            manual_letter(page, *at);
    return last;
}

/* Writes text[0..length-1] with its bold words and code in bold, and its links as text. */
static void markdown_inline(FILE *page, const char *text, size_t length)
{
    const char *const end = text + length;
    bool code = false, bold = false;

    if (length && (*text == '.' || *text == '\''))
        fputs("\\&", page);
    for (const char *at = text; at < end; at++) {
        const char *const last = !code && *at == '[' ? markdown_link(page, at, end) : NULL;

        if (last) {
            at = last;
        } else if (*at == '`' || (!code && at + 1 < end && at[0] == '*' && at[1] == '*')) {
            bool *const on = *at == '`' ? &code : &bold;

            at += *at == '*';
            *on = !*on;
            fputs(code || bold ? "\\fB" : "\\fR", page);
        } else {
            manual_letter(page, *at);
        }
    }
    fputc('\n', page);
}

/* Splits "| a | b |" into cells; returns how many there are. */
static size_t markdown_cells(const char *line, char cell[MARKDOWN_CELLS][MARKDOWN_CELL])
{
    size_t count = 0;

    for (const char *at = line + 1; *at && count < MARKDOWN_CELLS; count++) {
        const size_t length = strcspn(at, "|");
        size_t begin = 0, end = length;

        while (begin < end && at[begin] == ' ')
            begin++;
        while (end > begin && at[end - 1] == ' ')
            end--;
        snprintf(cell[count], MARKDOWN_CELL, "%.*s", (int)(end - begin), at + begin);
        at += length + (at[length] == '|');
    }
    return count;
}

/* Writes a row of a table: the first cell as a tag, and the other cells with the names of their columns, if they are
 * several. */
static void markdown_row(struct markdown *markdown, const char *line)
{
    char cell[MARKDOWN_CELLS][MARKDOWN_CELL];
    const size_t count = markdown_cells(line, cell);

    if (!markdown->table) {
        markdown->columns = markdown_cells(line, markdown->head);
        return;
    }
    if (strspn(line, "|-: ") == strlen(line))
        return;
    fputs(".TP\n", markdown->page);
    markdown->fresh = false;
    markdown_inline(markdown->page, cell[0], strlen(cell[0]));
    for (size_t i = 1; i < count; i++) {
        char text[2 * MARKDOWN_CELL + 8];

        if (!*cell[i])
            continue;
        if (i > 1 && *markdown->head[i])
            snprintf(text, sizeof text, "%s: %s.", markdown->head[i], cell[i]);
        else
            snprintf(text, sizeof text, "%s%s", cell[i], i + 1 < count ? "." : "");
        markdown_inline(markdown->page, text, strlen(text));
    }
}

static void markdown_heading(struct markdown *markdown, const char *line)
{
    const size_t depth = strspn(line, "#");
    const char *const title = line + depth + 1;

    fputs(depth > 2 ? ".SS " : ".SH ", markdown->page);
    markdown_inline(markdown->page, title, strlen(title));
    markdown->fresh = true;
    markdown->list = false;
}

/* Writes a line that is not part of a block of code. */
static void markdown_line(struct markdown *markdown, const char *line)
{
    const bool table = *line == '|', item = strncmp(line, "- ", 2) == 0, empty = *line == '\0';
    const size_t indent = strspn(line, " ");

    if (*line == '#') {
        markdown_heading(markdown, line);
    } else if (table) {
        markdown_row(markdown, line);
    } else if (item) {
        fputs(".IP \\(bu 2\n", markdown->page);
        markdown_inline(markdown->page, line + 2, strlen(line + 2));
        markdown->list = true;
        markdown->fresh = false;
    } else if (!empty && strncmp(line, "![", 2) != 0) {
        if (markdown->gap && !(markdown->list && indent))
            markdown_paragraph(markdown);
        markdown->list = markdown->list && indent;
        markdown_inline(markdown->page, line + indent, strlen(line + indent));
    }
    markdown->table = table;
    markdown->gap = (markdown->gap && *line == '!') || empty;
}

/* Writes a line of code. The pages run the program where the build leaves it; the manual is read where it is
 * installed. */
static void markdown_code(FILE *page, const char *line)
{
    static const char built[] = "build/shufflebias";
    const char *at;

    for (; (at = strstr(line, built)); line = at + strlen("build/")) {
        char before[8192];

        snprintf(before, sizeof before, "%.*s", (int)(at - line), line);
        manual_text(page, before);
    }
    manual_text(page, line);
    fputc('\n', page);
}

void manual_markdown(FILE *page, const char *path, const char *section)
{
    FILE *const file = fopen(path, "r");
    struct markdown markdown = { .page = page, .fresh = true };
    const size_t length = section ? strlen(section) : 0;
    bool inside = false, found = false;
    char line[8192];

    if (!file)
        manual_fail(path);
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        const bool heading = !markdown.code && strncmp(line, section ? "## " : "# ", section ? 3 : 2) == 0;

        if (heading) { /* the page has a heading of its own in the place of this one */
            inside = !section || (strncmp(line + 3, section, length) == 0 && !line[3 + length]);
            found = found || inside;
            markdown.gap = false;
        } else if (inside && strncmp(line, "```", 3) == 0) {
            markdown.code = !markdown.code;
            if (markdown.code)
                markdown_paragraph(&markdown);
            fputs(markdown.code ? ".EX\n" : ".EE\n", page);
            markdown.gap = true;
        } else if (inside && markdown.code) {
            markdown_code(page, line);
        } else if (inside && !(markdown.gap && !*line)) {
            markdown_line(&markdown, line);
        }
    }
    fclose(file);
    if (!found)
        manual_fail(path);
}
