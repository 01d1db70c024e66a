/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines and fields. The separator is a tab if the first line has a tab; otherwise a semicolon if the first
 * line has one; otherwise a comma if the first line has one; otherwise a blank. Empty lines and lines that
 * begin with # are skipped, and quotes and blanks around a field are removed. The format is RFC 4180, except
 * that a field stays on its line, and a quote in it is an ordinary character. Cost: linear.
 */
#include "core/text.h"
#include "sample/sample.h"
#include "subject/parts.h"

#include <strings.h>

#define GRID_WORD UINT64_MAX /* stands for a field that is a word */
/* stands for a field that is a word for sums, such as "total" */
#define GRID_SUM (UINT64_MAX - 1)

struct grid {
    const char *name;     /* name of the file; borrowed */
    size_t rows, columns; /* number of non-empty rows, and number of columns */
    size_t *line;         /* [rows] line number in the file, from 1; owned */
    /* [rows * columns] each element is a count or one of the two constants above; owned */
    uint64_t *count;
    const char **title; /* [rows] the first field of each row, as text; points into the text; owned */
};

enum { GRID_SHOWN = 40 }; /* the most characters of a wrong field to show */

/* the largest count; doubles hold all integers up to this number exactly */
static const uint64_t grid_count_most = UINT64_C(1) << 53;

char sb_grid_separator(const char *line)
{
    static const char known[] = "\t;,";

    for (const char *one = known; *one; one++)
        if (strchr(line, *one))
            return *one;
    return ' ';
}

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

/* Returns the separator that ends the field; NULL at the end of the line. A separator between quotes does not count. */
static char *grid_end(char *field, char separator)
{
    char *const quote = field + strspn(field, " ");
    char *const closing = *quote == '"' ? strchr(quote + 1, '"') : NULL;

    return strchr(closing ? closing : field, separator);
}

char *sb_grid_cut(char **rest, char separator)
{
    char *field = *rest, *end;

    if (field && separator == ' ')
        field += strspn(field, " ");
    if (!field || (separator == ' ' && !*field))
        return NULL;
    end = grid_end(field, separator);
    if (end)
        *end = '\0';
    *rest = end ? end + 1 : NULL;
    return grid_trim(field);
}

static bool grid_open(const char *text, struct grid *grid)
{
    size_t lines = 1, fields = 2; /* a field more, for a first row that lacks its first field */

    for (; *text; text++) {
        lines += *text == '\n';
        fields += strchr("\t;, \n", *text) != NULL;
    }
    grid->line = calloc(lines, sizeof grid->line[0]);
    grid->title = calloc(lines, sizeof grid->title[0]);
    grid->count = calloc(fields, sizeof grid->count[0]);
    return grid->line && grid->title && grid->count;
}

/* Names that R's addmargins(), pandas' crosstab() and people use. */
bool sb_grid_is_sum(const char *word)
{
    static const char *const names[] = { "sum",      "sums",       "all",         "margin",   "margins",     "row sum",
                                         "row sums", "column sum", "column sums", "\xce\xa3", "\xe2\x88\x91" };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcasecmp(word, names[i]) == 0)
            return true;
    for (; *word; word++)
        if (strncasecmp(word, "total", strlen("total")) == 0)
            return true;
    return false;
}

/* Reads the value of a field. The field must be a count, except that it may be a word in the first row or column. */
static enum sb_status grid_value(const struct grid *grid, const char *field, size_t line, size_t column,
                                 struct sb_error *error, uint64_t *count)
{
    const bool number = sb_name_number(field, count);

    if (!number)
        *count = sb_grid_is_sum(field) ? GRID_SUM : GRID_WORD;
    if (number ? *count <= grid_count_most : grid->rows == 0 || column == 0)
        return SB_OK;
    if (number)
        return sb_error_set(error, SB_INVALID, "%s: line %zu, column %zu: %.*s is too much: counts go up to 2^53",
                            grid->name, line, column + 1, GRID_SHOWN, field);
    return sb_error_set(
        error, SB_INVALID,
        "%s: line %zu, column %zu: '%.*s' is no count: write how many shuffles, in digits, not a percentage",
        grid->name, line, column + 1, GRID_SHOWN, field);
}

/* Handles a first row that lacks its first field, as in tables that R writes. Moves the counts by one
 * element; `used` is the number of counts. */
static void grid_indent(struct grid *grid, size_t used)
{
    memmove(grid->count + 1, grid->count, used * sizeof grid->count[0]);
    grid->count[0] = GRID_WORD;
    grid->columns++;
}

static enum sb_status grid_row(struct grid *grid, char *text, char separator, size_t line, struct sb_error *error)
{
    const size_t begin = grid->rows * grid->columns;
    size_t columns = 0;
    char *field, *rest = text;

    grid->line[grid->rows] = line;
    grid->title[grid->rows] = "";
    for (; (field = sb_grid_cut(&rest, separator)); columns++) {
        uint64_t count;
        const enum sb_status status = grid_value(grid, field, line, columns, error, &count);

        if (status)
            return status;
        if (columns == 0)
            grid->title[grid->rows] = field;
        if (begin + columns >= SB_MATRIX_MOST)
            return sb_error_set(error, SB_TOO_LARGE, "%s: line %zu: more than %d counts: give fewer columns",
                                grid->name, line, SB_MATRIX_MOST);
        grid->count[begin + columns] = count;
    }
    if (grid->rows == 0)
        grid->columns = columns;
    if (grid->rows == 1 && columns == grid->columns + 1)
        grid_indent(grid, begin + columns);
    if (columns != grid->columns)
        return sb_error_set(error, SB_INVALID, "%s: line %zu has %zu fields, and line %zu has %zu: give all as many",
                            grid->name, line, columns, grid->line[0], grid->columns);
    grid->rows++;
    return SB_OK;
}

/* Splits a zero-terminated text into the counts of a grid, and modifies the text. Only the first row and the first
 * column may have words. The caller closes the grid, even after an error. Errors: SB_INVALID, with the line and the
 * column; SB_NO_MEMORY. */
static enum sb_status grid_read(char *text, struct sb_error *error, struct grid *grid)
{
    enum sb_status status = SB_OK;
    char separator = '\0';
    size_t line = 1;

    if (!text || !grid_open(text, grid))
        return sb_error_memory(error, "the matrix");
    text += sb_text_mark(text, strlen(text));
    for (char *next; text && status == SB_OK; text = next, line++) {
        char *const end = strchr(text, '\n');

        next = end ? end + 1 : NULL;
        if (end)
            *end = '\0';
        if (text[strspn(text, " \t\r")] == '\0' || text[0] == '#')
            continue;
        if (!separator)
            separator = sb_grid_separator(text);
        status = grid_row(grid, text, separator, line, error);
    }
    return status;
}

static void grid_close(struct grid *grid)
{
    free(grid->line);
    free(grid->title);
    free(grid->count);
    *grid = (struct grid) { .rows = 0 };
}

/* ---- matrix file ---- */

/*
 * A recorded matrix. Every shuffle puts one item at each position, so the sum of every column is the number of
 * shuffles. If the whole deck is dealt, the sum of every row is also the number of shuffles. The sums distinguish
 * counts from a line of titles or a column of names, even if the titles or names are numbers. The code reads the file
 * in several ways, with and without titles and names, and uses the first way with correct sums.
 *
 * A row or a column of sums must not be mistaken for an item or a position. The code recognises sums by their numbers,
 * in the last row or column or under a name for sums. If there are more than two columns, no genuine column is the sum
 * of the others, because all columns have the same sum. The same is true of rows if more than two items are dealt: the
 * last item would be dealt more than once in a shuffle. If one or two items are dealt, the last item may be in half of
 * the shuffles at each position; then its line must not be the last one. Cost: linear.
 */

enum { FILE_ROOM = 1 << 16 }; /* initial size of the buffer */

/* the most shuffles; doubles are exact up to this number */
static const uint64_t file_total_most = UINT64_C(1) << 53;

/* A way to read the grid, with or without titles and names. */
struct file_reading {
    const struct grid *grid;
    size_t row, column; /* indexes of the first row and column of counts: 0 or 1 */
    size_t deal;        /* the required number of positions; 0: the number of items */
};

enum sb_status sb_bytes_text(struct sb_bytes *bytes, struct sb_error *error, char **text)
{
    size_t used = 0, room = FILE_ROOM, got = 1;
    char *made = malloc(room);

    while (made && got) {
        enum sb_status status;

        if (used + 1 >= room) {
            char *const more = realloc(made, 2 * room);

            if (!more)
                break;
            made = more;
            room *= 2;
        }
        status = bytes->read(bytes, made + used, room - used - 1, INFINITY, &got, error);
        if (status) {
            free(made);
            return status;
        }
        used += got;
    }
    if (!made || got) {
        free(made);
        return sb_error_memory(error, "a file");
    }
    const char *const foreign = sb_foreign(made, used);

    if (foreign) {
        free(made);
        return sb_error_set(error, SB_INVALID, "%s: %s", bytes->name, foreign);
    }
    for (size_t i = 0; i < used; i++)
        made[i] = made[i] ? made[i] : '?'; /* replaces a byte of 0, which would end the string */
    made[used] = '\0';
    *text = made;
    return SB_OK;
}

/* The sum of a row or a column, whose counts are `step` elements apart. The function stops when the sum is
 * too large. */
static uint64_t file_sum(const uint64_t *count, size_t terms, size_t step)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < terms && sum <= file_total_most; i++)
        sum += count[i * step];
    return sum;
}

static enum sb_status file_check_shape(const struct file_reading *reading, struct sb_error *error)
{
    const struct grid *const grid = reading->grid;
    const size_t n = grid->rows - reading->row, deal = grid->columns - reading->column;

    if (grid->rows < 2 + reading->row || grid->columns < 1 + reading->column || n > SB_COMPUTED_MOST)
        return sb_error_set(error, SB_INVALID,
                            "%s: %zu lines and %zu columns of counts: give a line for each of 2 to %d items, and "
                            "a column for each position",
                            grid->name, grid->rows < reading->row ? 0 : n, deal, SB_COMPUTED_MOST);
    if (deal > n)
        return sb_error_set(error, SB_INVALID,
                            "%s: %zu columns, but only %zu lines of counts: give a line for each item and a column "
                            "for each position",
                            grid->name, deal, n);
    if (reading->deal && deal != reading->deal)
        return sb_error_set(error, SB_INVALID, "%s: %zu columns of counts, but `deal` is %zu: correct one of them",
                            grid->name, deal, reading->deal);
    if (!reading->deal && deal < n)
        return sb_error_set(error, SB_INVALID,
                            "%s: %zu lines and %zu columns of counts: say `deal=%zu` if each shuffle dealt that "
                            "many of %zu items, else give a column for each position",
                            grid->name, n, deal, deal, n);
    return SB_OK;
}

static enum sb_status file_check(const struct file_reading *reading, struct sb_error *error, uint64_t *total)
{
    const struct grid *const grid = reading->grid;
    const uint64_t *const count = grid->count + reading->row * grid->columns + reading->column;
    const size_t n = grid->rows - reading->row, deal = grid->columns - reading->column;
    const enum sb_status status = file_check_shape(reading, error);

    if (status)
        return status;
    *total = file_sum(count, n, grid->columns);
    if (*total == 0 || *total > file_total_most)
        return sb_error_set(error, SB_INVALID, "%s: column %zu adds up to %s: give 1 to 2^53 shuffles", grid->name,
                            reading->column + 1, *total ? "too much" : "nothing");
    for (size_t j = 1; j < deal; j++) {
        const uint64_t sum = file_sum(count + j, n, grid->columns);

        if (sum != *total)
            return sb_error_set(error, SB_INVALID,
                                "%s: column %zu adds up to %llu, and column %zu to %llu: in each shuffle each "
                                "position has one item, so mend the counts",
                                grid->name, reading->column + j + 1, (unsigned long long)sum, reading->column + 1,
                                (unsigned long long)*total);
    }
    for (size_t i = 0; i < n; i++) {
        const uint64_t sum = file_sum(count + i * grid->columns, deal, 1);

        if (sum > *total || (deal == n && sum < *total))
            return sb_error_set(error, SB_INVALID,
                                "%s: line %zu adds up to %llu, and the columns to %llu: in each shuffle an item is "
                                "at one position, so mend the counts",
                                grid->name, grid->line[reading->row + i], (unsigned long long)sum,
                                (unsigned long long)*total);
    }
    return SB_OK;
}

/* Whether the numbers, which are `step` elements apart, look like titles: 0 1 2 ... or 1 2 3 ... */
static bool file_counts_up(const uint64_t *count, size_t terms, size_t step)
{
    for (size_t i = 0; i < terms; i++)
        if (count[i * step] != count[0] + i)
            return false;
    return terms && count[0] <= 1;
}

static bool file_words(const uint64_t *count, size_t terms, size_t step)
{
    for (size_t i = 0; i < terms; i++)
        if (count[i * step] >= GRID_SUM)
            return true;
    return false;
}

/* Whether this way to read the grid skips all words, and skips numbers only if they look like titles. */
static bool file_may_read(const struct grid *grid, size_t row, size_t column)
{
    const uint64_t *const count = grid->count;
    const size_t rows = grid->rows, columns = grid->columns;
    const bool words = file_words(count + 1, columns - 1, 1);
    const bool names = file_words(count + columns, rows - 1, columns);

    if ((words && !row) || (names && !column) || (count[0] >= GRID_SUM && !row && !column))
        return false;
    return (!row || words || file_counts_up(count + column, columns - column, 1)) &&
           (!column || names || file_counts_up(count + row * columns, rows - row, columns));
}

/* Whether row `index` of `terms` rows is the sum of the other rows, in each of `lines` columns. Successive rows
 * are `step` elements apart, and successive columns are `apart` elements apart. To check a column instead of a
 * row, the caller exchanges rows and columns. */
static bool file_is_sum(const uint64_t *count, size_t index, size_t terms, size_t step, size_t lines, size_t apart)
{
    bool any = false;

    for (size_t i = 0; i < lines; i++) {
        const uint64_t *const line = count + i * apart, one = line[index * step];

        if (file_sum(line, index, step) + file_sum(line + (index + 1) * step, terms - index - 1, step) != one)
            return false;
        any = any || one;
    }
    return any;
}

/* Returns the number, from 1, of the first row of sums among the grid's rows from index `first` on; 0 if there is none.
 * A row of sums has a name for sums in title[], or it is the last of three rows or more. An item may have such a name,
 * too: its counts are not the sums of the others. `title` may be NULL; for the other parameters see file_is_sum(). */
static size_t file_sums(const uint64_t *title, size_t first, const uint64_t *count, size_t terms, size_t step,
                        size_t lines, size_t apart)
{
    for (size_t i = 0; i < terms; i++) {
        const bool named = title && title[(first + i) * step] == GRID_SUM, last = terms > 2 && i + 1 == terms;

        if ((named || last) && file_is_sum(count, i, terms, step, lines, apart))
            return first + i + 1;
    }
    return 0;
}

/* Whether the grid, read in this way, has a row or a column of sums. If so, the error says which row or column. */
static bool file_has_sums(const struct file_reading *reading, struct sb_error *error)
{
    const struct grid *const grid = reading->grid;
    const uint64_t *const count = grid->count + reading->row * grid->columns + reading->column;
    const size_t rows = grid->rows - reading->row, columns = grid->columns - reading->column;
    const size_t row =
        file_sums(reading->column ? grid->count : NULL, reading->row, count, rows, grid->columns, columns, 1);
    const size_t column =
        file_sums(reading->row ? grid->count : NULL, reading->column, count, columns, 1, rows, grid->columns);

    if (row && column)
        sb_error_set(error, SB_INVALID, "%s: line %zu and column %zu are sums of the others: leave sums out",
                     grid->name, grid->line[row - 1], column);
    else if (row)
        sb_error_set(
            error, SB_INVALID, "%s: line %zu is the sum of the others: leave sums out%s", grid->name,
            grid->line[row - 1],
            columns < 3 && grid->count[(row - 1) * grid->columns] != GRID_SUM ? "; if it is an item, move it up" : "");
    else if (column)
        sb_error_set(error, SB_INVALID, "%s: column %zu is the sum of the others: leave sums out", grid->name, column);
    return row || column;
}

/* Finds the first way to read the grid that gives correct sums. If no way gives correct sums, but one way shows a row
 * or a column of sums, reports the error of that way. Otherwise reports the error of the last way that leaves enough
 * rows and columns for a matrix. The last way skips the most rows and columns. */
static enum sb_status file_find(const struct grid *grid, size_t deal, struct sb_error *error,
                                struct file_reading *found, uint64_t *total)
{
    struct sb_error sums = { .status = SB_OK };
    bool shaped = false;

    if (grid->rows < 2)
        return sb_error_set(error, SB_INVALID, "%s: %zu lines of counts: give a line for each item", grid->name,
                            grid->rows);
    sb_error_set(error, SB_INVALID, "%s: line %zu, column 1 is no count: give titles to all columns or to none",
                 grid->name, grid->line[0]);
    for (size_t way = 0; way < 4; way++) {
        const struct file_reading reading = {
            .grid = grid,
            .row = way & 1,
            .column = way >> 1,
            .deal = deal,
        };

        if (!file_may_read(grid, reading.row, reading.column) || file_has_sums(&reading, &sums) ||
            (shaped && file_check_shape(&reading, NULL)))
            continue;
        shaped = shaped || file_check_shape(&reading, NULL) == SB_OK;
        *found = reading;
        if (file_check(&reading, error, total) == SB_OK)
            return SB_OK;
    }
    if (sums.status && error)
        *error = sums;
    return SB_INVALID;
}

/* Takes the names of items from the first column. If the column has only numbers, they count items. */
static enum sb_status file_names(const struct file_reading *reading, struct sb_error *error,
                                 struct sb_matrix_file *matrix)
{
    const struct grid *const grid = reading->grid;
    const uint64_t *const first = grid->count + reading->row * grid->columns;
    enum sb_status status = SB_OK;

    if (!reading->column)
        return SB_OK;
    if (file_words(first, matrix->n, grid->columns))
        status = sb_item_names_take(grid->title + reading->row, matrix->n, &matrix->names);
    else
        status = sb_item_names_numbers((uint32_t)first[0], &matrix->names);
    return status ? sb_error_memory(error, "the names of items") : SB_OK;
}

static enum sb_status file_take(const struct grid *grid, size_t deal, struct sb_error *error,
                                struct sb_matrix_file *matrix)
{
    struct file_reading reading = { .grid = grid };
    const enum sb_status status = file_find(grid, deal, error, &reading, &matrix->total);

    if (status)
        return status;
    matrix->n = grid->rows - reading.row;
    matrix->deal = grid->columns - reading.column;
    matrix->count = calloc(matrix->n * matrix->deal + 1, sizeof matrix->count[0]);
    if (!matrix->count)
        return sb_error_memory(error, "the matrix");
    for (size_t i = 0; i < matrix->n; i++)
        memcpy(matrix->count + i * matrix->deal, grid->count + (reading.row + i) * grid->columns + reading.column,
               matrix->deal * sizeof matrix->count[0]);
    return file_names(&reading, error, matrix);
}

enum sb_status sb_matrix_file_read(const char *path, size_t deal, const volatile sig_atomic_t *stop,
                                   struct sb_error *error, struct sb_matrix_file *matrix)
{
    const struct sb_patience patience = { .timeout = INFINITY, .stop = stop };
    struct sb_matrix_file made = { .name = NULL };
    struct grid grid = { .rows = 0 };
    struct sb_bytes *bytes;
    char *text = NULL;
    enum sb_status status = sb_bytes_open_file(path, &patience, error, &bytes);

    if (status)
        return status;
    grid.name = bytes->name;
    made.name = strdup(bytes->name);
    status = made.name ? sb_bytes_text(bytes, error, &text) : sb_error_memory(error, "the matrix");
    if (status == SB_OK)
        status = grid_read(text, error, &grid);
    if (status == SB_OK)
        status = file_take(&grid, deal, error, &made);
    free(text);
    grid_close(&grid);
    bytes->free(bytes);
    if (status)
        sb_matrix_file_close(&made);
    else
        *matrix = made;
    return status;
}

void sb_matrix_file_close(struct sb_matrix_file *matrix)
{
    free(matrix->name);
    sb_item_names_free(matrix->names);
    free(matrix->count);
    *matrix = (struct sb_matrix_file) { .name = NULL };
}
