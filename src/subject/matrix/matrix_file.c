/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A recorded matrix. Every shuffle puts one item at each position, so the sum of every column is the number
 * of shuffles. If the whole deck is dealt, the sum of every row is also the number of shuffles. The sums
 * distinguish counts from a line of titles or a column of names, even if the titles or names are numbers. The
 * code reads the file in several ways, with and without titles and names, and uses the first way with correct
 * sums.
 *
 * A row or a column of sums must not be mistaken for an item or a position. The code recognises sums by their
 * numbers, in the last row or column or under a name for sums. If there are more than two columns, no genuine
 * column is the sum of the others, because all columns have the same sum. The same is true of rows if more than
 * two items are dealt: the last item would be dealt more than once in a shuffle. If one or two items are dealt, the
 * last item may be in half of the shuffles at each position; then its line must not be the last one. Cost: linear.
 */
#include "subject/matrix/matrix_file.h"

#include "core/core.h"
#include "subject/foreign.h"
#include "subject/matrix/matrix_grid.h"
#include "subject/stream/bytes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_ROOM = 1 << 16 }; /* initial size of the buffer */

/* the most shuffles; doubles are exact up to this number */
static const uint64_t file_total_most = UINT64_C(1) << 53;

/* A way to read the grid, with or without titles and names. */
struct file_reading {
    const struct sb_grid *grid;
    size_t row, column; /* indexes of the first row and column of counts: 0 or 1 */
    size_t deal;        /* the required number of positions; 0: the number of items */
};

/* Reads all bytes and appends a terminating 0. The caller frees the text. */
static enum sb_status file_text(struct sb_bytes *bytes, struct sb_error *error, char **text)
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
        return sb_error_memory(error, "the matrix");
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
    const struct sb_grid *const grid = reading->grid;
    const size_t n = grid->rows - reading->row, deal = grid->columns - reading->column;

    if (grid->rows < 2 + reading->row || grid->columns < 1 + reading->column || n > SB_COMPUTED_MOST)
        return sb_error_set(
            error, SB_INVALID,
            "%s: %zu lines and %zu columns of counts: give a line for each of 2 to %d items, and "
            "a column for each position",
            grid->name, grid->rows < reading->row ? 0 : n, deal, SB_COMPUTED_MOST);
    if (deal > n)
        return sb_error_set(
            error, SB_INVALID,
            "%s: %zu columns, but only %zu lines of counts: give a line for each item and a column "
            "for each position",
            grid->name, deal, n);
    if (reading->deal && deal != reading->deal)
        return sb_error_set(error, SB_INVALID,
                            "%s: %zu columns of counts, but `deal` is %zu: correct one of them", grid->name,
                            deal, reading->deal);
    if (!reading->deal && deal < n)
        return sb_error_set(
            error, SB_INVALID,
            "%s: %zu lines and %zu columns of counts: say `deal=%zu` if each shuffle dealt that "
            "many of %zu items, else give a column for each position",
            grid->name, n, deal, deal, n);
    return SB_OK;
}

/* Checks that the counts can come from whole shuffles, and sets *total to the number of shuffles. */
static enum sb_status file_check(const struct file_reading *reading, struct sb_error *error, uint64_t *total)
{
    const struct sb_grid *const grid = reading->grid;
    const uint64_t *const count = grid->count + reading->row * grid->columns + reading->column;
    const size_t n = grid->rows - reading->row, deal = grid->columns - reading->column;
    const enum sb_status status = file_check_shape(reading, error);

    if (status)
        return status;
    *total = file_sum(count, n, grid->columns);
    if (*total == 0 || *total > file_total_most)
        return sb_error_set(error, SB_INVALID, "%s: column %zu adds up to %s: give 1 to 2^53 shuffles",
                            grid->name, reading->column + 1, *total ? "too much" : "nothing");
    for (size_t j = 1; j < deal; j++) {
        const uint64_t sum = file_sum(count + j, n, grid->columns);

        if (sum != *total)
            return sb_error_set(
                error, SB_INVALID,
                "%s: column %zu adds up to %llu, and column %zu to %llu: in each shuffle each "
                "position has one item, so mend the counts",
                grid->name, reading->column + j + 1, (unsigned long long)sum, reading->column + 1,
                (unsigned long long)*total);
    }
    for (size_t i = 0; i < n; i++) {
        const uint64_t sum = file_sum(count + i * grid->columns, deal, 1);

        if (sum > *total || (deal == n && sum < *total))
            return sb_error_set(
                error, SB_INVALID,
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

/* Whether there is a word among the entries, which are `step` elements apart. */
static bool file_words(const uint64_t *count, size_t terms, size_t step)
{
    for (size_t i = 0; i < terms; i++)
        if (count[i * step] >= SB_GRID_SUM)
            return true;
    return false;
}

/* Whether this way to read the grid skips all words, and skips numbers only if they look like titles. */
static bool file_may_read(const struct sb_grid *grid, size_t row, size_t column)
{
    const uint64_t *const count = grid->count;
    const size_t rows = grid->rows, columns = grid->columns;
    const bool words = file_words(count + 1, columns - 1, 1);
    const bool names = file_words(count + columns, rows - 1, columns);

    if ((words && !row) || (names && !column) || (count[0] >= SB_GRID_SUM && !row && !column))
        return false;
    return (!row || words || file_counts_up(count + column, columns - column, 1)) &&
           (!column || names || file_counts_up(count + row * columns, rows - row, columns));
}

/* Whether row `index` of `terms` rows is the sum of the other rows, in each of `lines` columns. Successive rows
 * are `step` elements apart, and successive columns are `apart` elements apart. To check a column instead of a
 * row, the caller exchanges rows and columns. */
static bool file_is_sum(const uint64_t *count, size_t index, size_t terms, size_t step, size_t lines,
                        size_t apart)
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
 * A row of sums has a name for sums in title[], or it is the last of three rows or more. An item may have such a name, too:
 * its counts are not the sums of the others. `title` may be NULL; for the other parameters see file_is_sum(). */
static size_t file_sums(const uint64_t *title, size_t first, const uint64_t *count, size_t terms, size_t step,
                        size_t lines, size_t apart)
{
    for (size_t i = 0; i < terms; i++) {
        const bool named = title && title[(first + i) * step] == SB_GRID_SUM,
                   last = terms > 2 && i + 1 == terms;

        if ((named || last) && file_is_sum(count, i, terms, step, lines, apart))
            return first + i + 1;
    }
    return 0;
}

/* Whether the grid, read in this way, has a row or a column of sums. If so, the error says which row or
 * column. */
static bool file_has_sums(const struct file_reading *reading, struct sb_error *error)
{
    const struct sb_grid *const grid = reading->grid;
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
        sb_error_set(error, SB_INVALID, "%s: line %zu is the sum of the others: leave sums out%s", grid->name,
                     grid->line[row - 1],
                     columns < 3 && grid->count[(row - 1) * grid->columns] != SB_GRID_SUM
                         ? "; if it is an item, move it up"
                         : "");
    else if (column)
        sb_error_set(error, SB_INVALID, "%s: column %zu is the sum of the others: leave sums out", grid->name,
                     column);
    return row || column;
}

/*
 * Finds the first way to read the grid that gives correct sums. If no way gives correct sums, but one way
 * shows a row or a column of sums, reports the error of that way. Otherwise reports the error of the last way
 * that leaves enough rows and columns for a matrix. The last way skips the most rows and columns.
 */
static enum sb_status file_find(const struct sb_grid *grid, size_t deal, struct sb_error *error,
                                struct file_reading *found, uint64_t *total)
{
    struct sb_error sums = { .status = SB_OK };
    bool shaped = false;

    if (grid->rows < 2)
        return sb_error_set(error, SB_INVALID, "%s: %zu lines of counts: give a line for each item",
                            grid->name, grid->rows);
    sb_error_set(error, SB_INVALID,
                 "%s: line %zu, column 1 is no count: give titles to all columns or to none", grid->name,
                 grid->line[0]);
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
    const struct sb_grid *const grid = reading->grid;
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

/* Converts a grid into a matrix. */
static enum sb_status file_take(const struct sb_grid *grid, size_t deal, struct sb_error *error,
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
        memcpy(matrix->count + i * matrix->deal,
               grid->count + (reading.row + i) * grid->columns + reading.column,
               matrix->deal * sizeof matrix->count[0]);
    return file_names(&reading, error, matrix);
}

enum sb_status sb_matrix_file_read(const char *path, size_t deal, const volatile sig_atomic_t *stop,
                                   struct sb_error *error, struct sb_matrix_file *matrix)
{
    const struct sb_patience patience = { .timeout = INFINITY, .stop = stop };
    struct sb_matrix_file made = { .name = NULL };
    struct sb_grid grid = { .rows = 0 };
    struct sb_bytes *bytes;
    char *text = NULL;
    enum sb_status status = sb_bytes_open_file(path, &patience, error, &bytes);

    if (status)
        return status;
    grid.name = bytes->name;
    made.name = strdup(bytes->name);
    status = made.name ? file_text(bytes, error, &text) : sb_error_memory(error, "the matrix");
    if (status == SB_OK)
        status = sb_grid_read(text, error, &grid);
    if (status == SB_OK)
        status = file_take(&grid, deal, error, &made);
    free(text);
    sb_grid_close(&grid);
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
