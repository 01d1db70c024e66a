/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program that has chosen a locale with a decimal comma gets the bytes that a program without a locale gets: results
 * in all formats, errors, saved evidence, metrics, and the numbers that a proved command reads. The locale of the
 * program stays as it was, in callbacks too.
 *
 *     unit-decimal_comma FOLDER    FOLDER has the locale, which tests/meson.build makes
 */
#include "unit/ask.h"

#include <locale.h>
#include <time.h>

/* In place of the system's, because alarms and metrics have the time. */
time_t time(time_t *seconds)
{
    const time_t always = 1000000000;

    if (seconds)
        *seconds = always;
    return always;
}

static const char *locales; /* the folder of the locale */
static bool comma;          /* whether the program has a decimal comma now */

static void check_locale(void)
{
    char text[8];

    snprintf(text, sizeof text, "%g", 0.5);
    assert_string_equal(text, comma ? "0,5" : "0.5");
}

/* LOCPATH is set only here, because newlocale() of glibc 2.36 leaks memory where it is set (core/portable.c). */
static void choose_locale(bool german)
{
    assert_int_equal(setenv("LOCPATH", locales, 1), 0);
    assert_non_null(setlocale(LC_ALL, german ? "de_DE.UTF-8" : "C"));
    assert_int_equal(unsetenv("LOCPATH"), 0);
    comma = german;
    check_locale();
}

/* Appends what an alarm or a bound says to the stream. */
static int heard(void *stream, const char *event, const char *text, uint64_t done, uint64_t total)
{
    check_locale();
    if (strcmp(event, "alarm") == 0 || strcmp(event, "bound") == 0)
        fprintf(stream, "%s\n", text);
    return 0;
}

/* Commands, all of whose formats are compared, and the files that they write. */
static const struct {
    const char *command, *options;
} parts[] = {
    { "report", "scheme=naive scheme=fisher-yates/modulo:15 samples=5000 alpha=0.0015 by=both" },
    { "report", "scheme=naive scheme=fisher-yates/modulo:15 samples=5000 n=23" },
    { "report", "scheme=naive samples=5000 n=4 save=decimal.file" },
    { "report", "scheme=naive rng=msvc-rand by=seeds seeds_count=1000" },
    { "gate", "scheme=fisher-yates exclude=0.0625 tolerate=0.001 save=decimal.file" },
    { "gate", "save=decimal.file" },
    { "gate", "scheme=naive" },
    { "watch", "scheme=naive n=6 limit=20000 save=decimal.file metrics=decimal.metrics" },
    { "odds", "scheme=naive permutation=2314 permutation=1234" },
    { "plan", "n=4 detect=0.125 samples=1000" },
    { "law", "statistic=descents n=4" },
    { "explain", "scheme=naive n=4 step=1" },
    { "explain", "scheme=naive n=40" }, /* says 40! approximately */
    { "zoo", "n=4 samples=500" },
};

/* Appends a file to a stream. */
static void take_file(FILE *stream, const char *path)
{
    FILE *const file = fopen(path, "r");

    for (int c; file && (c = fgetc(file)) != EOF;)
        fputc(c, stream);
    if (file)
        fclose(file);
}

static void write_parts(FILE *stream)
{
    static const char *const formats[] = { "text", "markdown", "json", "csv", "junit", "tap", "html", "svg" };
    static const char *const figures[] = { "bars", "matrix", "tree", "curve" };

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        struct sb_request *const request = ask(parts[i].command, parts[i].options);

        sb_on(request, heard, stream);
        struct sb_result *const result = answer(request);

        for (size_t j = 0; j < sizeof formats / sizeof formats[0]; j++)
            sb_write(result, formats[j], stream);
        for (size_t j = 0; j < sizeof figures / sizeof figures[0]; j++) {
            sb_look(result, "figure", figures[j]);
            sb_write(result, "svg", stream);
        }
        sb_result_free(result);
        take_file(stream, "decimal.file");
        take_file(stream, "decimal.metrics");
        if (strncmp(parts[i].options, "scheme=fisher-yates e", 21) != 0)
            remove("decimal.file");
    }
    remove("decimal.metrics");
}

/* Reads a number u of [0, 1) as `0.123`, and exits if it has no decimal point: the shuffle swaps two items if u is 0.5
 * or more. */
static void write_proof(FILE *stream)
{
    struct sb_request *const proof = ask("prove", "command=sh command=-c n=2");

    put(proof, "command",
        "while read -r start; do echo random; read -r u; case $u in "
        "0.[0-4]*) echo deck 0 1;; 0.[5-9]*) echo deck 1 0;; *) exit 1;; esac; done");
    struct sb_result *const result = answer(proof);

    assert_int_equal(sb_write(result, "json", stream), SB_OK);
    sb_result_free(result);
}

static void write_error(FILE *stream)
{
    struct sb_request *const request = ask("gate", "scheme=naive tolerate=0.5"); /* and max-bias=0.02 */

    assert_null(sb_run(request));
    fprintf(stream, "%s|%s|%s\n", sb_error(request), sb_error_option(request), sb_error_value(request));
    sb_request_free(request);
}

TEST(the_bytes_are_those_without_a_locale)
{
    char *text[2] = { NULL };
    size_t length;

    for (int j = 0; j < 2; j++) {
        choose_locale(j == 1);
        FILE *const stream = open_memstream(&text[j], &length);

        assert_non_null(stream);
        write_parts(stream);
        for (size_t i = 0; sb_lesson(i); i++)
            assert_int_equal(sb_lesson_page(i, stream), SB_OK);
        write_proof(stream);
        write_error(stream);
        fclose(stream);
        check_locale();
    }
    assert_string_equal(text[1], text[0]);
    free(text[0]);
    free(text[1]);
}

int main(int argc, char *argv[])
{
    char folder[] = "/tmp/shufflebias_decimal_XXXXXX"; /* the files are made here */

    if (argc != 2 || !mkdtemp(folder) || chdir(folder))
        return 2;
    locales = argv[1];
    const int failed = test_run();

    return chdir("/") == 0 && rmdir(folder) == 0 ? failed : 2;
}
