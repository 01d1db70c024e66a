/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tallies: each statistic is counted as if every deal had been classified by itself, whichever way the deals
 * were counted.
 */
#include "unit/test.h"

#include "core/draws.h"
#include "tally/tally.h"

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

/* Where item `member` lies among the first `deal`; deal: nowhere. */
static size_t place_of(size_t deal, const sb_item a[], size_t member)
{
    size_t at = 0;

    while (at < deal && a[at] != member)
        at++;
    return at;
}

/* The cell of a deal by the definitions of docs/law.md and of the statistics' first comments, without their code. */
static size_t cell_of(const char *statistic, size_t n, size_t deal, const sb_item a[], size_t member)
{
    size_t cell = 0;

    if (strcmp(statistic, "position") == 0)
        return place_of(deal, a, member);
    if (strcmp(statistic, "successor") == 0) {
        const size_t at = place_of(deal, a, member);

        if (at == deal)
            return n;
        return at + 1 == deal ? n - 1 : (a[at + 1] + n - member - 1) % n;
    }
    for (size_t i = 0; i < deal; i++) {
        size_t smaller = 0; /* of the items not yet dealt */

        for (size_t j = 0; j < a[i]; j++)
            smaller += place_of(i, a, j) == i;
        if (strcmp(statistic, "rank") == 0)
            cell = cell * (n - i) + smaller;
        else if (strcmp(statistic, "descents") == 0)
            cell += i > 0 && a[i - 1] > a[i];
        else
            fail_msg("no definition of %s here", statistic);
    }
    return cell;
}

static void expect_tally(const struct sb_statistic_type *type, size_t n, size_t deal, const sb_item items[],
                         size_t count, const struct sb_tally *tally)
{
    const size_t members = sb_statistic_members(type, NULL, n, deal), cells = sb_statistic_cells(type, NULL, n, deal);
    uint64_t *const expected = calloc(members * cells, sizeof *expected);

    assert_non_null(expected);
    for (size_t d = 0; d < count; d++)
        for (size_t member = 0; member < members; member++)
            expected[member * cells + cell_of(type->name, n, deal, items + d * deal, member)]++;
    assert_string_equal(tally->statistic, type->name);
    assert_int_equal(tally->members, members);
    assert_int_equal(tally->cells, cells);
    assert_int_equal(tally->total, count);
    assert_memory_equal(tally->count, expected, members * cells * sizeof expected[0]);
    free(expected);
}

TEST(tallies_are_those_of_the_deals_one_by_one)
{
    static const struct sb_statistic_type *const types[] = { &sb_statistic_position, &sb_statistic_rank };
    const size_t shapes[][2] = {
        { 1, 1 }, { 2, 2 }, { 3, 3 }, { 4, 4 }, { 5, 5 }, { 6, 6 },  { 7, 7 },  { 52, 52 },
        { 5, 4 }, { 6, 4 }, { 8, 4 }, { 8, 3 }, { 9, 3 }, { 52, 1 }, { 52, 2 }, { 720, 1 },
    };

    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        const size_t n = shapes[i][0], deal = shapes[i][1], count = sb_cells(n, deal) ? 2 : 1;
        sb_item *const items = deals(n, deal);
        struct sb_observer *observer;
        struct sb_tally tally[2];

        assert_int_equal(sb_observer_new(NULL, n, deal, types, count, 0, false, NULL, &observer), SB_OK);
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

TEST(null_laws_that_are_not_uniform_come_along)
{
    static const struct sb_statistic_type *const types[] = { &sb_statistic_rank, &sb_statistic_position };
    struct sb_observer *observer;
    struct sb_tally tally[2];

    assert_int_equal(sb_observer_new(NULL, 5, 5, types, 2, 0, false, NULL, &observer), SB_OK);
    sb_observer_read(observer, tally);
    assert_null(tally[0].ln_p);
    assert_null(tally[1].ln_p);
    sb_observer_free(observer);
    assert_int_equal(sb_observer_new(NULL, 5, 2, types, 2, 0, false, NULL, &observer), SB_OK);
    sb_observer_read(observer, tally);
    assert_null(tally[0].ln_p);
    assert_true(fabs(exp(tally[1].ln_p[0]) - 0.2) < 1e-15);
    assert_true(fabs(exp(tally[1].ln_p[2]) - 0.6) < 1e-15);
    sb_observer_free(observer);
}

/* Deals added one by one or many times over, and by forks that are joined, make the same tallies. */
TEST(tallies_add_up)
{
    const struct sb_statistic_type *const types[] = { sb_statistic_find("successor"), sb_statistic_find("descents") };

    for (size_t n = 5; n <= 7; n++) { /* few deals by code and by rank, and many */
        sb_item *const items = deals(n, n);
        struct sb_observer *observer, *forked;
        struct sb_tally tally[2];

        assert_int_equal(sb_observer_new(NULL, n, n, types, 2, 0, false, NULL, &observer), SB_OK);
        for (size_t d = 0; d < DECKS / 3; d++)
            sb_observer_add_times(observer, items + d * n, 1);
        assert_int_equal(sb_observer_fork(observer, &forked), SB_OK);
        sb_observer_add(forked, items + DECKS / 3 * n, DECKS / 3);
        sb_observer_join(observer, forked);
        sb_observer_free(forked);
        sb_observer_add(observer, items + 2 * (DECKS / 3) * n, DECKS - 2 * (DECKS / 3));
        sb_observer_read(observer, tally);
        for (size_t type = 0; type < 2; type++)
            expect_tally(types[type], n, n, items, DECKS, &tally[type]);
        sb_observer_add_times(observer, items, 1000000);
        sb_observer_read(observer, tally);
        assert_int_equal(tally[0].total, 1000000 + DECKS);
        sb_observer_free(observer);
        free(items);
    }
}

/*
 * 52 cards have too many inversions to count each number of them: into 64 cells at most, each as likely as
 * 1/64 or more, and contiguous. The same deals as without.
 */
TEST(merged_cells_are_sums_of_cells)
{
    const struct sb_statistic_type *const inversions = sb_statistic_find("inversions");
    const struct sb_statistic_type *const cycles = sb_statistic_find("cycles");
    sb_item *const items = deals(52, 52);
    struct sb_observer *plain, *merged;
    struct sb_tally all, few;

    assert_int_equal(sb_observer_new(NULL, 52, 52, &inversions, 1, 0, false, NULL, &plain), SB_OK);
    assert_int_equal(sb_observer_new(NULL, 52, 52, &inversions, 1, 64, false, NULL, &merged), SB_OK);
    sb_observer_add(plain, items, DECKS);
    sb_observer_add(merged, items, DECKS);
    sb_observer_read(plain, &all);
    sb_observer_read(merged, &few);
    assert_null(all.first);
    assert_true(few.cells > 32 && few.cells <= 64);
    assert_int_equal(few.first[0], 0);
    assert_int_equal(few.last[few.cells - 1], all.cells - 1);
    for (size_t cell = 0; cell < few.cells; cell++) {
        uint64_t count = 0;
        double p = 0;

        for (size_t i = few.first[cell]; i <= few.last[cell]; i++) {
            count += all.count[i];
            p += exp(all.ln_p[i]);
        }
        assert_int_equal(few.count[cell], count);
        assert_true(p > 0.999999 / 64 && fabs(exp(few.ln_p[cell]) - p) < 1e-14);
    }
    sb_observer_free(plain);
    sb_observer_free(merged);
    free(items);
    assert_int_equal(sb_observer_new(NULL, 52, 52, &cycles, 1, 64, false, NULL, &merged), SB_OK);
    sb_observer_read(merged, &few);
    assert_int_equal(few.first[0], 1); /* there is no permutation without a cycle */
    assert_int_equal(few.last[0], 1);
    sb_observer_free(merged);
}

/* A family of many members has its counts in bytes, too; but not where few deals are possible and are counted first,
 * because bytes would be behind. */
TEST(bytes_are_the_counts)
{
    const struct sb_statistic_type *const positions = sb_statistic_find("position");
    const size_t n = 300;
    sb_item *const items = deals(n, n);

    for (size_t deal = 1; deal <= n; deal += n - 1) {
        struct sb_observer *observer;
        struct sb_tally tally;

        assert_int_equal(sb_observer_new(NULL, n, deal, &positions, 1, 0, true, NULL, &observer), SB_OK);
        for (size_t read = 0; read < 3; read++) {
            sb_observer_add(observer, items, deal == n ? 1 : 7);
            sb_observer_read(observer, &tally);
            assert_int_equal(tally.small != NULL, deal == n);
            for (size_t i = 0; tally.small && i < tally.members * tally.cells; i++)
                assert_int_equal(tally.small[i], tally.count[i]);
        }
        sb_observer_free(observer);
    }
    free(items);
}

/* Tallies of a statistic's own cells make, beside deals, what all deals together make. */
TEST(own_cells_are_merged_when_they_are_added)
{
    const struct sb_statistic_type *const types[] = { sb_statistic_find("inversions"), sb_statistic_find("successor"),
                                                      &sb_statistic_position };
    const size_t half = DECKS / 2;
    sb_item *const items = deals(70, 70);
    struct sb_observer *plain, *resumed, *merged;
    struct sb_tally own[3], sum[3], all[3];

    assert_int_equal(sb_observer_new(NULL, 70, 70, types, 3, 0, false, NULL, &plain), SB_OK);
    assert_int_equal(sb_observer_new(NULL, 70, 70, types, 3, 64, false, NULL, &resumed), SB_OK);
    assert_int_equal(sb_observer_new(NULL, 70, 70, types, 3, 64, false, NULL, &merged), SB_OK);
    sb_observer_add(plain, items, half);
    sb_observer_read(plain, own);
    sb_observer_resume(resumed, own);
    sb_observer_add(resumed, items + half * 70, DECKS - half);
    sb_observer_add(merged, items, DECKS);
    sb_observer_read(resumed, sum);
    sb_observer_read(merged, all);
    for (size_t i = 0; i < 3; i++) {
        assert_true(all[i].cells < own[i].cells);
        assert_int_equal(sum[i].total, DECKS);
        assert_memory_equal(sum[i].count, all[i].count, all[i].members * all[i].cells * sizeof all[i].count[0]);
    }
    sb_observer_free(plain);
    sb_observer_free(resumed);
    sb_observer_free(merged);
    free(items);
}

TEST(what_is_too_large_is_refused)
{
    static const struct sb_statistic_type *const rank = &sb_statistic_rank, *const position = &sb_statistic_position;
    struct sb_observer *observer;
    struct sb_error error = { 0 };

    assert_int_equal(sb_observer_new(NULL, 11, 11, &rank, 1, 0, false, &error, &observer), SB_TOO_LARGE);
    assert_non_null(strstr(error.text, "`n = 11` is too large for the tallies of rank: use n <= 10"));
    assert_int_equal(sb_observer_new(NULL, 8193, 8193, &position, 1, 0, false, &error, &observer), SB_TOO_LARGE);
    sb_observer_free(NULL);
}
