/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The default number of shuffles of a report, as subject/scheme.c derives it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "subject/subject.h"

static void samples_depend_on_what_is_tallied(void **state)
{
    static const struct {
        size_t n, deal;
        uint64_t samples;
    } defaults[] = {
        { 3, 3, 10000000 },    { 9, 9, 10000000 },  /* by rank, at most a million deals */
        { 10, 10, 40000000 },                       /* 10! deals by rank */
        { 11, 11, 9090909 },   { 52, 52, 1923076 }, /* 10^8/n: not by rank */
        { 12, 2, 10000000 },   { 13, 2, 7692307 },  /* by rank, and n is above 12 */
        { 5000, 5000, 50000 },                      /* each item is expected ten times at each position */
    };

    for (size_t i = 0; i < sizeof defaults / sizeof defaults[0]; i++) {
        struct sb_request options, settled;

        sb_request_init(&options, SB_REPORT);
        options.n = defaults[i].n;
        options.deal = defaults[i].deal;
        assert_int_equal(sb_options_settle(&options, NULL, &settled), SB_OK);
        assert_int_equal(settled.samples, defaults[i].samples);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(samples_depend_on_what_is_tallied) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
