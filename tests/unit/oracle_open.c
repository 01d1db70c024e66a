/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A report on a proof of which so little is open that a double cannot hold its probability. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/calls.h"

#include <stdlib.h>
#include <string.h>

/* Draws again while 2 comes up, and then exchanges two items or not. */
static int again(void *items, size_t n, size_t size, struct sb_draws *draws, void *state)
{
    uint16_t *const item = items;
    uint32_t drawn;

    do
        drawn = sb_draws_below(draws, 3);
    while (drawn == 2);
    item[drawn] = 0;
    item[1 - drawn] = 1;
    return 0;
}

/* 2 comes up 700 times in a row with probability 3^-700 = 1.0e-334. As a double, this is 0. */
static void what_is_open_is_never_nothing(void **state)
{
    struct sb_reports *reports;
    struct sb_error error;
    struct sb_request proof;
    size_t length;
    char *text;

    sb_request_init(&proof, SB_PROVE);
    proof.n = 2;
    proof.draws = 700;
    assert_int_equal(sb_prove_callback("mine", again, NULL, &proof, &error, &reports), SB_OK);
    assert_int_equal(sb_reports_text(reports, "text", NULL, &error, &text, &length), SB_OK);
    assert_non_null(strstr(text, "Warning: 1.0e-334 of the probability is not resolved"));
    assert_non_null(
        strstr(text, "e-308, to within ")); /* the total variation, which is at most half of that */
    free(text);
    sb_reports_free(reports);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_open_is_never_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
