/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Callbacks that report failure: the call ends at once, and the error names the subject, the shuffle and the value. */
#include "study/results.h"
#include "unit/test.h"

#include "core/calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Leaves the items as they are, and fails at the third call. */
static int fails(void *items, size_t n, size_t size, void *calls)
{
    return ++*(unsigned *)calls == 3 ? -7 : 0;
}

static int drawn_fails(void *items, size_t n, size_t size, struct sb_draws *draws, void *calls)
{
    sb_draws_below(draws, 2);
    return fails(items, n, size, calls);
}

static int alarm_fails(void *calls, const struct sb_alarm *alarm)
{
    assert_non_null(alarm);
    ++*(unsigned *)calls;
    return 5;
}

TEST(a_shuffle)
{
    static const char wanted[] =
        "mine, shuffle 3: the function returned -7, which says that it failed: return 0 after a shuffle";
    unsigned calls = 0;
    const struct sb_subject subject = { .shuffle = fails, .name = "mine", .state = &calls, .n = 4 };
    struct sb_request options;
    struct sb_request report;
    struct sb_error error;
    struct sb_gate *gate = NULL;
    struct sb_reports *reports = NULL;

    sb_request_init(&options, SB_GATE);
    assert_int_equal(sb_gate_new(&subject, &options, &error, &gate), SB_SUBJECT);
    assert_string_equal(error.text, wanted);
    assert_int_equal(calls, 3);
    assert_null(gate);
    calls = 0;
    sb_request_init(&report, SB_REPORT);
    assert_int_equal(sb_reports_observe(&subject, &report, &error, &reports), SB_SUBJECT);
    assert_string_equal(error.text, wanted);
    assert_null(reports);
}

/* The other subject of the suite is judged all the same. */
TEST(a_subject_of_a_suite)
{
    unsigned calls = 0;
    const struct sb_subject subjects[] = {
        { .shuffle = fails, .name = "mine", .state = &calls, .n = 4 },
        { .scheme = "naive", .seed = 1 },
    };
    const struct sb_suite_case cases[] = {
        { .subject = &subjects[0] },
        { .subject = &subjects[1] },
    };
    struct sb_suite_part part;
    struct sb_suite *suite;

    assert_int_equal(sb_suite_new(cases, 2, 1, NULL, &suite), SB_OK);
    assert_true(sb_suite_get(suite, 0, &part));
    assert_int_equal(part.error->status, SB_SUBJECT);
    assert_non_null(strstr(part.error->text, "the function returned -7"));
    assert_true(sb_suite_get(suite, 1, &part));
    assert_non_null(part.gate);
    sb_suite_free(suite);
}

TEST(a_proof)
{
    unsigned calls = 0;
    struct sb_reports *reports = NULL;
    struct sb_request proof;
    struct sb_error error;

    sb_request_init(&proof, SB_PROVE);
    assert_int_equal(sb_prove_callback("mine", drawn_fails, &calls, &proof, &error, &reports), SB_SUBJECT);
    assert_string_equal(error.text,
                        "mine: the function returned -7, which says that it failed: return 0 after a shuffle");
    assert_int_equal(calls, 3);
    assert_null(reports);
}

/* The alarm is saved, so the next run knows of it and does not raise it again. */
TEST(an_alarm)
{
    char path[] = "/tmp/failing-callbacks-XXXXXX";
    const int file = mkstemp(path);
    const struct sb_subject subject = { .scheme = "naive", .n = 3, .seed = 1 };
    unsigned calls = 0;
    struct sb_request options;
    struct sb_watch_summary summary;
    struct sb_watch *watch = NULL;
    struct sb_error error;

    assert_true(file >= 0 && close(file) == 0 && unlink(path) == 0);
    sb_request_init(&options, SB_WATCH);
    options.limit = 20000;
    options.save = path;
    options.alarmed = alarm_fails;
    options.alarmed_state = &calls;
    assert_int_equal(sb_watch_new(&subject, &options, &error, &watch), SB_STOPPED);
    assert_non_null(strstr(error.text, "the callback alarmed() returned 5"));
    assert_int_equal(calls, 1);
    assert_null(watch);
    assert_int_equal(sb_watch_new(&subject, &options, &error, &watch), SB_OK);
    sb_watch_summary_get(watch, &summary);
    assert_int_equal(summary.alarms, 1);
    assert_int_equal(calls, 1);
    sb_watch_free(watch);
    unlink(path);
}

/* A flag that is raised before the call: a function and a scheme yield a permutation all the same, a file does not. */
TEST(a_stop_flag)
{
    unsigned calls = 10; /* beyond the third, so that the function does not fail */
    const volatile sig_atomic_t stop = 1;
    const struct sb_subject subjects[] = {
        { .shuffle = fails, .state = &calls, .n = 4 },
        { .scheme = "naive", .seed = 1 },
        { .file = "/dev/null", .n = 4 },
    };

    for (size_t i = 0; i < 3; i++) {
        struct sb_request options;
        struct sb_gate_summary summary;
        struct sb_error error;
        struct sb_gate *gate = NULL;

        sb_request_init(&options, SB_GATE);
        options.stop = &stop;
        assert_int_equal(sb_gate_new(&subjects[i], &options, &error, &gate), i < 2 ? SB_OK : SB_STOPPED);
        if (!gate)
            continue;
        sb_gate_summary_get(gate, &summary);
        assert_true(summary.interrupted);
        assert_int_equal(summary.total, 1);
        sb_gate_free(gate);
    }
}
