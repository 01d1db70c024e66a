/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which permutations seeds reach: against the same generators and shuffles, written again here, with every
 * way of counting different decks, for any number of threads, and with seeds that a generator rejects.
 */
#include "unit/test.h"

#include "known/ready_scheme.h"
#include "sample/sample.h"
#include "subject/subject.h"
#include "unit/rank_threads.h"
#include "unit/vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static volatile sig_atomic_t stop;

/* The evidence of a scheme; the caller closes it. */
static struct sb_evidence reach(const char *text, size_t n, size_t deal, uint64_t first, uint64_t last, uint64_t room,
                                unsigned threads, sb_progress *progress)
{
    struct sb_scheme scheme;
    struct sb_shuffler shuffler;
    struct sb_evidence evidence;
    struct sb_error error;

    stop = 0;
    assert_int_equal(sb_scheme_parse(text, NULL, NULL, &error, &scheme), SB_OK);
    assert_int_equal(sb_shuffler_open(scheme.shuffle, n, deal, &shuffler), SB_OK);
    const struct sb_seeds seeds = {
        .recipe = { &shuffler, &scheme.draw, &scheme.rng, 0, &stop },
        .first = first,
        .last = last,
        .room = room,
        .threads = threads,
        .progress = progress,
    };
    assert_int_equal(sb_seeds_reach(&seeds, &error, &evidence), SB_OK);
    sb_shuffler_close(&shuffler);
    return evidence;
}

static struct sb_evidence reach_all(const char *text, size_t n, uint64_t last)
{
    return reach(text, n, n, 0, last, 0, 2, NULL);
}

/* Random(bound) as Delphi has it. */
static unsigned delphi(uint32_t *seed, unsigned bound)
{
    *seed = *seed * 134775813u + 1u;
    return (unsigned)((uint64_t)*seed * bound >> 32);
}

static void swap(uint8_t *a, uint8_t *b)
{
    const uint8_t held = *a;

    *a = *b;
    *b = held;
}

static void fill(uint8_t deck[], unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        deck[i] = (uint8_t)i;
}

/* The published shuffle: for each position, an exchange with Random(n - 1). */
static void deal_planet_poker(uint32_t seed, unsigned n, uint8_t deck[])
{
    fill(deck, n);
    for (unsigned i = 0; i < n; i++)
        swap(&deck[i], &deck[delphi(&seed, n - 1)]);
}

static int compare_decks(const void *a, const void *b)
{
    return memcmp(a, b, 52);
}

/* Distinct decks of n <= 52 from seeds 0..count-1, sorted whole. */
static uint64_t distinct_planet_poker(unsigned n, size_t count, uint64_t *most)
{
    uint8_t(*const decks)[52] = calloc(count, sizeof *decks);
    uint64_t distinct = 0, run = 0;

    assert_non_null(decks);
    for (size_t s = 0; s < count; s++)
        deal_planet_poker((uint32_t)s, n, decks[s]);
    qsort(decks, count, sizeof *decks, compare_decks);
    *most = 0;
    for (size_t s = 0; s < count; s++) {
        run = s > 0 && memcmp(decks[s - 1], decks[s], 52) == 0 ? run + 1 : 1;
        distinct += run == 1;
        *most = run > *most ? run : *most;
    }
    free(decks);
    return distinct;
}

/* n = 11 goes by rank, 52 by hash; at 11 some decks come up twice. */
TEST(distinct_decks_are_sorted)
{
    const unsigned sizes[] = { 11, 13, 20, 21, 52 };

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        uint64_t most;
        const uint64_t distinct = distinct_planet_poker(sizes[i], 100000, &most);
        struct sb_evidence evidence = reach_all("planet-poker/multiply:32/delphi", sizes[i], 99999);

        assert_int_equal(evidence.reach->reached, distinct);
        assert_int_equal(evidence.reach->most, most);
        assert_true(evidence.reach->reached_error == 0);
        assert_true(evidence.reach->least_known && evidence.reach->least == 0);
        assert_true(sizes[i] > 11 || most > 1);
        sb_evidence_close(&evidence);
    }
}

/* A random rotation has n results, however many seeds and cards there are. */
TEST(few_decks_are_few)
{
    struct sb_evidence evidence = reach_all("rotate/multiply:32/delphi", 52, 99999);

    assert_int_equal(evidence.reach->reached, 52);
    sb_evidence_close(&evidence);
}

/* Sorting needs 16 bytes for each seed, bits 11!/8 bytes, the estimate little. */
TEST(all_ways_agree)
{
    const char *const scheme = "naive/multiply/delphi";
    struct sb_evidence sorted = reach(scheme, 11, 11, 0, 999999, 0, 2, NULL);
    struct sb_evidence bits = reach(scheme, 11, 11, 0, 999999, 8000000, 2, NULL);
    struct sb_evidence sketch = reach(scheme, 11, 11, 0, 999999, 1, 2, NULL);
    const double exact = (double)sorted.reach->reached;

    assert_true(sorted.reach->most > 1);
    assert_int_equal(bits.reach->reached, sorted.reach->reached);
    assert_int_equal(bits.reach->most, 0);
    assert_true(bits.reach->reached_error == 0);
    assert_true(sketch.reach->reached_error > 0.0009 && sketch.reach->reached_error < 0.0011);
    assert_true(fabs((double)sketch.reach->reached - exact) < 5 * sketch.reach->reached_error * exact);
    sb_evidence_close(&sorted);
    sb_evidence_close(&bits);
    sb_evidence_close(&sketch);
}

static void compute_fair(const struct vector *v, struct vector_field got[])
{
    struct sb_evidence evidence =
        reach(v->in[0].text, (size_t)v->in[1].whole, (size_t)v->in[2].whole, 0, v->in[3].whole, 0, 2, NULL);

    got[0].whole = mpz_get_ui(evidence.reach->deals);
    got[1].real = evidence.reach->reached_fair;
    got[2].real = evidence.reach->log10_fraction;
    sb_evidence_close(&evidence);
}

TEST(known_vectors)
{
    static const struct vector_kind kinds[] = {
        { "fair", .in = "tnnne", .out = "nrr", .least = 3, .compute = compute_fair },
        { .name = NULL },
    };

    vectors_check("seeds.txt", kinds);
}

/* From 2147483563 ranlux gives zeros, from 2^29 transputer two words, both rejected: left out. */
TEST(refused_seeds_are_left_out)
{
    struct sb_evidence evidence = reach("naive/ideal/ranlux", 4, 4, 2147483560, 2147483569, 0, 2, NULL);
    struct sb_evidence alone = reach("naive/ideal/ranlux", 4, 4, 2147483563, 2147483563, 0, 2, NULL);
    struct sb_evidence stuck = reach("naive/lemire:2/transputer", 3, 3, 536870911, 536870913, 0, 1, NULL);

    assert_int_equal(evidence.reach->refused, 1);
    assert_int_equal(evidence.total, 9);
    assert_false(evidence.interrupted);
    assert_int_equal(alone.reach->refused, 1);
    assert_int_equal(alone.total, 0);
    assert_int_equal(stuck.reach->refused, 1);
    assert_int_equal(stuck.total, 2);
    sb_evidence_close(&evidence);
    sb_evidence_close(&alone);
    sb_evidence_close(&stuck);
}

static void raise_stop(void *state, const char *subject, uint64_t done, uint64_t total)
{
    stop = 1;
}

TEST(stop_flag_ends_it)
{
    const size_t sizes[] = { 5, 52 };

    for (size_t i = 0; i < 2; i++) {
        struct sb_evidence evidence =
            reach("naive/modulo/msvc-rand", sizes[i], sizes[i], 0, 20000000, 0, 2, raise_stop);
        uint64_t sum = 0;

        assert_true(evidence.interrupted && evidence.total > 0 && evidence.total < 20000000);
        for (size_t k = 0; k < evidence.cells; k++)
            sum += evidence.counts.u64[k];
        assert_int_equal(sum, i == 0 ? evidence.total : 0);
        sb_evidence_close(&evidence);
    }
}

/* Keys differ where decks do: all of 7 cards, and what one exchange makes of 300. */
TEST(keys_tell_decks_apart)
{
    static struct sb_deck_key key[300 * 299 / 2];
    uint64_t distinct, most;
    size_t count = 0;
    sb_item deck[300];

    for (; count < 5040; count++) {
        sb_permutation_unrank(7, 7, count, deck);
        key[count] = sb_deck_key(7, 7, deck);
    }
    sb_deck_key_count(key, count, 2, &distinct, &most);
    assert_int_equal(distinct, 5040);
    assert_int_equal(most, 1);
    count = 0;
    for (size_t i = 0; i < 300; i++)
        deck[i] = (sb_item)i;
    for (size_t i = 0; i < 300; i++)
        for (size_t j = 0; j < i; j++, count++) {
            deck[i] = (sb_item)j;
            deck[j] = (sb_item)i;
            key[count] = sb_deck_key(300, 300, deck);
            deck[i] = (sb_item)i;
            deck[j] = (sb_item)j;
        }
    key[17] = key[4711] = key[1];
    sb_deck_key_count(key, count, 2, &distinct, &most);
    assert_int_equal(distinct, count - 2);
    assert_int_equal(most, 3);
}

/* Within five standard errors for few keys and many, however often each is noted and whoever notes it. */
TEST(sketch_estimates)
{
    uint8_t *const one = calloc(SB_SKETCH_SIZE, 1), *const other = calloc(SB_SKETCH_SIZE, 1);
    size_t noted = 0;

    assert_true(one && other);
    assert_true(sb_sketch_estimate(one) == 0);
    for (size_t count = 1; count <= 1000000; count *= 10) {
        for (; noted < count; noted++) {
            sb_item deck[20];

            sb_permutation_unrank(20, 20, noted, deck);
            sb_sketch_add(noted % 2 ? one : other, sb_deck_key(20, 20, deck));
            sb_sketch_add(other, sb_deck_key(20, 20, deck));
        }
        sb_sketch_merge(one, other);
        assert_true(fabs(sb_sketch_estimate(one) - (double)count) < 5 * sb_sketch_error() * (double)count + 0.01);
    }
    free(one);
    free(other);
}

/* ---- reseeded ---- */

/*
 * Decks that each have a seed of their own. The seeds are those of SplitMix64, written here again from
 * doi:10.1145/2714064.2660195 (figure 14), and the deck of each seed is that of a sample with this seed.
 */

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
        const struct sb_dealt dealt = { .scheme = &ready.scheme, .n = N, .deal = N, .seed = 3 + s, .bits = sizes[s] };
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
    assert_in_range(others, 20, 80); /* binomial(100, 1/2): outside with probability 1e-9, and the seed is fixed */
    sb_feed_free(feed);
    sb_shuffler_close(&ready.shuffler);
}

/* ---- ranks share seeds, in little room, which only the sampler can be told ---- */

static struct sb_evidence reached;
static uint64_t reach_room;

/* Deals of 3 out of 160, which are just too many to be counted one by one. */
static void reach_shared(struct member *member)
{
    struct sb_scheme scheme;
    struct sb_shuffler shuffler;
    struct sb_evidence evidence;

    assert_int_equal(sb_scheme_parse("fisher-yates/modulo/msvc-rand", NULL, NULL, NULL, &scheme), SB_OK);
    assert_int_equal(sb_shuffler_open(scheme.shuffle, 160, 3, &shuffler), SB_OK);
    const struct sb_seeds seeds = {
        .recipe = { &shuffler, &scheme.draw, &scheme.rng, 0, NULL },
        .last = 39999,
        .room = reach_room,
        .threads = 1,
        .ranks = member ? &member->ranks : NULL,
    };
    assert_int_equal(sb_seeds_reach(&seeds, NULL, &evidence), SB_OK);
    sb_shuffler_close(&shuffler);
    if (!member || member->ranks.rank == 0)
        reached = evidence;
    else
        sb_evidence_close(&evidence);
}

TEST(seeds_in_little_room)
{
    const uint64_t rooms[] = { 640000, 639999, 1000 }; /* sorted, a bit for each deal, estimated */

    for (size_t i = 0; i < 3; i++) {
        reach_room = rooms[i];
        reach_shared(NULL);
        const uint64_t alone = reached.reach->reached;
        sb_evidence_close(&reached);
        ranks_run(3, reach_shared, reach_shared);
        assert_int_equal(reached.reach->reached, alone);
        assert_int_equal(reached.total, 40000);
        assert_int_equal(reached.reach->most > 0, i == 0);
        assert_int_equal(reached.reach->reached_error > 0, i == 2);
        sb_evidence_close(&reached);
    }
}
