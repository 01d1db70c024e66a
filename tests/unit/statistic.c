/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The statistics: what a deal is classified as, and null laws against a count of all deals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "statistic/statistic.h"

#include <math.h>

extern const struct sb_statistic_type sb_statistic_rank, sb_statistic_position;

enum {
    MEMBERS_MOST = 6,
    CELLS_MOST = 720,
};

/* Every deal of k out of n, by trying every item not yet used at each position; tallied by the statistic. */
struct census {
    const struct sb_statistic_type *type;
    size_t n, k, deals;
    sb_item a[MEMBERS_MOST];
    unsigned count[MEMBERS_MOST][CELLS_MOST];
};

static void census_take(struct census *census, size_t position, unsigned used)
{
    uint32_t cell[MEMBERS_MOST];

    for (size_t item = 0; position < census->k && item < census->n; item++)
        if (!(used >> item & 1)) {
            census->a[position] = (sb_item)item;
            census_take(census, position + 1, used | 1U << item);
        }
    if (position < census->k)
        return;
    census->type->classify(census->n, census->k, census->a, cell);
    for (size_t member = 0; member < census->type->members(census->n, census->k); member++) {
        assert_true(cell[member] < census->type->cells(census->n, census->k));
        census->count[member][cell[member]]++;
    }
    census->deals++;
}

/* Under uniformity a cell's probability is its share of all deals. */
static void test_null_laws_are_the_shares_of_all_deals(void **state)
{
    const struct sb_statistic_type *const types[] = { &sb_statistic_rank, &sb_statistic_position };

    (void)state;
    for (size_t t = 0; t < 2; t++)
        for (size_t n = 1; n <= MEMBERS_MOST; n++)
            for (size_t k = 1; k <= n; k++) {
                struct census census = { .type = types[t], .n = n, .k = k };
                double ln_p[CELLS_MOST];

                census_take(&census, 0, 0);
                for (size_t member = 0; member < types[t]->members(n, k); member++) {
                    types[t]->null_law(n, k, member, ln_p);
                    for (size_t cell = 0; cell < types[t]->cells(n, k); cell++)
                        assert_true(
                            fabs(exp(ln_p[cell]) * (double)census.deals - census.count[member][cell]) < 1e-9);
                }
            }
}

static void test_rank_is_one_cell_per_deal(void **state)
{
    const sb_item a[] = { 1, 2, 0 }; /* 231: after 123 132 213 */
    uint32_t cell;

    (void)state;
    assert_int_equal(sb_statistic_rank.members(3, 3), 1);
    assert_int_equal(sb_statistic_rank.cells(3, 3), 6);
    sb_statistic_rank.classify(3, 3, a, &cell);
    assert_int_equal(cell, 3);
    assert_int_equal(sb_statistic_rank.cells(52, 3), 132600);
    assert_int_equal(sb_statistic_rank.cells(52, 52), 0); /* too many to count */
}

/* The last of the deals that have a cell, and the one before, on both sides of the 16 items of the quick way.
 */
static void test_rank_of_the_last_deals(void **state)
{
    (void)state;
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

/* Every deal of 4 out of 16: each cell once, in the order of the core's rank. */
static void test_rank_is_that_of_the_core(void **state)
{
    (void)state;
    for (uint64_t rank = 0; rank < sb_deals(16, 4); rank++) {
        sb_item a[4];
        uint32_t cell;

        sb_permutation_unrank(16, 4, rank, a);
        sb_statistic_rank.classify(16, 4, a, &cell);
        assert_int_equal(cell, rank);
    }
}

static void test_position_says_where_each_item_is(void **state)
{
    const sb_item a[] = { 1, 2, 0 };
    uint32_t cell[3];

    (void)state;
    assert_int_equal(sb_statistic_position.members(3, 3), 3);
    assert_int_equal(sb_statistic_position.cells(3, 3), 3);
    sb_statistic_position.classify(3, 3, a, cell);
    assert_int_equal(cell[0], 2);
    assert_int_equal(cell[1], 0);
    assert_int_equal(cell[2], 1);
}

static void test_position_of_an_item_not_dealt(void **state)
{
    const sb_item a[] = { 4, 1 };
    const uint32_t expected[] = { 2, 1, 2, 2, 0 };
    uint32_t cell[5];

    (void)state;
    assert_int_equal(sb_statistic_position.cells(5, 2), 3);
    sb_statistic_position.classify(5, 2, a, cell);
    assert_memory_equal(cell, expected, sizeof cell);
}

/* High precision, mpmath at 50 digits: log(mpf(65534)/65535), log(mpf(1)/65535), log(mpf(43)/52). */
static void test_null_laws_of_large_decks(void **state)
{
    static double ln_p[65536];

    (void)state;
    sb_statistic_position.null_law(65535, 1, 0, ln_p);
    assert_true(fabs(ln_p[1] / -0.000015259138316755349348 - 1) < 1e-14);
    sb_statistic_position.null_law(65535, 65534, 7, ln_p);
    assert_true(fabs(ln_p[65534] / -11.090339630053645945 - 1) < 1e-14);
    assert_true(ln_p[0] == ln_p[65534]);
    sb_statistic_position.null_law(52, 9, 51, ln_p);
    assert_true(fabs(ln_p[9] / -0.19004360288786493142 - 1) < 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_null_laws_are_the_shares_of_all_deals),
        cmocka_unit_test(test_rank_is_one_cell_per_deal),
        cmocka_unit_test(test_rank_of_the_last_deals),
        cmocka_unit_test(test_rank_is_that_of_the_core),
        cmocka_unit_test(test_position_says_where_each_item_is),
        cmocka_unit_test(test_position_of_an_item_not_dealt),
        cmocka_unit_test(test_null_laws_of_large_decks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
