/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The statistics of the steps alone are those that a report on increments adds; their tallies are marked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tally/tally.h"

static void steps_alone_are_the_steps_of_a_report(void **state)
{
    static const size_t sizes[] = { 3, 6, 12, 52 };

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct sb_request options;
        struct sb_statistics both, steps;

        sb_request_init(&options, SB_REPORT);
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

/* Tallies of the steps to the next permutation are marked, all of them and no others. */
static void each_tally_of_steps_has_lag_1(void **state)
{
    const struct sb_statistic_type *const types[] = { sb_statistic_find("position"),
                                                      sb_statistic_find("descents"),
                                                      sb_statistic_find("cycles") };
    static const sb_item decks[] = { 0, 1, 2, 3, 3, 0, 1, 2, 2, 3, 0, 1 };
    struct sb_tallies tallies;

    assert_int_equal(sb_tallies_open(4, 4, types, 3, SB_TALLIES_INCREMENTS, NULL, &tallies), SB_OK);
    sb_tallies_add(&tallies, decks, 3);
    for (int reads = 0; reads < 2; reads++) {
        sb_tallies_read(&tallies);
        assert_int_equal(tallies.count, 6);
        for (size_t i = 0; i < 6; i++) {
            assert_int_equal(tallies.tally[i].lag, i < 3 ? 0 : 1);
            assert_int_equal(tallies.tally[i].total, i < 3 ? 3 : 2);
            assert_string_equal(tallies.tally[i].statistic, types[i % 3]->name);
        }
    }
    sb_tallies_close(&tallies);
}

/* A sample notes repeats: one tally between those of the permutations and those of the steps. */
static void repeats_stand_between(void **state)
{
    const struct sb_statistic_type *const types[] = { sb_statistic_find("position"),
                                                      sb_statistic_find("descents"),
                                                      sb_statistic_find("cycles") };
    sb_item decks[2][12];
    struct sb_tallies tallies;

    for (size_t i = 0; i < 12; i++) {
        decks[0][i] = (sb_item)i;
        decks[1][i] = (sb_item)(11 - i);
    }
    assert_int_equal(sb_tallies_open_sample(NULL, 12, 12, types, 2, 1, true, 10, NULL, &tallies), SB_OK);
    sb_tallies_begin(&tallies, 0);
    sb_tallies_add(&tallies, decks[0], 2);
    sb_tallies_read(&tallies);
    assert_int_equal(tallies.count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(tallies.tally[i].statistic, i < 2    ? types[i]->name
                                                        : i == 2 ? "repeat"
                                                                 : types[2]->name);
        assert_int_equal(tallies.tally[i].lag, i == 3);
    }
    sb_tallies_close(&tallies);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_alone_are_the_steps_of_a_report),
        cmocka_unit_test(each_tally_of_steps_has_lag_1),
        cmocka_unit_test(repeats_stand_between),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
