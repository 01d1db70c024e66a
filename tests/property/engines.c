/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The exact engines against the tree, and where the tree is too large against themselves: plans and their mirror
 * images have mirrored laws, and threads change nothing. tests/known/shuffle_brute.c holds the tree against loops.
 */
#include "unit/test.h"

#include "known/ready_scheme.h"
#include "property/engines_agree.h"

#include <stdio.h>
#include <string.h>

extern const struct sb_engine_type sb_engine_convolve, sb_engine_tree;

static void check(const struct sb_law *law, double leaves, const char *text, size_t n, size_t deal)
{
    const char *engine, *const differs = engines_differ(law, leaves, 0, n < 6 ? 1 : 7, &engine);

    assert_true(engine || leaves < 1e6); /* what names more leaves has a tree */
    if (differs)
        fail_msg("%s, %zu of %zu: %s lacks %s of the tree", text, deal, n, engine, differs);
}

static void check_scheme(const char *text, size_t n, size_t deal, double leaves)
{
    struct ready_scheme ready;

    ready_open(text, n, deal, &ready);
    ready.law.threads = 2;
    check(&ready.law, leaves, text, n, deal);
    sb_shuffler_close(&ready.shuffler);
}

/* A shuffle of the registry with its usual parameter, or one for which the tree is small. */
static const char *small_scheme(size_t type, const char *draw, char text[SB_SCHEME_ROOM])
{
    const char *const name = sb_shuffle_types[type]->name;
    const bool large = strcmp(name, "sort-by-key") == 0 || strcmp(name, "riffle") == 0;

    snprintf(text, SB_SCHEME_ROOM, "%s%s/%s", name, large || strcmp(name, "swap-or-not") == 0 ? ":2" : "", draw);
    return text;
}

/* Words of 22 bits: a deal may have more than 2^64 series of words although each of its permutations has fewer. */
TEST(engines_agree_with_the_tree)
{
    static const char *const draws[] = { "ideal",      "modulo:15", "modulo:4", "modulo:22",
                                         "multiply:5", "round:4",   "lemire",   "modulo" };
    char text[SB_SCHEME_ROOM];

    for (size_t t = 0; t < sb_shuffle_types_count; t++)
        for (size_t d = 0; d < sizeof draws / sizeof draws[0]; d++)
            for (size_t n = 2; n <= 5 && (sb_shuffle_types[t]->plan || d < 2); n++)
                for (size_t deal = 1; deal <= n; deal++)
                    check_scheme(small_scheme(t, draws[d], text), n, deal, 4e3);
    check_scheme("naive", 6, 3, 1e6);
    check_scheme("naive", 7, 7, 1e6);
    check_scheme("sattolo/multiply:5", 7, 7, 1e6);
    check_scheme("fisher-yates/modulo:31", 7, 7, 1e6);
    check_scheme("splice/modulo:6", 9, 3, 1e6);
    check_scheme("transpositions", 4, 4, 1e6);
    check_scheme("transpositions", 4, 2, 1e6);
    check_scheme("riffle:1", 5, 5, 1e6);
    check_scheme("sort-by-key:7", 3, 3, 1e7);
}

/* Nine draws of whether the first two change places: 2^35 series of words say yes, and as many no, which 32 bits do not
 * hold, though the mean count is small. */
TEST(counts_that_32_bits_do_not_hold)
{
    struct ready_scheme ready;

    ready_open("naive/modulo:2", 9, 9, &ready);
    for (size_t k = 0; k < ready.shuffler.count; k++)
        ready.shuffler.steps[k] = (struct sb_swap) { .at = 0, .at_bound = 2, .from = 0, .bound = 2 };
    check(&ready.law, 1e6, "swaps of two", 9, 9);
    sb_shuffler_close(&ready.shuffler);
}

/* Exchanges the first item with any, then the last two or not; but after the middle item never, by a
 * redraw. */
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

/*
 * A key has even bits, where words 0..3 modulo 3 are 0 twice: 1/2 of 1/4 and 3/4, and 1/2 of 2/4 and 2/4.
 *
 * Words 0..15 modulo 3 are 0 six times, 1 and 2 five times each: P(123) = P(132) = 6/16 * 8/16, P(213) = 5/16, P(321) =
 * P(312) = 5/16 * 8/16. The first redraw comes on the fourth path, with the weights of another branch at hand.
 */
TEST(keys_and_late_redraws_have_their_weights)
{
    static const struct {
        const char *draw;
        struct sb_shuffle_type type;
        uint64_t counts[6], total;
    } laws[] = {
        { "redraw/modulo:2", { .name = "keyed", .run = keyed_run }, { 6, 2, 4, 4, 0, 0 }, 16 },
        { "redraw/modulo:4", { .name = "late", .run = late_run }, { 48, 48, 80, 0, 40, 40 }, 256 },
    };

    for (size_t i = 0; i < 2; i++) {
        struct ready_scheme ready;
        struct sb_shuffler own;
        struct sb_evidence law;

        ready_open(laws[i].draw, 3, 3, &ready);
        assert_int_equal(sb_shuffler_open((struct sb_shuffle) { .type = &laws[i].type }, 3, 3, &own), SB_OK);
        ready.law.shuffler = &own;
        assert_int_equal(sb_engine_tree.law(&ready.law, NULL, &law), SB_OK);
        assert_memory_equal(law.counts.u64, laws[i].counts, sizeof laws[i].counts);
        assert_int_equal(law.total, laws[i].total);
        sb_evidence_close(&law);
        sb_shuffler_close(&own);
        sb_shuffler_close(&ready.shuffler);
    }
}

/*
 * Positions and items relabelled by s: a plan with its positions relabelled has its law relabelled. So the
 * eighth position and up, which lie outside a tile, are held against those within: at n = 8 and 9, beyond the
 * tree, the law of a plan and of its mirror image must be each other's mirror image.
 */
static void check_mirror(const char *text, size_t n)
{
    struct sb_evidence law, mirrored;
    struct ready_scheme ready;

    ready_open(text, n, n, &ready);
    assert_int_equal(sb_engine_convolve.law(&ready.law, NULL, &law), SB_OK);
    for (size_t k = 0; k < ready.shuffler.count; k++) {
        struct sb_swap *const step = &ready.shuffler.steps[k];

        step->at = n - step->at - step->at_bound;
        step->from = n - step->from - step->bound;
    }
    assert_int_equal(sb_engine_convolve.law(&ready.law, NULL, &mirrored), SB_OK);
    for (size_t rank = 0; rank < law.cells; rank++) {
        sb_item a[16], b[16];

        sb_permutation_unrank(n, n, rank, a);
        for (size_t j = 0; j < n; j++)
            b[j] = (sb_item)(n - 1 - a[n - 1 - j]);
        assert_true(mirrored.counts.u64[sb_permutation_rank(n, n, b)] == law.counts.u64[rank]);
    }
    sb_evidence_close(&law);
    sb_evidence_close(&mirrored);
    sb_shuffler_close(&ready.shuffler);
}

TEST(mirrored_plans_have_mirrored_laws)
{
    for (size_t t = 0; t < sb_shuffle_types_count; t++)
        for (size_t n = 8; sb_shuffle_types[t]->plan && n <= 9; n++)
            check_mirror(sb_shuffle_types[t]->name, n);
}

TEST(results_do_not_depend_on_threads)
{
    char text[SB_SCHEME_ROOM];

    for (size_t t = 0; t < sb_shuffle_types_count; t++) {
        struct sb_evidence one, many;
        struct ready_scheme ready;

        if (!sb_shuffle_types[t]->plan)
            continue;
        ready_open(small_scheme(t, "modulo:4", text), 9, 9, &ready);
        ready.law.threads = 1;
        assert_int_equal(sb_engine_convolve.law(&ready.law, NULL, &one), SB_OK);
        ready.law.threads = 5;
        assert_int_equal(sb_engine_convolve.law(&ready.law, NULL, &many), SB_OK);
        assert_true(engines_same(&one, &many, false));
        sb_evidence_close(&one);
        sb_evidence_close(&many);
        sb_shuffler_close(&ready.shuffler);
    }
}
