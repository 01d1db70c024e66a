/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which texts are matrices of counts, and the error for those that are not. The matrix is that of the naive
 * swap at n = 3 in 27 shuffles, by hand from its 27 series of draws (Wikipedia, Fisher-Yates shuffle).
 */
#include "unit/test.h"

#include "subject/parts.h"
#include "subject/subject.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads a text of `length` bytes as a file named "counts". */
static enum sb_status read_bytes(const char *text, size_t length, size_t deal, struct sb_error *error,
                                 struct sb_matrix_file *matrix)
{
    char folder[] = "/tmp/matrix-XXXXXX", path[64];
    enum sb_status status;
    FILE *file;

    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/counts", folder);
    file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
    status = sb_matrix_file_read(path, deal, NULL, error, matrix);
    unlink(path);
    rmdir(folder);
    return status;
}

/* Expects a matrix in the form "9 8|1 2": a row per item. `names`: the items' names, or "" for numbers from 1. */
static void expect_matrix(const char *text, size_t deal, const char *rows, const char *names)
{
    struct sb_matrix_file matrix = { .name = NULL };
    struct sb_error error = { .status = SB_OK };
    char found[256] = "", called[256] = "";
    size_t used = 0, letters = 0;
    uint64_t column = 0;

    if (read_bytes(text, strlen(text), deal, &error, &matrix))
        fail_msg("%s: %s", text, error.text);
    for (size_t i = 0; i < matrix.n; i++) {
        char item[SB_ITEM_ROOM];

        for (size_t j = 0; j < matrix.deal; j++)
            used += (size_t)snprintf(found + used, sizeof found - used, "%s%" PRIu64,
                                     j   ? " "
                                     : i ? "|"
                                         : "",
                                     matrix.count[i * matrix.deal + j]);
        letters += (size_t)snprintf(called + letters, sizeof called - letters, "%s%s", i ? " " : "",
                                    sb_item_name(matrix.names, i, item));
        column += matrix.count[i * matrix.deal];
    }
    assert_string_equal(found, rows);
    assert_string_equal(called, names);
    assert_int_equal(matrix.total, column);
    sb_matrix_file_close(&matrix);
    sb_matrix_file_close(&matrix); /* a second call does nothing */
}

/* Expects an error. `pattern`: a pattern of fnmatch() for the message after the name of the file. */
static void expect_error(const char *text, size_t deal, const char *pattern)
{
    struct sb_matrix_file matrix = { .name = NULL };
    struct sb_error error = { .status = SB_OK };
    const enum sb_status status = read_bytes(text, strlen(text), deal, &error, &matrix);
    const char *const message = strstr(error.text, "counts: ");

    assert_int_equal(status, SB_INVALID);
    assert_int_equal(error.status, SB_INVALID);
    assert_null(matrix.count);
    if (!message || fnmatch(pattern, message + strlen("counts: "), 0))
        fail_msg("%s\ngot:      %s\nexpected: %s", text, error.text, pattern);
}

#define NAIVE "9 9 9|10 8 9|8 10 9"

TEST(counts_are_separated_in_many_ways)
{
    const char *const texts[] = {
        "9,9,9\n10,8,9\n8,10,9\n",
        "9;9;9\n10;8;9\n8;10;9\n",
        "9\t9\t9\n10\t8\t9\n8\t10\t9\n",
        "9 9 9\n10 8 9\n8 10 9\n",
        "  9  9 9  \n10   8 9\n8 10 9 \n",
        "9,9,9\r\n10,8,9\r\n8,10,9",
        "# of 27, all;in\tall\n\n9,9,9\n \t\r\n10,8,9\n#\n8,10,9\n",
        "\357\273\2779,9,9\n10,8,9\n8,10,9\n",
        "\"9\" , 9 ,9\n10,\"8\",9\n8,10,9\n",
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        expect_matrix(texts[i], 0, NAIVE, "1 2 3");
}

TEST(titles_and_names_are_skipped)
{
    expect_matrix("top,middle,bottom\n9,9,9\n10,8,9\n8,10,9\n", 0, NAIVE, "1 2 3");
    expect_matrix("5,x\n5,5\n5,5\n", 0, "5 5|5 5", "1 2");
    expect_matrix("1,2,3\n9,9,9\n10,8,9\n8,10,9\n", 0, NAIVE, "1 2 3");
    expect_matrix("0,1,2\n9,9,9\n10,8,9\n8,10,9\n", 0, NAIVE, "1 2 3");
    expect_matrix("A,9,9,9\nB,10,8,9\n\"C\",8,10,9\n", 0, NAIVE, "A B C");
    expect_matrix("1,9,9,9\n2,10,8,9\n3,8,10,9\n", 0, NAIVE, "1 2 3");
    expect_matrix("0,9,9,9\n1,10,8,9\n2,8,10,9\n", 0, NAIVE, "0 1 2");
    expect_matrix("item,1,2,3\nA,9,9,9\nB,10,8,9\nC,8,10,9\n", 0, NAIVE, "A B C");
    expect_matrix(",0,1,2\n0,9,9,9\n1,10,8,9\n2,8,10,9\n", 0, NAIVE, "0 1 2");
    expect_matrix("V1 V2 V3\nA 9 9 9\nB 10 8 9\nC 8 10 9\n", 0, NAIVE, "A B C"); /* as R writes it */
    expect_matrix("x,\"\",y\n5,5,5\n5,5,5\n5,5,5\n", 0, "5 5 5|5 5 5|5 5 5", "1 2 3");
    expect_matrix("\",x,y\nA,1,2\nB,2,1\n", 0, "1 2|2 1", "A B");        /* one quote is a name */
    expect_matrix("x,sums of squares\n1,2\n2,1\n", 0, "1 2|2 1", "1 2"); /* this is no name for sums */
}

TEST(a_deal_has_fewer_columns)
{
    expect_matrix("5,4\n3,3\n2,3\n", 2, "5 4|3 3|2 3", "1 2 3");
    expect_matrix("A,5\nB,2\nC,0\n", 1, "5|2|0", "A B C");
    expect_matrix("1,0\n0,1\n", 0, "1 0|0 1", "1 2");
    expect_matrix("9007199254740992\n0\n", 1, "9007199254740992|0", "1 2");
}

TEST(wrong_shapes_are_errors)
{
    expect_error("", 0, "0 lines of counts: give a line for each item");
    expect_error("# nothing\n", 0, "0 lines of counts: give a line for each item");
    expect_error("9,9\n", 0, "1 lines of counts: give a line for each item");
    expect_error("9,9\n9\n", 0, "line 2 has 1 fields, and line 1 has 2: give all as many");
    expect_error("9,9\n\n9,9,9,9\n", 0, "line 3 has 4 fields, and line 1 has 2: give all as many");
    expect_error("9,9\n9,9\n9,9,9\n", 0, "line 3 has 3 fields, and line 1 has 2: give all as many");
    expect_error("7,8,9\n9,7,8\n", 0, "3 columns, but only 2 lines of counts: give a line for each item*");
    expect_error("5,5\n3,4\n3,2\n", 0,
                 "3 lines and 2 columns of counts: say `deal=2` if each shuffle dealt that many of 3 items*");
    expect_error("5,5\n3,4\n3,2\n", 1, "2 columns of counts, but `deal` is 1: correct one of them");
    expect_error("x,y\n5,5\n", 0,
                 "1 lines and 2 columns of counts: give a line for each of 2 to 65535 items*");
}

TEST(wrong_fields_are_errors)
{
    expect_error("a,b\n9,9\n9,x9\n", 0,
                 "line 3, column 2: 'x9' is no count: write whole numbers, with digits alone");
    expect_error("a,b\n9,9\n9,-9\n", 0,
                 "line 3, column 2: '-9' is no count: write whole numbers, with digits alone");
    expect_error("a,b\n9,9.5\n9,9\n", 0,
                 "line 2, column 2: '9.5' is no count: write whole numbers, with digits alone");
    expect_error("9,9\n9,\n", 0, "line 2, column 2: '' is no count: write whole numbers, with digits alone");
    expect_error("9,9\n9,0123456789012345678901234567890123456789012\n", 0, "line 2, column 2: '*");
    expect_error("9,9\n9,x123456789012345678901234567890123456789012\n", 0,
                 "line 2, column 2: 'x123456789012345678901234567890123456789' is no count: write whole "
                 "numbers, with digits alone");
    expect_error("9007199254740993,9\n9,9\n", 0,
                 "line 1, column 1: 9007199254740993 is too much: counts go up to 2^53");
}

TEST(sums_must_agree)
{
    expect_error("9,9\n9,8\n", 0, "column 2 adds up to 17, and column 1 to 18: *");
    expect_error("A,9,9\nB,9,8\n", 0, "column 3 adds up to 17, and column 2 to 18: *");
    expect_error("10,9\n8,9\n", 0, "line 1 adds up to 19, and the columns to 18: *");
    expect_error("\n9,8\n9,10\n", 0, "line 2 adds up to 17, and the columns to 18: *");
    expect_error("6,6\n1,1\n1,1\n", 2, "line 1 adds up to 12, and the columns to 8: *");
    expect_error("0,0\n0,0\n", 0, "column 1 adds up to nothing: give 1 to 2^53 shuffles");
    expect_error("x,y,z\nA,0,0\nB,0,0\n", 0, "column 2 adds up to nothing: give 1 to 2^53 shuffles");
    expect_error("9007199254740992\n1\n", 1, "column 1 adds up to too much: give 1 to 2^53 shuffles");
}

TEST(rows_and_columns_of_sums_are_errors)
{
    expect_error("9,9,9\n10,8,9\n8,10,9\n27,27,27\n", 0, "line 4 is the sum of the others: leave sums out");
    expect_error("9,9,9,27\n10,8,9,27\n8,10,9,27\n", 0, "column 4 is the sum of the others: leave sums out");
    expect_error("9,9,9,27\n10,8,9,27\n8,10,9,27\n27,27,27,81\n", 0,
                 "line 4 and column 4 are sums of the others: leave sums out");
    /* Half of all hands of two may have the same item in each place, but no hand of three has an item more than once. */
    expect_error("5,4\n3,4\n2,2\n10,10\n", 2,
                 "line 4 is the sum of the others: leave sums out; if it is an item, move it up");
    expect_matrix("10,10\n5,4\n3,4\n2,2\n", 2, "10 10|5 4|3 4|2 2", "1 2 3 4");
    expect_error("5,4,1\n3,4,7\n2,2,2\n10,10,10\n", 3, "line 4 is the sum of the others: leave sums out");
    expect_error("item,1,2,3\ntotal,27,27,27\nA,9,9,9\nB,10,8,9\nC,8,10,9\n", 0,
                 "line 2 is the sum of the others: leave sums out");
    expect_error("item,row total,1,2\nA,2,1,1\nB,2,1,1\n", 0,
                 "column 2 is the sum of the others: leave sums out");
    expect_error("\n1,2,SUM\n1,1,2\n1,1,2\n", 0, "column 3 is the sum of the others: leave sums out");
    expect_error("A,1,1\nB,1,1\n\xce\xa3,2,2\n", 2, "line 3 is the sum of the others: leave sums out");
    /* Zeros, or two equal rows, are no sums. */
    expect_matrix("1\n0\n0\n", 1, "1|0|0", "1 2 3");
    expect_matrix("2,2\n2,2\n", 0, "2 2|2 2", "1 2");
    expect_matrix("3,0,0\n0,3,0\n0,0,3\n", 0, "3 0 0|0 3 0|0 0 3", "1 2 3");
    /* Songs may have names such as those of sums. */
    expect_matrix("song,1st,2nd,total\nTotal eclipse,9,9,9\nAll,10,8,9\nC,8,10,9\n", 0, NAIVE,
                  "Total eclipse All C");
    expect_error("Total eclipse,9,9,9\nAll,10,8,9\nC,8,10,9\ntotal,27,27,27\n", 3,
                 "line 4 is the sum of the others: leave sums out");
}

TEST(a_zero_byte_is_no_end)
{
    static const char text[] = "a\0b,1,2\nc,2,1\n";
    struct sb_matrix_file matrix = { .name = NULL };
    char name[SB_ITEM_ROOM];

    assert_int_equal(read_bytes(text, sizeof text - 1, 0, NULL, &matrix), SB_OK);
    assert_int_equal(matrix.count[1], 2);
    assert_string_equal(sb_item_name(matrix.names, 0, name), "a?b");
    sb_matrix_file_close(&matrix);
}

/* More text than the first buffer has room for, and more counts than the first room of a grid: 300 items. */
TEST(a_large_matrix_is_read)
{
    enum { N = 300 };
    char *const text = malloc(N * N * 8 + 1);
    struct sb_matrix_file matrix = { .name = NULL };
    size_t used = 0;

    assert_non_null(text);
    for (size_t i = 0; i < N; i++) /* a Latin square of 100000, 100001, ...: all its sums are equal */
        for (size_t j = 0; j < N; j++)
            used += (size_t)sprintf(text + used, "%zu%c", 100000 + (i + j) % N, j + 1 < N ? ',' : '\n');
    assert_int_equal(read_bytes(text, used, 0, NULL, &matrix), SB_OK);
    assert_int_equal(matrix.n, N);
    assert_int_equal(matrix.deal, N);
    for (size_t i = 0; i < N * N; i++)
        assert_int_equal(matrix.count[i], 100000 + (i / N + i % N) % N);
    sb_matrix_file_close(&matrix);
    free(text);
}

TEST(a_missing_file_is_an_error)
{
    struct sb_matrix_file matrix = { .name = NULL };
    struct sb_error error = { .status = SB_OK };

    assert_int_equal(sb_matrix_file_read("/nonexistent/counts", 0, NULL, &error, &matrix), SB_INVALID);
    assert_int_equal(error.status, SB_INVALID);
}
