/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Properties of every registered shuffle, whatever its law. */
#include "unit/test.h"

#include "core/core.h"
#include "shuffle/shuffle.h"

#include <stdlib.h>
#include <string.h>

/* A source of draws for tests: Vigna's SplitMix64, which can be told to fail. */
struct test_source {
    struct sb_source src;
    uint64_t state;
    uint64_t draws; /* answered so far */
    uint64_t last;  /* after so many it fails */
};

static uint64_t test_word(struct test_source *test)
{
    uint64_t z = test->state += UINT64_C(0x9e3779b97f4a7c15);

    if (test->draws == test->last)
        test->src.status = SB_BROKEN;
    if (test->src.status)
        return 0;
    test->draws++;
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static uint32_t test_choose(struct sb_source *src, uint32_t bound)
{
    assert_true(bound >= 2);
    return (uint32_t)((test_word((struct test_source *)src) >> 32) * bound >> 32);
}

static uint64_t test_bits(struct sb_source *src, unsigned bits)
{
    assert_in_range(bits, 1, 64);
    return test_word((struct test_source *)src) >> (64 - bits);
}

static struct test_source source(uint64_t seed, uint64_t last)
{
    return (struct test_source) {
        .src = { .choose = test_choose, .bits = test_bits },
        .state = seed,
        .last = last,
    };
}

static const size_t sizes[] = { 0, 1, 2, 3, 7, 64, 100 };
enum { SIZES = sizeof sizes / sizeof sizes[0] };

/* A shuffle made ready, and its deck. */
struct table {
    struct sb_shuffler shuffler;
    struct sb_deck deck;
};

static struct table sit_down(const struct sb_shuffle_type *type, uint64_t parameter, size_t n, size_t deal)
{
    const struct sb_shuffle shuffle = { .type = type, .parameter = parameter };
    struct table table;

    assert_int_equal(sb_shuffler_open(shuffle, n, deal, &table.shuffler), SB_OK);
    assert_int_equal(sb_deck_open(n, deal, &table.deck), SB_OK);
    return table;
}

static void stand_up(struct table *table)
{
    sb_deck_close(&table->deck);
    sb_shuffler_close(&table->shuffler);
}

TEST(test_descriptors_are_sound)
{
    assert_true(sb_shuffle_types_count > 0);
    for (size_t t = 0; t < sb_shuffle_types_count; t++) {
        const struct sb_shuffle_type *const type = sb_shuffle_types[t];

        assert_non_null(type->name);
        assert_non_null(type->title);
        assert_true((type->plan != NULL) != (type->run != NULL)); /* data or code, not both */
        if (type->parameter.name)
            assert_in_range(type->parameter.standard, type->parameter.low, type->parameter.high);
        assert_true(type->by_name_only == (t >= sb_shuffles_unnamed())); /* they are the last of the list */
        for (size_t u = 0; u < t; u++)
            assert_string_not_equal(type->name, sb_shuffle_types[u]->name);
    }
}

TEST(test_plans_stay_in_range)
{
    for (size_t t = 0; t < sb_shuffle_types_count; t++)
        for (size_t s = 0; sb_shuffle_types[t]->plan && s < SIZES; s++)
            for (size_t deal = 0; sizes[s] >= 2 && deal <= sizes[s]; deal++) {
                const size_t n = sizes[s];
                struct table table = sit_down(sb_shuffle_types[t], sb_shuffle_types[t]->parameter.standard, n, deal);

                for (size_t k = 0; k < table.shuffler.count; k++) {
                    const struct sb_swap step = table.shuffler.steps[k];

                    assert_true(step.at_bound >= 1 && step.at + step.at_bound <= n);
                    assert_true(step.bound >= 1 && step.from + step.bound <= n);
                }
                stand_up(&table);
            }
}

TEST(test_every_shuffle_makes_a_permutation)
{
    for (size_t t = 0; t < sb_shuffle_types_count; t++)
        for (size_t s = 0; s < SIZES; s++) {
            const size_t n = sizes[s];
            struct table table = sit_down(sb_shuffle_types[t], sb_shuffle_types[t]->parameter.standard, n, n);
            struct test_source test = source(1, UINT64_MAX);

            for (int trial = 0; trial < 20; trial++) {
                sb_shuffler_run(&table.shuffler, &table.deck, &test.src);
                assert_true(sb_permutation_valid(n, n, table.deck.a));
            }
            assert_true(n >= 2 || test.draws == 0);
            stand_up(&table);
        }
}

/* Whether the shuffle deals wrongly by taking another way for a deal than for the deck. */
static bool deals_wrongly(const struct sb_shuffle_type *type)
{
    static const char *const names[] = { "inside-out-truncated", "fisher-yates-partial-head", "reservoir", "floyd",
                                         "array-rand" };
    bool wrongly = false;

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        wrongly = wrongly || strcmp(type->name, names[i]) == 0;
    return wrongly;
}

/* With the same draws a deal is the start of the whole shuffle, also where the algorithm stops early. */
TEST(test_a_deal_is_the_start_of_the_shuffle)
{
    for (size_t t = 0; t < sb_shuffle_types_count; t++)
        for (size_t s = 0; s < SIZES && !deals_wrongly(sb_shuffle_types[t]); s++)
            for (size_t deal = 1; deal < sizes[s]; deal++) {
                const uint64_t parameter = sb_shuffle_types[t]->parameter.standard;
                struct table whole = sit_down(sb_shuffle_types[t], parameter, sizes[s], sizes[s]);
                struct table part = sit_down(sb_shuffle_types[t], parameter, sizes[s], deal);
                struct test_source one = source(deal, UINT64_MAX), same = one;

                sb_shuffler_run(&whole.shuffler, &whole.deck, &one.src);
                sb_shuffler_run(&part.shuffler, &part.deck, &same.src);
                assert_memory_equal(part.deck.a, whole.deck.a, deal * sizeof *part.deck.a);
                stand_up(&whole);
                stand_up(&part);
            }
}

TEST(test_some_shuffles_stop_after_the_deal)
{
    static const char *const names[] = { "fisher-yates-forward", "fisher-yates-original", "splice" };

    for (size_t t = 0; t < sb_shuffle_types_count; t++)
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
            for (size_t deal = 0; deal <= 52 && strcmp(sb_shuffle_types[t]->name, names[i]) == 0; deal++) {
                struct table table = sit_down(sb_shuffle_types[t], 0, 52, deal);
                struct test_source test = source(1, UINT64_MAX);

                sb_shuffler_run(&table.shuffler, &table.deck, &test.src);
                assert_int_equal(test.draws, deal < 52 ? deal : 51); /* the last card is no choice */
                stand_up(&table);
            }
}

/* Scratch may hold anything before: a deck is used for many shuffles, of many kinds. */
TEST(test_scratch_does_not_matter)
{
    for (size_t t = 0; t < sb_shuffle_types_count; t++) {
        const size_t n = 100;
        struct table table = sit_down(sb_shuffle_types[t], sb_shuffle_types[t]->parameter.standard, n, n);
        struct test_source one = source(3, UINT64_MAX), same = one;
        sb_item first[100];

        sb_shuffler_run(&table.shuffler, &table.deck, &one.src);
        memcpy(first, table.deck.a, sizeof first);
        memset(table.deck.a, 0xff, n * sizeof *table.deck.a);
        memset(table.deck.b, 0xff, n * sizeof *table.deck.b);
        memset(table.deck.key, 0xff, n * sizeof *table.deck.key);
        sb_shuffler_run(&table.shuffler, &table.deck, &same.src);
        assert_memory_equal(table.deck.a, first, sizeof first);
        stand_up(&table);
    }
}

/* A source that fails at once, or in the middle, and answers 0 from then on. What the deck holds then is of
 * no meaning, but the shuffle ends and stays in its arrays. */
TEST(test_every_shuffle_ends_when_its_source_fails)
{
    for (size_t t = 0; t < sb_shuffle_types_count; t++)
        for (size_t s = 0; s < SIZES; s++)
            for (uint64_t last = 0; last <= 5; last += 5) {
                const size_t n = sizes[s];
                struct table table = sit_down(sb_shuffle_types[t], sb_shuffle_types[t]->parameter.standard, n, n);
                struct test_source test = source(1, last);

                sb_shuffler_run(&table.shuffler, &table.deck, &test.src);
                for (size_t j = 0; j < n; j++)
                    assert_true(table.deck.a[j] < n);
                stand_up(&table);
            }
}

static uint32_t always_lowest(struct sb_source *src, uint32_t bound)
{
    return 0;
}

static uint32_t always_highest(struct sb_source *src, uint32_t bound)
{
    return bound - 1;
}

/* Sorts are at their worst when a coin always falls the same way: as deep as they go, and still in their
 * arrays. */
TEST(test_sorts_bear_coins_that_always_fall_alike)
{
    const size_t n = 2000;

    for (size_t t = 0; t < sb_shuffle_types_count; t++) {
        const struct sb_shuffle_type *const type = sb_shuffle_types[t];

        if (strncmp(type->name, "sort-", 5) != 0 || type->parameter.name)
            continue;
        struct table table = sit_down(type, 0, n, n);
        struct sb_source low = { .choose = always_lowest }, high = { .choose = always_highest };

        sb_shuffler_run(&table.shuffler, &table.deck, &low);
        assert_true(sb_permutation_valid(n, n, table.deck.a));
        sb_shuffler_run(&table.shuffler, &table.deck, &high);
        assert_true(sb_permutation_valid(n, n, table.deck.a));
        stand_up(&table);
    }
}

/* The keys are replayed from the same seed: they ascend, and where they are equal the items do. */
static void check_sorted_by_key(const struct sb_shuffle_type *type, unsigned bits, size_t n)
{
    struct table table = sit_down(type, bits, n, n);
    struct test_source test = source(n, UINT64_MAX), replay = test;
    uint64_t *const key = calloc(n, sizeof *key);

    assert_non_null(key);
    for (size_t i = 0; i < n; i++)
        key[i] = sb_draw_bits(&replay.src, bits);
    sb_shuffler_run(&table.shuffler, &table.deck, &test.src);
    assert_true(sb_permutation_valid(n, n, table.deck.a));
    for (size_t j = 1; j < n; j++) {
        const sb_item before = table.deck.a[j - 1], after = table.deck.a[j];

        assert_true(key[before] < key[after] || (key[before] == key[after] && before < after));
    }
    free(key);
    stand_up(&table);
}

TEST(test_sort_by_key_is_a_stable_sort)
{
    static const size_t lengths[] = { 2, 15, 16, 17, 31, 32, 33, 64, 100, 1000, 65535 };
    static const unsigned widths[] = { 1, 2, 8, 53, 64 };

    for (size_t t = 0; t < sb_shuffle_types_count; t++)
        for (size_t l = 0; strcmp(sb_shuffle_types[t]->name, "sort-by-key") == 0 && l < 11; l++)
            for (size_t w = 0; w < 5; w++)
                check_sorted_by_key(sb_shuffle_types[t], widths[w], lengths[l]);
}
