/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The biased draws of real programs: their laws, by trying every word with the programs' own arithmetic.
 * sampled_agrees.c has decks of most draws.
 */
#include "unit/test.h"

#include "draw/draw.h"
#include "known/counting_words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const struct sb_draw_type sb_draw_round, sb_draw_byte_modulo, sb_draw_float24, sb_draw_java_nextint;

enum { WORDS_24 = 1 << 24, BOUND_MOST = 65535 };

/* Math.round(u / 2^W * (k - 1)). Math.round(x) is floor(x + 0.5), and all values are exact. */
static uint32_t round_of(double word, double words, double k)
{
    return (uint32_t)floor(word / words * (k - 1) + 0.5);
}

/* (int)(r.nextFloat() * k) */
static uint32_t float_of(uint32_t word, uint32_t k)
{
    const float fraction = (float)word / 16777216.0F;

    return (uint32_t)(fraction * (float)k);
}

TEST(round_follows_its_law)
{
    for (unsigned width = 1; width <= 12; width++)
        for (uint32_t k = 2; k <= 60; k++) {
            const struct sb_draw draw = { &sb_draw_round, width };
            const uint64_t words = UINT64_C(1) << width;
            uint64_t count[60] = { 0 }, law[60];

            for (uint64_t u = 0; u < words; u++) {
                struct counting counting = counting_from(words - 1, u);
                const uint32_t answer = round_of((double)u, (double)words, k);

                assert_int_equal(draw.type->pick(&draw, &counting.words, k), answer);
                count[answer]++;
            }
            draw.type->law(&draw, words - 1, k, law);
            assert_memory_equal(law, count, k * sizeof law[0]);
        }
}

/* Words that are no power of two: the answer is the j with |2 u (k - 1) - 2 j words| <= words, and the larger j of two
 * such. */
TEST(round_of_whole_words_follows_its_law)
{
    const int64_t spans[] = { 2, 3, 7, 100, 243, 233280 };

    for (size_t s = 0; s < sizeof spans / sizeof spans[0]; s++)
        for (int64_t k = 2; k <= 12; k++) {
            const struct sb_draw draw = { &sb_draw_round, 0 };
            uint64_t count[12] = { 0 }, law[12];

            for (int64_t u = 0; u < spans[s]; u++) {
                struct counting counting = counting_from((uint64_t)spans[s] - 1, (uint64_t)u);
                int64_t j = k - 1;

                while (llabs(2 * u * (k - 1) - 2 * j * spans[s]) > spans[s])
                    j--;
                assert_int_equal(draw.type->pick(&draw, &counting.words, (uint32_t)k), j);
                count[j]++;
            }
            draw.type->law(&draw, (uint64_t)spans[s] - 1, (uint32_t)k, law);
            assert_memory_equal(law, count, (size_t)k * sizeof law[0]);
        }
}

/* 2^64 words: the ends have half as many as an inner answer, and none is lost. */
TEST(round_of_64_bits_does_not_overflow)
{
    const struct sb_draw draw = { &sb_draw_round, 64 };
    struct counting counting = counting_from(UINT64_MAX, UINT64_MAX);
    static uint64_t law[BOUND_MOST];
    uint64_t sum = 0;

    sb_draw_round.law(&draw, UINT64_MAX, 5, law); /* 2^64 / 4 = 2^62 */
    for (uint32_t j = 0; j < 5; j++)
        assert_true(law[j] == UINT64_C(1) << (j % 4 ? 62 : 61));
    sb_draw_round.law(&draw, UINT64_MAX, BOUND_MOST, law);
    for (uint32_t j = 0; j < BOUND_MOST; j++)
        sum += law[j];
    assert_true(sum == 0); /* 2^64 modulo 2^64 */
    assert_int_equal(draw.type->pick(&draw, &counting.words, UINT32_MAX), UINT32_MAX - 1);
}

TEST(float24_follows_its_law)
{
    const struct sb_draw draw = { &sb_draw_float24, 24 };
    const uint32_t bounds[] = { 3, 7, 52, BOUND_MOST };
    static uint64_t count[BOUND_MOST], law[BOUND_MOST];
    uint64_t moved = 0;

    for (size_t b = 0; b < sizeof bounds / sizeof bounds[0]; b++) {
        const uint32_t k = bounds[b];

        memset(count, 0, sizeof count);
        for (uint32_t u = 0; u < WORDS_24; u++) {
            const uint32_t answer = float_of(u, k);

            assert_true(answer < k);
            count[answer]++;
            moved += answer != (uint64_t)u * k / WORDS_24;
        }
        sb_draw_float24.law(&draw, WORDS_24 - 1, k, law);
        assert_memory_equal(law, count, k * sizeof law[0]);
        for (uint32_t u = 0; u < WORDS_24; u += 997) {
            struct counting counting = counting_from(WORDS_24 - 1, u);

            assert_int_equal(draw.type->pick(&draw, &counting.words, k), float_of(u, k));
        }
    }
    assert_true(moved > 0); /* the rounding matters */
}

/* No answer is the bound: the largest word is the one that might be rounded up. */
TEST(float24_stays_below_its_bound)
{
    const struct sb_draw draw = { &sb_draw_float24, 24 };

    for (uint32_t k = 2; k <= WORDS_24; k += k < BOUND_MOST ? 1 : 101) {
        struct counting counting = counting_from(WORDS_24 - 1, WORDS_24 - 1);

        assert_true(draw.type->pick(&draw, &counting.words, k) == k - 1);
    }
}

TEST(byte_modulo_follows_its_law)
{
    const struct sb_draw draw = { &sb_draw_byte_modulo, 8 };

    for (uint32_t k = 2; k <= 300; k++) {
        uint64_t count[300] = { 0 }, law[300];

        for (uint32_t byte = 0; byte < 256; byte++) {
            struct counting counting = counting_from(255, byte);

            assert_int_equal(draw.type->pick(&draw, &counting.words, k), byte % k);
            count[byte % k]++;
        }
        sb_draw_byte_modulo.law(&draw, 255, k, law);
        assert_memory_equal(law, count, k * sizeof law[0]);
    }
}

/* What nextInt(bound) of the Java documentation makes of one value of next(31); -1 if it takes another value. The sum
 * is one of 32-bit integers, which may become negative. */
static int64_t nextint_of(uint32_t bits, uint32_t k)
{
    const uint32_t value = bits % k;

    if ((k & (0 - k)) == k)
        return (int64_t)k * bits >> 31;
    return bits - value + (k - 1) > INT32_MAX ? -1 : (int64_t)value;
}

TEST(java_nextint_is_that_of_the_documentation)
{
    const struct sb_draw draw = { &sb_draw_java_nextint, 31 };
    const uint32_t bounds[] = { 2, 3, 16, 52, 65535, 1 << 30, INT32_MAX };

    for (size_t b = 0; b < sizeof bounds / sizeof bounds[0]; b++)
        for (uint32_t i = 0; i < 20000; i++) {
            /* words from all over the range, and the last ones, of which some are rejected */
            const uint32_t word = i % 2 ? INT32_MAX - i / 2 % 100 : i * UINT32_C(2654435761) >> 1;
            struct counting counting = counting_from(INT32_MAX, word);
            const uint32_t answer = draw.type->pick(&draw, &counting.words, bounds[b]);
            uint32_t taken = word;

            while (nextint_of(taken, bounds[b]) < 0)
                taken = taken == INT32_MAX ? 0 : taken + 1;
            assert_int_equal(answer, nextint_of(taken, bounds[b]));
            assert_int_equal(counting.asked,
                             (uint64_t)(taken >= word ? taken - word : INT32_MAX - word + 1 + taken) + 1);
        }
}
