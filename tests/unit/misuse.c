/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A NULL scheme or format is an error, and no crash. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "shufflebias.h"

#include <stdio.h>
#include <string.h>

static void no_scheme(void **state)
{
    static const char *const permutations[] = { "123", "132" }, *const none[] = { NULL };
    struct sb_options options;
    struct sb_error error = { 0 };
    struct sb_reports *reports = NULL;
    struct sb_dealer *dealer = NULL;
    struct sb_odds *odds = NULL;

    (void)state;
    sb_options_init(&options);
    options.samples = 100;
    assert_int_equal(sb_reports_new(none, 1, &options, &error, &reports), SB_INVALID);
    assert_int_equal(sb_dealer_new(NULL, &options, &error, &dealer), SB_INVALID);
    assert_int_equal(sb_odds_new(NULL, permutations, 2, &options, &error, &odds), SB_INVALID);
    assert_non_null(strstr(error.text, "the scheme is NULL"));
}

static void no_format(void **state)
{
    static const char *const naive[] = { "naive" };
    const struct sb_subject subject = { .scheme = "naive", .seed = 1 };
    struct sb_gate_options gate_options;
    struct sb_options options;
    struct sb_error error = { 0 };
    struct sb_reports *reports = NULL;
    struct sb_gate *gate = NULL;

    (void)state;
    sb_options_init(&options);
    options.samples = 100;
    assert_int_equal(sb_reports_new(naive, 1, &options, &error, &reports), SB_OK);
    assert_int_equal(sb_reports_write(reports, NULL, NULL, &error, stdout), SB_INVALID);
    assert_non_null(strstr(error.text, "unknown format 'NULL'"));
    sb_reports_free(reports);
    sb_gate_options_init(&gate_options);
    assert_int_equal(sb_gate_new(&subject, &gate_options, &error, &gate), SB_OK);
    assert_int_equal(sb_gate_write(gate, NULL, NULL, &error, stdout), SB_INVALID);
    sb_gate_free(gate);
    assert_false(sb_format_known(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_scheme),
        cmocka_unit_test(no_format),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
