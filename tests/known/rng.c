/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The generators against published values (data/vectors/generators.txt) and against the libraries that they
 * imitate.
 */
#include "unit/test.h"

#include "draw/draw.h"
#include "known/lanes_one.h"
#include "rng/rng.h"
#include "unit/vectors.h"

#include <Random123/philox.h>
#include <gsl/gsl_rng.h>
#include <stdlib.h>
#include <string.h>

/* Shared by the tests of generators: a generator by its name, and its words from a seed. */

static struct sb_rng rng_named(const char *name)
{
    struct sb_rng rng;
    const char *title;

    for (size_t i = 0; sb_rng_get(i, &rng, &title); i++)
        if (strcmp(rng.name, name) == 0)
            return rng;
    fail_msg("no generator is called %s", name);
    return rng;
}

static struct sb_words *words_from(const struct sb_rng *rng, uint64_t seed)
{
    struct sb_words *words = NULL;

    assert_int_equal(sb_rng_open(rng, seed, &words), SB_OK);
    assert_true(words->largest == rng->largest);
    return words;
}

extern const struct sb_rng_type sb_rng_gsl;

/* Every generator has a name of its own, a title and a span, and keeps to it. */
TEST(test_list_of_all)
{
    struct sb_rng rng, other, untouched = { .name = "untouched" };
    const char *title, *same = "untouched";
    size_t count = 0;

    for (; sb_rng_get(count, &rng, &title); count++) {
        assert_true(strlen(title) > 0);
        assert_true(rng.largest >= 1);
        for (size_t i = 0; i < count; i++) {
            assert_true(sb_rng_get(i, &other, &title));
            assert_string_not_equal(other.name, rng.name);
        }
    }
    assert_true(count > 3);
    assert_false(sb_rng_get(count, &untouched, &same));
    assert_string_equal(untouched.name, "untouched");
    assert_string_equal(same, "untouched");
    assert_true(sb_rng_get(0, &rng, &title));
    assert_string_equal(rng.name, "philox");
}

/* The header that philox is made with. */
static void compute_philox4x32(const struct vector *v, struct vector_field got[])
{
    philox4x32_ctr_t counter, output;
    philox4x32_key_t key;

    for (size_t i = 0; i < 4; i++)
        counter.v[i] = (uint32_t)v->in[1 + i].whole;
    for (size_t i = 0; i < 2; i++)
        key.v[i] = (uint32_t)v->in[5 + i].whole;
    output = philox4x32_R((unsigned)v->in[0].whole, counter, key);
    for (size_t i = 0; i < 4; i++)
        got[i].whole = output.v[i];
}

static void compute_words(const struct vector *v, struct vector_field got[])
{
    const struct sb_rng rng = rng_named(v->in[0].text);
    struct sb_words *words = words_from(&rng, v->in[1].whole);

    for (size_t i = 0; i < v->outs; i++)
        got[i].whole = sb_words_next(words);
    sb_rng_close(words);
}

static void compute_word(const struct vector *v, struct vector_field got[])
{
    const struct sb_rng rng = rng_named(v->in[0].text);
    struct sb_words *words = words_from(&rng, v->in[1].whole);

    for (uint64_t i = 0; i < v->in[2].whole; i++)
        got[0].whole = sb_words_next(words);
    sb_rng_close(words);
}

TEST(test_known_vectors)
{
    static const struct vector_kind kinds[] = {
        { "philox4x32", .in = "nxxxxxx", .out = "xxxx", .least = 3, .compute = compute_philox4x32 },
        { "words-in-hexadecimal", .in = "tn", .out = "x+", .least = 1, .compute = compute_words },
        { "words", .in = "tn", .out = "n+", .least = 5, .compute = compute_words },
        { "word", .in = "tnn", .out = "n", .least = 1, .compute = compute_word },
        { .name = NULL },
    };

    vectors_check("generators.txt", kinds);
    assert_true(rng_named("mt19937").largest == UINT32_MAX);
}

/* Output i of block b: the counter is i, then b, low halves first; the key is the seed. */
static philox4x32_ctr_t philox_output(uint64_t seed, uint64_t block, uint64_t i)
{
    const philox4x32_ctr_t counter = { { (uint32_t)i, (uint32_t)(i >> 32), (uint32_t)block, (uint32_t)(block >> 32) } };
    const philox4x32_key_t key = { { (uint32_t)seed, (uint32_t)(seed >> 32) } };

    return philox4x32_R(10, counter, key);
}

static const uint64_t philox_seed = 0x299f31d0a4093822, philox_block = 0x0370734413198a2e;

TEST(test_philox_words_follow_the_counter)
{
    const struct sb_rng rng = rng_named("philox");
    struct sb_words *words = words_from(&rng, philox_seed);

    rng.type->seek(words, philox_block);
    for (uint64_t i = 0; i < 100; i++) {
        const philox4x32_ctr_t x = philox_output(philox_seed, philox_block, i);

        assert_true(sb_words_next(words) == (x.v[0] | (uint64_t)x.v[1] << 32));
        assert_true(sb_words_next(words) == (x.v[2] | (uint64_t)x.v[3] << 32));
    }
    sb_rng_close(words);
}

#ifdef __GLIBC__
TEST(test_glibc_rand_is_that_of_the_library)
{
    const unsigned seeds[] = { 0, 1, 2, 12345, 2147483646, 2147483647, 2147483648, 4294967295 };
    const struct sb_rng rng = rng_named("glibc-rand");

    for (size_t s = 0; s < sizeof seeds / sizeof seeds[0]; s++) {
        struct sb_words *words = words_from(&rng, seeds[s]);

        srand(seeds[s]);
        for (int i = 0; i < 1000; i++)
            assert_int_equal(sb_words_next(words), rand());
        sb_rng_close(words);
    }
}
#endif

/* All of GSL's generators are here and give what gsl_rng_get() gives, counted from 0. */
TEST(test_gsl_members_are_those_of_gsl)
{
    const unsigned long seeds[] = { 0, 1, 5489, 2147483646 };

    for (const gsl_rng_type **type = gsl_rng_types_setup(); *type; type++) {
        const struct sb_rng rng = rng_named((*type)->name);

        assert_ptr_equal(rng.type, &sb_rng_gsl);
        assert_true(rng.largest == (*type)->max - (*type)->min);
        for (size_t s = 0; s < sizeof seeds / sizeof seeds[0]; s++) {
            struct sb_words *words = words_from(&rng, seeds[s]);
            gsl_rng *gsl = gsl_rng_alloc(*type);

            gsl_rng_set(gsl, seeds[s]);
            for (int i = 0; i < 1000; i++)
                assert_true(sb_words_next(words) == gsl_rng_get(gsl) - gsl_rng_min(gsl));
            gsl_rng_free(gsl);
            sb_rng_close(words);
        }
    }
}

/* 2^31 - 1 and more: seeds beyond what GSL's generators are sound for come round to the small ones. */
TEST(test_gsl_seeds_are_reduced)
{
    const struct sb_rng rng = rng_named("ran1"); /* gsl_rng_set(ran1, 2^48) writes outside of its state */
    struct sb_words *small = words_from(&rng, 5), *large = words_from(&rng, 5 + 131072 * UINT64_C(2147483647));

    for (int i = 0; i < 100; i++)
        assert_true(sb_words_next(small) == sb_words_next(large));
    sb_rng_close(small);
    sb_rng_close(large);
}

/* ranlux with the modulus of its seeding for a seed gives zeros for ever; borosh13 is 1812433253 x mod
 * 2^32. */
TEST(test_gsl_refuses_a_seed_that_leaves_it_stuck)
{
    const struct sb_rng ranlux = rng_named("ranlux"), borosh13 = rng_named("borosh13");
    struct sb_words *words = NULL;

    assert_int_equal(sb_rng_open(&ranlux, 2147483563, &words), SB_INVALID);
    assert_int_equal(sb_rng_open(&borosh13, 1073741824, &words), SB_INVALID);
    assert_null(words);
}

/* ---- rng languages ---- */

/*
 * The generators of languages, engines and web pages against what node, Java and mpmath compute, and against
 * published values (data/vectors/languages.txt).
 */

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
            return (struct sb_draw) { .type = sb_draw_types[i], .width = sb_draw_types[i]->parameter.standard };
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

static void compute_fractions(const struct vector *v, struct vector_field got[])
{
    const struct sb_rng rng = rng_named(v->in[0].text);
    struct sb_words *words = words_from(&rng, v->in[1].whole);

    for (size_t i = 0; i < v->outs; i++)
        got[i].real = (double)sb_words_next(words) / ((double)rng.largest + 1);
    sb_rng_close(words);
}

TEST(languages_test_known_vectors)
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

/* ---- rng seeds ---- */

/*
 * Delphi's generator against published values (data/vectors/delphi.txt). Seeding anew gives the same
 * words as opening the generator, and after the last seed comes the first.
 */

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

TEST(seeds_test_known_vectors)
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

/* ---- philox ---- */

/* Buffers of Philox words, on every instruction set of this machine, against Random123's own Philox. */

TEST(philox_fills_as_Random123_does)
{
    const uint64_t seed = 0x0123456789abcdef, block = 0xfedcba9876543210;
    /* the counter's second word comes up in the middle, after an even and after an odd number of groups */
    const uint64_t least = ((uint64_t)1 << 28) - 2;
    uint32_t word[64 * 5];

    for (uint64_t first = least; first < least + 2; first++) {
        sb_philox_fill(seed, block, first, 5, word);
        for (size_t k = 0; k < 64 * 5; k++) {
            const uint64_t i = 16 * (first + k / 64) + k % 16;
            const philox4x32_ctr_t x = philox(seed, (uint32_t)i, (uint32_t)(i >> 32), block);

            assert_int_equal(word[k], x.v[k / 16 % 4]);
        }
    }
}
