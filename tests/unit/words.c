/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Words that are cut into bits or shared between draws: by enumeration, every result must come from equally
 * many words.
 */
#include "unit/test.h"

#include "unit/counting_words.h"

/* A generator that counts in pairs: (0,0), (0,1), ..., (0,7), (1,0), ... of 3-bit words. */
static uint64_t pairs_next(struct sb_words *words)
{
    struct counting *pairs = (struct counting *)words;
    const uint64_t call = pairs->asked++;

    return call % 2 ? call / 2 % 8 : call / 16 % 8;
}

TEST(test_width_is_the_whole_bits)
{
    assert_int_equal(sb_words_width(1), 1);
    assert_int_equal(sb_words_width(2), 1);
    assert_int_equal(sb_words_width(3), 2);
    assert_int_equal(sb_words_width(0x7fff), 15); /* Microsoft's rand() */
    assert_int_equal(sb_words_width(32766), 14);  /* GSL's uni */
    assert_int_equal(sb_words_width(UINT32_MAX), 32);
    assert_int_equal(sb_words_width(UINT64_MAX - 1), 63);
    assert_int_equal(sb_words_width(UINT64_MAX), 64);
}

TEST(test_mask)
{
    assert_true(sb_words_mask(1) == 1);
    assert_true(sb_words_mask(53) == 9007199254740991);
    assert_true(sb_words_mask(64) == UINT64_MAX);
}

/* Spans that are a power of two and some that are not: words past the whole bits are thrown away. */
TEST(test_bits_of_one_word_are_uniform)
{
    for (uint64_t largest = 1; largest <= 40; largest++)
        for (unsigned width = 1; width <= sb_words_width(largest); width++) {
            const uint64_t used = sb_words_mask(sb_words_width(largest)) + 1;
            struct counting counting = counting_from(largest, 0);
            unsigned count[64] = { 0 };

            for (uint64_t i = 0; i < used; i++)
                count[sb_words_bits(&counting.words, width)]++;
            for (uint64_t value = 0; value <= sb_words_mask(width); value++)
                assert_int_equal(count[value], used >> width);
        }
}

TEST(test_bits_are_the_high_ones)
{
    struct counting one = counting_from(UINT64_MAX, 0x8000000000000001);
    struct counting whole = counting_from(UINT64_MAX, 0x8000000000000001);

    assert_int_equal(sb_words_bits(&one.words, 1), 1);
    assert_true(sb_words_bits(&whole.words, 64) == 0x8000000000000001);
}

TEST(test_bits_of_two_words_are_uniform)
{
    for (unsigned width = 4; width <= 6; width++) {
        struct counting pairs = { .words = { .largest = 7, .next = pairs_next } };
        unsigned count[64] = { 0 };

        for (int i = 0; i < 64; i++)
            count[sb_words_bits(&pairs.words, width)]++;
        assert_int_equal(pairs.asked, 2 * 64);
        for (unsigned value = 0; value < 1U << width; value++)
            assert_int_equal(count[value], 64U >> width);
    }
}

TEST(test_bits_joins_as_many_words_as_it_takes)
{
    struct counting coin = counting_from(1, 1);

    /* 64 words of one bit, 1 0 1 0 ..., the first the highest */
    assert_true(sb_words_bits(&coin.words, 64) == 0xaaaaaaaaaaaaaaaa);
    assert_int_equal(coin.asked, 64);
}

/* Each word in turn is asked first; where one call takes it, it counts. */
TEST(test_below_is_uniform)
{
    for (uint64_t largest = 1; largest <= 40; largest++)
        for (uint64_t bound = 1; bound <= largest + 1; bound++) {
            unsigned count[64] = { 0 };

            for (uint64_t word = 0; word <= largest; word++) {
                struct counting counting = counting_from(largest, word);
                const uint64_t place = sb_words_below(&counting.words, bound);

                assert_true(place < bound);
                count[place] += counting.asked == 1;
            }
            for (uint64_t place = 0; place < bound; place++)
                assert_int_equal(count[place], (largest + 1) / bound);
        }
}

TEST(test_below_with_words_of_64_bits)
{
    struct counting last = counting_from(UINT64_MAX, UINT64_MAX);
    struct counting half = counting_from(UINT64_MAX, UINT64_C(1) << 63);
    struct counting before = counting_from(UINT64_MAX, (UINT64_C(1) << 63) - 1);

    /* 2^64 = 3 * 6148914691236517205 + 1: the last word is rejected, and 0 follows it */
    assert_int_equal(sb_words_below(&last.words, 3), 0);
    assert_int_equal(last.asked, 2);
    assert_int_equal(sb_words_below(&half.words, 2), 1);
    assert_int_equal(sb_words_below(&before.words, 2), 0);
    assert_int_equal(sb_words_below(&half.words, 1), 0);
    assert_true(sb_words_below(&before.words, UINT64_MAX) == UINT64_C(1) << 63);
}

/* One word for ever that every draw rejects: the draws end, give 0, and say so; the next ones end at once. */
static uint64_t constant_next(struct sb_words *words)
{
    struct counting *counting = (struct counting *)words;

    counting->asked++;
    return counting->at;
}

TEST(test_words_that_are_rejected_for_ever)
{
    struct counting bits = { .words = { .largest = 6, .next = constant_next }, .at = 6 };
    struct counting below = { .words = { .largest = 6, .next = constant_next }, .at = 6 };

    assert_int_equal(sb_words_bits(&bits.words, 2), 0);
    assert_true(bits.words.stuck);
    assert_int_equal(bits.asked, SB_WORDS_REJECTED_MOST + 1);
    assert_int_equal(sb_words_bits(&bits.words, 64), 0);
    assert_in_range(bits.asked, SB_WORDS_REJECTED_MOST, SB_WORDS_REJECTED_MOST + 50);
    assert_int_equal(sb_words_below(&below.words, 5), 0);
    assert_true(below.words.stuck);
    assert_int_equal(sb_words_below(&below.words, 5), 0);
    assert_int_equal(below.asked, SB_WORDS_REJECTED_MOST + 2);
}

/* Many rejections, though not one too many, are no fault. */
TEST(test_rejections_are_no_fault)
{
    struct counting counting = counting_from((UINT64_C(1) << 21) - 1, UINT64_C(1) << 20);

    assert_int_equal(sb_words_below(&counting.words, UINT64_C(1) << 20 | 1), 1 << 20);
    assert_int_equal(sb_words_below(&counting.words, UINT64_C(1) << 20 | 1), 0);
    assert_int_equal(counting.asked, 1 + (1 << 20));
    assert_false(counting.words.stuck);
}
