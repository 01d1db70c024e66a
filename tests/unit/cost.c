/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What shuffles cost: draws, and accesses of items and keys, as their files state them and as counted by
 * hand here.
 */
#include "unit/test.h"

#include "sample/sample.h"
#include "subject/subject.h"

#include <math.h>

static struct sb_cost_counts count(const char *text, size_t n, size_t deal, size_t decks)
{
    struct sb_scheme scheme;
    struct sb_shuffler shuffler;
    struct sb_cost_counts counts;

    assert_int_equal(sb_scheme_parse(text, NULL, NULL, NULL, &scheme), SB_OK);
    assert_int_equal(sb_shuffler_open(scheme.shuffle, n, deal, &shuffler), SB_OK);
    const struct sb_recipe recipe = { &shuffler, &scheme.draw, &scheme.rng, 1, NULL };
    assert_int_equal(sb_cost_count(&recipe, decks, &counts), SB_OK);
    sb_shuffler_close(&shuffler);
    return counts;
}

/* Those that always do the same. */
TEST(counts_are_those_of_the_files)
{
    static const struct {
        const char *scheme;
        size_t n, deal;
        double draws, reads, writes;
        size_t bytes;
    } known[] = {
        { "fisher-yates", 52, 52, 51, 102, 102, 208 },
        { "fisher-yates", 52, 9, 51, 102, 102, 208 },
        { "fisher-yates-forward", 52, 9, 9, 18, 18, 208 },
        { "naive", 52, 52, 52, 104, 104, 208 },
        { "inside-out", 52, 52, 51, 104, 104, 208 },
        { "inside-out-truncated", 52, 9, 8, 16, 16, 208 },
        { "reservoir", 52, 9, 43, 86, 86, 208 },
        { "reservoir", 52, 52, 0, 0, 0, 208 },
        { "sattolo", 10, 10, 8, 18, 18, 40 },
        { "fisher-yates", 1, 1, 0, 0, 0, 4 },
        { "fisher-yates", 0, 0, 0, 0, 0, 0 },
    };

    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        const struct sb_cost_counts counts = count(known[k].scheme, known[k].n, known[k].deal, 10);

        assert_true(counts.draws == known[k].draws);
        assert_true(counts.words >= counts.draws);
        assert_true(counts.reads == known[k].reads);
        assert_true(counts.writes == known[k].writes);
        assert_int_equal(counts.bytes, known[k].bytes);
    }
}

/* A card drawn from m moves those behind it, half of m - 1 on average: reads and writes 2 n(n-1)/4, and 2 of
 * each card. 2000 decks have it within 1%, ten standard deviations. */
TEST(splicing_is_quadratic)
{
    const struct sb_cost_counts counts = count("splice", 52, 52, 2000);
    const double moved = 52 * 51 / 4.0;

    assert_true(counts.draws == 51);
    assert_true(fabs(counts.reads - (moved + 52)) < 0.01 * moved);
    assert_true(fabs(counts.writes - (moved + 52)) < 0.01 * moved);
    assert_int_equal(counts.bytes, 416); /* the deck, and another */
}

/* Who draws until a card is new draws n (1 + 1/2 + ... + 1/n) times, a standard deviation of 1.2 sqrt(n^2/D)
 * or so; and sorting by key touches deck, scratch and keys. */
TEST(redraws_and_keys)
{
    double harmonic = 0;

    for (int k = 1; k <= 52; k++)
        harmonic += 1.0 / k;
    assert_true(fabs(count("redraw", 52, 52, 2000).draws - 52 * harmonic) < 8);
    assert_true(count("sort-by-key", 52, 52, 10).draws == 52);
    assert_int_equal(count("sort-by-key", 52, 52, 10).bytes, 208 + 208 + 416);
}

/*
 * The averages that the files of these sorts state, in means of 2000 decks; the tolerances are nine standard deviations
 * or more. Quicksort of three items takes a second pivot in half of the cases. Binary insertion of three moves 1/2 +
 * 3/4 items.
 */
TEST(sorts_touch_as_many_items_as_their_files_state)
{
    static const struct {
        const char *scheme;
        size_t n;
        double accesses, tolerance;
    } known[] = {
        { "sort-insertion", 3, 9, 1 }, /* 6n - 10 + 2^(3-n) */
        { "sort-insertion", 52, 302, 5 },
        { "sort-binary-insertion", 3, 2 * 1.25 + 2 * 2, 0.5 },
        { "sort-quick", 3, 3 * 2.5 + 7 * 1.5, 1.3 },
        { "sort-by-key", 4, 5 * 3 + 6 * 4 - 3 * (25 / 12.0) - 2, 3 },
        { "sort-by-key", 16, 5 * 60 + 6 * 16 - 3 * (2436559 / 720720.0) - 2, 14 }, /* H(16) */
    };

    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        const struct sb_cost_counts counts = count(known[k].scheme, known[k].n, known[k].n, 2000);

        assert_true(fabs(counts.reads + counts.writes - known[k].accesses) < known[k].tolerance);
    }
}

/* One for each draw, unless it rejects some. */
TEST(words_are_those_that_a_draw_takes)
{
    assert_true(count("fisher-yates/modulo/msvc-rand", 10, 10, 100).words == 9);
    assert_true(count("fisher-yates/lemire:8/philox", 52, 52, 1000).words > 51);
}
