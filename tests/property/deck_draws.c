/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The draws of decks in rows, by every instruction set of this machine, against the draws of one deck at a time, in all
 * eight views. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "property/random_decks.h"
#include "tally/deck_draws.h"
#include "tally/deck_draws_wide.h"

#include <string.h>

enum { CELLS = SB_ROWS_ITEMS_MOST * (SB_ROWS_ITEMS_MOST + 1) / 2, TIMES = 4 };

static void agree(size_t n, size_t deals)
{
    static uint32_t expected[SB_VIEWS][CELLS], found[SB_VIEWS][CELLS];
    sb_item items[SB_ROWS_DEALS * SB_ROWS_ITEMS_MOST], place[SB_ROWS_ITEMS_MOST];
    struct sb_rows rows;

    memset(expected, 0, sizeof expected);
    for (size_t d = 0; d < deals; d++) {
        sb_item *const deck = items + d * n;

        random_deck(n, deck);
        for (size_t j = 0; j < n; j++)
            place[deck[j]] = (sb_item)j;
        for (size_t view = 0; view < SB_VIEWS; view++)
            sb_deck_draws_count(n, deck, place, (enum sb_deck_view)view, expected[view]);
    }
    sb_rows_fill(n, n, items, deals, &rows);
    for (size_t i = 0; sb_deck_draws_get(i); i++) {
        memset(found, 0, sizeof found);
        for (unsigned view = 0; view < SB_VIEWS; view++)
            if (!(view & SB_VIEW_INVERTED))
                sb_deck_draws_get(i)(&rows, view, found[view], found[view | SB_VIEW_INVERTED]);
        assert_memory_equal(found, expected, sizeof found);
    }
}

static void as_one_at_a_time(void **unused)
{
    (void)unused;
    for (size_t n = 2; n <= SB_ROWS_ITEMS_MOST; n++)
        for (size_t t = 0; t < TIMES; t++)
            agree(n, t == 0 ? SB_ROWS_DEALS : 1 + random_below(SB_ROWS_DEALS));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(as_one_at_a_time) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
