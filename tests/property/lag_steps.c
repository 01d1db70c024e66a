/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every instruction set of this machine finds the same steps at a lag: those that are counted position by position. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "property/random_decks.h"
#include "tally/lag_steps.h"

#include <stdlib.h>

enum { DECKS = 2 * SB_ROWS_DEALS };

static sb_lag_places place[SB_ROWS_ITEMS_MOST];

/* Fixed points and displacement of the step between two columns of positions. */
static void expect(size_t n, size_t old, size_t now, uint16_t fixed, uint16_t displacement)
{
    unsigned points = 0, sum = 0;

    for (size_t i = 0; i < n; i++) {
        points += place[i][old] == place[i][now];
        sum += (unsigned)abs(place[i][old] - place[i][now]);
    }
    assert_int_equal(fixed, points);
    assert_int_equal(displacement, sum);
}

static void position_by_position(void **state)
{
    uint16_t fixed[SB_ROWS_DEALS], displacement[SB_ROWS_DEALS];
    sb_item item[SB_ROWS_ITEMS_MOST];

    (void)state;
    for (size_t n = 2; n <= SB_ROWS_ITEMS_MOST; n++) {
        for (size_t t = 0; t < DECKS; t++) {
            random_deck(n, item);
            for (size_t j = 0; j < n; j++) /* the first permutations are the identity and its reverse */
                place[t < 2 ? j : item[j]][t] = (uint8_t)(t == 1 ? n - 1 - j : j);
        }
        for (size_t i = 0; sb_lag_steps_get(i); i++)
            for (size_t lag = 1; lag <= SB_ROWS_DEALS; lag++) {
                sb_lag_steps_get(i)((const sb_lag_places *)place, n, lag, fixed, displacement);
                for (size_t t = 0; t < SB_ROWS_DEALS; t++)
                    expect(n, SB_ROWS_DEALS + t - lag, SB_ROWS_DEALS + t, fixed[t], displacement[t]);
            }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(position_by_position) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
