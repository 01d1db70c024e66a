/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Explanations: every shuffle has its texts, the tree adds up to the exact law, and each path can be walked.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/evidence.h"
#include "exact/engine.h"
#include "study/explain/explain.h"
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

static void every_shuffle_has_its_words(void **state)
{
    for (size_t i = 0; i < sb_shuffle_types_count; i++) {
        const struct sb_shuffle_type *const type = sb_shuffle_types[i];

        if (!type->pseudocode || !type->why)
            fail_msg("%s has no pseudocode or no reason: see src/shuffle/shuffle.h", type->name);
        size_t lines = 0;

        for (const char *line = type->pseudocode; *line; lines++) {
            const size_t length = strcspn(line, "\n");

            if (line[length] != '\n' || length == 0 || length > 72)
                fail_msg("%s: the line '%.*s' is empty, too long or has no end", type->name, (int)length,
                         line);
            line += length + 1;
        }
        if (lines < 2 || lines > 6)
            fail_msg("%s: %zu lines of pseudocode; about five are meant", type->name, lines);
        if (type->why[strlen(type->why) - 1] != '.' || strlen(type->why) > 600)
            fail_msg("%s: the reason is no sentence, or too long", type->name);
    }
}

/* That the paths' probabilities, added up by order, are the law of the engine `tree`. */
static void assert_tree(const struct sb_explain *explain, const struct sb_evidence *law)
{
    uint64_t *const paths = calloc(law->cells, sizeof *paths);
    mpq_t sum, one;

    mpq_inits(sum, one, NULL);
    assert_int_equal(explain->orders_count, law->cells);
    for (size_t r = 0; r < law->cells; r++) {
        mpq_set_ui(sum, 0, 1);
        for (size_t i = 0; i < explain->paths_count; i++)
            if (explain->path[i].rank == r) {
                mpq_set_str(one, explain->path[i].mass, 10);
                mpq_add(sum, sum, one);
                paths[r]++;
            }
        sb_evidence_fraction(law, r, one);
        assert_true(mpq_equal(sum, one));
        mpq_set_str(one, explain->order[r].mass, 10);
        assert_true(mpq_equal(sum, one));
        assert_int_equal(explain->order[r].paths, paths[r]);
    }
    mpq_clears(sum, one, NULL);
    free(paths);
}

static void check_tree(const char *scheme, size_t n, size_t deal)
{
    struct sb_explain *const explain = explained(scheme, n, deal, NULL);
    struct sb_scheme parsed;
    struct sb_shuffler shuffler;
    struct sb_evidence evidence;

    assert_int_equal(sb_scheme_parse(scheme, NULL, NULL, NULL, &parsed), SB_OK);
    assert_int_equal(sb_shuffler_open(parsed.shuffle, n, deal, &shuffler), SB_OK);
    const struct sb_law law = {
        .shuffler = &shuffler,
        .draw = &parsed.draw,
        .largest = sb_draw_largest(&parsed.draw, parsed.rng.largest),
    };

    assert_int_equal(sb_tree_law(&law, NULL, &evidence), SB_OK);
    assert_true(explain->paths_count > 0);
    assert_tree(explain, &evidence);
    sb_evidence_close(&evidence);
    sb_shuffler_close(&shuffler);
    sb_explain_free(explain);
}

static void trees_add_up_to_the_law(void **state)
{
    for (size_t i = 0; i < sb_shuffle_types_count; i++) {
        char scheme[128];

        for (size_t n = 0; n <= 3; n++)
            check_tree(small_scheme(sb_shuffle_types[i]), n, n);
        check_tree(small_scheme(sb_shuffle_types[i]), 3, 2);
        snprintf(scheme, sizeof scheme, "%s/modulo:4", small_scheme(sb_shuffle_types[i]));
        check_tree(scheme, 3, 3);
    }
}

static void the_naive_swap_has_27_paths(void **state)
{
    static const uint64_t paths[] = { 4, 5, 5, 5, 4, 4 }; /* 123 132 213 231 312 321 */
    struct sb_explain *const explain = explained("naive", 3, 3, NULL);

    assert_int_equal(explain->paths_count, 27);
    assert_true(explain->even);
    for (size_t r = 0; r < 6; r++)
        assert_int_equal(explain->order[r].paths, paths[r]);
    assert_int_equal(explain->groups_count, 2);
    assert_string_equal(explain->group[0].order->mass, "5/27");
    assert_string_equal(explain->total, "6");
    assert_string_equal(explain->series, "27");
    sb_explain_free(explain);
}

/* Paths that are too many to be kept are counted by the law: at n = 6, 46656 of them. */
static void paths_are_counted_where_they_are_not_kept(void **state)
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

static void every_path_can_be_walked(void **state)
{
    for (size_t i = 0; i < sb_shuffle_types_count; i++)
        if (strcmp(sb_shuffle_types[i]->name, "transpositions") != 0) /* 729 paths at n = 3, 16 at n = 2 */
            check_walks(small_scheme(sb_shuffle_types[i]), 3);
    check_walks("transpositions", 2);
    check_walks("naive/modulo:2", 3);
    check_walks("redraw/modulo:3", 3);
}

/* The naive swap by hand: 0 leaves all as it is, then 2 exchanges a[1] and a[2], then 1 does so again. */
static void steps_are_swaps(void **state)
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
static void redraws_have_the_probability_of_what_is_left(void **state)
{
    static const char *const shares[] = { "1/3", "1/2", "1" };
    struct sb_explain *const walk = explained("redraw", 3, 3, "2,0,1");

    for (size_t k = 0; k < 3; k++)
        assert_string_equal(walk->walk[k].share, shares[k]);
    assert_string_equal(walk->mass, "1/6");
    sb_explain_free(walk);
}

static void paths_that_are_none_are_refused(void **state)
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
        assert_int_equal(sb_explain_new(slips[i].scheme, slips[i].path, &options, &error, &explain),
                         slips[i].status);
        assert_null(explain);
        if (!strstr(error.text, slips[i].line))
            fail_msg("path '%s' of %s: %s", slips[i].path, slips[i].scheme, error.text);
    }
}

/* Where there is nothing to draw, and where there is too much: words, but neither tree nor orders. */
static void any_n_is_explained(void **state)
{
    for (size_t i = 0; i < sb_shuffle_types_count; i++) {
        struct sb_explain *const large = explained(small_scheme(sb_shuffle_types[i]), 1000, 1000, NULL);
        struct sb_explain *const none = explained(small_scheme(sb_shuffle_types[i]), 0, 0, "");

        assert_int_equal(large->paths_count + large->orders_count, 0);
        assert_true(large->notes_count >= 2);
        assert_true(none->walked);
        assert_int_equal(none->steps_count, 0);
        assert_string_equal(none->mass, "1");
        sb_explain_free(large);
        sb_explain_free(none);
    }
}

static const char *note(const struct sb_explain *explain, const char *about)
{
    for (size_t i = 0; i < explain->notes_count; i++)
        if (strcmp(explain->note[i].about, about) == 0)
            return explain->note[i].text;
    return "";
}

static void the_argument_fits_the_numbers(void **state)
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
        { "fisher-yates", 3, "counting",
          "3! = 6 series of answers, all equally likely, and 3! = 6 orders: one" },
        { "sattolo", 4, "counting", "6 series of answers, and 4! = 24 orders: that is not enough" },
        { "sort-merge", 3, "counting", "multiple of 1/8, and 1/6 is none: the prime 3 divides 6, and not 8" },
        { "fisher-yates/modulo:15", 6, "draw",
          "5462 words give each of 0 and 1, and 5461 each of 2, 3, 4 and 5" },
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
        struct sb_explain *const explain =
            explained(arguments[i].scheme, arguments[i].n, arguments[i].n, NULL);

        if (!strstr(note(explain, arguments[i].about), arguments[i].words))
            fail_msg("%s, n = %zu: %s", arguments[i].scheme, arguments[i].n,
                     note(explain, arguments[i].about));
        sb_explain_free(explain);
    }
}

/* Too many paths to list the orders. The orders divide the series of words, but 3 does not divide the words of a draw; the
 * rounded word halves the share of the first and the last answer. The law of one card is computed up to 1,024. */
static void counting_alone_proves_no_uneven_draw_fair(void **state)
{
    static const struct {
        const char *scheme;
        size_t n;
        const char *words;
    } arguments[] = {
        { "fisher-yates/modulo:8", 16, "2^116 for each, but they are not" },
        { "fisher-yates/modulo:16", 2048, "whether they are, counting does not say" },
        { "fisher-yates/round:16", 4096, "whether they are, counting does not say" },
        { "fisher-yates", 16, "and 16 orders: 1307674368000 for each" }, /* 15! */
    };

    for (size_t i = 0; i < sizeof arguments / sizeof arguments[0]; i++) {
        struct sb_explain *const explain = explained(arguments[i].scheme, arguments[i].n, 1, NULL);

        if (!strstr(note(explain, "counting"), arguments[i].words))
            fail_msg("%s, n = %zu: %s", arguments[i].scheme, arguments[i].n, note(explain, "counting"));
        sb_explain_free(explain);
    }
}

/* 52 51 50 49 48 = 311,875,200 deals are fewer than 2^32 seeds. */
static void seeds_that_suffice_for_a_deal_do_not_for_a_deck(void **state)
{
    struct sb_explain *const explain = explained("fisher-yates", 52, 5, NULL);

    assert_non_null(strstr(note(explain, "seed"),
                           "That is enough for all orders here; for whole decks, from 13 items on"));
    sb_explain_free(explain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shuffle_has_its_words),
        cmocka_unit_test(trees_add_up_to_the_law),
        cmocka_unit_test(the_naive_swap_has_27_paths),
        cmocka_unit_test(paths_are_counted_where_they_are_not_kept),
        cmocka_unit_test(every_path_can_be_walked),
        cmocka_unit_test(steps_are_swaps),
        cmocka_unit_test(redraws_have_the_probability_of_what_is_left),
        cmocka_unit_test(paths_that_are_none_are_refused),
        cmocka_unit_test(any_n_is_explained),
        cmocka_unit_test(the_argument_fits_the_numbers),
        cmocka_unit_test(counting_alone_proves_no_uneven_draw_fair),
        cmocka_unit_test(seeds_that_suffice_for_a_deal_do_not_for_a_deck),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
