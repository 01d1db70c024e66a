/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Explanations: every shuffle has its texts, each path can be walked, and the argument fits the numbers.
 * tests/cli/explain.py compares the tree with the report.
 */
#include "unit/ask.h"

static struct sb_result *explained(const char *scheme, const char *options)
{
    struct sb_request *const request = ask("explain", options);

    put(request, "scheme", scheme);
    return answer(request);
}

/* A value by a path with a number in it. */
static const char *get_at(struct sb_result *result, const char *format, size_t index)
{
    char path[64];

    snprintf(path, sizeof path, format, index);
    return sb_get(result, path);
}

/* Along each path of the tree: the walk ends in its order, with its probability, and one order is left open. */
static void check_walks(const char *scheme, const char *options)
{
    struct sb_result *const tree = explained(scheme, options);

    for (size_t i = 0; get_at(tree, "paths.%zu", i); i++) {
        struct sb_request *const request = ask("explain", options);
        char path[256], deal[32], order[32];
        const char *const answers = get_at(tree, "paths.%zu.answers", i); /* [0,2,1] */
        size_t used = 0;

        assert_true((size_t)snprintf(path, sizeof path, "%.*s", (int)strlen(answers) - 2, answers + 1) < sizeof path);
        put(request, "scheme", scheme);
        put(request, "path", path);
        struct sb_result *const walk = answer(request);

        snprintf(deal, sizeof deal, "%s", sb_get(walk, "walk.deal"));
        for (const char *c = deal; *c; c++)
            if (*c >= '0' && *c <= '9')
                order[used++] = *c;
        order[used] = '\0';
        assert_string_equal(order, get_at(tree, "paths.%zu.order", i));
        assert_string_equal(sb_get(walk, "walk.probability"), get_at(tree, "paths.%zu.probability", i));
        sb_result_free(walk);
    }
    sb_result_free(tree);
}

TEST(every_shuffle_has_its_words_and_walks)
{
    for (size_t i = 0; sb_entry(i, "family"); i++) {
        const char *const name = sb_entry(i, "name");
        char scheme[64];

        if (strcmp(sb_entry(i, "family"), "shuffle") != 0)
            continue;
        const bool large =
            strcmp(name, "riffle") == 0 || strcmp(name, "swap-or-not") == 0 || strcmp(name, "sort-by-key") == 0;

        snprintf(scheme, sizeof scheme, "%s%s", name, large ? ":2" : ""); /* else its tree would be too large */
        struct sb_result *const result = explained(scheme, "n=3");
        size_t lines = 0;

        for (; get_at(result, "pseudocode.%zu", lines); lines++)
            assert_in_range(strlen(get_at(result, "pseudocode.%zu", lines)), 1, 72);
        assert_in_range(lines, 2, 6);
        check_value(result, "argument.0.about", "shuffle");
        sb_result_free(result);
        check_walks(scheme, strcmp(name, "transpositions") == 0 ? "n=2" : "n=3"); /* 729 paths at n = 3 */
    }
    check_walks("naive/modulo:2", "n=3");
    check_walks("redraw/modulo:3", "n=3");
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
        { "naive", "99999999999999999999,0,0", "is no path", SB_INVALID },
        { "naive", "4294967295,0,0", "cannot be 4294967295", SB_INVALID },
        { "redraw", "0,0,1", "at draw 2 the answer 0 is struck out", SB_INVALID },
        { "naive/modulo:1", "2,0,0", "draw 1 never gives 2", SB_INVALID },
        { "redraw/modulo:1", "0,1,0", "never ends", SB_INVALID },
        { "sort-by-key:53", "first", "keys of more than 31 bits", SB_TOO_LARGE },
    };

    for (size_t i = 0; i < sizeof slips / sizeof slips[0]; i++) {
        struct sb_request *const request = ask("explain", "");

        put(request, "scheme", slips[i].scheme);
        put(request, "path", slips[i].path);
        check_refused(request, slips[i].status, slips[i].line);
    }
}

TEST(the_argument_fits_the_numbers)
{
    static const struct {
        const char *scheme, *options, *words;
    } arguments[] = {
        { "naive", "n=2", "2^2 = 4 series of answers, all equally likely, and 2 orders: 2 for each" },
        { "naive", "n=3", "27 = 4 \u00D7 6 + 3: 4 for each, and 3 left over" },
        { "naive", "n=3", "the prime 2 divides the orders, and not the series" },
        { "naive", "n=3", "with n = 2, 4 series lead to 2 orders, half of them to each" },
        { "naive", "n=4", "the prime 3 divides the orders, and not the series" },
        { "naive", "n=52", "52^52 or about 1.71e89 series of answers" }, /* 52^52 = 1.7067...e89 */
        { "fisher-yates", "n=3", "3! = 6 series of answers, all equally likely, and 3! = 6 orders: one" },
        { "sattolo", "n=4", "6 series of answers, and 4! = 24 orders: that is not enough" },
        { "sort-merge", "n=3", "multiple of 1/8, and 1/6 is none: the prime 3 divides 6, and not 8" },
        { "fisher-yates/modulo:15", "n=6", "5462 words give each of 0 and 1, and 5461 each of 2, 3, 4 and 5" },
        /* the product of 1 + i/256 for i = 1 .. 51 is 129.5, and 1 + 52 51 / 2^9 is 6.2 */
        { "sort-by-key:8", "n=52", "has at least 1 + n (n-1) / 2^(B+1) times its share" },
        { "shuffle-buffer:9", "n=3", "If B is below n, just B! B^(n-B) of the" }, /* 9! 9^(3-9) < 1 */
        { "naive/modulo:15", "n=4", "Every bound here divides that number" },
        { "naive/round:4", "n=4", "A draw below 4 does not share them out evenly: 6 words" },
        { "naive/round:4", "n=3", "A draw below 3 cannot share them out evenly: 8 words" },
        /* 52! / 2^32 = 1.878e58, 38! / 2^32 = 1.218e35, 16! / 2^32 = 4871.5, 13! / 2^32 = 1.4498, 9!/233280 = 1.5556 */
        { "naive", "n=52", "At most one order in about 1.9e58 can" },
        { "fisher-yates", "n=38", "At most one order in about 1.2e35 can" },
        { "fisher-yates", "n=13", "At most one order in about 1.45 can" },
        { "fisher-yates/multiply/lcg233280", "n=9", "At most one order in about 1.56 can" },
        { "fisher-yates", "n=16", "At most one order in about 4,871 can" },
        { "naive", "n=3", "from 13 items on, which have 13! = 6,227,020,800 orders" },
        { "naive/modulo/sine", "n=4", "from 19 items on, which have 19! = 121,645,100,408,832,000 orders" },
        /* 52 51 50 49 48 = 311,875,200 deals are fewer than 2^32 seeds */
        { "fisher-yates", "n=52 deal=5", "That is enough for all orders here; for whole decks, from 13 items on" },
    };

    for (size_t i = 0; i < sizeof arguments / sizeof arguments[0]; i++) {
        struct sb_result *const result = explained(arguments[i].scheme, arguments[i].options);

        if (!strstr(sb_get(result, "argument"), arguments[i].words))
            fail_msg("%s: %s", arguments[i].words, sb_get(result, "argument"));
        sb_result_free(result);
    }
}
