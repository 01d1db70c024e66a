/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tallies: each statistic as if every deal had been classified by itself, whichever way they were counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/deck.h"
#include "engine/observe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DECKS = 3000 };

/* Deals that are far from uniform: each from the one before by an exchange. */
static sb_item *deals(size_t n, size_t deal)
{
    sb_item *const items = calloc(DECKS * deal + 1, sizeof *items);
    struct sb_deck deck;

    assert_non_null(items);
    assert_int_equal(sb_deck_open(n, n, &deck), SB_OK);
    sb_deck_reset(&deck);
    for (size_t d = 0; d < DECKS; d++) {
        const size_t i = d * d % n, j = 7 * d % n;
        const sb_item item = deck.a[i];

        deck.a[i] = deck.a[j];
        deck.a[j] = item;
        memcpy(items + d * deal, deck.a, deal * sizeof items[0]);
    }
    sb_deck_close(&deck);
    return items;
}

static void expect_tally(const struct sb_statistic_type *type, size_t n, size_t deal, const sb_item items[],
                         size_t count, const struct sb_tally *tally)
{
    const size_t members = type->members(n, deal), cells = type->cells(n, deal);
    uint64_t *const expected = calloc(members * cells, sizeof *expected);
    uint32_t *const cell = calloc(members, sizeof *cell);

    for (size_t d = 0; d < count; d++) {
        type->classify(n, deal, items + d * deal, cell);
        for (size_t member = 0; member < members; member++)
            expected[member * cells + cell[member]]++;
    }
    assert_string_equal(tally->statistic, type->name);
    assert_int_equal(tally->members, members);
    assert_int_equal(tally->cells, cells);
    assert_int_equal(tally->total, count);
    assert_memory_equal(tally->count, expected, members * cells * sizeof expected[0]);
    free(expected);
    free(cell);
}

static void tallies_are_those_of_the_deals_one_by_one(void **state)
{
    static const struct sb_statistic_type *const types[] = { &sb_statistic_position, &sb_statistic_rank };
    const size_t shapes[][2] = {
        { 1, 1 }, { 2, 2 }, { 3, 3 }, { 4, 4 }, { 5, 5 }, { 6, 6 },  { 7, 7 },  { 52, 52 },
        { 5, 4 }, { 6, 4 }, { 8, 4 }, { 8, 3 }, { 9, 3 }, { 52, 1 }, { 52, 2 }, { 720, 1 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        const size_t n = shapes[i][0], deal = shapes[i][1], count = sb_cells(n, deal) ? 2 : 1;
        sb_item *const items = deals(n, deal);
        struct sb_observer *observer;
        struct sb_tally tally[2];

        assert_int_equal(sb_observer_new(n, deal, types, count, NULL, &observer), SB_OK);
        for (size_t done = 0, step = 1; done < DECKS; done += step, step = 3 * step) {
            if (done + step > DECKS)
                step = DECKS - done;
            sb_observer_add(observer, items + done * deal, step);
            sb_observer_read(observer, tally);
            for (size_t type = 0; type < count; type++)
                expect_tally(types[type], n, deal, items, done + step, &tally[type]);
        }
        sb_observer_free(observer);
        free(items);
    }
}

static void null_laws_that_are_not_uniform_come_along(void **state)
{
    static const struct sb_statistic_type *const types[] = { &sb_statistic_rank, &sb_statistic_position };
    struct sb_observer *observer;
    struct sb_tally tally[2];

    (void)state;
    assert_int_equal(sb_observer_new(5, 5, types, 2, NULL, &observer), SB_OK);
    sb_observer_read(observer, tally);
    assert_null(tally[0].ln_p);
    assert_null(tally[1].ln_p);
    sb_observer_free(observer);
    assert_int_equal(sb_observer_new(5, 2, types, 2, NULL, &observer), SB_OK);
    sb_observer_read(observer, tally);
    assert_null(tally[0].ln_p);
    assert_true(fabs(exp(tally[1].ln_p[0]) - 0.2) < 1e-15);
    assert_true(fabs(exp(tally[1].ln_p[2]) - 0.6) < 1e-15);
    sb_observer_free(observer);
}

static void what_is_too_large_is_refused(void **state)
{
    static const struct sb_statistic_type *const rank = &sb_statistic_rank, *const position =
                                                                                &sb_statistic_position;
    struct sb_observer *observer;
    struct sb_error error = { 0 };

    (void)state;
    assert_int_equal(sb_observer_new(11, 11, &rank, 1, &error, &observer), SB_TOO_LARGE);
    assert_non_null(strstr(error.text, "n = 11: the tallies of the statistic rank are too many"));
    assert_int_equal(sb_observer_new(8193, 8193, &position, 1, &error, &observer), SB_TOO_LARGE);
    sb_observer_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tallies_are_those_of_the_deals_one_by_one),
        cmocka_unit_test(null_laws_that_are_not_uniform_come_along),
        cmocka_unit_test(what_is_too_large_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
