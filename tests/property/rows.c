/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Statistics of deals in rows, against the same statistics of one deal at a time. `property-rows 1000000` takes that
 * many deals of each size instead of 192: some minutes.
 */
#include "unit/test.h"

#include "property/random_decks.h"
#include "statistic/statistic.h"

#include <stdlib.h>
#include <string.h>

enum { CELLS = 10000 }; /* the most cells of first-k, more than 64 members with 64 cells each have */

static size_t deals_each = 192;
/* Random deals of k out of n; in one of four, only a few neighbours are exchanged. */
static void deal(size_t n, size_t k, size_t deals, sb_item items[])
{
    sb_item a[SB_ROWS_ITEMS_MOST];

    for (size_t d = 0; d < deals; d++, items += k) {
        for (size_t i = 0; i < n; i++)
            a[i] = (sb_item)i;
        for (size_t i = n; i-- > 1;) {
            const size_t j = d % 4 ? random_below(i + 1) : i - (random_below(8) == 0);
            const sb_item item = a[i];

            a[i] = a[j];
            a[j] = item;
        }
        memcpy(items, a, k * sizeof items[0]);
    }
}

/* Both ways to count the deals agree in every cell of every member. */
static void agree(const struct sb_rows_method *method, size_t n, size_t k, const sb_item items[], size_t deals)
{
    const struct sb_statistic_type *const type = sb_statistic_find(method->statistic);
    static uint64_t expected[CELLS], found[CELLS];
    static struct sb_rows rows;
    uint32_t cell[SB_ROWS_ITEMS_MOST];
    uint16_t cells[SB_ROWS_DEALS];

    assert_non_null(type);
    if ((k < n && !method->partial) || sb_statistic_cells(type, NULL, n, k) == 0)
        return;
    memset(expected, 0, sizeof expected);
    memset(found, 0, sizeof found);
    memset(cells, 0, sizeof cells);
    sb_rows_fill(n, k, items, deals, &rows);
    if (method->cells)
        method->cells(&rows, cells);
    else
        method->count(&rows, found);
    for (size_t d = 0; d < deals; d++) {
        type->classify(n, k, items + d * k, cell);
        for (size_t member = 0; member < sb_statistic_members(type, NULL, n, k); member++)
            expected[member * sb_statistic_cells(type, NULL, n, k) + cell[member]]++;
        if (method->cells)
            assert_int_equal(cells[d], cell[0]);
    }
    if (method->count)
        assert_memory_equal(found, expected, sizeof found);
}

TEST(as_one_at_a_time)
{
    static sb_item items[SB_ROWS_DEALS * SB_ROWS_ITEMS_MOST];

    for (size_t n = 2; n <= SB_ROWS_ITEMS_MOST; n++)
        for (size_t done = 0; done < deals_each; done += SB_ROWS_DEALS) {
            const size_t k = done == 0 ? n : 1 + random_below(n);
            const size_t deals = done == 0 ? 1 + random_below(SB_ROWS_DEALS) : SB_ROWS_DEALS;

            deal(n, n, SB_ROWS_DEALS, items);
            for (size_t m = 0; m < sb_rows_methods_count; m++)
                agree(&sb_rows_methods[m], n, n, items, deals);
            deal(n, k, SB_ROWS_DEALS, items);
            for (size_t m = 0; m < sb_rows_methods_count; m++)
                agree(&sb_rows_methods[m], n, k, items, deals);
        }
}

/* Every statistic that has members or cells in this range is either computed in rows or one at a time. */
TEST(where_there_are_methods)
{
    assert_non_null(sb_rows_find("descents", 64, 64));
    assert_non_null(sb_rows_find("descents", 52, 5));
    assert_null(sb_rows_find("cycles", 52, 5));
    assert_null(sb_rows_find("descents", 65, 65));
    assert_null(sb_rows_find("rank", 5, 5));
    assert_null(sb_rows_find("descents", 1, 1));
}

int main(int argc, char *argv[])
{
    if (argc > 1)
        deals_each = strtoul(argv[1], NULL, 10);
    return test_run();
}
