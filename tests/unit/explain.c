/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Explanations: every shuffle has its texts, and each path can be walked. tests/cli/explain.py compares the tree with the report.
 */
#include "unit/test.h"

#include "core/evidence.h"
#include "exact/engine.h"
#include "study/explain/explain.h"
#include "study/results.h"
#include "subject/subject.h"

#include <stdlib.h>
#include <string.h>

static struct sb_explain *explained(const char *scheme, size_t n, size_t deal, const char *path)
{
    struct sb_explain *explain = NULL;
    struct sb_error error = { 0 };
    struct sb_request options;

    sb_request_init(&options, SB_REPORT);
    options.n = n;
    options.deal = deal;
    if (sb_explain_new(scheme, path, &options, &error, &explain))
        fail_msg("%s, path %s: %s", scheme, path ? path : "none", error.text);
    return explain;
}

/* The shuffles at their standard parameter but for those whose tree would be too large. */
static const char *small_scheme(const struct sb_shuffle_type *type)
{
    if (strcmp(type->name, "riffle") == 0)
        return "riffle:2";
    if (strcmp(type->name, "swap-or-not") == 0)
        return "swap-or-not:2";
    return strcmp(type->name, "sort-by-key") == 0 ? "sort-by-key:2" : type->name;
}

TEST(every_shuffle_has_its_words)
{
    for (size_t i = 0; i < sb_shuffle_types_count; i++) {
        const struct sb_shuffle_type *const type = sb_shuffle_types[i];

        if (!type->pseudocode || !type->why)
            fail_msg("%s has no pseudocode or no reason: see src/shuffle/shuffle.h", type->name);
        size_t lines = 0;

        for (const char *line = type->pseudocode; *line; lines++) {
            const size_t length = strcspn(line, "\n");

            if (line[length] != '\n' || length == 0 || length > 72)
                fail_msg("%s: the line '%.*s' is empty, too long or has no end", type->name, (int)length, line);
            line += length + 1;
        }
        if (lines < 2 || lines > 6)
            fail_msg("%s: %zu lines of pseudocode; about five are meant", type->name, lines);
        if (type->why[strlen(type->why) - 1] != '.' || strlen(type->why) > 600)
            fail_msg("%s: the reason is no sentence, or too long", type->name);
    }
}

/* Paths that are too many to be kept are counted by the law: at n = 6, 46656 of them. */
TEST(paths_are_counted_where_they_are_not_kept)
{
    struct sb_explain *const explain = explained("naive", 6, 6, NULL);
    uint64_t sum = 0;

    assert_int_equal(explain->paths_count, 0);
    assert_true(explain->paths_known);
    for (size_t r = 0; r < explain->orders_count; r++)
        sum += explain->order[r].paths;
    assert_int_equal(sum, 46656);
    sb_explain_free(explain);
}

/* Along each path of the tree: the walk ends in its order, with its probability, and its last step too. */
static void check_walks(const char *scheme, size_t n)
{
    struct sb_explain *const tree = explained(scheme, n, n, NULL);

    for (size_t i = 0; i < tree->paths_count; i++) {
        const struct sb_explain_path *const path = &tree->path[i];
        char text[1024] = "";

        for (size_t d = 0; d < path->length; d++)
            sprintf(text + strlen(text), "%s%u", d ? "," : "", tree->drawn[path->first + d].answer);
        struct sb_explain *const walk = explained(scheme, n, n, text);
        const size_t steps = walk->steps_count;

        assert_int_equal(walk->walk_count, path->length);
        assert_string_equal(walk->mass, path->mass);
        assert_int_equal(sb_permutation_rank(n, n, walk->result), path->rank);
        if (steps > 0) {
            assert_memory_equal(walk->deck + (steps - 1) * n, walk->result, n * sizeof *walk->result);
            assert_int_equal(walk->step[steps - 1].open, 1);
            assert_int_equal(walk->step[steps - 1].ranks[0], path->rank);
        }
        sb_explain_free(walk);
    }
    sb_explain_free(tree);
}

TEST(every_path_can_be_walked)
{
    for (size_t i = 0; i < sb_shuffle_types_count; i++)
        if (strcmp(sb_shuffle_types[i]->name, "transpositions") != 0) /* 729 paths at n = 3, 16 at n = 2 */
            check_walks(small_scheme(sb_shuffle_types[i]), 3);
    check_walks("transpositions", 2);
    check_walks("naive/modulo:2", 3);
    check_walks("redraw/modulo:3", 3);
}

/* The naive swap by hand: 0 leaves all as it is, then 2 exchanges a[1] and a[2], then 1 does so again. */
TEST(steps_are_swaps)
{
    static const sb_item decks[] = { 0, 1, 2, 0, 2, 1, 0, 1, 2 };
    static const size_t open[] = { 6, 3, 1 };
    struct sb_explain *const walk = explained("naive", 3, 3, "0,2,1");

    assert_int_equal(walk->steps_count, 3);
    assert_memory_equal(walk->deck, decks, sizeof decks);
    for (size_t k = 0; k < 3; k++) {
        assert_int_equal(walk->step[k].at, k);
        assert_int_equal(walk->step[k].open, open[k]);
        assert_string_equal(walk->walk[k].share, "1/3");
    }
    assert_string_equal(walk->mass, "1/27");
    sb_explain_free(walk);
}

/* Which answers are struck out is found out also where the path meets none of them. */
TEST(redraws_have_the_probability_of_what_is_left)
{
    static const char *const shares[] = { "1/3", "1/2", "1" };
    struct sb_explain *const walk = explained("redraw", 3, 3, "2,0,1");

    for (size_t k = 0; k < 3; k++)
        assert_string_equal(walk->walk[k].share, shares[k]);
    assert_string_equal(walk->mass, "1/6");
    sb_explain_free(walk);
}

TEST(paths_that_are_none_are_refused)
{
    static const struct {
        const char *scheme, *path, *line;
        enum sb_status status;
    } slips[] = {
        { "naive", "0,2", "path '0,2' is too short: draw 3 is below 3", SB_INVALID },
        { "naive", "", "path '' is too short: draw 1 is below 3", SB_INVALID },
        { "naive", "0,2,1,0", "is too long: the shuffle ends after 3 draws", SB_INVALID },
        { "naive", "0,3,1", "draw 2 is below 3 and cannot be 3: use 0 to 2", SB_INVALID },
        { "naive", "0,,1", "'0,,1' is no path: write the answers with commas between", SB_INVALID },
        { "naive", "0,1,2,", "is no path", SB_INVALID },
        { "naive", "0,-1,2", "is no path", SB_INVALID },
        { "naive", "0;1;2", "is no path", SB_INVALID },
        { "naive", "99999999999999999999,0,0", "is no path", SB_INVALID },
        { "naive", "4294967295,0,0", "cannot be 4294967295", SB_INVALID },
        { "redraw", "0,0,1", "at draw 2 the answer 0 is struck out", SB_INVALID },
        { "naive/modulo:1", "2,0,0", "draw 1 never gives 2", SB_INVALID },
        { "redraw/modulo:1", "0,1,0", "never ends", SB_INVALID },
        { "sort-by-key:53", "first", "keys of more than 31 bits", SB_TOO_LARGE },
        { "niave", NULL, "unknown shuffle 'niave'; did you mean naive?", SB_INVALID },
    };

    for (size_t i = 0; i < sizeof slips / sizeof slips[0]; i++) {
        struct sb_explain *explain = NULL;
        struct sb_error error = { 0 };
        struct sb_request options;

        sb_request_init(&options, SB_REPORT);
        assert_int_equal(sb_explain_new(slips[i].scheme, slips[i].path, &options, &error, &explain), slips[i].status);
        assert_null(explain);
        if (!strstr(error.text, slips[i].line))
            fail_msg("path '%s' of %s: %s", slips[i].path, slips[i].scheme, error.text);
    }
}

static const char *note(const struct sb_explain *explain, const char *about)
{
    for (size_t i = 0; i < explain->notes_count; i++)
        if (strcmp(explain->note[i].about, about) == 0)
            return explain->note[i].text;
    return "";
}

TEST(the_argument_fits_the_numbers)
{
    static const struct {
        const char *scheme;
        size_t n;
        const char *about, *words;
    } arguments[] = {
        { "naive", 2, "counting", "2^2 = 4 series of answers, all equally likely, and 2 orders: 2 for each" },
        { "naive", 3, "counting", "27 = 4 \u00D7 6 + 3: 4 for each, and 3 left over" },
        { "naive", 3, "counting", "the prime 2 divides the orders, and not the series" },
        { "naive", 3, "counting", "with n = 2, 4 series lead to 2 orders, half of them to each" },
        { "naive", 4, "counting", "the prime 3 divides the orders, and not the series" },
        { "naive", 52, "counting", "52^52 or about 1.71e89 series of answers" }, /* 52^52 = 1.7067...e89 */
        { "fisher-yates", 3, "counting", "3! = 6 series of answers, all equally likely, and 3! = 6 orders: one" },
        { "sattolo", 4, "counting", "6 series of answers, and 4! = 24 orders: that is not enough" },
        { "sort-merge", 3, "counting", "multiple of 1/8, and 1/6 is none: the prime 3 divides 6, and not 8" },
        { "fisher-yates/modulo:15", 6, "draw", "5462 words give each of 0 and 1, and 5461 each of 2, 3, 4 and 5" },
        /* the product of 1 + i/256 for i = 1 .. 51 is 129.5, and 1 + 52 51 / 2^9 is 6.2 */
        { "sort-by-key:8", 52, "shuffle", "has at least 1 + n (n-1) / 2^(B+1) times its share" },
        { "shuffle-buffer:9", 3, "shuffle", "If B is below n, just B! B^(n-B) of the" }, /* 9! 9^(3-9) < 1 */
        { "naive/modulo:15", 4, "draw", "Every bound here divides that number" },
        { "naive/round:4", 4, "draw", "A draw below 4 does not share them out evenly: 6 words" },
        { "naive/round:4", 3, "draw", "A draw below 3 cannot share them out evenly: 8 words" },
        /* 52! / 2^32 = 1.878e58, 38! / 2^32 = 1.218e35, 16! / 2^32 = 4871.5, 13! / 2^32 = 1.4498, 9!/233280 = 1.5556 */
        { "naive", 52, "seed", "At most one order in about 1.9e58 can" },
        { "fisher-yates", 38, "seed", "At most one order in about 1.2e35 can" },
        { "fisher-yates", 13, "seed", "At most one order in about 1.45 can" },
        { "fisher-yates/multiply/lcg233280", 9, "seed", "At most one order in about 1.56 can" },
        { "fisher-yates", 16, "seed", "At most one order in about 4,871 can" },
        { "naive", 3, "seed", "from 13 items on, which have 13! = 6,227,020,800 orders" },
        { "naive/modulo/sine", 4, "seed",
          "from 19 items on, which have 19! = 121,645,100,408,832,000 orders" }, /* OEIS A000142 */
    };

    for (size_t i = 0; i < sizeof arguments / sizeof arguments[0]; i++) {
        struct sb_explain *const explain = explained(arguments[i].scheme, arguments[i].n, arguments[i].n, NULL);

        if (!strstr(note(explain, arguments[i].about), arguments[i].words))
            fail_msg("%s, n = %zu: %s", arguments[i].scheme, arguments[i].n, note(explain, arguments[i].about));
        sb_explain_free(explain);
    }
}

/* 52 51 50 49 48 = 311,875,200 deals are fewer than 2^32 seeds. */
TEST(seeds_that_suffice_for_a_deal_do_not_for_a_deck)
{
    struct sb_explain *const explain = explained("fisher-yates", 52, 5, NULL);

    assert_non_null(
        strstr(note(explain, "seed"), "That is enough for all orders here; for whole decks, from 13 items on"));
    sb_explain_free(explain);
}
