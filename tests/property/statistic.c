/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cells of the statistics, against definitions that are written from their descriptions and not from the
 * code, for random deals of up to as many items as a statistic accepts.
 */
#include "unit/test.h"

#include "statistic/statistic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 1000 };

/* A deal, and where each item is. */
struct deal {
    size_t n, k;
    sb_item a[ITEMS];
    size_t where[ITEMS];
};

/* A random deal; any source will do. */
static void deal_shuffle(size_t n, size_t k, uint64_t *seed, struct deal *deal)
{
    deal->n = n;
    deal->k = k;
    for (size_t i = 0; i < n; i++)
        deal->a[i] = (sb_item)i;
    for (size_t i = n; i-- > 1;) {
        *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const size_t j = (size_t)(*seed >> 33) % (i + 1);
        const sb_item item = deal->a[i];

        deal->a[i] = deal->a[j];
        deal->a[j] = item;
    }
    for (size_t i = 0; i < n; i++)
        deal->where[deal->a[i]] = i;
}

static size_t by_adjacent(const struct deal *deal)
{
    size_t pairs = 0;

    for (size_t item = 0; item + 1 < deal->n; item++)
        pairs += deal->where[item + 1] == deal->where[item] + 1;
    return pairs;
}

static size_t by_fixed_points(const struct deal *deal)
{
    size_t points = 0;

    for (size_t item = 0; item < deal->n; item++)
        points += deal->where[item] == item;
    return points;
}

/* The length of the cycle of an item, and whether the item is the smallest in it. */
static size_t cycle(const struct deal *deal, size_t item, bool *smallest)
{
    size_t length = 0, at = item;

    *smallest = true;
    do {
        at = deal->where[at];
        *smallest = *smallest && at >= item;
        length++;
    } while (at != item);
    return length;
}

static size_t by_cycles(const struct deal *deal)
{
    size_t cycles = 0;
    bool smallest;

    for (size_t item = 0; item < deal->n; item++) {
        cycle(deal, item, &smallest);
        cycles += smallest;
    }
    return cycles;
}

static size_t by_cycle_of_first(const struct deal *deal)
{
    bool smallest;

    return cycle(deal, 0, &smallest);
}

static size_t by_records(const struct deal *deal)
{
    size_t records = 0;

    for (size_t i = 0; i < deal->k; i++) {
        bool above = true;

        for (size_t j = 0; j < i; j++)
            above = above && deal->a[j] < deal->a[i];
        records += above;
    }
    return records;
}

static size_t by_descents(const struct deal *deal)
{
    size_t descents = 0;

    for (size_t i = 1; i < deal->k; i++)
        descents += deal->a[i - 1] > deal->a[i];
    return descents;
}

static size_t by_rising_sequences(const struct deal *deal)
{
    size_t sequences = 1;

    for (size_t item = 1; item < deal->n; item++)
        sequences += deal->where[item] < deal->where[item - 1];
    return sequences;
}

static size_t by_inversions(const struct deal *deal)
{
    size_t inversions = 0;

    for (size_t i = 0; i < deal->k; i++)
        for (size_t j = i + 1; j < deal->k; j++)
            inversions += deal->a[i] > deal->a[j];
    return inversions;
}

static size_t by_parity(const struct deal *deal)
{
    return by_inversions(deal) % 2;
}

static size_t by_longest_increasing(const struct deal *deal)
{
    size_t length[ITEMS], longest = 0; /* of the longest that ends at each position */

    for (size_t i = 0; i < deal->k; i++) {
        length[i] = 1;
        for (size_t j = 0; j < i; j++)
            if (deal->a[j] < deal->a[i] && length[j] >= length[i])
                length[i] = length[j] + 1;
        if (length[i] > longest)
            longest = length[i];
    }
    return longest;
}

static size_t by_displacement(const struct deal *deal)
{
    size_t total = 0;

    for (size_t item = 0; item < deal->n; item++)
        total += (size_t)labs((long)deal->where[item] - (long)item);
    return total;
}

static const struct {
    const char *name;
    size_t (*value)(const struct deal *deal);
} definitions[] = {
    { "adjacent", by_adjacent },
    { "fixed-points", by_fixed_points },
    { "cycles", by_cycles },
    { "cycle-of-first", by_cycle_of_first },
    { "parity", by_parity },
    { "records", by_records },
    { "descents", by_descents },
    { "rising-sequences", by_rising_sequences },
    { "inversions", by_inversions },
    { "longest-increasing", by_longest_increasing },
    { "displacement", by_displacement },
};

static const struct sb_statistic_type *find(const char *name)
{
    const struct sb_statistic_type *const type = sb_statistic_find(name);

    assert_non_null(type);
    return type;
}

static void check_definitions(const struct deal *deal)
{
    for (size_t d = 0; d < sizeof definitions / sizeof definitions[0]; d++) {
        const struct sb_statistic_type *const type = find(definitions[d].name);
        uint32_t cell = UINT32_MAX;

        if (sb_statistic_cells(type, NULL, deal->n, deal->k) == 0)
            continue;
        assert_int_equal(sb_statistic_members(type, NULL, deal->n, deal->k), 1);
        type->classify(deal->n, deal->k, deal->a, &cell);
        if (cell != definitions[d].value(deal))
            fail_msg("%s of %zu out of %zu: %u, not %zu", type->name, deal->k, deal->n, cell,
                     definitions[d].value(deal));
        assert_true(cell < sb_statistic_cells(type, NULL, deal->n, deal->k));
    }
}

TEST(test_definitions)
{
    static const size_t items[] = { 52, 59, 60, 61, 63, 64, 65, 127, 128, 199, 200, 999, 1000 };
    uint64_t seed = 1;
    struct deal deal;

    for (size_t n = 1; n <= 40; n++)
        for (size_t k = 1; k <= n; k++) {
            deal_shuffle(n, k, &seed, &deal);
            check_definitions(&deal);
        }
    for (size_t i = 0; i < sizeof items / sizeof items[0]; i++) {
        deal_shuffle(items[i], items[i], &seed, &deal);
        check_definitions(&deal);
        deal.k = items[i] / 2;
        check_definitions(&deal);
    }
}

/* The identity and its reverse: the smallest and the largest there is. */
TEST(test_extremes)
{
    static struct deal deal = { .n = ITEMS, .k = ITEMS };

    for (size_t turned = 0; turned < 2; turned++) {
        for (size_t i = 0; i < ITEMS; i++) {
            deal.a[i] = (sb_item)(turned ? ITEMS - 1 - i : i);
            deal.where[deal.a[i]] = i;
        }
        check_definitions(&deal);
    }
}

TEST(test_successors)
{
    const struct sb_statistic_type *const successor = find("successor");
    uint64_t seed = 2;
    struct deal deal;
    uint32_t cell[ITEMS];

    for (size_t n = 1; n <= 60; n++)
        for (size_t k = 1; k <= n; k++) {
            deal_shuffle(n, k, &seed, &deal);
            successor->classify(n, k, deal.a, cell);
            for (size_t item = 0; item < n; item++) {
                const size_t at = deal.where[item];

                if (at + 1 >= k)
                    assert_int_equal(cell[item], at >= k ? n : n - 1);
                else
                    assert_int_equal((item + cell[item] + 1) % n, deal.a[at + 1]);
            }
        }
}

/* The first cards and no others decide, and their order only where it is to. */
TEST(test_first_cards)
{
    uint64_t seed = 3;
    struct deal deal;

    for (size_t n = 4; n <= 100; n++) {
        uint32_t ordered[2], set[2];
        sb_item first;

        deal_shuffle(n, n, &seed, &deal);
        find("first-k")->classify(n, n, deal.a, &ordered[0]);
        find("first-k-set")->classify(n, n, deal.a, &set[0]);
        first = deal.a[n / 2]; /* behind them */
        deal.a[n / 2] = deal.a[n - 1];
        deal.a[n - 1] = first;
        find("first-k")->classify(n, n, deal.a, &ordered[1]);
        find("first-k-set")->classify(n, n, deal.a, &set[1]);
        assert_int_equal(ordered[0], ordered[1]);
        assert_int_equal(set[0], set[1]);
        first = deal.a[0];
        deal.a[0] = deal.a[1];
        deal.a[1] = first;
        find("first-k")->classify(n, n, deal.a, &ordered[1]);
        find("first-k-set")->classify(n, n, deal.a, &set[1]);
        assert_int_not_equal(ordered[0], ordered[1]);
        assert_int_equal(set[0], set[1]);
    }
}
