/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Delphi's generator against published values, and seeding anew: the same as opening, and round at the last
 * seed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "draw/draw.h"
#include "unit/rng_words.h"

#include <string.h>

extern const struct sb_draw_type sb_draw_multiply;

/* RandSeed := 0, the states by OEIS A152960, where they are signed numbers. */
static void test_delphi(void **state)
{
    const int32_t signed_states[] = { 1,           134775814,  -596792289, 870078620,  1172187917,
                                      -1410233534, 1368768587, 694906232,  1598751577, 1828254910 };
    uint64_t states[10];

    (void)state;
    for (size_t i = 0; i < 10; i++)
        states[i] = (uint32_t)signed_states[i];
    expect_words("delphi", 0, states, 10);
    expect_words("delphi", UINT64_C(1) << 32, states, 10); /* the low 32 bits of the seed count */
}

/* Random(255) by Delphi 2009: the high half of the product, so the draw multiply:32. From
 * stackoverflow.com/questions/537785. */
static void test_delphi_random(void **state)
{
    static const struct {
        uint64_t seed;
        uint32_t result[10];
    } known[] = {
        { 0, { 0, 8, 219, 51, 69, 171, 81, 41, 94, 108 } },
        { 1, { 8, 219, 51, 69, 171, 81, 41, 94, 108, 20 } },
        { 2, { 16, 176, 138, 87, 17, 246, 1, 148, 122, 188 } },
        { 9, { 72, 127, 238, 213, 219, 126, 231, 14, 217, 84 } },
        { 12, { 96, 251, 244, 11, 14, 111, 111, 175, 3, 76 } },
    };
    const struct sb_rng rng = rng_named("delphi");
    const struct sb_draw draw = { .type = &sb_draw_multiply, .width = 32 };

    (void)state;
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        struct sb_words *words = words_from(&rng, known[k].seed);

        for (size_t i = 0; i < 10; i++)
            assert_int_equal(draw.type->pick(&draw, words, 255), known[k].result[i]);
        rng.type->close(words);
    }
}

/* Seeded anew, a stream is as if it had just been opened, wherever it was. */
static void test_reseeding_is_opening(void **state)
{
    const uint64_t seeds[] = { 0, 1, 2, 65535, 2147483646, 4294967295 };
    struct sb_rng rng;
    const char *title;

    (void)state;
    for (size_t r = 0; sb_rng_get(r, &rng, &title); r++) {
        struct sb_words *used = words_from(&rng, 12345);

        for (size_t s = 0; s < sizeof seeds / sizeof seeds[0]; s++) {
            struct sb_words *fresh = words_from(&rng, seeds[s]);

            for (size_t i = 0; i < s; i++)
                sb_words_next(used);
            assert_int_equal(rng.type->reseed(used, seeds[s]), SB_OK);
            for (size_t i = 0; i < 1000; i++)
                assert_true(sb_words_next(used) == sb_words_next(fresh));
            rng.type->close(fresh);
        }
        rng.type->close(used);
    }
}

/* Where a generator says how many seeds it has, the one beyond the last gives the words of an earlier one. */
static void test_seeds_come_round(void **state)
{
    struct sb_rng rng;
    const char *title;

    (void)state;
    for (size_t r = 0; sb_rng_get(r, &rng, &title); r++) {
        if (rng.type->seeds == 0)
            continue;
        struct sb_words *first = words_from(&rng, 0), *again = words_from(&rng, rng.type->seeds);

        for (size_t i = 0; i < 1000; i++)
            assert_true(sb_words_next(first) == sb_words_next(again));
        rng.type->close(first);
        rng.type->close(again);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_delphi),
        cmocka_unit_test(test_delphi_random),
        cmocka_unit_test(test_reseeding_is_opening),
        cmocka_unit_test(test_seeds_come_round),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
