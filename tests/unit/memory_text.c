/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A result in memory has the bytes that the stream gets, and a format that does not exist leaves the caller's pointer
 * alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lesson/lesson.h"
#include "study/report/report_result.h"
#include "study/results.h"

#include <stdlib.h>
#include <string.h>

static struct sb_reports *naive_reports(void)
{
    static const char *const schemes[] = { "naive" };
    struct sb_reports *reports = NULL;
    struct sb_request options;

    sb_request_init(&options, SB_REPORT);
    options.samples = 100;
    assert_int_equal(sb_reports_new(schemes, 1, &options, NULL, &reports), SB_OK);
    return reports;
}

static void the_same_bytes(void **state)
{
    static const char *const formats[] = { "text", "markdown", "json", "csv", "junit", "tap", "html", "svg" };
    const struct sb_look look = { .unicode = true, .colour = true };
    struct sb_reports *const reports = naive_reports();

    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        FILE *const file = tmpfile();
        char *text = NULL, *written;
        size_t length = 0;

        assert_non_null(file);
        assert_int_equal(sb_result_write(&sb_reports_result, reports, formats[i], &look, NULL, file), SB_OK);
        assert_int_equal(sb_result_text(&sb_reports_result, reports, formats[i], &look, NULL, &text, &length), SB_OK);
        assert_int_equal(ftell(file), length);
        assert_int_equal(strlen(text), length);
        written = calloc(length + 1, 1);
        assert_non_null(written);
        rewind(file);
        assert_int_equal(fread(written, 1, length, file), length);
        assert_string_equal(text, written);
        free(written);
        fclose(file);
        sb_text_free(text);
    }
    sb_reports_free(reports);
}

/* A command makes reports by seeds, or of the other kinds. */
static void all_kinds_at_once(void **state)
{
    static const char *const scheme = "naive/modulo/msvc-rand";
    static const char *const formats[] = { "text", "markdown", "json", "csv", "junit", "tap", "html", "svg" };
    struct sb_reports *reports = NULL;
    struct sb_request options;

    sb_request_init(&options, SB_REPORT);
    options.samples = 100;
    options.by = SB_BY_EXACT | SB_BY_SAMPLE | SB_BY_SEEDS;
    options.seed_range.first = 7;
    options.seed_range.count = 50;
    assert_int_equal(sb_reports_new(&scheme, 1, &options, NULL, &reports), SB_OK);
    assert_int_equal(reports->count, 3);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        char *text = NULL;

        assert_int_equal(sb_result_text(&sb_reports_result, reports, formats[i], NULL, NULL, &text, NULL), SB_OK);
        sb_text_free(text);
    }
    sb_reports_free(reports);
}

static void no_format(void **state)
{
    char untouched[] = "untouched", *text = untouched;
    struct sb_reports *const reports = naive_reports();
    struct sb_error error;
    size_t length = 7;

    assert_int_equal(sb_result_text(&sb_reports_result, reports, "no-such-format", NULL, &error, &text, &length),
                     SB_INVALID);
    assert_non_null(strstr(error.text, "unknown format 'no-such-format'"));
    assert_ptr_equal(text, untouched);
    assert_int_equal(length, 7);
    assert_int_equal(sb_result_text(&sb_reports_result, reports, "json", NULL, &error, &text, NULL), SB_OK);
    sb_text_free(text);
    sb_text_free(NULL);
    sb_reports_free(reports);
}

/* The widths 1 to 39 count as 40, and those above 120 as 120. */
static void a_width_out_of_range_counts_as_the_nearest(void **state)
{
    static const char *const naive[] = { "naive" };
    static const size_t columns[] = { 1, 39, 40, 120, 121, SIZE_MAX };
    struct sb_request options;
    struct sb_reports *reports = NULL;
    char *text[6] = { NULL };

    sb_request_init(&options, SB_REPORT);
    options.samples = 100;
    assert_int_equal(sb_reports_new(naive, 1, &options, NULL, &reports), SB_OK);
    for (size_t i = 0; i < 6; i++) {
        const struct sb_look look = { .columns = columns[i] };

        assert_int_equal(sb_result_text(&sb_reports_result, reports, "text", &look, NULL, &text[i], NULL), SB_OK);
        assert_string_equal(text[i], text[i < 3 ? 0 : 3]);
    }
    assert_string_not_equal(text[0], text[3]);
    for (size_t i = 0; i < 6; i++)
        sb_text_free(text[i]);
    sb_reports_free(reports);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_bytes),
        cmocka_unit_test(all_kinds_at_once),
        cmocka_unit_test(no_format),
        cmocka_unit_test(a_width_out_of_range_counts_as_the_nearest),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
