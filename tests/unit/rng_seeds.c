/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Delphi's generator against published values (data/vectors/delphi.txt). Seeding anew gives the same
 * words as opening the generator, and after the last seed comes the first.
 */
#include "unit/test.h"

#include "draw/draw.h"
#include "unit/rng_words.h"
#include "unit/vectors.h"

#include <string.h>

extern const struct sb_draw_type sb_draw_multiply;

static void compute_states(const struct vector *v, struct vector_field got[])
{
    const struct sb_rng rng = rng_named("delphi");
    struct sb_words *words = words_from(&rng, v->in[0].whole);

    for (size_t i = 0; i < v->outs; i++)
        got[i].real = (int32_t)sb_words_next(words);
    sb_rng_close(words);
}

static void compute_random(const struct vector *v, struct vector_field got[])
{
    const struct sb_rng rng = rng_named("delphi");
    const struct sb_draw draw = { .type = &sb_draw_multiply, .width = 32 };
    struct sb_words *words = words_from(&rng, v->in[1].whole);

    for (size_t i = 0; i < v->outs; i++)
        got[i].whole = draw.type->pick(&draw, words, (uint32_t)v->in[0].whole);
    sb_rng_close(words);
}

TEST(test_known_vectors)
{
    static const struct vector_kind kinds[] = {
        { "states", .in = "n", .out = "r+", .least = 2, .compute = compute_states },
        { "random", .in = "nn", .out = "n+", .least = 5, .compute = compute_random },
        { .name = NULL },
    };

    vectors_check("delphi.txt", kinds);
}

/* Seeded anew, a stream is as if it had just been opened, wherever it was. */
TEST(test_reseeding_is_opening)
{
    const uint64_t seeds[] = { 0, 1, 2, 65535, 2147483646, 4294967295 };
    struct sb_rng rng;
    const char *title;

    for (size_t r = 0; sb_rng_get(r, &rng, &title); r++) {
        struct sb_words *used = words_from(&rng, 12345);

        for (size_t s = 0; s < sizeof seeds / sizeof seeds[0]; s++) {
            struct sb_words *fresh = words_from(&rng, seeds[s]);

            for (size_t i = 0; i < s; i++)
                sb_words_next(used);
            assert_int_equal(rng.type->reseed(used, seeds[s]), SB_OK);
            for (size_t i = 0; i < 1000; i++)
                assert_true(sb_words_next(used) == sb_words_next(fresh));
            sb_rng_close(fresh);
        }
        sb_rng_close(used);
    }
}

/* Where a generator says how many seeds it has, the one beyond the last gives the words of an earlier one. */
TEST(test_seeds_come_round)
{
    struct sb_rng rng;
    const char *title;

    for (size_t r = 0; sb_rng_get(r, &rng, &title); r++) {
        if (rng.type->seeds == 0)
            continue;
        struct sb_words *first = words_from(&rng, 0), *again = words_from(&rng, rng.type->seeds);

        for (size_t i = 0; i < 1000; i++)
            assert_true(sb_words_next(first) == sb_words_next(again));
        sb_rng_close(first);
        sb_rng_close(again);
    }
}
