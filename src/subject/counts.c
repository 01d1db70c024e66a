/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables with a column of counts. A row has a label, a count and perhaps a probability. Without titles, the count is
 * the last whole number of a row, a number that is not whole beside it is the probability, and the fields before them
 * are the label. Titles such as "count" and "probability" say which column is which. In the output of `uniq -c`, whose
 * lines begin with blanks, the count comes first. Rows with a count alone are numbered from 1. Cost:
 * linear, and a sort of the labels.
 */
#include "core/text.h"
#include "subject/parts.h"

#include <strings.h>

enum {
    COUNTS_FIELDS = 64,    /* the most fields of a row */
    COUNTS_SHOWN = 40,     /* the most characters of a wrong field to show */
    COUNTS_ROWS = 1 << 22, /* the most rows */
    COUNTS_NONE = COUNTS_FIELDS,
};

/* doubles are exact up to this number */
static const uint64_t counts_most = UINT64_C(1) << 53;

/* How far the sum of rounded probabilities may be from 1. */
static const double counts_rounding = 1e-3;

struct counts_table {
    struct sb_count_file *file;
    struct sb_error *error;
    char separator;
    bool first;          /* whether the count is the first field */
    size_t titled, fair; /* the columns with the title of counts, of probabilities; COUNTS_NONE: none */
    size_t room;         /* rows that there is memory for */
    bool alone;          /* whether the rows have no label */
    bool any;            /* whether a row has a probability */
    char number[32];     /* the label of a row without one */
};

/* Reads a count, which may have commas between thousands. */
static bool counts_whole(const char *field, uint64_t *count)
{
    char digits[32];
    size_t used = 0;

    for (const char *c = field; *c; c++) {
        const bool comma = *c == ',' && used && strspn(c + 1, "0123456789") == 3;

        if (used + 1 >= sizeof digits)
            return false;
        if (!comma)
            digits[used++] = *c;
    }
    digits[used] = '\0';
    return sb_name_number(digits, count);
}

/* Reads a probability or an expected count: 0.25, 25%, 1/4. */
static bool counts_real(const char *field, double *value)
{
    const char *const slash = strchr(field, '/');
    const size_t length = strlen(field);
    char text[64];
    uint64_t over, under;

    if (length == 0 || length >= sizeof text || !strchr("0123456789.", field[0]))
        return false;
    memcpy(text, field, length + 1);
    if (slash) {
        text[slash - field] = '\0';
        if (!counts_whole(text, &over) || !counts_whole(slash + 1, &under) || under == 0)
            return false;
        *value = (double)over / (double)under;
        return true;
    }
    if (text[length - 1] == '%')
        text[length - 1] = '\0';
    if (!sb_decimal_whole(text, value) || !isfinite(*value))
        return false;
    *value /= text[length - 1] ? 1 : 100;
    return true;
}

/* Whether a field is a number that is not whole. */
static bool counts_is_share(const char *field)
{
    uint64_t count;
    double value;

    return !counts_whole(field, &count) && counts_real(field, &value);
}

static bool counts_title(const char *field, const char *const words[])
{
    for (; *words; words++)
        if (strncasecmp(field, *words, strlen(*words)) == 0)
            return true;
    return false;
}

/* Takes a first row without numbers as titles. Returns false if it is none. */
static bool counts_titles(char *field[], size_t fields, struct counts_table *table)
{
    static const char *const counts[] = { "count", "freq", "observed", "times", "number of", "hits", NULL };
    static const char *const shares[] = { "prob", "expect", "theor", "fair", "share", NULL };
    uint64_t count;

    for (size_t i = 0; i < fields; i++)
        if (counts_whole(field[i], &count) || counts_is_share(field[i]))
            return false;
    for (size_t i = fields; i-- > 1;) {
        table->titled = counts_title(field[i], counts) ? i : table->titled;
        table->fair = counts_title(field[i], shares) ? i : table->fair;
    }
    return true;
}

/* Finds the columns of the count and of the probability, which may be missing, and how many fields before them are the
 * label. */
static void counts_columns(char *const field[], size_t fields, const struct counts_table *table, size_t *count,
                           size_t *share, size_t *label)
{
    const size_t last = fields - 1;

    *count = table->titled < fields ? table->titled : table->fair == last && last > 1 ? last - 1 : last;
    *share = table->fair < fields ? table->fair : COUNTS_NONE;
    if (*share == COUNTS_NONE && table->titled == COUNTS_NONE && last > 1) {
        if (counts_is_share(field[last]))
            *share = last, *count = last - 1;
        else if (counts_is_share(field[last - 1]))
            *share = last - 1;
    }
    *label = *share < *count ? *share : *count;
}

/* Makes an array larger. If memory runs out, returns it as it is, and sets *fits to false. */
static void *counts_grow(void *array, size_t bytes, bool *fits)
{
    void *const more = realloc(array, bytes);

    if (more)
        return more;
    *fits = false;
    return array;
}

static enum sb_status counts_room(struct counts_table *table)
{
    struct sb_count_file *const file = table->file;
    const size_t room = table->room ? 2 * table->room : 64;
    bool fits = true;

    if (file->rows < table->room)
        return SB_OK;
    if (room > COUNTS_ROWS)
        return sb_error_set(table->error, SB_TOO_LARGE, "%s: more than %d rows: give decks instead of counts",
                            file->name, COUNTS_ROWS);
    file->label = counts_grow(file->label, room * sizeof file->label[0], &fits);
    file->count = counts_grow(file->count, room * sizeof file->count[0], &fits);
    file->p = counts_grow(file->p, room * sizeof file->p[0], &fits);
    file->line = counts_grow(file->line, room * sizeof file->line[0], &fits);
    if (!fits)
        return sb_error_memory(table->error, "a table of counts");
    table->room = room;
    return SB_OK;
}

/* Returns a label: the fields, with a blank between, without a colon or an equals sign at the end. The caller frees
 * it. */
static char *counts_label(char *const field[], size_t fields)
{
    size_t room = 1, used = 0;

    for (size_t i = 0; i < fields; i++)
        room += strlen(field[i]) + 1;
    char *const label = calloc(room, 1);

    for (size_t i = 0; label && i < fields; i++)
        used += (size_t)snprintf(label + used, room - used, "%s%s", i ? " " : "", field[i]);
    while (label && used && strchr(" :=", label[used - 1]))
        label[--used] = '\0';
    return label;
}

static enum sb_status counts_row(char *field[], size_t fields, size_t line, struct counts_table *table)
{
    struct sb_count_file *const file = table->file;
    size_t at, share, labels;

    if (file->rows == 0 && table->titled == COUNTS_NONE && table->fair == COUNTS_NONE &&
        counts_titles(field, fields, table)) {
        if (table->separator == ' ') /* labels may have blanks, so titles show no columns */
            table->titled = table->fair = COUNTS_NONE;
        return SB_OK;
    }
    if (file->rows == 0)
        table->alone = fields == 1;
    if (table->alone != (fields == 1))
        return sb_error_set(table->error, SB_INVALID, "%s: line %zu has %zu fields: give all rows a label, or none",
                            file->name, line, fields);
    if (table->alone) { /* rows are numbered from 1 */
        snprintf(table->number, sizeof table->number, "%zu", file->rows + 1);
        field[1] = field[0];
        field[0] = table->number;
        fields = 2;
    } else if (table->first) { /* the count moves to the end */
        char *const count = field[0];

        memmove(field, field + 1, (fields - 1) * sizeof *field);
        field[fields - 1] = count;
    }
    counts_columns(field, fields, table, &at, &share, &labels);
    const enum sb_status status = counts_room(table);

    if (status)
        return status;
    if (!counts_whole(field[at], &file->count[file->rows]) || file->count[file->rows] > counts_most)
        return sb_error_set(table->error, SB_INVALID,
                            "%s: line %zu: '%.*s' is no count: write how often it came up, in digits, up to 2^53",
                            file->name, line, COUNTS_SHOWN, field[at]);
    file->p[file->rows] = NAN;
    if (share != COUNTS_NONE && !counts_real(field[share], &file->p[file->rows]))
        return sb_error_set(table->error, SB_INVALID,
                            "%s: line %zu: '%.*s' is no probability: write it as 0.25, 25%% or 1/4", file->name, line,
                            COUNTS_SHOWN, field[share]);
    if (labels == 0)
        return sb_error_set(table->error, SB_INVALID, "%s: line %zu has no label: give it first", file->name, line);
    file->label[file->rows] = counts_label(field, labels);
    if (!file->label[file->rows])
        return sb_error_memory(table->error, "a table of counts");
    file->joined = file->joined || (labels > 1 && table->separator != ' ');
    table->any = table->any || share != COUNTS_NONE;
    file->line[file->rows++] = line;
    return SB_OK;
}

static enum sb_status counts_lines(char *whole, struct counts_table *table)
{
    char *text = whole + sb_text_mark(whole, strlen(whole));
    enum sb_status status = SB_OK;
    size_t line = 1;

    for (char *next; text && status == SB_OK; text = next, line++) {
        char *const end = strchr(text, '\n');
        char *field[COUNTS_FIELDS] = { NULL }, *rest = text;
        size_t fields = 0;

        next = end ? end + 1 : NULL;
        if (end)
            *end = '\0';
        if (text[strspn(text, " \t\r")] == '\0' || text[0] == '#')
            continue;
        if (!table->separator) {
            table->separator = sb_grid_separator(text);
            table->first = table->separator == ' ' && text[0] == ' ';
        }
        while (fields < COUNTS_FIELDS && (field[fields] = sb_grid_cut(&rest, table->separator)))
            fields++;
        status = counts_row(field, fields, line, table);
    }
    return status;
}

/* Refuses a row of sums, and no rows. */
static enum sb_status counts_total(struct counts_table *table)
{
    struct sb_count_file *const file = table->file;

    for (size_t i = 0; i < file->rows && file->total <= counts_most; i++)
        file->total += file->count[i];
    if (file->total == 0 || file->total > counts_most)
        return sb_error_set(table->error, SB_INVALID, "%s: %zu rows that add up to %s: give counts of 1 to 2^53 in all",
                            file->name, file->rows, file->total ? "too much" : "nothing");
    for (size_t i = 0; i < file->rows; i++)
        if (sb_grid_is_sum(file->label[i]) && file->count[i] == file->total - file->count[i])
            return sb_error_set(table->error, SB_INVALID, "%s: line %zu is the sum of the others: leave sums out",
                                file->name, file->line[i]);
    return SB_OK;
}

static int counts_compare(const void *x, const void *y)
{
    return strcmp(**(char **const *)x, **(char **const *)y);
}

static enum sb_status counts_distinct(struct counts_table *table)
{
    struct sb_count_file *const file = table->file;
    char ***const sorted = calloc(file->rows + 1, sizeof *sorted);
    enum sb_status status = sorted ? SB_OK : sb_error_memory(table->error, "a table of counts");

    for (size_t i = 0; sorted && i < file->rows; i++)
        sorted[i] = &file->label[i];
    if (sorted)
        qsort(sorted, file->rows, sizeof *sorted, counts_compare);
    for (size_t i = 1; sorted && i < file->rows && status == SB_OK; i++)
        if (strcmp(*sorted[i - 1], *sorted[i]) == 0)
            status = sb_error_set(table->error, SB_INVALID, "%s: lines %zu and %zu both count '%.*s': add them up",
                                  file->name, file->line[sorted[i - 1] - file->label],
                                  file->line[sorted[i] - file->label], COUNTS_SHOWN, *sorted[i]);
    free(sorted);
    return status;
}

/* Divides expected counts by their sum, and rounded probabilities, too. */
static enum sb_status counts_shares(struct counts_table *table)
{
    struct sb_count_file *const file = table->file;
    const double total = (double)file->total;
    double sum = 0;

    if (!table->any) {
        free(file->p);
        file->p = NULL;
        return SB_OK;
    }
    for (size_t i = 0; i < file->rows; i++) {
        if (isnan(file->p[i]))
            return sb_error_set(table->error, SB_INVALID,
                                "%s: line %zu has no probability: give all rows one, or none; write 0 as 0.0",
                                file->name, file->line[i]);
        sum += file->p[i];
    }
    if (!(fabs(sum - 1) <= counts_rounding || fabs(sum - total) <= counts_rounding * total))
        return sb_error_set(table->error, SB_INVALID,
                            "%s: the probabilities add up to %.6g: give a row for each possible result, so that they "
                            "add up to 1, or expected counts to %llu",
                            file->name, sum, (unsigned long long)file->total);
    for (size_t i = 0; i < file->rows; i++) {
        file->p[i] /= sum;
        if (!(file->p[i] > 0) && file->count[i])
            return sb_error_set(table->error, SB_INVALID,
                                "%s: line %zu: %llu counts of what has probability 0: correct one of them", file->name,
                                file->line[i], (unsigned long long)file->count[i]);
    }
    return SB_OK;
}

enum sb_status sb_count_file_read(const char *path, const volatile sig_atomic_t *stop, struct sb_error *error,
                                  struct sb_count_file *file)
{
    const struct sb_patience patience = { .timeout = INFINITY, .stop = stop };
    struct sb_count_file made = { .name = NULL };
    struct counts_table table = { .file = &made, .error = error, .titled = COUNTS_NONE, .fair = COUNTS_NONE };
    struct sb_bytes *bytes;
    char *text = NULL;
    enum sb_status status = sb_bytes_open_file(path, &patience, error, &bytes);

    if (status)
        return status;
    made.name = strdup(bytes->name);
    status = made.name ? sb_bytes_text(bytes, error, &text) : sb_error_memory(error, "a table of counts");
    if (status == SB_OK && text) /* `text`: for static analysers */
        status = counts_lines(text, &table);
    if (status == SB_OK)
        status = counts_total(&table);
    if (status == SB_OK)
        status = counts_distinct(&table);
    if (status == SB_OK)
        status = counts_shares(&table);
    free(text);
    bytes->free(bytes);
    if (status)
        sb_count_file_close(&made);
    else
        *file = made;
    return status;
}

void sb_count_file_close(struct sb_count_file *file)
{
    for (size_t i = 0; i < file->rows; i++)
        free(file->label[i]);
    free(file->name);
    free(file->label);
    free(file->count);
    free(file->p);
    free(file->line);
    *file = (struct sb_count_file) { .name = NULL };
}
