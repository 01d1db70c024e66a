/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Schemes as people type them: what they mean, how they are written, and the error for each mistake. */
#include "unit/test.h"

#include "core/text.h"
#include "subject/subject.h"

#include <string.h>

TEST(names_are_written_without_what_goes_without_saying)
{
    const char *const pairs[][2] = {
        { "naive", "naive" },
        { "naive/ideal", "naive" },
        { "naive/ideal/philox", "naive" },
        { "naive/modulo:15", "naive/modulo:15" },
        { "naive/modulo", "naive/modulo" },
        { "naive/ideal/mt19937", "naive/ideal/mt19937" },
        { "sort-by-key", "sort-by-key:53" },
        { "sort-by-key:8/multiply:31/minstd", NULL }, /* minstd's words have 30 whole bits */
        { "sort-by-key:8/multiply:30/minstd", "sort-by-key:8/multiply:30/minstd" },
    };

    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        struct sb_scheme scheme;
        const enum sb_status status = sb_scheme_parse(pairs[i][0], NULL, NULL, NULL, &scheme);

        assert_int_equal(status, pairs[i][1] ? SB_OK : SB_INVALID);
        if (pairs[i][1])
            assert_string_equal(scheme.name, pairs[i][1]);
    }
}

TEST(defaults_fill_what_the_scheme_leaves_out)
{
    struct sb_scheme scheme;

    assert_int_equal(sb_scheme_parse("naive", "modulo:8", "mt19937", NULL, &scheme), SB_OK);
    assert_string_equal(scheme.name, "naive/modulo:8/mt19937");
    assert_int_equal(sb_scheme_parse("naive/lemire:16", "modulo:8", "mt19937", NULL, &scheme), SB_OK);
    assert_string_equal(scheme.name, "naive/lemire:16/mt19937");
}

TEST(slips_name_the_offender_and_the_remedy)
{
    const char *const slips[][2] = {
        { "niave", "unknown shuffle 'niave'; did you mean naive?" },
        { "fisher-yate", "unknown shuffle 'fisher-yate'; did you mean fisher-yates" },
        { "", "unknown shuffle ''" },
        { "naive/modula:15", "unknown draw 'modula'; did you mean modulo?" },
        { "naive/modulo:99", "modulo:99: " },
        { "naive/modulo:x", "modulo:x: " },
        { "naive:3", "naive takes no number: leave ':3' out" },
        { "naive/modulo:15/mt1937", "unknown generator 'mt1937'; did you mean mt19937" },
        { "naive/modulo:16/msvc-rand", "modulo:16: the words of msvc-rand have 15 bits: use modulo:15 or fewer" },
        { "fisher-yates/multiply:53/java", "multiply:53: the words of java have 32 bits: use multiply:32 or fewer" },
        { "naive/ideal/philox/extra", "unknown generator 'philox/extra'" },
    };

    for (size_t i = 0; i < sizeof slips / sizeof slips[0]; i++) {
        struct sb_scheme scheme;
        struct sb_error error = { 0 };

        assert_int_equal(sb_scheme_parse(slips[i][0], NULL, NULL, &error, &scheme), SB_INVALID);
        if (!strstr(error.text, slips[i][1]))
            fail_msg("'%s' says: %s", slips[i][0], error.text);
    }
}

TEST(too_few_words_are_refused)
{
    struct sb_scheme scheme;
    struct sb_error error = { 0 };

    assert_int_equal(sb_scheme_parse("naive/lemire:4", NULL, NULL, &error, &scheme), SB_OK);
    assert_int_equal(sb_scheme_check(&scheme, 16, 16, &error), SB_OK);
    assert_int_equal(sb_scheme_check(&scheme, 17, 17, &error), SB_INVALID);
    assert_non_null(strstr(error.text, "16 different words"));
    assert_int_equal(sb_scheme_parse(NULL, NULL, NULL, &error, &scheme), SB_INVALID);
    assert_int_equal(sb_scheme_parse("redraw/multiply:3", NULL, NULL, &error, &scheme), SB_OK);
    assert_int_equal(sb_scheme_check(&scheme, 8, 8, &error), SB_OK);
    assert_int_equal(sb_scheme_check(&scheme, 9, 8, &error), SB_OK);
    assert_int_equal(sb_scheme_check(&scheme, 9, 9, &error), SB_INVALID);
    assert_non_null(strstr(error.text, "only 8 can"));
}

TEST(distances_are_levenshteins)
{
    assert_int_equal(sb_name_distance("kitten", "sitting"), 3); /* the usual textbook example */
    assert_int_equal(sb_name_distance("", "abc"), 3);
    assert_int_equal(sb_name_distance("abc", ""), 3);
    assert_int_equal(sb_name_distance("same", "same"), 0);
}

/* ---- options ---- */

/* The default number of shuffles of a report, as subject/scheme.c derives it. */

TEST(samples_depend_on_what_is_tallied)
{
    static const struct {
        size_t n, deal;
        uint64_t samples;
    } defaults[] = {
        { 3, 3, 10000000 },    { 9, 9, 10000000 },  /* by rank, at most a million deals */
        { 10, 10, 40000000 },                       /* 10! deals by rank */
        { 11, 11, 9090909 },   { 52, 52, 1923076 }, /* 10^8/n: not by rank */
        { 12, 2, 10000000 },   { 13, 2, 7692307 },  /* by rank, and n is above 12 */
        { 5000, 5000, 50000 },                      /* each item is expected ten times at each position */
    };

    for (size_t i = 0; i < sizeof defaults / sizeof defaults[0]; i++) {
        struct sb_request options, settled;

        sb_request_init(&options, SB_REPORT);
        options.n = defaults[i].n;
        options.deal = defaults[i].deal;
        assert_int_equal(sb_options_settle(&options, NULL, &settled), SB_OK);
        assert_int_equal(settled.samples, defaults[i].samples);
    }
}
