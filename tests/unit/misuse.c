/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A caller's mistake is an error with a line, and never a crash: names that nothing has, values out of range, and
 * options that are missing or do not go together. */
#include "unit/ask.h"

TEST(some_requests_do_not_run)
{
    static const struct {
        const char *command, *options;
        enum sb_status status;
        const char *says; /* in the error */
    } cases[] = {
        { "odds", "permutation=123", SB_INVALID, "the scheme is NULL" },
        { "odds", "scheme=naive", SB_INVALID, "name a permutation, as 231" },
        { "explain", "", SB_INVALID, "the scheme is NULL" },
        { "law", "", SB_INVALID, "the statistic is NULL" },
        { "prove", "", SB_INVALID, "the command is empty" },
        { "merge", "output=sum", SB_INVALID, "name the parts to merge" },
        { "report", "scheme=naive profile=none-such", SB_INVALID, "unknown profile 'none-such'" },
        { "report", "scheme=naive/ideal/philox draw=none-such", SB_INVALID, "unknown draw 'none-such'" },
        { "report", "scheme=naive/ideal/philox draw=modulo:257", SB_INVALID, "from 1 to 256" },
        { "report", "scheme=naive/ideal/philox rng=none-such", SB_INVALID, "unknown generator 'none-such'" },
        { "report", "scheme=naive/lemire:4 n=17 by=sample samples=9", SB_INVALID, "16 different words" },
        { "report", "scheme=redraw/multiply:3 n=9 by=sample samples=9", SB_INVALID, "only 8 can" },
        { "report", "scheme=naive statistics=none-such", SB_INVALID, "unknown statistic 'none-such'" },
        { "report", "scheme=naive deal=4", SB_INVALID, "`deal=4`: there are only 3 items" },
        { "report", "scheme=naive n=1 deal=4", SB_INVALID, "`deal=4`: there is only 1 item" },
        { "plan", "scheme=naive deal=4", SB_INVALID, "`deal=4`: there are only 3 items" },
        { "explain", "scheme=naive deal=4", SB_INVALID, "`deal=4`: there are only 3 items" },
        { "law", "statistic=descents n=3 deal=4", SB_INVALID, "`deal=4`: there are only 3 items" },
        { "report", "scheme=naive seeds_first=9223372036854775807 seeds_count=2", SB_INVALID,
          "the last seed must be below 2^63" },
        { "report", "scheme=naive/lemire:2/transputer seed=536870912 by=sample samples=100", SB_INVALID,
          "gives the same few answers over and over: take another seed" },
        { "deal", "scheme=naive", SB_INVALID, "call sb_next()" },
        { "gate", "file=decks cwd=/", SB_INVALID, "`cwd`: only goes with a command" },
        { "gate", "file=decks once=1", SB_INVALID, "`once`: only goes with a command" },
        { "gate", "scheme=naive chained=1", SB_INVALID, "a scheme shuffles a new deck each time" },
        { "gate", "scheme=naive input=u8", SB_INVALID, "a scheme" },
        { "gate", "scheme=naive n=1", SB_INVALID, "there is only one order, and nothing to test" },
        { "gate", "command=sleep command=9 once=1 timeout=0.1", SB_SUBJECT, "from 'sleep 9' within 0.1 s" },
        { "watch", "follow=/", SB_INVALID, "is no file that could be followed" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_refused(ask(cases[i].command, cases[i].options), cases[i].status, cases[i].says);
}

/* The first option that an error names, and its value, can be asked for. */
TEST(errors_name_options)
{
    struct sb_request *const request = ask("report", "scheme=naive deal=4");

    assert_null(sb_run(request));
    assert_string_equal(sb_error_option(request), "deal");
    assert_string_equal(sb_error_value(request), "4");
    assert_int_equal(sb_set(request, "samples", "10"), SB_OK);
    assert_string_equal(sb_error_option(request), "");
    sb_request_free(request);
}

TEST(options_are_checked_when_they_are_set)
{
    static const struct {
        const char *command, *name, *value, *says;
    } cases[] = {
        { "gate", "none-such", "1", "unknown option 'none-such'" },
        { "gate", "limt", "1", "did you mean limit?" },
        { "gate", "alpha", "0", "`alpha = 0` must be" },
        { "gate", "timeout", "-1", "`timeout = -1` must be" },
        { "gate", "timeout", "nan", "`timeout = nan` must be" },
        { "gate", "size", "x", "`size=x`: must be a whole number" },
        { "report", "n", "65536", "`n = 65536` must be" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sb_request *const request = ask(cases[i].command, "");

        if (sb_set(request, cases[i].name, cases[i].value) != SB_INVALID || !strstr(sb_error(request), cases[i].says))
            fail_msg("%s=%s: %s", cases[i].name, cases[i].value, sb_error(request));
        sb_request_free(request);
    }
    assert_null(sb_request_new("none-such"));
    sb_request_free(NULL);
    sb_result_free(NULL);
}

/* A shuffle that a person mistypes: the line names the slip and the remedy. */
TEST(slips_in_schemes)
{
    static const char *const slips[][2] = {
        { "niave", "unknown shuffle 'niave'; did you mean naive?" },
        { "fisher-yate", "unknown shuffle 'fisher-yate'; did you mean fisher-yates" },
        { "naive/modula:15", "unknown draw 'modula'; did you mean modulo?" },
        { "naive/modulo:299", "modulo:299: " },
        { "naive/modulo:x", "modulo:x: " },
        { "naive:3", "naive takes no number: leave ':3' out" },
        { "naive/modulo:15/mt1937", "unknown generator 'mt1937'; did you mean mt19937" },
        { "naive/modulo:16/msvc-rand", "modulo:16: the words of msvc-rand have 15 bits: use modulo:15 or fewer" },
        { "fisher-yates/multiply:53/java", "multiply:53: the words of java have 32 bits: use multiply:32 or fewer" },
        { "naive/ideal/philox/extra", "unknown generator 'philox/extra'" },
        { "a-name-that-is-longer-than-the-longest-name-of-a-shuffle-a-draw-or-a-generator",
          "unknown name 'a-name-that-is-longer-than-the" },
    };

    for (size_t i = 0; i < sizeof slips / sizeof slips[0]; i++) {
        struct sb_request *const request = ask("report", "samples=100");

        put(request, "scheme", slips[i][0]);
        check_refused(request, SB_INVALID, slips[i][1]);
    }
}

/* Names are written without what goes without saying, and options fill in what a scheme leaves out. */
TEST(names_of_schemes)
{
    static const char *const names[][2] = {
        { "scheme=naive/ideal/philox", "naive" },
        { "scheme=naive/modulo:15", "naive/modulo:15" },
        { "scheme=naive draw=modulo:8 rng=mt19937", "naive/modulo:8/mt19937" },
        { "scheme=naive/lemire:16 draw=modulo:8 rng=mt19937", "naive/lemire:16/mt19937" },
        { "scheme=sort-by-key", "sort-by-key:53" },
        { "scheme=sort-by-key:8/multiply:30/minstd", "sort-by-key:8/multiply:30/minstd" },
    };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct sb_request *const request = ask("report", names[i][0]);

        put(request, "samples", "10");
        put(request, "by", "sample");
        check_answer(request, "reports.0.subject.name", names[i][1]);
    }
}

/* A format or a figure that does not exist leaves no text; a text has the bytes that a stream gets. */
TEST(texts_and_streams)
{
    static const char *const formats[] = { "text", "markdown", "json", "csv", "junit", "tap", "html", "svg" };
    struct sb_result *const result = answer(ask("report", "scheme=naive by=both samples=100"));
    size_t length = 7;

    assert_null(sb_text(result, "none-such", &length));
    assert_non_null(strstr(sb_result_error(result), "unknown format 'none-such'"));
    assert_true(sb_look(result, "unicode", "1") && sb_look(result, "colour", "1") &&
                !sb_look(result, "none-such", "1"));
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        char written[1 << 18];
        FILE *const stream = fmemopen(written, sizeof written, "w");

        assert_non_null(stream);
        assert_int_equal(sb_write(result, formats[i], stream), SB_OK);
        fclose(stream);
        assert_string_equal(sb_text(result, formats[i], &length), written);
        assert_int_equal(strlen(written), length);
    }
    sb_look(result, "figure", "none-such");
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        assert_null(sb_text(result, formats[i], NULL));
    assert_non_null(strstr(sb_result_error(result), "unknown figure 'none-such'"));
    sb_result_free(result);
}

/* The widths 1 to 39 count as 40, and those above 120 as 120. */
TEST(a_width_out_of_range_counts_as_the_nearest)
{
    static const char *const columns[] = { "1", "39", "40", "120", "121", "2147483647" };
    struct sb_result *const result = answer(ask("report", "scheme=naive samples=100"));
    char *text[6];

    for (size_t i = 0; i < 6; i++) {
        sb_look(result, "columns", columns[i]);
        text[i] = strdup(sb_text(result, "text", NULL));
        assert_string_equal(text[i], text[i < 3 ? 0 : 3]);
    }
    assert_string_not_equal(text[0], text[3]);
    for (size_t i = 0; i < 6; i++)
        free(text[i]);
    sb_result_free(result);
}

/* Ranks whose functions are not set, or whose number is not theirs. */
TEST(ranks_that_are_not_ready)
{
    struct sb_ranks ranks = { 0 };
    struct sb_request *const request = ask("report", "scheme=naive samples=100");
    char error[200];

    sb_set_ranks(request, &ranks);
    check_refused(request, SB_INVALID, "there is no rank 0 of 0: give 2 ranks or more the numbers from 0");
    ranks.rank = ranks.size = 2;
    assert_int_equal(sb_ranks_help(&ranks, error, sizeof error), SB_INVALID);
    assert_non_null(strstr(error, "there is no rank 2 of 2"));
    ranks.rank = 1;
    assert_int_equal(sb_ranks_help(&ranks, error, sizeof error), SB_INVALID);
    assert_string_equal(error, "a function of struct sb_ranks is NULL: set all eight");
}

/* A page of the course is written to any stream, and there are no more than have names. */
TEST(pages_beyond_the_last)
{
    FILE *const stream = fopen("/dev/null", "w");
    size_t pages = 0;

    assert_non_null(stream);
    while (sb_lesson(pages))
        pages++;
    assert_int_equal(sb_lesson_page(0, stream), SB_OK);
    assert_int_equal(sb_lesson_page(pages, stream), SB_INVALID);
    fclose(stream);
}
