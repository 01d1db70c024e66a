/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tree engine: draws with their own laws, redraws, estimates of the size, limits. */
#include "unit/test.h"

#include "exact/engine.h"
#include "subject/subject.h"

#include <stdio.h>
#include <string.h>

extern const struct sb_engine_type sb_engine_tree;

/* The law of a shuffle in words. */
static const char *law_of(struct sb_scheme scheme, size_t n, size_t deal, char line[512])
{
    struct sb_shuffler shuffler;
    struct sb_evidence evidence;
    struct sb_error error;
    size_t used = 0;
    mpz_t count;

    assert_int_equal(sb_shuffler_open(scheme.shuffle, n, deal, &shuffler), SB_OK);
    const struct sb_law tree = {
        .shuffler = &shuffler,
        .draw = &scheme.draw,
        .largest = sb_draw_largest(&scheme.draw, scheme.rng.largest),
    };
    assert_int_equal(sb_tree_law(&tree, &error, &evidence), SB_OK);
    mpz_init(count);
    for (size_t rank = 0; rank < evidence.cells; rank++) {
        sb_numbers_integer(&evidence.counts, rank, count);
        used += (size_t)gmp_snprintf(line + used, 512 - used, "%Zd ", count);
    }
    mpz_clear(count);
    gmp_snprintf(line + used, 512 - used, "of %Zd", evidence.denominator);
    sb_evidence_close(&evidence);
    sb_shuffler_close(&shuffler);
    return line;
}

/* The law of a scheme in words: "4 5 5 5 4 4 of 27". */
static const char *law(const char *text, size_t n, size_t deal, char line[512])
{
    struct sb_scheme scheme;

    assert_int_equal(sb_scheme_parse(text, NULL, NULL, NULL, &scheme), SB_OK);
    return law_of(scheme, n, deal, line);
}

TEST(draws_weigh_the_branches)
{
    char line[512];

    /* 16 words: 6, 5, 5 of them for a bound of 3 and 8, 8 for a bound of 2. Position 2 is drawn first. */
    assert_string_equal(law("fisher-yates/modulo:4", 3, 3, line), "40 40 40 48 40 48 of 256");
    /* Bound 2 from 64-bit words: 2^63 each way, beyond 64 bits for the sum. */
    assert_string_equal(law("fisher-yates/modulo", 2, 2, line),
                        "9223372036854775808 9223372036854775808 of 18446744073709551616");
}

TEST(redraws_are_struck_out_not_cut_off)
{
    char line[512];

    assert_string_equal(law("redraw", 3, 3, line), "1 1 1 1 1 1 of 6");
    assert_string_equal(law("redraw", 4, 2, line), "1 1 1 1 1 1 1 1 1 1 1 1 of 12");
    /*
     * Words 0..15 modulo 3 are 0 six times, 1 and 2 five times each. P(123) = 6/16 * 5/10, P(132) the same,
     * P(213) = P(312) = 5/16 * 6/11, P(231) = P(321) = 5/16 * 5/11; the common multiple of 160 and 176 is
     * 1760.
     */
    assert_string_equal(law("redraw/modulo:4", 3, 3, line), "330 330 300 250 300 250 of 1760");
}

/* Exchanges the first item with any, then the last two or not; but after the middle item never, by a redraw.
 */
static void late_run(const struct sb_shuffle *self, struct sb_deck *deck, struct sb_source *src)
{
    struct sb_hand hand = sb_hand_take(src);
    const uint32_t first = sb_hand_below(&hand, 3);
    uint32_t last;

    do
        last = sb_hand_below(&hand, 2);
    while (first == 1 && last == 1 && sb_hand_reject(&hand, true));
    sb_hand_give(&hand);
    const sb_item item = deck->a[0];
    deck->a[0] = deck->a[first];
    deck->a[first] = item;
    if (last == 1) {
        const sb_item middle = deck->a[1];

        deck->a[1] = deck->a[2];
        deck->a[2] = middle;
    }
}

/* Exchanges the first two items or not; then, if they were not exchanged, the last two by a key of two bits, else by a
 * draw below 3. */
static void keyed_run(const struct sb_shuffle *self, struct sb_deck *deck, struct sb_source *src)
{
    const bool first = sb_draw_below(src, 2) == 1;
    const bool last = (first ? sb_draw_below(src, 3) == 0 : sb_draw_bits(src, 2) == 0);
    const sb_item item[] = { deck->a[first], deck->a[!first], deck->a[2] };

    deck->a[0] = item[0];
    deck->a[1] = item[last ? 2 : 1];
    deck->a[2] = item[last ? 1 : 2];
}

/* A key has even bits, where words 0..3 modulo 3 are 0 twice: 1/2 of 1/4 and 3/4, and 1/2 of 2/4 and 2/4. */
TEST(a_key_takes_the_place_of_a_draw)
{
    const struct sb_shuffle_type keyed = { .name = "keyed", .run = keyed_run };
    struct sb_scheme scheme;
    char line[512];

    assert_int_equal(sb_scheme_parse("redraw/modulo:2", NULL, NULL, NULL, &scheme), SB_OK);
    scheme.shuffle.type = &keyed;
    assert_string_equal(law_of(scheme, 3, 3, line), "6 2 4 4 0 0 of 16");
}

/* Words 0..15 modulo 3 are 0 six times, 1 and 2 five times each: P(123) = P(132) = 6/16 * 8/16, P(213) =
 * 5/16, P(321) = P(312) = 5/16 * 8/16. The first redraw comes on the fourth path, with the weights of another
 * branch at hand. */
TEST(the_first_redraw_may_come_late)
{
    const struct sb_shuffle_type late = { .name = "late", .run = late_run };
    struct sb_scheme scheme;
    char line[512];

    assert_int_equal(sb_scheme_parse("redraw/modulo:4", NULL, NULL, NULL, &scheme), SB_OK);
    scheme.shuffle.type = &late;
    assert_string_equal(law_of(scheme, 3, 3, line), "48 48 80 0 40 40 of 256");
}

static double leaves(const char *text, size_t n)
{
    struct sb_scheme scheme;
    struct sb_shuffler shuffler;

    assert_int_equal(sb_scheme_parse(text, NULL, NULL, NULL, &scheme), SB_OK);
    assert_int_equal(sb_shuffler_open(scheme.shuffle, n, n, &shuffler), SB_OK);
    const double estimate = sb_tree_leaves(&(struct sb_law) { .shuffler = &shuffler });
    sb_shuffler_close(&shuffler);
    return estimate;
}

TEST(sizes_are_known_beforehand)
{
    assert_true(leaves("naive", 5) == 3125);
    assert_true(leaves("fisher-yates", 6) == 720);
    assert_true(leaves("redraw", 5) == 120);
    assert_true(leaves("sort-bubble", 4) == 4096);
    assert_true(leaves("naive", 9) > SB_LEAVES_MOST);
    assert_true(leaves("sort-by-key", 3) > SB_LEAVES_MOST);
    /* a step for each of 2^31 branches would take half an hour */
    assert_true(leaves("sort-by-key:31", 30) > SB_LEAVES_MOST);
}

/* A sort of 30 items compares in more ways than can be counted. */
TEST(a_tree_that_is_too_large_has_no_odds)
{
    struct sb_scheme scheme;
    struct sb_shuffler shuffler;
    struct sb_error error;
    sb_item a[30];
    mpz_t weight[1], denominator;

    for (size_t i = 0; i < 30; i++)
        a[i] = (sb_item)i;
    mpz_inits(weight[0], denominator, NULL);
    assert_int_equal(sb_scheme_parse("sort-merge", NULL, NULL, NULL, &scheme), SB_OK);
    assert_int_equal(sb_shuffler_open(scheme.shuffle, 30, 30, &shuffler), SB_OK);
    const struct sb_law law = { .shuffler = &shuffler, .draw = &scheme.draw, .subject = "sort-merge" };

    assert_int_equal(sb_engine_tree.odds(&law, a, 1, &error, weight, denominator), SB_TOO_LARGE);
    assert_non_null(strstr(error.text, "sort-merge: n = 30 is too large for the whole law"));
    sb_shuffler_close(&shuffler);
    mpz_clears(weight[0], denominator, NULL);
}
