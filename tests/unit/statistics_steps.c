/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The statistics of the steps alone are those that a report on increments adds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tally/statistics.h"

static void steps_alone_are_the_steps_of_a_report(void **state)
{
    static const size_t sizes[] = { 3, 6, 12, 52 };

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct sb_options options;
        struct sb_statistics both, steps;

        sb_options_init(&options);
        options.increments = true;
        assert_int_equal(sb_statistics_open(&options, sizes[i], sizes[i], 1000, NULL, &both), SB_OK);
        assert_int_equal(sb_statistics_open_steps(&options, sizes[i], 1000, NULL, &steps), SB_OK);
        assert_int_equal(steps.types, 0);
        assert_true(steps.steps > 0);
        assert_int_equal(steps.steps, both.steps);
        for (size_t k = 0; k < steps.steps; k++)
            assert_ptr_equal(steps.type[k], both.type[both.types + k]);
        sb_statistics_close(&both);
        sb_statistics_close(&steps);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(steps_alone_are_the_steps_of_a_report) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
