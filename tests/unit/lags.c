/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Steps at several lags, tallied without composing them, against steps that are composed one by one and
 * classified by the statistics themselves.
 */
#include "unit/test.h"

#include "statistic/statistic.h"
#include "tally/order.h"
#include "tally/tally.h"

#include <stdlib.h>
#include <string.h>

enum { LAGS_DECKS = 2000 };

/* Permutations in which every third is a swap away from the one before: steps of all kinds. */
static sb_item *lags_decks(size_t n)
{
    sb_item *const decks = calloc(LAGS_DECKS * n, sizeof *decks);
    uint64_t state = n;

    assert_non_null(decks);
    for (size_t t = 0; t < LAGS_DECKS; t++) {
        sb_item *const a = decks + t * n;
        const size_t swaps = t % 3 ? n : 1;

        for (size_t j = 0; j < n; j++)
            a[j] = t ? decks[(t - 1) * n + j] : (sb_item)j;
        for (size_t s = 0; s < swaps; s++) {
            state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
            const size_t i = (size_t)(state >> 33) % n, j = s % n;
            const sb_item swapped = a[i];

            a[i] = a[j];
            a[j] = swapped;
        }
    }
    return decks;
}

/* The statistics of steps at one lag, composed. */
static void lags_expect(size_t n, size_t lag, const sb_item decks[], const struct sb_tally tally[],
                        size_t types)
{
    const struct sb_statistic_type *type[SB_LAGS_STATISTICS];
    struct sb_tally expected[SB_LAGS_STATISTICS];
    struct sb_observer *observer;
    struct sb_error error;
    sb_item *const place = calloc(2 * n, sizeof *place), *const step = place + n;

    assert_non_null(place);
    for (size_t i = 0; i < types; i++)
        type[i] = sb_statistic_find(tally[i].statistic);
    assert_int_equal(sb_observer_new(n, n, type, types, SB_LAGS_CELLS_MOST, &error, &observer), SB_OK);
    for (size_t t = lag; t < LAGS_DECKS; t++) {
        for (size_t j = 0; j < n; j++)
            place[decks[(t - lag) * n + j]] = (sb_item)j;
        for (size_t j = 0; j < n; j++)
            step[j] = place[decks[t * n + j]];
        sb_observer_add(observer, step, 1);
    }
    sb_observer_read(observer, expected);
    for (size_t i = 0; i < types; i++) {
        assert_int_equal(tally[i].lag, lag);
        assert_true(tally[i].dependence);
        assert_int_equal(tally[i].members, 1);
        assert_int_equal(tally[i].total, LAGS_DECKS - lag);
        assert_int_equal(tally[i].cells, expected[i].cells);
        assert_memory_equal(tally[i].count, expected[i].count,
                            expected[i].cells * sizeof expected[i].count[0]);
    }
    sb_observer_free(observer);
    free(place);
}

TEST(steps_are_those_composed)
{
    static const size_t items[] = { 2, 3, 4, 5, 6, 7, 8, 9, 52, 200, 201, 1000, 1001 };

    for (size_t k = 0; k < sizeof items / sizeof items[0]; k++) {
        const size_t n = items[k];
        sb_item *const decks = lags_decks(n);
        struct sb_tally tally[SB_LAGS * SB_LAGS_STATISTICS];
        struct sb_lags *lags;
        struct sb_error error;

        assert_int_equal(sb_lags_new(n, true, &error, &lags), SB_OK);
        for (size_t t = 0, some; t < LAGS_DECKS; t += some) { /* in batches of all sizes */
            some = t % 97 + 1 < LAGS_DECKS - t ? t % 97 + 1 : LAGS_DECKS - t;
            sb_lags_add(lags, decks + t * n, some);
        }
        const size_t types = sb_lags_count(lags) / SB_LAGS;

        sb_lags_read(lags, tally);
        for (size_t l = 0; l < SB_LAGS; l++)
            lags_expect(n, (size_t)1 << l, decks, tally + l * types, types);
        sb_lags_free(lags);
        free(decks);
    }
}

/* What is remembered is the start of steps, and counted itself it is not; what is resumed is no start. */
TEST(a_run_is_interrupted)
{
    static const size_t items[] = { 5, 52, 300 };

    for (size_t k = 0; k < sizeof items / sizeof items[0]; k++) {
        const size_t n = items[k], half = LAGS_DECKS / 2;
        sb_item *const decks = lags_decks(n);
        struct sb_tally tally[SB_LAGS * SB_LAGS_STATISTICS];
        struct sb_lags *first, *second;
        struct sb_error error;

        assert_int_equal(sb_lags_new(n, true, &error, &first), SB_OK);
        assert_int_equal(sb_lags_new(n, true, &error, &second), SB_OK);
        sb_lags_add(first, decks, half);
        sb_lags_read(first, tally);
        sb_lags_resume(second, tally);
        sb_lags_remember(second, decks, half);
        sb_lags_add(second, decks + half * n, LAGS_DECKS - half);
        const size_t types = sb_lags_count(second) / SB_LAGS;

        sb_lags_read(second, tally);
        for (size_t l = 0; l < SB_LAGS; l++)
            lags_expect(n, (size_t)1 << l, decks, tally + l * types, types);
        sb_lags_free(first);
        sb_lags_free(second);
        free(decks);
    }
}

/* No more than SB_LAGS_STEPS are counted at a lag. */
TEST(there_is_an_end)
{
    static const sb_item decks[] = { 0, 1, 1, 0 };
    struct sb_tally tally[SB_LAGS * SB_LAGS_STATISTICS];
    struct sb_lags *lags;
    struct sb_error error;

    assert_int_equal(sb_lags_new(2, false, &error, &lags), SB_OK);
    for (size_t t = 0; t < SB_LAGS_STEPS; t++)
        sb_lags_add(lags, decks, 2);
    assert_int_equal(sb_lags_count(lags), SB_LAGS - 1);
    sb_lags_read(lags, tally);
    for (size_t l = 0; l < SB_LAGS - 1; l++) {
        assert_int_equal(tally[l].lag, 2 << l);
        assert_int_equal(tally[l].total, SB_LAGS_STEPS);
        assert_int_equal(tally[l].count[0], SB_LAGS_STEPS);
    }
    sb_lags_free(lags);
}
