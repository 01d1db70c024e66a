/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matrices that another program recorded: each column has the total, and the matrix reads the same with
 * other titles and separators. */
#include "fuzz/fuzz.h"
#include "fuzz/scratch.h"

#include "subject/subject.h"

#include <inttypes.h>
#include <string.h>

static void matrix_check_sums(const struct sb_matrix_file *matrix)
{
    fuzz_check(matrix->deal >= 1 && matrix->deal <= matrix->n, "there are no more positions than items");
    for (size_t position = 0; position < matrix->deal; position++) {
        uint64_t left = matrix->total;

        for (size_t item = 0; item < matrix->n; item++) {
            fuzz_check(matrix->count[item * matrix->deal + position] <= left, "no count is above the total");
            left -= matrix->count[item * matrix->deal + position];
        }
        fuzz_check(left == 0, "each column has the total");
    }
}

/* Writes the matrix with a title for each row and column, and returns the path. */
static const char *matrix_write(const struct sb_matrix_file *matrix, char separator)
{
    char *text = NULL;
    size_t size = 0;
    FILE *const stream = open_memstream(&text, &size);

    if (!stream)
        abort();
    fputs("item", stream);
    for (size_t position = 0; position < matrix->deal; position++)
        fprintf(stream, "%cp%zu", separator, position);
    for (size_t item = 0; item < matrix->n; item++) {
        fprintf(stream, "\ni%zu", item);
        for (size_t position = 0; position < matrix->deal; position++)
            fprintf(stream, "%c%" PRIu64, separator, matrix->count[item * matrix->deal + position]);
    }
    fclose(stream);
    const char *const path = scratch_write("again", text, size);

    free(text);
    return path;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz fuzz = { data, size };
    const size_t deal = fuzz_byte(&fuzz) % 8;
    const char separator = ",;\t "[fuzz_byte(&fuzz) % 4];
    struct sb_error error = { .status = SB_OK };
    struct sb_matrix_file matrix, again;
    const enum sb_status status =
        sb_matrix_file_read(scratch_write("matrix", fuzz.data, fuzz.size), deal, NULL, &error, &matrix);

    fuzz_check(status == SB_OK || (status == SB_INVALID && error.status == status), "a fault has a line");
    if (status)
        return 0;
    matrix_check_sums(&matrix);
    fuzz_check(sb_matrix_file_read(matrix_write(&matrix, separator), deal, NULL, &error, &again) == SB_OK,
               "a matrix with titles can be read");
    fuzz_check(again.n == matrix.n && again.deal == matrix.deal && again.total == matrix.total &&
                   memcmp(again.count, matrix.count, matrix.n * matrix.deal * sizeof matrix.count[0]) == 0,
               "titles and separators change no count");
    sb_matrix_file_close(&matrix);
    sb_matrix_file_close(&again);
    return 0;
}
