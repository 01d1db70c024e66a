/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The deck is the first group of a regular expression. Limits are tested by tests/cli/match_limits.py. */
#include "unit/test.h"

#include "unit/lines_expect.h"

TEST(groups_are_those_of_pcre2)
{
    static const struct row rows[] = {
        { "deck: (.*)", "x\ngame 7 deck: 0 1 2\nlogin\ny deck: 2 1 0", "0 1 2|2 1 0" },
        { "^([0-9,]+);", "0,1;9\n# 1,0;\n1,0;7 7\n", "0 1|1 0" },
        { "(a|b) .*", "a 0 1\n", ":script, line 1: *" },
        { "deck:(.*)", "deck: \n", ":script, line 1: the group of `match` is empty*" },
        { "deck( [0-9 ]+)?$", "deck 0 1\ndeck\ndeck 1 0\n", "0 1|1 0" },
        { "x(.)", "a\nb\n\n", ":script: none of 2 lines matches `match`: try it with 'grep -P'" },
        { "x(.)", "", "" },
        { "x(.)", "\n \n", "" },
        { "^.\xE2\x99\xA0.(.*)", "A\xE2\x99\xA0: 0 1\n", "0 1" },
        { "^.{3}(.*)", "A\xE2\x99\xA0: 0 1\n", "0 1" }, /* a point is a character, not a byte */
        { "^[[:alpha:]]+ (.*)", "K\xC3\xB6nig 0 1\n", "0 1" },
        { "^[\xE2\x99\xA0\xE2\x99\xA5] (.*)", "\xE2\x99\xA5 0 1\n\xE2\x99\xA6 1 0\n", "0 1" },
        { "by .* (0.*)", "by \xE9l\xE8ve 0 1\n", "0 1" }, /* Latin-1: a point is a byte */
        { "^.{4} (.*)", "\xE2\x99\xA0\xFF 0 1\n", "0 1" },
        { "^\xE9 (.*)", "\xE9 0 1\n", "0 1" }, /* the pattern is Latin-1, too */
        { "([0\\x{2660} ]+1)", "0 1\n\xFF 0 1\n",
          "0 1:script, line 2: the line is not UTF-8, which `match` needs: convert it with iconv" },
        { "[[:digit:]]+[[:blank:]](([[:digit:]][[:space:]]?){2,3})x", "7 0 1 x\n10 1 0 x\n", "0 1|1 0" },
        { "(a|b|0 1)", "0 1\n", "0 1" },
        { "\\d:(\\d+\\s\\d+)", "7:0 1\n", "0 1" },
        { "(0|0 1)", "0 1\n", "0" }, /* the first alternative, where POSIX takes the longest */
        { "x(0 1){0,1}$", "x0 1\nx\n", "0 1" },
        { "(0 1) \\1", "0 1 0 1\n", "0 1" },
        { "^deck (.*)$", "deck 0 1\r\ndeck 1 0", "0 1|1 0" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        expect_lines(&(struct sb_line_form) { .match = rows[i].option }, rows[i].text, rows[i].expected);
    expect_lines(&(struct sb_line_form) { .match = "deal (.*)", .field = "2-" }, "x\ndeal 7 0 1\n", "0 1");
    expect_lines(&(struct sb_line_form) { .match = "deal (.*)", .json_path = ".d" },
                 "x\ny deal {\"d\": [1, 0]}\n", "1 0");
}

TEST(wrong_patterns_are_refused)
{
    static const struct {
        const char *pattern;
        const char *line;
    } rows[] = {
        { "x", "`match`: 'x' has no group" },
        { "", "`match`: '' has no group" },
        { "(x", "`match`: '(x' is not a regular expression: missing closing parenthesis, at byte 2" },
        { "\xFF(x", "`match`: '\uFFFD(x' is not a regular expression: missing closing parenthesis" },
        { "\\\\\\<(x)", "`match`: '\\<' has this meaning only for grep -E: write \\b" },
        { "(x\\>)", "`match`: '\\>' has this meaning only for grep -E: write \\b" },
        { "(x{,3})", "`match`: '{,' has this meaning only for grep -E: write {0," },
        { "(\\C)", "`match`: '(\\C)' is not a regular expression: " },
        { "([[.a.]])", "`match`: '([[.a.]])' is not a regular expression: " },
        { "((((a{1,255}){1,255}){1,255}){1,255})",
          "`match`: '((((a{1,255}){1,255}){1,255}){1,255})' is not a regular expression: regular expression "
          "is too large" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sb_error error = { 0 };

        assert_int_equal(sb_lines_check(&(struct sb_line_form) { .match = rows[i].pattern }, &error),
                         SB_INVALID);
        if (strncmp(error.text, rows[i].line, strlen(rows[i].line)) != 0)
            fail_msg("'%s' instead of '%s'", error.text, rows[i].line);
    }
}
