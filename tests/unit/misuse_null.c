/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * NULL for a name, a list, a file, a stream or a result is an error with a message, and never a crash: callers forget to
 * look at what fopen() or a ..._new() returned.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lesson/lesson.h"
#include "study/results.h"

#include <stdio.h>
#include <string.h>

static void no_scheme(void **state)
{
    static const char *const permutations[] = { "123", "132" }, *const none[] = { NULL };
    struct sb_request options;
    struct sb_error error = { 0 };
    struct sb_reports *reports = NULL;
    struct sb_dealer *dealer = NULL;
    struct sb_odds *odds = NULL;

    sb_request_init(&options, SB_REPORT);
    options.samples = 100;
    assert_int_equal(sb_reports_new(none, 1, &options, &error, &reports), SB_INVALID);
    assert_int_equal(sb_dealer_new(NULL, &options, &error, &dealer), SB_INVALID);
    assert_int_equal(sb_odds_new(NULL, permutations, 2, &options, &error, &odds), SB_INVALID);
    assert_non_null(strstr(error.text, "the scheme is NULL"));

    struct sb_explain *explain = NULL;
    struct sb_costs *costs = NULL;
    struct sb_null_law *law = NULL;

    assert_int_equal(sb_explain_new(NULL, NULL, &options, &error, &explain), SB_INVALID);
    assert_int_equal(sb_costs_new(none, 1, &options, &error, &costs), SB_INVALID);
    assert_non_null(strstr(error.text, "the scheme is NULL"));
    assert_int_equal(sb_null_law_new(NULL, 0, &options, &error, &law), SB_INVALID);
    assert_non_null(strstr(error.text, "the statistic is NULL"));
}

/* Lists and files that the caller forgot. */
static void no_list_and_no_file(void **state)
{
    static const char *const none[] = { NULL };
    struct sb_gate_saved *gate_saved = NULL;
    struct sb_reports *reports = NULL;
    struct sb_suite *suite = NULL;
    struct sb_costs *costs = NULL;
    struct sb_saved *saved = NULL;
    struct sb_odds *odds = NULL;
    struct sb_error error = { 0 };
    struct sb_request options;

    sb_request_init(&options, SB_REPORT);
    assert_int_equal(sb_reports_new(NULL, 1, &options, &error, &reports), SB_INVALID);
    assert_string_equal(error.text, "the scheme is NULL: name one");
    assert_int_equal(sb_costs_new(NULL, 1, &options, &error, &costs), SB_INVALID);
    assert_string_equal(error.text, "the scheme is NULL: name one");
    assert_int_equal(sb_odds_new("naive", NULL, 1, &options, &error, &odds), SB_INVALID);
    assert_string_equal(error.text, "the permutation is NULL: name one");
    assert_int_equal(sb_odds_new("naive", none, 1, &options, &error, &odds), SB_INVALID);
    assert_string_equal(error.text, "the permutation is NULL: name one");
    assert_int_equal(sb_suite_new(NULL, 1, 1, &error, &suite), SB_INVALID);
    assert_non_null(strstr(error.text, "the list of cases is NULL"));

    assert_false(sb_saved_is(NULL));
    assert_int_equal(sb_saved_new(NULL, &error, &saved), SB_INVALID);
    assert_string_equal(error.text, "the file is NULL: name one");
    assert_int_equal(sb_gate_saved_new(NULL, &error, &gate_saved), SB_INVALID);
    assert_string_equal(error.text, "the file is NULL: name one");
    assert_int_equal(sb_reports_recorded(NULL, &options, &error, &reports), SB_INVALID);
    assert_string_equal(error.text, "the file is NULL: name one");
    options.save = "misuse.sum";
    assert_int_equal(sb_saved_merge(NULL, 1, false, &options, &error), SB_INVALID);
    assert_non_null(strstr(error.text, "name the parts to merge"));
    assert_int_equal(sb_saved_merge(none, 1, false, &options, &error), SB_INVALID);
    assert_string_equal(error.text, "the file is NULL: name one");
}

/* A result whose ..._new() failed, or a stream that fopen() did not open. */
static void no_result_and_no_stream(void **state)
{
    static const char *const naive[] = { "naive" };
    struct sb_reports *reports = NULL;
    struct sb_error error = { 0 };
    struct sb_request options;
    char *text = NULL;

    sb_request_init(&options, SB_REPORT);
    options.samples = 100;
    assert_int_equal(sb_reports_new(naive, 1, &options, &error, &reports), SB_OK);
    assert_int_equal(sb_result_write(&sb_reports_result, reports, "json", NULL, &error, NULL), SB_INVALID);
    assert_string_equal(error.text, "the stream is NULL: check the call that opened it");
    assert_int_equal(sb_result_write(&sb_reports_result, NULL, "json", NULL, &error, stdout), SB_INVALID);
    assert_string_equal(error.text, "the report is NULL: check the call that made it");
    assert_int_equal(sb_result_text(&sb_reports_result, NULL, "json", NULL, &error, &text, NULL), SB_INVALID);
    assert_int_equal(sb_gate_text(NULL, "json", NULL, &error, &text, NULL), SB_INVALID);
    assert_string_equal(error.text, "the verdict is NULL: check the call that made it");
    assert_int_equal(sb_result_write(&sb_suite_result, NULL, "json", NULL, &error, stdout), SB_INVALID);
    assert_int_equal(sb_result_write(&sb_watch_result, NULL, "json", NULL, &error, stdout), SB_INVALID);
    assert_int_equal(sb_alarm_write(NULL, "json", &error, stdout), SB_INVALID);
    assert_int_equal(sb_result_write(&sb_odds_result, NULL, "json", NULL, &error, stdout), SB_INVALID);
    assert_int_equal(sb_result_write(&sb_plan_result, NULL, "json", NULL, &error, stdout), SB_INVALID);
    assert_int_equal(sb_result_write(&sb_null_law_result, NULL, "json", NULL, &error, stdout), SB_INVALID);
    assert_int_equal(sb_result_write(&sb_costs_result, NULL, "json", NULL, &error, stdout), SB_INVALID);
    assert_int_equal(sb_result_write(&sb_explain_result, NULL, "json", NULL, &error, stdout), SB_INVALID);
    assert_int_equal(sb_result_write(&sb_zoo_result, NULL, "json", NULL, &error, stdout), SB_INVALID);
    assert_int_equal(sb_course_write(0, NULL, &error, NULL), SB_INVALID);
    assert_null(text);
    sb_reports_free(reports);
}

static void take_nothing(void *state, uint64_t first)
{
    (void)state, (void)first;
}

/* Ranks whose functions are not set, or whose number is not theirs. */
static void ranks_that_are_not_ready(void **state)
{
    static const char *const naive[] = { "naive" };
    struct sb_reports *reports = NULL;
    struct sb_error error = { 0 };
    struct sb_request options;
    struct sb_ranks ranks;

    sb_request_init(&options, SB_REPORT);
    ranks = (struct sb_ranks) { 0 };
    options.ranks = &ranks;
    assert_int_equal(sb_reports_new(naive, 1, &options, &error, &reports), SB_INVALID);
    assert_string_equal(error.text, "there is no rank 0 of 0: give 2 ranks or more the numbers from 0");
    ranks.rank = ranks.size = 2;
    assert_int_equal(sb_ranks_serve(&ranks, &error), SB_INVALID);
    assert_non_null(strstr(error.text, "there is no rank 2 of 2"));
    ranks.rank = 1;
    ranks.open = take_nothing;
    assert_int_equal(sb_ranks_serve(&ranks, &error), SB_INVALID);
    assert_string_equal(error.text, "a function of struct sb_ranks is NULL: set all eight");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_scheme),
        cmocka_unit_test(no_list_and_no_file),
        cmocka_unit_test(no_result_and_no_stream),
        cmocka_unit_test(ranks_that_are_not_ready),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
