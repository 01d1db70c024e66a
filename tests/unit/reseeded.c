/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decks that each have a seed of their own. The seeds are those of SplitMix64, written here again from
 * doi:10.1145/2714064.2660195 (figure 14), and the deck of each seed is that of a sample with this seed.
 */
#include "unit/test.h"

#include "sample/sample.h"
#include "subject/subject.h"
#include "unit/ready_scheme.h"

#include <string.h>

enum { N = 7, DECKS = 100 };

static uint64_t split_mix(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

TEST(each_deck_is_that_of_its_seed)
{
    static const unsigned sizes[] = { 1, 2, 8, 31, 32, 63, 64 };
    struct ready_scheme ready;

    ready_open("fisher-yates/lemire:32/philox", N, N, &ready);
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        const struct sb_dealt dealt = {
            .scheme = &ready.scheme, .n = N, .deal = N, .seed = 3 + s, .bits = sizes[s]
        };
        uint64_t mix = dealt.seed * 0xd1342543de82ef95; /* Steele and Vigna's multiplier keeps runs apart */
        struct sb_feed *feed;

        assert_int_equal(sb_dealt_new(&dealt, NULL, &feed), SB_OK);
        assert_int_equal(feed->n, N);
        assert_int_equal(feed->deal, N);
        for (size_t d = 0; d < DECKS; d++) {
            const struct sb_recipe recipe = {
                .shuffler = &ready.shuffler,
                .draw = &ready.scheme.draw,
                .rng = &ready.scheme.rng,
                .seed = split_mix(&mix) >> (64 - sizes[s]),
            };
            static struct sb_plain plain;

            assert_int_equal(sb_plain_open(&recipe, &plain), SB_OK);
            assert_int_equal(sb_plain_next(&plain), SB_OK);
            assert_int_equal(sb_feed_next(feed, 10, NULL), SB_OK);
            assert_int_equal(feed->count, 1);
            assert_memory_equal(feed->items, plain.deck.a, N * sizeof(sb_item));
            sb_plain_close(&plain);
        }
        sb_feed_free(feed);
    }
    sb_shuffler_close(&ready.shuffler);
}

TEST(one_bit_gives_two_decks)
{
    struct ready_scheme ready;
    struct sb_feed *feed;
    sb_item first[N], other[N];
    size_t others = 0;

    ready_open("naive", N, N, &ready);
    const struct sb_dealt dealt = { .scheme = &ready.scheme, .n = N, .deal = N, .seed = 1, .bits = 1 };

    assert_int_equal(sb_dealt_new(&dealt, NULL, &feed), SB_OK);
    for (size_t d = 0; d < DECKS; d++) {
        assert_int_equal(sb_feed_next(feed, 1, NULL), SB_OK);
        if (d == 0)
            memcpy(first, feed->items, sizeof first);
        if (memcmp(first, feed->items, sizeof first) == 0)
            continue;
        if (others++ == 0)
            memcpy(other, feed->items, sizeof other);
        assert_memory_equal(feed->items, other, sizeof other);
    }
    assert_in_range(others, 20,
                    80); /* binomial(100, 1/2): outside with probability 1e-9, and the seed is fixed */
    sb_feed_free(feed);
    sb_shuffler_close(&ready.shuffler);
}
