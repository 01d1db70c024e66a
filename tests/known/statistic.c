/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The statistics: the cell of each deal, and null laws against a count of all deals. */
#include "unit/test.h"

#include "statistic/statistic.h"
#include "tally/tally.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS_MOST = 8 };

/* Every deal of k out of n, by trying every item not yet used at each position; tallied by the statistic. */
struct census {
    const struct sb_statistic_type *type;
    size_t n, k, cells, deals;
    sb_item a[ITEMS_MOST];
    unsigned *count; /* [members * cells] */
};

static void census_take(struct census *census, size_t position, unsigned used)
{
    uint32_t cell[ITEMS_MOST];

    for (size_t item = 0; position < census->k && item < census->n; item++)
        if (!(used >> item & 1)) {
            census->a[position] = (sb_item)item;
            census_take(census, position + 1, used | 1U << item);
        }
    if (position < census->k)
        return;
    census->type->classify(census->n, census->k, census->a, cell);
    for (size_t member = 0; member < sb_statistic_members(census->type, NULL, census->n, census->k); member++) {
        assert_true(cell[member] < census->cells);
        census->count[member * census->cells + cell[member]]++;
    }
    census->deals++;
}

/* Under uniformity a cell's probability is its share of all deals. Returns whether there is a law. */
static bool check_null_law(const struct sb_statistic_type *type, size_t n, size_t k)
{
    struct census census = { .type = type, .n = n, .k = k, .cells = sb_statistic_cells(type, NULL, n, k) };
    double *const ln_p = calloc(census.cells + 1, sizeof *ln_p);

    census.count = calloc(n * census.cells + 1, sizeof *census.count);
    assert_non_null(ln_p);
    assert_non_null(census.count);
    if (census.cells)
        census_take(&census, 0, 0);
    for (size_t member = 0; census.cells && member < sb_statistic_members(type, NULL, n, k); member++) {
        assert_int_equal(sb_statistic_null_law(type, NULL, n, k, ln_p), SB_OK);
        for (size_t cell = 0; cell < census.cells; cell++) {
            const unsigned count = census.count[member * census.cells + cell];

            if (!(fabs(exp(ln_p[cell]) * (double)census.deals - count) < 1e-9))
                fail_msg("%s of %zu out of %zu: cell %zu has %u deals, not %.17g", type->name, k, n, cell, count,
                         exp(ln_p[cell]) * (double)census.deals);
            assert_true(count || ln_p[cell] == -HUGE_VAL);
        }
    }
    free(ln_p);
    free(census.count);
    return census.cells;
}

TEST(test_null_laws_are_the_shares_of_all_permutations)
{
    for (size_t t = 0; t < sb_statistic_types_count; t++)
        for (size_t n = 1; n <= ITEMS_MOST; n++)
            assert_true(check_null_law(sb_statistic_types[t], n, n) || sb_statistic_types[t]->profile ||
                        sb_statistic_members(sb_statistic_types[t], NULL, n, n) ==
                            0); /* of large decks: tests/known/statistic_laws.c */
}

/* A statistic whose range is not of whole permutations has the law of every deal. */
TEST(test_null_laws_are_the_shares_of_all_deals)
{
    size_t laws = 0;

    for (size_t t = 0; t < sb_statistic_types_count; t++) {
        const struct sb_statistic_type *const type = sb_statistic_types[t];
        const bool deals = strncmp(type->range, "whole", 5) != 0 && !type->profile &&
                           sb_statistic_members(type, NULL, 6, 6) > 0; /* card-at and runs: tests/known/multiset.c */

        for (size_t n = 1; n <= 6; n++)
            for (size_t k = 1; k < n; k++)
                assert_int_equal(check_null_law(type, n, k), deals);
        laws += deals;
    }
    assert_true(laws >= 9); /* rank, position, successor, records, descents, inversions, ... */
}

/* The last of the deals that have a cell, and the one before, on both sides of the 16 items of the quick
 * way. */
TEST(test_rank_of_the_last_deals)
{
    for (size_t n = 1; n <= 40; n++)
        for (size_t k = 1; k <= n && sb_cells(n, k) > 1; k++) {
            sb_item a[40];
            uint32_t cell;

            for (size_t j = 0; j < k; j++)
                a[j] = (sb_item)(n - 1 - j);
            sb_statistic_rank.classify(n, k, a, &cell);
            assert_int_equal(cell, sb_cells(n, k) - 1);
            if (k < n) {
                a[k - 1]--;
                sb_statistic_rank.classify(n, k, a, &cell);
                assert_int_equal(cell, sb_cells(n, k) - 2);
            }
        }
}

/* What people read: items and positions from 1, deals in their notation. */
TEST(test_labels)
{
    static const struct {
        const char *statistic;
        size_t n, k, member, cell;
        const char *label;
    } expected[] = {
        { "rank", 3, 3, 0, 3, "231" },
        { "position", 5, 2, 0, 1, "2" },
        { "position", 5, 2, 0, 2, "not dealt" },
        { "successor", 5, 5, 2, 0, "4" },
        { "successor", 5, 5, 2, 2, "1" },
        { "successor", 5, 5, 2, 4, "nobody" },
        { "successor", 5, 2, 2, 5, "not dealt" },
        { "parity", 5, 5, 0, 0, "even" },
        { "descents", 52, 52, 0, 25, "25" },
        { "first-k", 52, 52, 0, 51, "2.1" },
        { "first-k-set", 52, 52, 0, 0, "1.2" },
        { "first-k-set", 52, 52, 0, 1325, "51.52" },
        { "first-k-set", 9, 9, 0, 125, "6789" },
    };
    char label[SB_LABEL_ROOM];

    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        assert_string_equal(sb_statistic_label(sb_statistic_find(expected[i].statistic), NULL, expected[i].n,
                                               expected[i].k, expected[i].member, expected[i].cell, label),
                            expected[i].label);
}

/* ---- window ---- */

/* Windows of values: which cell a value has, and the labels of cells. */

TEST(a_window_is_six_and_a_half_deviations_wide)
{
    const struct sb_window large = sb_window_about(500, 10), small = sb_window_about(3, 1),
                           exact = sb_window_about(65, 10);

    assert_int_equal(large.low, 435); /* 500 - 65 to 500 + 65 */
    assert_int_equal(large.cells, 131);
    assert_true(large.below && large.above);
    assert_int_equal(small.low, 0);    /* no value is below 0 */
    assert_int_equal(small.cells, 11); /* 0 to the first integer above 9.5 */
    assert_true(!small.below && small.above);
    assert_int_equal(exact.low, 0);
    assert_true(!exact.below);
}

TEST(values_beyond_the_window_are_in_its_last_cells)
{
    const struct sb_window window = { .low = 10, .cells = 5, .below = true, .above = true };
    const uint32_t cells[] = { 0, 0, 1, 2, 3, 4, 4, 4 };

    assert_int_equal(sb_window_cell(&window, 0), 0);
    assert_int_equal(sb_window_cell(&window, SIZE_MAX), 4);
    for (size_t value = 9; value < 17; value++)
        assert_int_equal(sb_window_cell(&window, value), cells[value - 9]);
}

static void expect_label(const struct sb_window *window, size_t first, size_t last, const char *expected)
{
    char text[SB_WINDOW_ROOM];

    sb_window_label(window, first, last, text);
    assert_string_equal(text, expected);
}

TEST(labels_name_the_values)
{
    struct sb_window window = { .low = 480, .cells = 41, .below = true, .above = true };

    expect_label(&window, 0, 0, "480 or fewer");
    expect_label(&window, 0, 10, "490 or fewer");
    expect_label(&window, 1, 10, "481 to 490");
    expect_label(&window, 19, 19, "499");
    expect_label(&window, 30, 40, "510 or more");
    expect_label(&window, 40, 40, "520 or more");
    window.below = window.above = false;
    expect_label(&window, 0, 0, "480");
    expect_label(&window, 0, 40, "480 to 520");
    expect_label(&window, 40, 40, "520");
}

/* ---- statistics steps ---- */

/* The statistics of the steps alone are those that a report on increments adds; their tallies are marked. */

/* Tallies of the steps to the next permutation are marked, all of them and no others. */
TEST(each_tally_of_steps_has_lag_1)
{
    const struct sb_statistic_type *const types[] = { sb_statistic_find("position"), sb_statistic_find("descents"),
                                                      sb_statistic_find("cycles") };
    static const sb_item decks[] = { 0, 1, 2, 3, 3, 0, 1, 2, 2, 3, 0, 1 };
    struct sb_tallies tallies;

    assert_int_equal(sb_tallies_open(NULL, 4, 4, types, 3, SB_TALLIES_INCREMENTS, NULL, &tallies), SB_OK);
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
TEST(repeats_stand_between)
{
    const struct sb_statistic_type *const types[] = { sb_statistic_find("position"), sb_statistic_find("descents"),
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
        assert_string_equal(tallies.tally[i].statistic, i < 2 ? types[i]->name : i == 2 ? "repeat" : types[2]->name);
        assert_int_equal(tallies.tally[i].lag, i == 3);
    }
    sb_tallies_close(&tallies);
}
