/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines and fields. The separator is a tab if the first line has a tab; otherwise a semicolon if the first
 * line has one; otherwise a comma if the first line has one; otherwise a blank. Empty lines and lines that
 * begin with # are skipped, and quotes and blanks around a field are removed. The format is RFC 4180, except
 * that quotes do not protect separators. Cost: linear.
 */
#include "subject/matrix/matrix_grid.h"

#include "core/core.h"
#include "core/text.h"
#include "sample/sample.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { GRID_SHOWN = 40 }; /* the most characters of a wrong field to show */

/* the largest count; doubles hold all integers up to this number exactly */
static const uint64_t grid_count_most = UINT64_C(1) << 53;

static char grid_separator(const char *line)
{
    static const char known[] = "\t;,";

    for (const char *one = known; *one; one++)
        if (strchr(line, *one))
            return *one;
    return ' ';
}

/* Removes blanks and quotes around a field; returns the new start of the field. */
static char *grid_trim(char *field)
{
    size_t length;

    field += strspn(field, " \t\r");
    length = strlen(field);
    while (length && strchr(" \t\r", field[length - 1]))
        length--;
    if (length > 1 && field[0] == '"' && field[length - 1] == '"') {
        field++;
        length -= 2;
    }
    field[length] = '\0';
    return field;
}

/* Splits off the next field; NULL if there is none. */
static char *grid_cut(char **rest, char separator)
{
    char *field = *rest, *end;

    if (field && separator == ' ')
        field += strspn(field, " ");
    if (!field || (separator == ' ' && !*field))
        return NULL;
    end = strchr(field, separator);
    if (end)
        *end = '\0';
    *rest = end ? end + 1 : NULL;
    return grid_trim(field);
}

/* Makes room for at least one more number than `used`; false if memory runs out. */
static bool grid_room(void **numbers, size_t size, size_t used, size_t *room)
{
    const size_t wanted = used ? 2 * used : 4096;
    void *more;

    if (used < *room)
        return true;
    more = realloc(*numbers, wanted * size);
    if (!more)
        return false;
    *numbers = more;
    *room = wanted;
    return true;
}

static bool grid_add(struct sb_grid *grid, size_t used, uint64_t count)
{
    void *numbers = grid->count;
    const bool room = grid_room(&numbers, sizeof grid->count[0], used, &grid->room);

    grid->count = numbers;
    if (room)
        grid->count[used] = count;
    return room;
}

static bool grid_add_line(struct sb_grid *grid, size_t line)
{
    void *numbers = grid->line, *titles = grid->title;
    const bool room = grid_room(&numbers, sizeof grid->line[0], grid->rows, &grid->rows_room) &&
                      grid_room(&titles, sizeof grid->title[0], grid->rows, &grid->titles_room);

    grid->line = numbers;
    grid->title = titles;
    if (!room)
        return false;
    grid->line[grid->rows] = line;
    grid->title[grid->rows] = "";
    return true;
}

/* Whether a word is a common name for a row or a column of sums: a name that R's addmargins(), pandas'
 * crosstab() or people use. */
static bool grid_is_sum(const char *word)
{
    static const char *const names[] = { "sum",         "sums",     "all",         "margin",
                                         "margins",     "row sum",  "row sums",    "column sum",
                                         "column sums", "\xce\xa3", "\xe2\x88\x91" };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcasecmp(word, names[i]) == 0)
            return true;
    for (; *word; word++)
        if (strncasecmp(word, "total", strlen("total")) == 0)
            return true;
    return false;
}

/* Reads the value of a field. The field must be a count, except that it may be a word in the first row or
 * column. */
static enum sb_status grid_value(const struct sb_grid *grid, const char *field, size_t line, size_t column,
                                 struct sb_error *error, uint64_t *count)
{
    const bool number = sb_name_number(field, count);

    if (!number)
        *count = grid_is_sum(field) ? SB_GRID_SUM : SB_GRID_WORD;
    if (number ? *count <= grid_count_most : grid->rows == 0 || column == 0)
        return SB_OK;
    if (number)
        return sb_error_set(error, SB_INVALID,
                            "%s: line %zu, column %zu: %.*s is too much: counts go up to 2^53", grid->name,
                            line, column + 1, GRID_SHOWN, field);
    return sb_error_set(
        error, SB_INVALID,
        "%s: line %zu, column %zu: '%.*s' is no count: write whole numbers, with digits alone", grid->name,
        line, column + 1, GRID_SHOWN, field);
}

/* Handles a first row that lacks its first field, as in tables that R writes. Moves the counts by one
 * element; `used` is the number of counts. */
static bool grid_indent(struct sb_grid *grid, size_t used)
{
    if (!grid_add(grid, used, 0))
        return false;
    memmove(grid->count + 1, grid->count, used * sizeof grid->count[0]);
    grid->count[0] = SB_GRID_WORD;
    grid->columns++;
    return true;
}

/* Reads one non-empty line. */
static enum sb_status grid_row(struct sb_grid *grid, char *text, char separator, size_t line,
                               struct sb_error *error)
{
    const size_t begin = grid->rows * grid->columns;
    size_t columns = 0;
    char *field, *rest = text;

    if (!grid_add_line(grid, line))
        return sb_error_memory(error, "the matrix");
    for (; (field = grid_cut(&rest, separator)); columns++) {
        uint64_t count;
        const enum sb_status status = grid_value(grid, field, line, columns, error, &count);

        if (status)
            return status;
        if (columns == 0)
            grid->title[grid->rows] = field;
        if (begin + columns >= SB_MATRIX_MOST)
            return sb_error_set(error, SB_TOO_LARGE, "%s: line %zu: more than %d counts: give fewer columns",
                                grid->name, line, SB_MATRIX_MOST);
        if (!grid_add(grid, begin + columns, count))
            return sb_error_memory(error, "the matrix");
    }
    if (grid->rows == 0)
        grid->columns = columns;
    if (grid->rows == 1 && columns == grid->columns + 1 && !grid_indent(grid, begin + columns))
        return sb_error_memory(error, "the matrix");
    if (columns != grid->columns)
        return sb_error_set(error, SB_INVALID,
                            "%s: line %zu has %zu fields, and line %zu has %zu: give all as many", grid->name,
                            line, columns, grid->line[0], grid->columns);
    grid->rows++;
    return SB_OK;
}

enum sb_status sb_grid_read(char *text, struct sb_error *error, struct sb_grid *grid)
{
    enum sb_status status = SB_OK;
    char separator = '\0';
    size_t line = 1;

    if (strncmp(text, "\xEF\xBB\xBF", 3) == 0) /* the byte order mark of UTF-8 */
        text += 3;
    for (char *next; text && status == SB_OK; text = next, line++) {
        char *const end = strchr(text, '\n');

        next = end ? end + 1 : NULL;
        if (end)
            *end = '\0';
        if (text[strspn(text, " \t\r")] == '\0' || text[0] == '#')
            continue;
        if (!separator)
            separator = grid_separator(text);
        status = grid_row(grid, text, separator, line, error);
    }
    return status;
}

void sb_grid_close(struct sb_grid *grid)
{
    free(grid->line);
    free(grid->title);
    free(grid->count);
    *grid = (struct sb_grid) { .rows = 0 };
}
