/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A subset of Markdown: headings, paragraphs, tables, blocks of code, and in HTML lines of HTML. A paragraph may begin
 * with a label, "**Ratio:** to a fair share". A block of code may name what its lines are; the block "text" is the only
 * one in other formats than HTML. A cell of a table may begin with a colour: "{over} 1.2".
 */
#include "report/template.h"

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

/* Writes a paragraph, which may begin with a **label**; returns the line after it. */
static char *markdown_paragraph(struct sb_template *template, char *text)
{
    char *end = text, *next = text, *label = NULL;

    do {
        end = next + strcspn(next, "\n");
        next = end + (*end == '\n');
        *end = *next ? ' ' : *end;
    } while (*next && !strchr("\n<|#", *next) && strncmp(next, "```", 3) != 0 && strncmp(next, "**", 2) != 0);
    *end = '\0';
    end = strncmp(text, "**", 2) == 0 ? strstr(text + 2, "**") : NULL;
    if (end) {
        label = text + 2;
        *end = '\0';
        text = end + strlen("** ");
    }
    sb_page_paragraph(template->page, label ? SB_INK_STRONG : SB_INK_PLAIN, label, "%s", text);
    return next;
}

/* ---- tables ---- */

/* Cuts the next cell out of a row and returns its text without blanks around it; NULL beyond the last cell. */
static char *markdown_cell(char **row)
{
    char *const cell = *row + strspn(*row, " "), *end = strchr(cell, '|');

    if (!end)
        return NULL;
    *row = end + 1;
    while (end > cell && end[-1] == ' ')
        end--;
    *end = '\0';
    return cell;
}

/* Takes a colour away from the beginning of a cell; `usual` is that of a cell without one. */
static enum sb_ink markdown_ink(const char **cell, enum sb_ink usual)
{
    static const struct {
        const char *name;
        enum sb_ink ink;
    } inks[] = {
        { "{over}", SB_INK_OVER },   { "{under}", SB_INK_UNDER }, { "{good}", SB_INK_GOOD },
        { "{bad}", SB_INK_BAD },     { "{doubt}", SB_INK_DOUBT }, { "{strong}", SB_INK_STRONG },
        { "{faint}", SB_INK_FAINT },
    };

    for (size_t i = 0; i < sizeof inks / sizeof inks[0]; i++)
        if (strncmp(*cell, inks[i].name, strlen(inks[i].name)) == 0) {
            *cell += strlen(inks[i].name);
            *cell += strspn(*cell, " ");
            return inks[i].ink;
        }
    return usual;
}

/* Adds the cells of a row, which begins with "|". */
static void markdown_row(struct sb_table *table, char *row, enum sb_ink usual)
{
    row++;
    for (const char *cell = markdown_cell(&row); cell; cell = markdown_cell(&row)) {
        const enum sb_ink ink = markdown_ink(&cell, usual);

        sb_table_add(table, ink, "%s", cell);
    }
}

/* Reads how the columns are aligned: "|---|--:|" is "lr". */
static void markdown_columns(char *row, char columns[SB_TABLE_COLUMNS_MOST + 1])
{
    size_t count = 0;

    row++;
    for (const char *cell = markdown_cell(&row); cell && count < SB_TABLE_COLUMNS_MOST; cell = markdown_cell(&row))
        columns[count++] = cell[strlen(cell) - 1] == ':' ? 'r' : 'l';
    columns[count] = '\0';
}

/* Writes a table; returns the line after it. */
static char *markdown_table(struct sb_template *template, char *titles)
{
    char *const second = markdown_line(titles), *line = markdown_line(second);
    char columns[SB_TABLE_COLUMNS_MOST + 1];
    struct sb_table table = { .columns = columns };

    markdown_columns(second, columns);
    markdown_row(&table, titles, SB_INK_STRONG);
    while (*line == '|') {
        char *const next = markdown_line(line);

        markdown_row(&table, line, SB_INK_PLAIN);
        line = next;
    }
    sb_table_end(&table, template->page);
    return line;
}

/* ---- blocks ---- */

/* Writes a block of code, which starts at `line`; returns the line after the block. */
static char *markdown_block(struct sb_template *template, char *line)
{
    const char *const name = line + strlen("```");
    char *const block = markdown_line(line), *const end = strstr(block, "```");

    if (!end) {
        sb_template_fault(template, line);
        return block + strlen(block);
    }
    char *const next = markdown_line(end);

    *end = '\0';
    if (strcmp(name, "text") == 0) {
        sb_page_code_begin(template->page);
        sb_page_code(template->page, block);
        sb_page_code_end(template->page);
        return next;
    }
    if (*name && template->block) {
        template->block(template, name, block);
        return next;
    }
    fputs("<pre><code>", template->page->stream);
    sb_markup_text(template->page->stream, block);
    fputs("</code></pre>\n", template->page->stream);
    return next;
}

void sb_template_markdown(struct sb_template *template, char *text)
{
    bool gap = true;

    while (*text && template->status == SB_OK) {
        if (*text == '\n') {
            gap = true;
            text++;
            continue;
        }
        template->page->tight = !gap; /* plain text has empty lines where its source has them */
        gap = false;
        if (*text == '|') {
            text = markdown_table(template, text);
        } else if (strncmp(text, "```", 3) == 0) {
            text = markdown_block(template, text);
        } else if (*text == '<' || *text == '#') {
            char *const next = markdown_line(text);
            const unsigned level = text[0] == '#' ? (unsigned)strspn(text, "#") : 0;

            if (level)
                sb_page_title(template->page, level, "%s", text + level + 1);
            else /* the text of a list's item follows on the same line */
                fprintf(template->page->stream, "%s%s", text, strcmp(text, "<li>") == 0 ? "" : "\n");
            text = next;
        } else {
            text = markdown_paragraph(template, text);
        }
    }
    template->page->tight = false;
}
