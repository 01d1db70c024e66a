/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A caller's mistake is an error with a message, and never a crash: no format, values out of range, and
 * evidence that is used twice. misuse_null.c has the mistakes with NULL.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lesson/lesson.h"
#include "study/results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void no_format(void **state)
{
    static const char *const naive[] = { "naive" };
    const struct sb_subject subject = { .scheme = "naive", .seed = 1 };
    struct sb_request gate_options;
    struct sb_request options;
    struct sb_error error = { 0 };
    struct sb_reports *reports = NULL;
    struct sb_gate *gate = NULL;
    char *text = NULL;

    sb_request_init(&options, SB_REPORT);
    options.samples = 100;
    assert_int_equal(sb_reports_new(naive, 1, &options, &error, &reports), SB_OK);
    assert_int_equal(sb_result_write(&sb_reports_result, reports, NULL, NULL, &error, stdout), SB_INVALID);
    assert_non_null(strstr(error.text, "unknown format 'NULL'"));
    sb_reports_free(reports);
    sb_request_init(&gate_options, SB_GATE);
    assert_int_equal(sb_gate_new(&subject, &gate_options, &error, &gate), SB_OK);
    assert_int_equal(sb_gate_text(gate, NULL, NULL, &error, &text, NULL), SB_INVALID);
    sb_gate_free(gate);
}

/* A name that nothing has; the options are sound otherwise. The table of options checks numbers. */
static void set_profile(struct sb_request *options)
{
    options->profile = "no-such-profile";
}

static void set_draw(struct sb_request *options)
{
    options->draw = "no-such-draw";
}

static void set_width(struct sb_request *options)
{
    options->draw = "modulo:65";
}

static void set_rng(struct sb_request *options)
{
    options->rng = "no-such-generator";
}

static void set_statistics(struct sb_request *options)
{
    options->statistics = "no-such-statistic";
}

static const struct {
    void (*set)(struct sb_request *options);
    const char *line, *field, *value; /* in the error */
} wrong_options[] = {
    { set_profile, "unknown profile 'no-such-profile'", "", "" },
    { set_draw, "unknown draw 'no-such-draw'", "", "" },
    { set_width, "from 1 to 64", "", "" },
    { set_rng, "unknown generator 'no-such-generator'", "", "" },
    { set_statistics, "unknown statistic 'no-such-statistic'", "", "" },
};

/* Each call that takes options, with a scheme that names its own draw and generator. */
static enum sb_status call_with(size_t call, const struct sb_request *options, struct sb_error *error)
{
    static const char *const scheme[] = { "naive/ideal/philox" }, *const permutation[] = { "231" };
    static const char *const echo[] = { "echo", "0 1 2", NULL };
    const struct sb_aim aim = { .scheme = scheme[0] };
    const struct sb_subject subject = { .command = echo };
    union {
        struct sb_reports *reports;
        struct sb_dealer *dealer;
        struct sb_odds *odds;
        struct sb_plan *plan;
        struct sb_explain *explain;
        struct sb_null_law *law;
        struct sb_costs *costs;
    } made;

    switch (call) {
    case 0:
        return sb_reports_new(scheme, 1, options, error, &made.reports);
    case 1:
        return sb_dealer_new(scheme[0], options, error, &made.dealer);
    case 2:
        return sb_odds_new(scheme[0], permutation, 1, options, error, &made.odds);
    case 3:
        return sb_plan_new(&aim, options, error, &made.plan);
    case 4:
        return sb_explain_new(scheme[0], NULL, options, error, &made.explain);
    case 5:
        return sb_null_law_new("descents", 0, options, error, &made.law);
    case 6:
        return sb_costs_new(scheme, 1, options, error, &made.costs);
    case 7:
        return sb_reports_observe(&subject, options, error, &made.reports);
    case 8:
        return sb_reports_recorded("/dev/null", options, error, &made.reports);
    default:
        return sb_course_write(1, options, error, stderr);
    }
}

static void an_option_is_checked_whether_used_or_not(void **state)
{
    for (size_t call = 0; call < 10; call++)
        for (size_t i = 0; i < sizeof wrong_options / sizeof wrong_options[0]; i++) {
            struct sb_request options;
            struct sb_error error = { 0 };

            sb_request_init(&options, SB_REPORT);
            options.samples = 100;
            wrong_options[i].set(&options);
            assert_int_equal(call_with(call, &options, &error), SB_INVALID);
            if (!strstr(error.text, wrong_options[i].line))
                fail_msg("call %zu, option %zu: %s", call, i, error.text);
            assert_string_equal(error.field, wrong_options[i].field);
            assert_string_equal(error.value, wrong_options[i].value);
        }
}

/* The example of docs/library.md, in the calls whose number of items is that of the options. */
static void a_deal_of_more_cards_than_there_are(void **state)
{
    static const size_t calls[] = { 0, 1, 3, 4, 5, 6 };

    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        for (size_t n = 1; n <= 3; n += 2) {
            struct sb_request options;
            struct sb_error error = { 0 };

            sb_request_init(&options, SB_REPORT);
            options.n = n;
            options.deal = 4;
            assert_int_equal(call_with(calls[i], &options, &error), SB_INVALID);
            assert_string_equal(error.text,
                                n == 1 ? "`deal=4`: there is only 1 item" : "`deal=4`: there are only 3 items");
            assert_string_equal(error.field, "deal");
            assert_string_equal(error.value, "4");
        }
}

static void a_timeout_is_checked_whether_waited_for_or_not(void **state)
{
    struct sb_subject other = { .scheme = "naive", .seed = 1 };
    struct sb_request options;
    struct sb_error error = { 0 };
    struct sb_gate *gate = NULL;

    sb_request_init(&options, SB_GATE);
    other.timeout = -1; /* and a scheme is not waited for */
    assert_int_equal(sb_gate_new(&other, &options, &error, &gate), SB_INVALID);
    assert_non_null(strstr(error.text, "timeout = -1"));
    other.timeout = NAN;
    assert_int_equal(sb_gate_new(&other, &options, &error, &gate), SB_INVALID);

    const struct sb_suite_case one = { .subject = &other, .options = &options };
    struct sb_suite *suite = NULL;

    assert_int_equal(sb_suite_new(&one, 1, 1, &error, &suite), SB_INVALID);
}

static void a_figure_is_checked_in_all_formats(void **state)
{
    static const char *const naive[] = { "naive" }, *const formats[] = { "text", "json", "svg" };
    const struct sb_look look = { .figure = "no-such-figure" };
    struct sb_request options;
    struct sb_error error = { 0 };
    struct sb_reports *reports = NULL;
    FILE *const null = fopen("/dev/null", "w");

    assert_non_null(null);
    sb_request_init(&options, SB_REPORT);
    options.samples = 100;
    assert_int_equal(sb_reports_new(naive, 1, &options, &error, &reports), SB_OK);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        assert_int_equal(sb_result_write(&sb_reports_result, reports, formats[i], &look, &error, null), SB_INVALID);
        assert_non_null(strstr(error.text, "unknown figure 'no-such-figure'"));
    }
    fclose(null);
    sb_reports_free(reports);
}

/* The evidence goes into the first report; a second call, and a comparison, say so. */
static void saved_evidence_is_used_once(void **state)
{
    static const char *const naive[] = { "naive" };
    struct sb_request options, again;
    struct sb_error error = { 0 };
    struct sb_reports *reports = NULL, *second = NULL;
    struct sb_saved *saved = NULL;
    char path[] = "misuse-XXXXXX";
    const int file = mkstemp(path);

    assert_true(file >= 0);
    close(file);
    unlink(path);
    sb_request_init(&options, SB_REPORT);
    options.samples = 100;
    options.save = path;
    assert_int_equal(sb_reports_new(naive, 1, &options, &error, &reports), SB_OK);
    sb_reports_free(reports);
    for (int resumed = 0; resumed < 2; resumed++) {
        assert_int_equal(sb_saved_new(path, &error, &saved), SB_OK);
        sb_request_init(&again, SB_REPORT);
        again.save = resumed ? path : NULL;
        again.profile = "no-such-profile";
        assert_int_equal(sb_reports_saved(saved, &again, &error, &reports), SB_INVALID);
        again.profile = NULL; /* the slip before has cost nothing */
        assert_int_equal(sb_reports_saved(saved, &again, &error, &reports), SB_OK);
        assert_int_equal(sb_reports_saved(saved, &again, &error, &second), SB_INVALID);
        assert_non_null(strstr(error.text, "is in another report already: read it again"));
        assert_null(second);
        assert_int_equal(sb_saved_agrees(saved, "naive", &options, &error), SB_INVALID);
        assert_non_null(strstr(error.text, "is in another report already: read it again"));
        sb_reports_free(reports);
        sb_saved_free(saved);
    }
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_format),
        cmocka_unit_test(an_option_is_checked_whether_used_or_not),
        cmocka_unit_test(a_deal_of_more_cards_than_there_are),
        cmocka_unit_test(a_timeout_is_checked_whether_waited_for_or_not),
        cmocka_unit_test(a_figure_is_checked_in_all_formats),
        cmocka_unit_test(saved_evidence_is_used_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
