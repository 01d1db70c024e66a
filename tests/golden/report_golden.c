/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The look of reports: real reports against the files in data/golden. If the look changes, a person reads it and then
 * renews the files with
 *
 *     build/tests/golden-report_golden data/golden renew
 */
#include "unit/ask.h"

static const char *folder = "data/golden";
static bool renews;

/* Requests; of reports on all schemes, only the first lines are compared. */
static const struct {
    const char *file, *format, *unicode;
    size_t lines;
    const char *requests[7];
} examples[] = {
    { "report-details.txt", "text", "1", 0, { "scheme=naive scheme=fisher-yates n=3 by=both samples=27000" } },
    { "report-details-ascii.txt", "text", "0", 0, { "scheme=naive scheme=fisher-yates n=3 by=both samples=27000" } },
    { "report-all.txt", "text", "1", 50, { "n=3 samples=20000" } },
    { "report-all.md", "markdown", "1", 50, { "n=3 samples=20000" } },
    { "report-odd.txt",
      "text",
      "1",
      0,
      {
          "scheme=fisher-yates n=0 by=exact",                                   /* an empty deck */
          "scheme=fisher-yates-forward n=5 deal=2 by=sample samples=1000",      /* deals, not all of which are listed */
          "scheme=redraw n=13 by=sample samples=1300",                          /* a matrix alone */
          "scheme=sort-by-key:53 n=2 by=exact",                                 /* beyond 64 bits */
          "scheme=rotate n=9 by=exact",                                         /* few of many orders */
          "scheme=fisher-yates n=1 by=sample samples=1",                        /* numbers that do not exist */
          "scheme=naive rng=msvc-rand n=9 by=seeds seeds_count=1000 alpha=0.5", /* what seeds reach */
      } },
};

/* The reports one after the other, which the caller frees. */
static char *written(size_t example)
{
    char *text = NULL;
    size_t size;
    FILE *const stream = open_memstream(&text, &size);

    assert_non_null(stream);
    for (size_t i = 0; i < 7 && examples[example].requests[i]; i++) {
        struct sb_result *const result = answer(ask("report", examples[example].requests[i]));

        sb_look(result, "unicode", examples[example].unicode);
        sb_look(result, "details", "1");
        assert_int_equal(sb_write(result, examples[example].format, stream), SB_OK);
        sb_result_free(result);
    }
    fclose(stream);
    char *end = text;

    for (size_t i = 0; i < examples[example].lines; i++)
        end = strchr(end, '\n') + 1;
    if (end > text)
        *end = '\0';
    return text;
}

TEST(reports_look_as_in_the_files)
{
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        static char golden[1 << 16];
        char *const text = written(i), path[4096];

        snprintf(path, sizeof path, "%s/%s", folder, examples[i].file);
        FILE *const file = fopen(path, renews ? "w" : "r");

        assert_non_null(file);
        if (renews)
            fputs(text, file);
        else
            golden[fread(golden, 1, sizeof golden - 1, file)] = '\0';
        fclose(file);
        if (!renews)
            assert_string_equal(text, golden);
        free(text);
    }
}

int main(int argc, char *argv[])
{
    folder = argc > 1 ? argv[1] : folder;
    renews = argc > 2;
    return test_run();
}
