/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The generators against published values (data/vectors/generators.txt) and against the libraries that they
 * imitate.
 */
#include "unit/test.h"

#include "unit/rng_words.h"
#include "unit/vectors.h"

#include <Random123/philox.h>
#include <gsl/gsl_rng.h>
#include <stdlib.h>
#include <string.h>

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
    const philox4x32_ctr_t counter = { { (uint32_t)i, (uint32_t)(i >> 32), (uint32_t)block,
                                         (uint32_t)(block >> 32) } };
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

/* A stream begins with block 0. */
TEST(test_philox_opens_at_block_0)
{
    const struct sb_rng rng = rng_named("philox");
    struct sb_words *opened = words_from(&rng, 7), *sought = words_from(&rng, 7);

    rng.type->seek(sought, 0);
    for (int i = 0; i < 10; i++)
        assert_true(sb_words_next(opened) == sb_words_next(sought));
    sb_rng_close(opened);
    sb_rng_close(sought);
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
    struct sb_words *small = words_from(&rng, 5),
                    *large = words_from(&rng, 5 + 131072 * UINT64_C(2147483647));

    for (int i = 0; i < 100; i++)
        assert_true(sb_words_next(small) == sb_words_next(large));
    sb_rng_close(small);
    sb_rng_close(large);
}

/* ranlux with the modulus of its seeding for a seed gives zeros for ever; borosh13 is 1812433253 x mod 2^32.
 */
TEST(test_gsl_refuses_a_seed_that_leaves_it_stuck)
{
    const struct sb_rng ranlux = rng_named("ranlux"), borosh13 = rng_named("borosh13");
    struct sb_words *words = NULL;

    assert_int_equal(sb_rng_open(&ranlux, 2147483563, &words), SB_INVALID);
    assert_int_equal(sb_rng_open(&borosh13, 1073741824, &words), SB_INVALID);
    assert_null(words);
}
