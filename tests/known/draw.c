/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bounded draws: each draw gets every possible word. The counts of its answers are compared with the law
 * that it publishes and with the arithmetic of its definition.
 */
#include "unit/test.h"

#include "draw/draw.h"
#include "known/counting_words.h"

#include <math.h>
#include <string.h>

extern const struct sb_draw_type sb_draw_ideal, sb_draw_lemire, sb_draw_modulo, sb_draw_multiply;

enum {
    BOUND_MOST = 20,
};

/* What one word becomes; *asked says how many words were taken until there was an answer. */
static uint32_t pick_of(const struct sb_draw *draw, uint64_t largest, uint64_t word, uint32_t bound, uint64_t *asked)
{
    struct counting counting = counting_from(largest, word);
    const uint32_t answer = draw->type->pick(draw, &counting.words, bound);

    assert_true(answer < bound);
    *asked = counting.asked;
    return answer;
}

/* count[j]: how many of the words 0..largest give j at once. */
static void count_picks(const struct sb_draw *draw, uint64_t largest, uint32_t bound, uint64_t count[])
{
    memset(count, 0, BOUND_MOST * sizeof count[0]);
    for (uint64_t word = 0; word <= largest; word++) {
        uint64_t asked;
        const uint32_t answer = pick_of(draw, largest, word, bound, &asked);

        count[answer] += asked == 1;
    }
}

/* Powers of two and others, smaller than some bounds and larger than all. */
static const uint64_t spans[] = { 2, 3, 4, 5, 8, 13, 16, 19, 20, 32, 33, 60, 64, 100, 243, 256, 1000 };
static const size_t spans_count = sizeof spans / sizeof spans[0];

TEST(test_whole_words_follow_the_published_law)
{
    const struct sb_draw draws[] = { { &sb_draw_modulo, 0 }, { &sb_draw_multiply, 0 } };

    for (size_t d = 0; d < 2; d++)
        for (size_t s = 0; s < spans_count; s++)
            for (uint32_t bound = 2; bound <= BOUND_MOST; bound++) {
                uint64_t count[BOUND_MOST], law[BOUND_MOST] = { 0 };

                count_picks(&draws[d], spans[s] - 1, bound, count);
                draws[d].type->law(&draws[d], spans[s] - 1, bound, law);
                assert_memory_equal(count, law, sizeof law);
            }
}

/* W bits out of 6: a law over 2^W words, of which each stands for 2^(6-W) words of the generator. */
TEST(test_words_of_w_bits_follow_the_published_law)
{
    const struct sb_draw_type *const types[] = { &sb_draw_modulo, &sb_draw_multiply };

    for (size_t t = 0; t < 2; t++)
        for (unsigned width = 1; width <= 6; width++)
            for (uint32_t bound = 2; bound <= BOUND_MOST; bound++) {
                const struct sb_draw draw = { types[t], width };
                uint64_t count[BOUND_MOST], law[BOUND_MOST] = { 0 };

                count_picks(&draw, 63, bound, count);
                draw.type->law(&draw, sb_draw_largest(&draw, 63), bound, law);
                for (uint32_t j = 0; j < bound; j++)
                    assert_int_equal(count[j], law[j] << (6 - width));
            }
}

/* Words of more than 64 bits, joined from words of 16 bits, against long division digit by digit. */
TEST(test_wide_words)
{
    static const unsigned widths[] = { 80, 128, 144, 256 };

    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++)
        for (uint32_t bound = 2; bound < 70000; bound = 3 * bound / 2 + 1) {
            const struct sb_draw draw = { &sb_draw_modulo, widths[w] };
            const uint64_t first = 60000 + bound % 4000;
            uint64_t asked, rest = 0, power = 1;

            for (unsigned digit = 0; digit < widths[w] / 16; digit++) {
                rest = (65536 * rest + (first + digit) % 65536) % bound;
                power = 65536 * power % bound;
            }
            assert_int_equal(pick_of(&draw, 65535, first, bound, &asked), rest);
            assert_int_equal(asked, widths[w] / 16);
            assert_int_equal(sb_modulo_rest(widths[w], bound), power);
        }
}

TEST(test_definitions)
{
    const struct sb_draw modulo = { &sb_draw_modulo, 0 }, multiply = { &sb_draw_multiply, 0 };

    for (uint64_t word = 0; word <= 242; word++)
        for (uint32_t bound = 2; bound <= BOUND_MOST; bound++) {
            uint64_t asked;

            assert_int_equal(pick_of(&modulo, 242, word, bound, &asked), word % bound);
            assert_int_equal(asked, 1);
            assert_int_equal(pick_of(&multiply, 242, word, bound, &asked), word * bound / 243);
            assert_int_equal(asked, 1);
        }
}

/* 2^64 = 3 q + 1 and 2^64 = 65535 r + 1, whichever draw: one answer has one word more, and it is 0. */
TEST(test_laws_of_64_bits_do_not_overflow)
{
    const struct sb_draw_type *const types[] = { &sb_draw_modulo, &sb_draw_multiply };
    static uint64_t law[65535];

    for (size_t t = 0; t < 2; t++) {
        const struct sb_draw draw = { types[t], 64 };

        types[t]->law(&draw, UINT64_MAX, 2, law);
        assert_true(law[0] == UINT64_C(1) << 63 && law[1] == UINT64_C(1) << 63);
        types[t]->law(&draw, UINT64_MAX, 3, law);
        assert_true(law[0] == UINT64_C(6148914691236517206));
        assert_true(law[1] == UINT64_C(6148914691236517205) && law[2] == law[1]);
        types[t]->law(&draw, UINT64_MAX, 65535, law);
        assert_true(law[0] == UINT64_C(281479271743490));
        for (uint32_t j = 1; j < 65535; j++)
            assert_true(law[j] == UINT64_C(281479271743489));
    }
}

/* 2^64 - 1 words: 2^64 - 1 = 3 * 5 * 17 * 257 * 641 * 65537 * 6700417, so 641 divides it. */
TEST(test_laws_of_a_span_one_short_of_64_bits)
{
    const struct sb_draw modulo = { &sb_draw_modulo, 0 }, multiply = { &sb_draw_multiply, 0 };
    static uint64_t law[641];

    sb_draw_modulo.law(&modulo, UINT64_MAX - 1, 641, law);
    for (uint32_t j = 0; j < 641; j++)
        assert_true(law[j] == UINT64_MAX / 641);
    sb_draw_multiply.law(&multiply, UINT64_MAX - 1, 641, law);
    for (uint32_t j = 0; j < 641; j++)
        assert_true(law[j] == UINT64_MAX / 641);
}

/* The laws of every span add up to it; for 2^64 words that is 0 in 64 bits. */
TEST(test_laws_add_up_to_the_span)
{
    const uint64_t largest[] = { 1, 6, 0x7fff, 0x7ffffffe, UINT32_MAX, UINT64_MAX / 2, UINT64_MAX - 1, UINT64_MAX };
    const struct sb_draw_type *const types[] = { &sb_draw_modulo, &sb_draw_multiply };
    static uint64_t law[65535];

    for (size_t t = 0; t < 2; t++)
        for (size_t l = 0; l < sizeof largest / sizeof largest[0]; l++)
            for (uint32_t bound = 2; bound <= 65535; bound = bound * 3 + 1) {
                const struct sb_draw draw = { types[t], 0 };
                uint64_t sum = 0, least = UINT64_MAX, most = 0;

                types[t]->law(&draw, largest[l], bound, law);
                for (uint32_t j = 0; j < bound; j++) {
                    sum += law[j];
                    least = law[j] < least ? law[j] : least;
                    most = law[j] > most ? law[j] : most;
                }
                assert_true(sum == largest[l] + 1);
                assert_true(most - least <= 1);
            }
}

TEST(test_picks_of_64_bits_do_not_overflow)
{
    const struct sb_draw multiply = { &sb_draw_multiply, 0 }, multiply64 = { &sb_draw_multiply, 64 };
    const struct sb_draw modulo = { &sb_draw_modulo, 0 }, lemire = { &sb_draw_lemire, 64 };
    const uint32_t bound = UINT32_MAX;
    uint64_t asked;

    assert_int_equal(pick_of(&multiply, UINT64_MAX, UINT64_MAX, bound, &asked), bound - 1);
    assert_int_equal(pick_of(&multiply64, UINT64_MAX, UINT64_MAX, bound, &asked), bound - 1);
    assert_int_equal(pick_of(&multiply, UINT64_MAX - 1, UINT64_MAX - 1, bound, &asked), bound - 1);
    assert_int_equal(pick_of(&multiply, UINT64_MAX, UINT64_C(1) << 63, 52, &asked), 26);
    assert_int_equal(pick_of(&lemire, UINT64_MAX, UINT64_MAX, bound, &asked), bound - 1);
    /* 2^64 - 1 = (2^32 - 1)(2^32 + 1) */
    assert_int_equal(pick_of(&modulo, UINT64_MAX, UINT64_MAX, bound, &asked), 0);
    assert_int_equal(pick_of(&modulo, UINT64_MAX, UINT64_MAX - 1, bound, &asked), bound - 1);
}

/* Fed with every word, each answer is given at once by exactly floor(span / bound) of them, the rest is
 * rejected. */
TEST(test_uniform_draws_are_exactly_uniform)
{
    const struct sb_draw ideal = { &sb_draw_ideal, 0 }, lemire = { &sb_draw_lemire, 0 };

    for (size_t s = 0; s < spans_count; s++)
        for (uint32_t bound = 2; bound <= BOUND_MOST && bound <= spans[s]; bound++) {
            const unsigned whole = sb_words_width(spans[s] - 1);
            uint64_t count[BOUND_MOST];

            count_picks(&ideal, spans[s] - 1, bound, count);
            for (uint32_t j = 0; j < bound; j++)
                assert_int_equal(count[j], spans[s] / bound);
            if (bound > 1U << whole)
                continue;
            count_picks(&lemire, spans[s] - 1, bound, count);
            for (uint32_t j = 0; j < bound; j++)
                assert_int_equal(count[j], (1U << whole) / bound);
        }
}

TEST(test_lemire_of_w_bits_is_exactly_uniform)
{
    for (unsigned width = 1; width <= 8; width++)
        for (uint32_t bound = 2; bound <= BOUND_MOST && bound <= 1U << width; bound++) {
            const struct sb_draw draw = { &sb_draw_lemire, width };
            uint64_t count[BOUND_MOST];

            count_picks(&draw, 255, bound, count);
            for (uint32_t j = 0; j < bound; j++)
                assert_int_equal(count[j], (1U << width) / bound << (8 - width));
        }
}

/* A bound beyond the words is answered from several: all pairs of 2-bit words, the first the high bits. */
static uint64_t pairs_next(struct sb_words *words)
{
    struct counting *pairs = (struct counting *)words;
    const uint64_t call = pairs->asked++;

    return call % 2 ? call / 2 % 4 : call / 8 % 4;
}

TEST(test_uniform_draws_join_words_for_a_large_bound)
{
    const struct sb_draw ideal = { &sb_draw_ideal, 0 }, lemire = { &sb_draw_lemire, 0 };
    const struct sb_draw *const draws[] = { &ideal, &lemire };

    for (size_t d = 0; d < 2; d++) {
        struct counting pairs = { .words = { .largest = 3, .next = pairs_next } };
        unsigned count[11] = { 0 };

        for (int i = 0; i < 11; i++) /* of the 16 pairs 5 are rejected, and each other is another answer */
            count[draws[d]->type->pick(draws[d], &pairs.words, 11)]++;
        assert_in_range(pairs.asked, 22, 32);
        for (uint32_t j = 0; j < 11; j++)
            assert_int_equal(count[j], 1);
    }
}

/* One 2-bit word for ever: 0 is rejected by Lemire's draw, 3 by the ideal one; and so are two together for a
 * bound beyond the words. */
static uint64_t constant_next(struct sb_words *words)
{
    return ((struct counting *)words)->at;
}

TEST(test_words_that_are_rejected_for_ever)
{
    const struct sb_draw draws[] = {
        { &sb_draw_lemire, 2 }, { &sb_draw_ideal, 0 }, { &sb_draw_lemire, 0 }, { &sb_draw_ideal, 0 }
    };
    const uint64_t words[] = { 0, 3, 0, 3 };
    const uint32_t bounds[] = { 3, 3, 11, 11 };

    for (size_t d = 0; d < 4; d++) {
        struct counting constant = { .words = { .largest = 3, .next = constant_next }, .at = words[d] };

        assert_int_equal(draws[d].type->pick(&draws[d], &constant.words, bounds[d]), 0);
        assert_true(constant.words.stuck);
    }
}

/* ---- words ---- */

/*
 * Words that are cut into bits or shared between draws: by enumeration, every result must come from equally
 * many words.
 */

/* A generator that counts in pairs: (0,0), (0,1), ..., (0,7), (1,0), ... of 3-bit words. */
static uint64_t words_pairs_next(struct sb_words *words)
{
    struct counting *pairs = (struct counting *)words;
    const uint64_t call = pairs->asked++;

    return call % 2 ? call / 2 % 8 : call / 16 % 8;
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

TEST(test_bits_of_two_words_are_uniform)
{
    for (unsigned width = 4; width <= 6; width++) {
        struct counting pairs = { .words = { .largest = 7, .next = words_pairs_next } };
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
static uint64_t words_constant_next(struct sb_words *words)
{
    struct counting *counting = (struct counting *)words;

    counting->asked++;
    return counting->at;
}

TEST(words_test_words_that_are_rejected_for_ever)
{
    struct counting bits = { .words = { .largest = 6, .next = words_constant_next }, .at = 6 };
    struct counting below = { .words = { .largest = 6, .next = words_constant_next }, .at = 6 };

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
