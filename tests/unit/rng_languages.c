/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The generators of languages, engines and web pages against what node, Java and mpmath compute, and against
 * published values (data/vectors/languages.txt).
 */
#include "unit/test.h"

#include "draw/draw.h"
#include "unit/rng_words.h"
#include "unit/vectors.h"

#include <string.h>

static void compute_bits(const struct vector *v, struct vector_field got[])
{
    const struct sb_rng rng = rng_named(v->in[0].text);
    struct sb_words *words = words_from(&rng, v->in[2].whole);

    for (size_t i = 0; i < v->outs; i++)
        got[i].whole = sb_words_bits(words, (unsigned)v->in[1].whole);
    sb_rng_close(words);
}

static void compute_bits_at(const struct vector *v, struct vector_field got[])
{
    const struct sb_rng rng = rng_named(v->in[0].text);
    struct sb_words *words = words_from(&rng, v->in[2].whole);

    for (uint64_t i = 0; i < v->in[3].whole; i++)
        got[0].whole = sb_words_bits(words, (unsigned)v->in[1].whole);
    sb_rng_close(words);
}

static struct sb_draw draw_named(const char *name)
{
    for (size_t i = 0; i < sb_draw_types_count; i++)
        if (strcmp(sb_draw_types[i]->name, name) == 0)
            return (struct sb_draw) { .type = sb_draw_types[i],
                                      .width = sb_draw_types[i]->parameter.standard };
    fail_msg("no draw is called %s", name);
    return (struct sb_draw) { .type = NULL };
}

static void compute_answers(const struct vector *v, struct vector_field got[])
{
    const struct sb_rng rng = rng_named(v->in[0].text);
    const struct sb_draw draw = draw_named(v->in[1].text);
    struct sb_words *words = words_from(&rng, v->in[2].whole);

    for (size_t i = 0; i < v->outs; i++)
        got[i].whole = draw.type->pick(&draw, words, (uint32_t)v->in[3].whole);
    sb_rng_close(words);
}

static void compute_words(const struct vector *v, struct vector_field got[])
{
    const struct sb_rng rng = rng_named(v->in[0].text);
    struct sb_words *words = words_from(&rng, v->in[1].whole);

    for (size_t i = 0; i < v->outs; i++)
        got[i].whole = sb_words_next(words);
    sb_rng_close(words);
}

static void compute_fractions(const struct vector *v, struct vector_field got[])
{
    const struct sb_rng rng = rng_named(v->in[0].text);
    struct sb_words *words = words_from(&rng, v->in[1].whole);

    for (size_t i = 0; i < v->outs; i++)
        got[i].real = (double)sb_words_next(words) / ((double)rng.largest + 1);
    sb_rng_close(words);
}

TEST(test_known_vectors)
{
    static const struct vector_kind kinds[] = {
        { "bits", .in = "tnn", .out = "n+", .least = 27, .compute = compute_bits },
        { "bits-at", .in = "tnnn", .out = "n", .least = 25, .compute = compute_bits_at },
        { "answers", .in = "ttnn", .out = "n+", .least = 11, .compute = compute_answers },
        { "words", .in = "tn", .out = "n+", .least = 4, .compute = compute_words },
        { "fractions", .in = "tn", .out = "r+", .absolute = 6e-11, .least = 5, .compute = compute_fractions },
        { .name = NULL },
    };

    vectors_check("languages.txt", kinds);
}

/* All 233,280 states lie on one cycle. */
TEST(test_lcg233280_has_one_cycle)
{
    const struct sb_rng rng = rng_named("lcg233280");
    struct sb_words *words = words_from(&rng, 0);
    uint64_t period = 1;

    while (sb_words_next(words) != 0)
        period++;
    assert_int_equal(period, 233280);
    assert_int_equal(rng.type->seeds, 233280);
    sb_rng_close(words);
}

/* The seeds of `sine` are places in one series of words. */
TEST(test_next_seed_of_sine_is_the_next_word)
{
    const struct sb_rng rng = rng_named("sine");
    struct sb_words *one = words_from(&rng, 12345), *other = words_from(&rng, 12346);

    sb_words_next(one);
    for (int i = 0; i < 1000; i++)
        assert_true(sb_words_next(one) == sb_words_next(other));
    sb_rng_close(one);
    sb_rng_close(other);
}
