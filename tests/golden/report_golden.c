/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The look of reports: the hand-made examples against the files in data/golden, whose folder is the
 * argument. If the look changes, a person reads it and then renews the files with report_print.
 */
#include "unit/test.h"

#include "unit/report_example.h"

#include <stdlib.h>
#include <string.h>

/* The whole file, a 0 behind it; the caller frees it. */
static char *read_whole(const char *folder, const char *name)
{
    char path[4096], *text = NULL;
    size_t size;
    FILE *const from = fopen((snprintf(path, sizeof path, "%s/%s", folder, name), path), "rb");
    FILE *const to = open_memstream(&text, &size);

    assert_non_null(from);
    assert_non_null(to);
    for (int c; (c = fgetc(from)) != EOF;)
        fputc(c, to);
    fclose(from);
    fclose(to);
    return text;
}

static void check(void **state, enum example which, const char *format, bool unicode, const char *file)
{
    struct sb_reports *const reports = example_new(which);
    char *const written = example_print(reports, format, &(struct sb_look) { .unicode = unicode });
    char *const golden = read_whole(*state, file);

    assert_string_equal(written, golden);
    free(golden);
    free(written);
    example_free(reports);
}

static void details_in_unicode(void **state)
{
    check(state, EXAMPLE_DETAILS, "text", true, "report-details.txt");
}

static void details_in_ascii(void **state)
{
    check(state, EXAMPLE_DETAILS, "text", false, "report-details-ascii.txt");
}

static void summary_in_unicode(void **state)
{
    check(state, EXAMPLE_ALL, "text", true, "report-all.txt");
}

static void odd_reports_in_unicode(void **state)
{
    check(state, EXAMPLE_ODD, "text", true, "report-odd.txt");
}

static void summary_in_markdown(void **state)
{
    check(state, EXAMPLE_ALL, "markdown", true, "report-all.md");
}

static void details_in_csv(void **state)
{
    check(state, EXAMPLE_DETAILS, "csv", false, "report-details.csv");
}

int main(int argc, char **argv)
{
    char here[] = "data/golden", *const folder = argc > 1 ? argv[1] : here;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(details_in_unicode, folder),
        cmocka_unit_test_prestate(details_in_ascii, folder),
        cmocka_unit_test_prestate(summary_in_unicode, folder),
        cmocka_unit_test_prestate(odd_reports_in_unicode, folder),
        cmocka_unit_test_prestate(summary_in_markdown, folder),
        cmocka_unit_test_prestate(details_in_csv, folder),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
