/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Properties of text, Markdown and CSV, whatever they contain. For their look, see tests/golden. */
#include "unit/test.h"

#include "report/result.h"
#include "report_example.h"
#include "study/results.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *print(enum example which, const char *format, const struct sb_look *look)
{
    struct sb_reports *const reports = example_new(which);
    char *const text = example_print(reports, format, look);

    example_free(reports);
    return text;
}

static const enum example examples[] = { EXAMPLE_DETAILS, EXAMPLE_ALL, EXAMPLE_ODD };

/* Code points, since none here is wide. */
static size_t columns(const char *line, size_t length)
{
    size_t width = 0;

    for (size_t i = 0; i < length; i++)
        width += ((unsigned char)line[i] & 0xC0) != 0x80;
    return width;
}

TEST(text_fits_100_columns_without_trailing_blanks)
{
    for (size_t e = 0; e < 3; e++) {
        for (int unicode = 0; unicode < 2; unicode++) {
            char *const text = print(examples[e], "text", &(struct sb_look) { .unicode = unicode });

            for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
                const size_t length = strcspn(line, "\n");

                assert_int_equal(line[length], '\n');
                assert_true(columns(line, length) <= 100);
                assert_true(length == 0 || line[length - 1] != ' ');
            }
            free(text);
        }
    }
}

TEST(plain_text_is_plain_ascii)
{
    for (size_t e = 0; e < 3; e++) {
        char *const text = print(examples[e], "text", NULL);

        for (const char *c = text; *c; c++)
            assert_true(*c == '\n' || (*c >= ' ' && *c <= '~'));
        free(text);
    }
}

TEST(colour_is_switched_off_again)
{
    char *const text = print(EXAMPLE_DETAILS, "text", &(struct sb_look) { .unicode = true, .colour = true });
    bool on = false;

    for (const char *c = text; (c = strchr(c, '\x1B')) != NULL; c++) {
        const bool off = strncmp(c, "\x1B[0m", 4) == 0;

        assert_true(on == off);
        on = !off;
    }
    assert_false(on);
    free(text);
}

TEST(colour_takes_no_room)
{
    char *const colour = print(EXAMPLE_ALL, "text", &(struct sb_look) { .unicode = true, .colour = true });
    char *const plain = print(EXAMPLE_ALL, "text", &(struct sb_look) { .unicode = true });
    size_t used = 0;

    for (const char *c = colour; *c; c++)
        if (*c == '\x1B')
            c = strchr(c, 'm');
        else
            colour[used++] = *c;
    colour[used] = '\0';
    assert_string_equal(colour, plain);
    free(colour);
    free(plain);
}

TEST(no_format_prints_a_nan)
{
    for (size_t i = 0; i < sb_format_types_count; i++) {
        char *const text = print(EXAMPLE_ODD, sb_format_types[i]->name, NULL);

        assert_null(strstr(text, "nan"));
        assert_null(strstr(text, "inf"));
        assert_null(strstr(text, "(null)"));
        free(text);
    }
}

TEST(summary_has_a_line_per_scheme_and_details_of_the_biased)
{
    char *const text = print(EXAMPLE_ALL, "text", NULL);

    assert_non_null(strstr(text, "\nnaive         132    1.1111   1/18 = 0.05556      331.32  1.8e-69  biased\n"));
    assert_non_null(strstr(text, "\nnaive: "));
    assert_null(strstr(text, "\nfisher-yates: "));
    free(text);
}

/* Cells between unescaped bars: as many in every row of a table. */
TEST(markdown_tables_are_rectangular)
{
    for (size_t e = 0; e < 3; e++) {
        char *const text = print(examples[e], "markdown", NULL);
        size_t expected = 0, rows = 0;

        for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
            size_t bars = 0;

            for (const char *c = line; *c != '\n'; c++)
                bars += *c == '|' && (c == line || c[-1] != '\\');
            if (*line != '|')
                expected = 0;
            else if (expected == 0)
                expected = bars;
            assert_int_equal(*line == '|' ? bars : 0, expected);
            rows += *line == '|';
        }
        assert_true(rows > 3); /* there is a table */
        free(text);
    }
}

TEST(markdown_escapes_a_hostile_name)
{
    char *const text = print(EXAMPLE_ODD, "markdown", NULL);

    assert_non_null(strstr(text, "## a\"b\\\\c\\|\\<d\\>\\*\\_\\`\uFFFD\\[31m\uFFFD,\u00E9 : made up\n"));
    free(text);
}

/* Fields of the record at *at, which steps behind it, by RFC 4180. */
static size_t csv_fields(const char **at)
{
    bool quoted = false;
    size_t fields = 1;
    const char *c = *at;

    for (; *c && (quoted || *c != '\n'); c++) {
        if (*c == '"')
            quoted = !quoted;
        fields += !quoted && *c == ',';
    }
    *at = *c ? c + 1 : c;
    return fields;
}

TEST(csv_is_rectangular)
{
    for (size_t e = 0; e < 3; e++) {
        char *const text = print(examples[e], "csv", NULL);
        const char *at = text;
        size_t records = 0;

        for (; *at; records++)
            assert_int_equal(csv_fields(&at), 19);
        assert_true(records > 10);
        free(text);
    }
}

TEST(csv_says_what_was_found)
{
    char *const text = print(EXAMPLE_DETAILS, "csv", NULL);
    char *const odd = print(EXAMPLE_ODD, "csv", NULL);

    assert_non_null(
        strstr(text, "\nnaive,exact,3,3,permutation,132,,,,5,27,0.18518518518518517,1.1111111111111112,,,,,,\n"));
    assert_non_null(strstr(text, "\nnaive,exact,3,3,matrix,,,2,1,10,27,0.37037037037037035,,,,,,,\n"));
    assert_non_null(strstr(text, "\nnaive,sample,3,3,verdict,biased,,,,,,,,,,,,"));
    assert_non_null(strstr(odd, "\"a\"\"b\\c|<d>*_`\uFFFD[31m\uFFFD,\u00E9\n\",sample,1,1,permutation,1,"));
    free(text);
    free(odd);
}

/* What cannot be written where nobody reads, as on a full disk, fails in every format. */
TEST(failed_write_is_noticed)
{
    struct sb_reports *const reports = example_new(EXAMPLE_DETAILS);

    signal(SIGPIPE, SIG_IGN);
    for (size_t i = 0; i < sb_format_types_count; i++) {
        int ends[2];

        assert_int_equal(pipe(ends), 0);
        close(ends[0]);
        FILE *const broken = fdopen(ends[1], "w");

        assert_non_null(broken);
        assert_int_equal(sb_result_write(&sb_reports_result, reports, sb_format_types[i]->name, NULL, NULL, broken),
                         SB_IO);
        fclose(broken);
    }
    example_free(reports);
}

TEST(stream_for_reading_is_noticed)
{
    struct sb_reports *const reports = example_new(EXAMPLE_ODD);

    for (size_t i = 0; i < sb_format_types_count; i++) {
        FILE *const closed = fopen("/dev/null", "r");

        assert_non_null(closed);
        assert_int_equal(sb_result_write(&sb_reports_result, reports, sb_format_types[i]->name, NULL, NULL, closed),
                         SB_IO);
        fclose(closed);
    }
    example_free(reports);
}
