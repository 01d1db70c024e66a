/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program that has chosen a locale with a decimal comma gets the bytes that a program without a locale gets: results in
 * all formats, errors, saved evidence, metrics, and the numbers that a proved command reads. The locale of the program
 * stays as it was, in callbacks too.
 *
 *     unit-decimal_comma FOLDER    FOLDER has the locale, which tests/meson.build makes
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lesson/lesson.h"
#include "study/results.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *const formats[] = { "text", "markdown", "json", "csv", "junit", "tap", "html", "svg" };
enum { FORMATS = sizeof formats / sizeof formats[0] };

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

static void progress(void *state, const char *subject, uint64_t done, uint64_t total)
{
    check_locale();
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

/* Opens a stream whose text take() returns. */
static FILE *begin(char **text)
{
    static size_t length;
    FILE *const stream = open_memstream(text, &length);

    assert_non_null(stream);
    return stream;
}

/* Appends a file to a stream, and removes the file. */
static void take_file(FILE *stream, const char *path)
{
    FILE *const file = fopen(path, "r");

    assert_non_null(file);
    for (int c; (c = fgetc(file)) != EOF;)
        fputc(c, stream);
    fclose(file);
    assert_int_equal(unlink(path), 0);
}

static void reports(FILE *stream)
{
    static const char *const schemes[] = { "naive", "fisher-yates/modulo:15" };
    static const char path[] = "decimal_comma.sample";
    struct sb_request options;
    struct sb_reports *made = NULL;
    struct sb_look look;

    sb_request_init(&options, SB_REPORT);
    look = (struct sb_look) { 0 };
    options.samples = 5000;
    options.alpha = 0.0015;
    options.progress = progress;
    for (options.n = 3; options.n < 24; options.n += 20) { /* laws of orders, and matrices alone */
        assert_int_equal(sb_reports_new(schemes, 2, &options, NULL, &made), SB_OK);
        for (size_t i = 0; i < FORMATS; i++)
            assert_int_equal(sb_result_write(&sb_reports_result, made, formats[i], NULL, NULL, stream), SB_OK);
        for (const char *const *figure = (const char *const[]) { "bars", "matrix", "tree", NULL }; *figure; figure++) {
            look.figure = *figure;
            assert_int_equal(sb_result_write(&sb_reports_result, made, "svg", &look, NULL, stream), SB_OK);
        }
        sb_reports_free(made);
    }
    options.n = 4;
    options.save = path;
    assert_int_equal(sb_reports_new(schemes, 1, &options, NULL, &made), SB_OK);
    sb_reports_free(made);
    take_file(stream, path);
    options.save = NULL;
    options.n = 3;
    options.by = SB_BY_SEEDS;
    options.rng = "msvc-rand";
    options.seed_range.count = 1000;
    assert_int_equal(sb_reports_new(schemes, 1, &options, NULL, &made), SB_OK);
    assert_int_equal(sb_result_write(&sb_reports_result, made, "text", NULL, NULL, stream), SB_OK);
    sb_reports_free(made);
}

static void gates(FILE *stream)
{
    static const char path[] = "decimal_comma.gate";
    const struct sb_subject fair = { .scheme = "fisher-yates", .seed = 1 };
    const struct sb_subject naive = { .scheme = "naive", .seed = 1 };
    struct sb_request options;
    struct sb_suite_case cases[] = { { .subject = &fair, .options = &options }, { .subject = &naive } };
    struct sb_gate_saved *saved = NULL;
    struct sb_suite *suite = NULL;
    struct sb_gate *gate = NULL;
    struct sb_look look;

    sb_request_init(&options, SB_GATE);
    look = (struct sb_look) { 0 };
    look.figure = "curve";
    options.exclude = 0.0625;
    options.tolerate = 0.001;
    options.save = path;
    options.progress = progress;
    assert_int_equal(sb_gate_new(&fair, &options, NULL, &gate), SB_OK);
    for (size_t i = 0; i < FORMATS; i++)
        if (strcmp(formats[i], "csv") != 0) {
            char *text = NULL;

            assert_int_equal(sb_gate_text(gate, formats[i], &look, NULL, &text, NULL), SB_OK);
            fputs(text, stream);
            sb_text_free(text);
        }
    sb_gate_free(gate);
    assert_int_equal(sb_gate_saved_new(path, NULL, &saved), SB_OK); /* the evidence can be read again */
    sb_gate_saved_free(saved);
    take_file(stream, path);
    options.save = NULL;
    assert_int_equal(sb_suite_new(cases, 2, 2, NULL, &suite), SB_OK); /* sentences are made in threads */
    assert_int_equal(sb_result_write(&sb_suite_result, suite, "json", NULL, NULL, stream), SB_OK);
    assert_int_equal(sb_result_write(&sb_suite_result, suite, "text", NULL, NULL, stream), SB_OK);
    sb_suite_free(suite);
}

static int alarmed(void *state, const struct sb_alarm *alarm)
{
    check_locale();
    return sb_alarm_write(alarm, "json", NULL, state) != SB_OK;
}

static void watches(FILE *stream)
{
    static const char path[] = "decimal_comma.watch", metrics[] = "decimal_comma.metrics";
    const struct sb_subject naive = { .scheme = "naive", .n = 6, .seed = 1 };
    struct sb_request options;
    struct sb_watch *watch = NULL;

    sb_request_init(&options, SB_WATCH);
    options.limit = 20000;
    options.save = path;
    options.metrics = metrics;
    options.alarmed = alarmed;
    options.alarmed_state = stream;
    assert_int_equal(sb_watch_new(&naive, &options, NULL, &watch), SB_OK);
    assert_int_equal(sb_result_write(&sb_watch_result, watch, "json", NULL, NULL, stream), SB_OK);
    assert_int_equal(sb_result_write(&sb_watch_result, watch, "text", NULL, NULL, stream), SB_OK);
    sb_watch_free(watch);
    take_file(stream, path);
    take_file(stream, metrics);
}

static void calculations(FILE *stream)
{
    static const char *const orders[] = { "2314", "1234" };
    struct sb_aim aim = { .detect = 0.125 };
    struct sb_explain *explain = NULL;
    struct sb_null_law *law = NULL;
    struct sb_request options;
    struct sb_request zoo_options;
    struct sb_odds *odds = NULL;
    struct sb_plan *plan = NULL;
    struct sb_zoo *zoo = NULL;

    sb_request_init(&options, SB_REPORT);
    sb_request_init(&zoo_options, SB_ZOO);
    options.n = 4;
    options.samples = 1000;
    zoo_options.n = 4;
    zoo_options.samples = 500;
    assert_int_equal(sb_odds_new("naive", orders, 2, &options, NULL, &odds), SB_OK);
    assert_int_equal(sb_plan_new(&aim, &options, NULL, &plan), SB_OK);
    assert_int_equal(sb_null_law_new("descents", 0, &options, NULL, &law), SB_OK);
    assert_int_equal(sb_explain_new("naive", "first", &options, NULL, &explain), SB_OK);
    assert_int_equal(sb_zoo_new(&zoo_options, NULL, &zoo), SB_OK);
    for (size_t i = 0; i < FORMATS; i++) {
        if (strcmp(formats[i], "junit") == 0 || strcmp(formats[i], "tap") == 0)
            continue;
        assert_int_equal(sb_result_write(&sb_odds_result, odds, formats[i], NULL, NULL, stream), SB_OK);
        assert_int_equal(sb_result_write(&sb_plan_result, plan, formats[i], NULL, NULL, stream), SB_OK);
        assert_int_equal(sb_result_write(&sb_null_law_result, law, formats[i], NULL, NULL, stream), SB_OK);
        assert_int_equal(sb_result_write(&sb_zoo_result, zoo, formats[i], NULL, NULL, stream), SB_OK);
        if (strcmp(formats[i], "csv") != 0)
            assert_int_equal(sb_result_write(&sb_explain_result, explain, formats[i], NULL, NULL, stream), SB_OK);
    }
    sb_odds_free(odds);
    sb_plan_free(plan);
    sb_null_law_free(law);
    sb_explain_free(explain);
    sb_zoo_free(zoo);
    options.n = 40;
    assert_int_equal(sb_explain_new("naive", NULL, &options, NULL, &explain), SB_OK); /* says 40! approximately */
    assert_int_equal(sb_result_write(&sb_explain_result, explain, "text", NULL, NULL, stream), SB_OK);
    sb_explain_free(explain);
}

static void pages(FILE *stream)
{
    struct sb_course_page page;

    for (size_t i = 0; sb_course_page_get(i, &page); i++)
        assert_int_equal(sb_course_write(i, NULL, NULL, stream), SB_OK);
}

/* Reads a number u of [0, 1) as `0.123`, and exits if it has no decimal point: the shuffle swaps two items if u is 0.5 or more. */
static void proofs(FILE *stream)
{
    static const char *const command[] = {
        "sh",
        "-c",
        "while read -r start; do echo random; read -r u; case $u in "
        "0.[0-4]*) echo deck 0 1;; 0.[5-9]*) echo deck 1 0;; *) exit 1;; esac; done",
        NULL,
    };
    struct sb_request proof;
    struct sb_reports *made = NULL;

    sb_request_init(&proof, SB_PROVE);
    proof.n = 2;
    assert_int_equal(sb_prove_command(command, &proof, NULL, &made), SB_OK);
    assert_int_equal(sb_result_write(&sb_reports_result, made, "json", NULL, NULL, stream), SB_OK);
    sb_reports_free(made);
}

static void errors(FILE *stream)
{
    const struct sb_subject subject = { .scheme = "naive", .seed = 1 };
    struct sb_request options;
    struct sb_error error;
    struct sb_gate *made = NULL;

    sb_request_init(&options, SB_GATE);
    options.tolerate = 0.5; /* and exclude = 0.01 */
    assert_int_equal(sb_gate_new(&subject, &options, &error, &made), SB_INVALID);
    fprintf(stream, "%s|%s|%s\n", error.text, error.field, error.value);
}

static void the_bytes_are_those_without_a_locale(void **state)
{
    static void (*const parts[])(FILE *) = { reports, gates, watches, calculations, pages, proofs, errors };

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        char *text[2] = { NULL };

        for (int j = 0; j < 2; j++) {
            choose_locale(j == 1);
            FILE *const stream = begin(&text[j]);

            parts[i](stream);
            fclose(stream);
            check_locale();
        }
        assert_string_equal(text[1], text[0]);
        free(text[0]);
        free(text[1]);
    }
}

static char folder[] = "/tmp/shufflebias_decimal_XXXXXX"; /* the files are made here */

static int enter(void **state)
{
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave(void **state)
{
    return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

int main(int argc, char *argv[])
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bytes_are_those_without_a_locale),
    };

    if (argc != 2)
        return 2;
    locales = argv[1];
    return cmocka_run_group_tests(tests, enter, leave);
}
