/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A subset of Markdown as HTML: headings, paragraphs, tables, blocks of code, and lines of HTML. A block of code may
 * name what its lines are: a command, or figures. A cell of a table may begin with a colour: "{over} 1.2".
 */
#include "lesson/lesson.h"

#include "report/page.h"

#include <string.h>

/* Ends the line with 0; returns the next line. */
static char *markdown_line(char *line)
{
    char *const end = line + strcspn(line, "\n");

    if (!*end)
        return end;
    *end = '\0';
    return end + 1;
}

/* The text of a list's item follows on the same line. */
static void markdown_html(struct sb_lesson *lesson, const char *line)
{
    fprintf(lesson->html.stream, "%s%s", line, strcmp(line, "<li>") == 0 ? "" : "\n");
}

/* Writes a paragraph; returns the line after it. */
static char *markdown_paragraph(struct sb_lesson *lesson, char *text)
{
    char *end = text, *next = text;

    do {
        end = next + strcspn(next, "\n");
        next = end + (*end == '\n');
        *end = *next ? ' ' : *end;
    } while (*next && !strchr("\n<|#", *next) && strncmp(next, "```", 3) != 0);
    *end = '\0';
    sb_page_paragraph(&lesson->html.page, SB_INK_PLAIN, NULL, "%s", text);
    return next;
}

/* ---- tables ---- */

/* Cuts the next cell out of a row and returns its text without blanks around it; NULL beyond the last cell. */
static char *markdown_cell(char **row)
{
    char *const cell = *row + strspn(*row, "| "), *end = strchr(cell, '|');

    if (!end)
        return NULL;
    *row = end + 1;
    while (end > cell && end[-1] == ' ')
        end--;
    *end = '\0';
    return cell;
}

/* Takes a colour away from the beginning of a cell. */
static enum sb_ink markdown_ink(const char **cell)
{
    static const struct {
        const char *name;
        enum sb_ink ink;
    } inks[] = {
        { "{over} ", SB_INK_OVER }, { "{under} ", SB_INK_UNDER }, { "{good} ", SB_INK_GOOD }, { "{bad} ", SB_INK_BAD }
    };

    for (size_t i = 0; i < sizeof inks / sizeof inks[0]; i++)
        if (strncmp(*cell, inks[i].name, strlen(inks[i].name)) == 0) {
            *cell += strlen(inks[i].name);
            return inks[i].ink;
        }
    return SB_INK_PLAIN;
}

static void markdown_row(struct sb_table *table, char *row)
{
    for (const char *cell = markdown_cell(&row); cell; cell = markdown_cell(&row)) {
        const enum sb_ink ink = markdown_ink(&cell);

        sb_table_add(table, ink, "%s", cell);
    }
}

/* Reads how the columns are aligned: "|---|--:|" is "lr". */
static void markdown_columns(char *row, char columns[SB_TABLE_COLUMNS_MOST + 1])
{
    size_t count = 0;

    for (const char *cell = markdown_cell(&row); cell && count < SB_TABLE_COLUMNS_MOST; cell = markdown_cell(&row))
        columns[count++] = cell[strlen(cell) - 1] == ':' ? 'r' : 'l';
    columns[count] = '\0';
}

/* Writes a table; returns the line after it. */
static char *markdown_table(struct sb_lesson *lesson, char *titles)
{
    char *const second = markdown_line(titles), *line = markdown_line(second);
    char columns[SB_TABLE_COLUMNS_MOST + 1];
    struct sb_table table = { .columns = columns };

    markdown_columns(second, columns);
    markdown_row(&table, titles);
    while (*line == '|') {
        char *const next = markdown_line(line);

        markdown_row(&table, line);
        line = next;
    }
    sb_table_end(&table, &lesson->html.page);
    return line;
}

/* ---- blocks ---- */

/* Writes a block of code, which starts at `line`; returns the line after the block. */
static char *markdown_block(struct sb_lesson *lesson, char *line)
{
    const char *const name = line + strlen("```");
    char *const block = markdown_line(line), *const end = strstr(block, "```");

    if (!end) {
        sb_lesson_fault(lesson, line);
        return block + strlen(block);
    }
    char *const next = markdown_line(end);

    *end = '\0';
    if (strcmp(name, "command") == 0) {
        markdown_line(block);
        sb_html_command(block, lesson->html.stream);
        return next;
    }
    if (strcmp(name, "figures") == 0) {
        for (char *each = block; *each;)
            each = markdown_line(each);
        sb_lesson_figures(lesson, block);
        return next;
    }
    fputs("<pre><code>", lesson->html.stream);
    sb_markup_text(lesson->html.stream, block);
    fputs("</code></pre>\n", lesson->html.stream);
    return next;
}

void sb_lesson_markdown(struct sb_lesson *lesson, char *text)
{
    while (*text && lesson->status == SB_OK) {
        if (*text == '|') {
            text = markdown_table(lesson, text);
        } else if (strncmp(text, "```", 3) == 0) {
            text = markdown_block(lesson, text);
        } else if (*text == '<' || *text == '#') {
            char *const next = markdown_line(text);
            const unsigned level = text[0] == '#' ? (unsigned)strspn(text, "#") : 0;

            if (level)
                sb_page_title(&lesson->html.page, level, "%s", text + level + 1);
            else
                markdown_html(lesson, text);
            text = next;
        } else if (*text == '\n') {
            text++;
        } else {
            text = markdown_paragraph(lesson, text);
        }
    }
}
