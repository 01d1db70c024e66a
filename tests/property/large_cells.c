/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cells of more than 1000 items, against definitions that look at one item at a time. */
#include "unit/test.h"

#include "statistic/statistic.h"

#include <stdlib.h>

enum { ITEMS = 70001 };

static sb_item a[ITEMS];
static size_t where[ITEMS]; /* of each item */

static const struct sb_statistic_type *find(const char *name)
{
    const struct sb_statistic_type *const type = sb_statistic_find(name);

    assert_non_null(type);
    return type;
}

/* Items in order, in reverse, or in random order. */
static void arrange(size_t n, int kind, uint64_t *seed)
{
    for (size_t i = 0; i < n; i++)
        a[i] = (sb_item)(kind == 1 ? n - 1 - i : i);
    for (size_t i = n; kind == 2 && i-- > 1;) {
        *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const size_t j = (size_t)((*seed >> 32) * (i + 1) >> 32);
        const sb_item item = a[i];

        a[i] = a[j];
        a[j] = item;
    }
    for (size_t i = 0; i < n; i++)
        where[a[i]] = i;
}

/* The cell of a statistic that counts: the value, or the nearest one in the window. */
static void check_value(const char *name, size_t n, size_t value)
{
    const struct sb_statistic_type *const type = find(name);
    const struct sb_window window = type->window(n, n);
    size_t nearest = value;
    uint32_t cell;

    if (nearest < window.low)
        nearest = window.low;
    if (nearest > window.low + window.cells - 1)
        nearest = window.low + window.cells - 1;
    type->classify(n, n, a, &cell);
    if (window.low + cell != nearest)
        fail_msg("%s, n = %zu: %zu instead of %zu", name, n, window.low + cell, nearest);
}

static void check_counts(size_t n)
{
    size_t descents = 0, sequences = 1, records = 0, fixed = 0, adjacent = 0, cycles = 0, most = 0;
    bool *const seen = calloc(n, sizeof *seen);

    assert_non_null(seen);
    for (size_t i = 0; i < n; i++) {
        descents += i > 0 && a[i] < a[i - 1];
        sequences += i > 0 && where[i] < where[i - 1];
        adjacent += i > 0 && where[i] == where[i - 1] + 1;
        fixed += where[i] == i;
        records += i == 0 || a[i] > most;
        most = a[i] > most ? a[i] : most;
        cycles += !seen[i];
        for (size_t at = i; !seen[at]; at = where[at])
            seen[at] = true;
    }
    free(seen);
    check_value("descents", n, descents);
    check_value("rising-sequences", n, sequences);
    check_value("records", n, records);
    check_value("fixed-points", n, fixed);
    check_value("adjacent", n, adjacent);
    check_value("cycles", n, cycles);
}

static void check_families(size_t n)
{
    const size_t width = n / 8;
    const struct sb_window window = find("eighths")->window(n, n);
    uint32_t distance[64], band[64] = { 0 }, eighths[64];

    find("distance")->classify(n, n, a, distance);
    find("eighths")->classify(n, n, a, eighths);
    if (n > SB_PLACED_ITEMS_MOST)
        find("band")->classify(n, n, a, band);
    for (size_t m = 0; m < 64; m++) {
        const size_t item = m * (n - 2) / 63, count = m / 8 * width;
        const size_t apart = (size_t)labs((long)where[item] - (long)where[item + 1]);
        size_t come = 0;

        assert_int_equal(distance[m], 64 * (apart - 1) / (n - 1));
        if (n > SB_PLACED_ITEMS_MOST)
            assert_int_equal(band[m], 64 * where[m * (n - 1) / 63] / n);
        for (size_t i = count; i < count + width; i++)
            come += where[i] / width == m % 8;
        if (come < window.low)
            come = window.low;
        if (come > window.low + window.cells - 1)
            come = window.low + window.cells - 1;
        assert_int_equal(window.low + eighths[m], come);
    }
}

TEST(test_cells)
{
    static const size_t items[] = { 1001, 1024, 1025, 4099, 8192, 8193, 8200, 65536, ITEMS };
    uint64_t seed = 1;

    for (size_t i = 0; i < sizeof items / sizeof items[0]; i++)
        for (int kind = 0; kind < 5; kind++) {
            arrange(items[i], kind < 2 ? kind : 2, &seed);
            check_counts(items[i]);
            check_families(items[i]);
        }
}

/* Each sampled item has a member, and its member is found from the item. */
TEST(test_members)
{
    for (size_t n = 1001; n < 3000; n += 7) {
        assert_int_equal(sb_sampled_item(n, 0), 0);
        assert_int_equal(sb_sampled_item(n, 63), n - 1);
        for (size_t m = 0; m < 64; m++)
            assert_int_equal(sb_sampled_member(n, sb_sampled_item(n, m)), m);
    }
}

/* What a large n lacks, and what only a large n has. */
TEST(test_ranges)
{
    static const char *const all[] = { "adjacent", "fixed-points",     "cycles",   "records",
                                       "descents", "rising-sequences", "distance", "eighths" };
    static const char *const none[] = { "successor", "inversions", "longest-increasing", "displacement",
                                        "first-k-set" };

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        assert_true(sb_statistic_joins(find(all[i]), 1000000, 1000000));
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        assert_false(sb_statistic_joins(find(none[i]), 1001, 1001));
    for (size_t n = 1; n <= 1000; n++) {
        assert_false(sb_statistic_joins(find("distance"), n, n));
        assert_false(sb_statistic_joins(find("eighths"), n, n));
        assert_false(sb_statistic_joins(find("band"), n, n));
    }
    assert_true(sb_statistic_joins(find("position"), 8192, 8192));
    assert_false(sb_statistic_joins(find("band"), 8192, 8192));
    assert_false(sb_statistic_joins(find("position"), 8193, 8193));
    assert_true(sb_statistic_joins(find("band"), 8193, 8193));
    assert_true(sb_statistic_joins(find("position"), 60000, 2)); /* a deal */
}
