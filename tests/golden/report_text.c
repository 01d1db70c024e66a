/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sentences and numbers of pages: powers, separators, code, links and explained terms. */
#include "unit/test.h"

#include "core/text.h"
#include "report/page.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NONE, PROSE, CELL, TITLE };

static void expect(int how, const char *text, const char *expected)
{
    char *written = NULL;
    size_t size;
    FILE *const stream = open_memstream(&written, &size);

    assert_non_null(stream);
    if (how == PROSE)
        sb_prose(text, NULL, stream);
    else if (how == CELL)
        sb_typeset_cell(text, stream);
    else if (how == TITLE)
        sb_prose_title(text, stream);
    else
        sb_typeset(text, strlen(text), stream);
    fclose(stream);
    assert_string_equal(written, expected);
    free(written);
}

TEST(powers_have_raised_exponents)
{
    expect(NONE, "8.07e67", "8.07\u00A0\u00D7\u00A010\u2076\u2077");
    expect(NONE, "1e-09 at most", "10\u207B\u2079 at most");
    expect(NONE, "(E = 1.0e9).", "(E = 1.0\u00A0\u00D7\u00A010\u2079).");
    expect(NONE, "1+2.3e-7", "1+2.3\u00A0\u00D7\u00A010\u207B\u2077");
    expect(NONE, "2^31, n^n", "2\u00B3\u00B9, n\u207F");
    expect(NONE, "1/2^m", "1/2\u1D50");
    expect(NONE, "5.5e-4342937", "5.5\u00A0\u00D7\u00A010\u207B\u2074\u00B3\u2074\u00B2\u2079\u00B3\u2077");
}

TEST(names_stay_unchanged)
{
    static const char *const names[] = { "run-1e5.txt", "0x1e5", "1e5x", "a1e5", "e",           "1e",
                                         "1.e5",        "^",     "2^",   "2^x",  "1e1234567890" };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        expect(NONE, names[i], names[i]);
}

TEST(cells_have_separators)
{
    expect(CELL, "1262050/302875106592253", "1,262,050/302,875,106,592,253");
    expect(CELL, "1164.01234", "1,164.01234");
    expect(CELL, "999", "999");
    expect(CELL, "-4.0", "\u22124.0");
    expect(CELL, "1234-5678", "1,234-5,678");
    expect(CELL, "2459/2520 = 0.97579", "2,459/2,520 = 0.97579");
    expect(CELL, "12345 x", "12345 x");
    expect(CELL, "6.7e7", "6.7\u00A0\u00D7\u00A010\u2077");
}

TEST(markup_is_escaped)
{
    expect(PROSE, "a<b & `c<d`", "a&lt;b &amp; <code>c&lt;d</code>");
    expect(PROSE, "one ` alone", "one ` alone");
    expect(PROSE, "https://example.org/?a=1&b=2.",
           "<a class=\"url\" href=\"https://example.org/?a=1&amp;b=2\">https://example.org/?a=1&amp;b=2</a>.");
    expect(PROSE, "(doi:10.1145/364520.364540)",
           "(<a href=\"https://doi.org/10.1145/364520.364540\">doi:10.1145/364520.364540</a>)");
}

TEST(equations_stay_on_one_line)
{
    expect(PROSE, "naive, n = 3", "naive, n\u00A0=\u00A03");
    expect(PROSE, "n = 3", "n\u00A0=\u00A03");
    expect(PROSE, "E = 1.2e9; (p = 1)", "E\u00A0=\u00A01.2\u00A0\u00D7\u00A010\u2079; (p\u00A0=\u00A01)");
    expect(PROSE, "3 \u00D7 2 = 6, an = 1", "3\u00A0\u00D7\u00A02 = 6, an = 1");
    expect(PROSE, "= 3, n =", "= 3, n =");
    expect(TITLE, "a<b, n = 3", "a&lt;b, n\u00A0=\u00A03");
    expect(TITLE, "run 1e5 `x`", "run 1e5 `x`");
}

TEST(works_are_linked)
{
    expect(PROSE, "Mike Bostock, Will It Shuffle? (2012)",
           "Mike Bostock, <a href=\"https://bost.ocks.org/mike/shuffle/\">Will It Shuffle?</a> (2012)");
}

/* The terms that a text explains, as bits. */
static unsigned explained(const char *text)
{
    unsigned terms = 0;
    FILE *const stream = fopen("/dev/null", "w");

    assert_non_null(stream);
    sb_prose(text, &terms, stream);
    fclose(stream);
    return terms;
}

TEST(a_term_is_explained_once)
{
    unsigned terms = 0;
    char *written = NULL;
    size_t size;
    FILE *const stream = open_memstream(&written, &size);

    assert_non_null(stream);
    sb_prose("312 and 231", &terms, stream);
    fclose(stream);
    assert_string_equal(written,
                        "<span class=\"term\" tabindex=\"0\" aria-describedby=\"word-order\" data-tip=\"An "
                        "order of the items: item 3 comes first, then item 1, then item 2.\">312</span> and 231");
    free(written);
}

TEST(a_count_is_no_order)
{
    assert_true(explained("(231, 312)") != 0 && explained("2341: of n!") != 0);
    assert_int_equal(explained("231 times, 312 permutations, 23, 331, 230, 12.3, 123,321, 3214567 shuffles, 123%"), 0);
    assert_int_equal(explained("x231 and 231x"), 0);
}

/* ---- sentence ---- */

/* Sentences have no length limit, and a sentence that lost a part is not shown. */

TEST(a_long_sentence_is_whole)
{
    enum { WORDS = 5000 };
    struct sb_sentence s = { 0 };
    char *text;

    for (int i = 0; i < WORDS; i++)
        sb_sentence_add(&s, "%04d ", i);
    text = sb_sentence_take(&s);
    assert_int_equal(strlen(text), 5 * WORDS);
    assert_memory_equal(text, "0000 0001 ", 10);
    assert_string_equal(text + 5 * (WORDS - 1), "4999 ");
    free(text);
    assert_null(s.text);
}

TEST(an_empty_sentence_is_empty)
{
    struct sb_sentence s = { 0 };
    char *const text = sb_sentence_take(&s);

    assert_string_equal(text, "");
    free(text);
}

TEST(a_sentence_without_a_part_is_not_shown)
{
    struct sb_sentence s = { 0 };

    sb_sentence_add(&s, "biased, and ");
    s.lost = true;
    assert_null(sb_sentence_take(&s));
    assert_null(s.text);
}

/* ---- report number ---- */

/* Numbers as text: exact for programs, and readable for people. */

TEST(full_keeps_every_digit)
{
    static const double x[] = { 1.0 / 3, 0.1, 4.9e-324, DBL_MIN, DBL_MAX, -2.5, 123456789 };

    for (size_t i = 0; i < sizeof x / sizeof x[0]; i++)
        assert_true(strtod(sb_number_full(x[i]).text, NULL) == x[i]);
    assert_string_equal(sb_number_full(5).text, "5.0");
    assert_string_equal(sb_number_full(-0.0).text, "0.0");
    assert_string_equal(sb_number_full(NAN).text, "");
    assert_string_equal(sb_number_full(INFINITY).text, "");
}

/* mpmath: exp(mpf('-10409.724841161613')) = 1.3e-4521; exp(-mpf(750)) = 1.9105...e-326 */
TEST(tiny_p_is_a_power_of_ten)
{
    assert_string_equal(sb_number_p(0, -10409.724841161613).text, "1.3e-4521");
    assert_string_equal(sb_number_p(0, -750).text, "1.9e-326");
    assert_string_equal(sb_number_full_p(0, -10409.724841161613).text, "1.30000e-4521");
    assert_string_equal(sb_number_full_p(0.25, log(0.25)).text, "0.25");
    assert_string_equal(sb_number_full_p(NAN, NAN).text, "");
}

/* ln 9.99 - 400 ln 10 = -918.7334519..., which two digits round up to the next power. */
TEST(mantissa_never_is_ten)
{
    assert_string_equal(sb_number_p(0, log(9.99) - 400 * log(10)).text, "1.0e-399");
    assert_string_equal(sb_number_p(9.99e-20, log(9.99e-20)).text, "1.0e-19");
}

TEST(p_for_people)
{
    assert_string_equal(sb_number_p(1, 0).text, "1");
    assert_string_equal(sb_number_p(0.53214, log(0.53214)).text, "0.532");
    assert_string_equal(sb_number_p(0.00012345, log(0.00012345)).text, "0.000123");
    assert_string_equal(sb_number_p(2.5e-7, log(2.5e-7)).text, "2.5e-7");
    assert_string_equal(sb_number_p(0, -INFINITY).text, "0"); /* something impossible was seen */
    assert_string_equal(sb_number_p(NAN, NAN).text, "\u2013");
}

TEST(short_has_so_many_digits)
{
    assert_string_equal(sb_number_short(0.055555, 4).text, "0.05556");
    assert_string_equal(sb_number_short(331.32222, 5).text, "331.32");
    assert_string_equal(sb_number_short(12345678.9, 5).text, "12345679");
    assert_string_equal(sb_number_short(6.2339e-6, 3).text, "6.23e-6");
    assert_string_equal(sb_number_short(-6.2339e-6, 3).text, "-6.23e-6");
    assert_string_equal(sb_number_short(1e15, 3).text, "1.00e15");
    assert_string_equal(sb_number_short(0, 5).text, "0");
    assert_string_equal(sb_number_short(NAN, 5).text, "\u2013");
}

/* A rounded bound must still be a bound; 0.29 = 0.28999999999999998 in binary is 0.29 to four decimals. */
TEST(bounds_are_rounded_outwards)
{
    assert_string_equal(sb_number_fixed_down(0.66339, 3).text, "0.663");
    assert_string_equal(sb_number_fixed_up(0.66331, 3).text, "0.664");
    assert_string_equal(sb_number_short_down(0.0027999, 2).text, "0.0027");
    assert_string_equal(sb_number_short_up(0.0027001, 2).text, "0.0028");
    assert_string_equal(sb_number_short_up(0.0999, 2).text, "0.10");
    assert_string_equal(sb_number_general_up(1e-9, 3).text, "1e-09");
    assert_string_equal(sb_number_general_up(1e-9 / 12, 3).text, "8.34e-11"); /* 8.333...e-11 */
    assert_string_equal(sb_number_general_up(1e-9 / 6, 3).text, "1.67e-10");
    assert_string_equal(sb_number_general_up(0.9, 3).text, "0.9");
    assert_string_equal(sb_number_general_up(0.9991, 3).text, "1");
    assert_string_equal(sb_number_general_up(1e-100, 6).text, "1e-100");
    assert_string_equal(sb_number_short_down(6.29e-9, 2).text, "6.2e-9");
    assert_string_equal(sb_number_fixed_down(0.29, 4).text, "0.2900");
    assert_string_equal(sb_number_fixed_up(0.07, 4).text, "0.0700");
    assert_string_equal(sb_number_fixed_up(1, 4).text, "1.0000");
    assert_string_equal(sb_number_short_down(0, 2).text, "0");
    assert_string_equal(sb_number_fixed_up(NAN, 4).text, "\u2013");
    assert_string_equal(sb_number_short_up(NAN, 2).text, "\u2013");
}

/* An alarm at E = 1/alpha is one in 1/alpha; "14" for 1/0.07 = 14.29 would promise too much. */
TEST(goals_are_rounded_up)
{
    assert_string_equal(sb_number_goal(1e-9).text, "1,000,000,000");
    assert_string_equal(sb_number_goal(1e-14).text, "100,000,000,000,000");
    assert_string_equal(sb_number_goal(3e-9).text, "333,333,334");
    assert_string_equal(sb_number_goal(0.07).text, "15");
    assert_string_equal(sb_number_goal(0.1).text, "10");
    assert_string_equal(sb_number_goal(0.3).text, "3.34");
    assert_string_equal(sb_number_goal(0.99).text, "1.02");
    assert_string_equal(sb_number_goal(1e-100).text, "1.0e100");
    assert_string_equal(sb_number_goal(1.5e-16).text, "6.7e15");
}

TEST(given_numbers_keep_their_digits)
{
    assert_string_equal(sb_number_given(0.01).text, "0.01");
    assert_string_equal(sb_number_given(0.12345644).text, "0.12345644");
    assert_string_equal(sb_number_given(4.7e-7).text, "4.7e-07");
    assert_string_equal(sb_number_given(0.999999999).text, "0.999999999");
    assert_string_equal(sb_number_given(1.0 / 3).text, "0.3333333333333333");
}

TEST(ratio_shows_the_slightest_bias)
{
    assert_string_equal(sb_number_ratio(10.0 / 9).text, "1.1111");
    assert_string_equal(sb_number_ratio(1).text, "1.0000");
    assert_string_equal(sb_number_ratio(1 + 2.3e-7).text, "1+2.3e-7");
    assert_string_equal(sb_number_ratio(1 - 2.3e-7).text, "1-2.3e-7");
    assert_string_equal(sb_number_ratio(1 + DBL_EPSILON).text, "1.0000"); /* rounding, not bias */
    assert_string_equal(sb_number_ratio(181440).text, "181440");
    assert_string_equal(sb_number_ratio(0).text, "0");           /* never, */
    assert_string_equal(sb_number_ratio(3.2e-6).text, "3.2e-6"); /* which this is not */
    assert_string_equal(sb_number_ratio(NAN).text, "\u2013");
}

TEST(others)
{
    assert_string_equal(sb_number_percent(1.0 / 6, 3).text, "16.667%");
    assert_string_equal(sb_number_percent(NAN, 3).text, "\u2013");
    assert_string_equal(sb_number_fixed(-0.0, 2).text, "0.00");
    assert_string_equal(sb_number_grouped(0).text, "0");
    assert_string_equal(sb_number_grouped(999).text, "999");
    assert_string_equal(sb_number_grouped(10000000).text, "10,000,000");
    assert_string_equal(sb_number_grouped(UINT64_MAX).text, "18,446,744,073,709,551,615");
    assert_string_equal(sb_number_range(sb_number_fixed(1, 1), sb_number_fixed(2, 1)).text, "1.0\u20132.0");
    assert_string_equal(sb_number_range(sb_number_fixed(NAN, 1), sb_number_fixed(NAN, 1)).text, "\u2013");
    assert_int_equal(sb_number_share_decimals(6), 3);       /* 16.667% */
    assert_int_equal(sb_number_share_decimals(24), 4);      /* 4.1667% */
    assert_int_equal(sb_number_share_decimals(120), 4);     /* 0.8333% */
    assert_int_equal(sb_number_share_decimals(3628800), 7); /* 0.0000276% */
}

TEST(no_level_is_100_percent)
{
    assert_string_equal(sb_number_level(0.001).text, "99.9%");
    assert_string_equal(sb_number_level(0.5).text, "50%");
    assert_string_equal(sb_number_level(0.9).text, "10%");
    assert_string_equal(sb_number_level(0.9999999).text, "0.00001%");
    assert_string_equal(sb_number_level(1e-11).text, "99.999999999%");
    assert_string_equal(sb_number_level(1e-15).text, "100(1-1e-15)%");
    assert_string_equal(sb_number_level(1e-100).text, "100(1-1e-100)%");
}

/* ---- report bar ---- */

/* Bars around the uniform line, and text made safe to print. */

static void check(double deviation, bool unicode, const char *left, const char *right)
{
    char drawn[2][SB_BAR_ROOM];

    sb_bar_draw(deviation, 1, 4, unicode, drawn[0], drawn[1]);
    assert_string_equal(drawn[0], left);
    assert_string_equal(drawn[1], right);
}

/* On a scale of 1 in 4 columns, so that 1/4 is a whole column and 1/32 an eighth. */
TEST(blocks_to_both_sides)
{
    check(1, true, "    ", "████");
    check(-1, true, "████", "");
    check(0.25, true, "    ", "█");
    check(-0.25, true, "   █", "");
    check(0.25 + 3.0 / 32, true, "    ", "█▍");
    check(-0.25 - 4.0 / 32, true, "  ▐█", "");
    check(-1.0 / 32, true, "   ▕", "");
    check(-7.0 / 32, true, "   █", "");
    check(0, true, "    ", "");
}

TEST(ascii_to_both_sides)
{
    check(0.5, false, "    ", "##");
    check(-0.5, false, "  ##", "");
    check(0, false, "    ", "");
}

TEST(nothing_sticks_out)
{
    check(100, true, "    ", "████");
    check(-100, false, "####", "");
    check(INFINITY, false, "    ", "####");
    check(NAN, true, "    ", "");
    check(NAN, false, "    ", "");
}

TEST(scale_is_the_next_round_number)
{
    assert_true(fabs(sb_bar_scale(1.0 / 9) / 0.12 - 1) < 1e-12);
    assert_true(fabs(sb_bar_scale(0.1) / 0.1 - 1) < 1e-12);
    assert_true(fabs(sb_bar_scale(0.5) / 0.5 - 1) < 1e-12);
    assert_true(fabs(sb_bar_scale(7) / 8 - 1) < 1e-12);
    assert_true(fabs(sb_bar_scale(0) / 0.01 - 1) < 1e-12); /* noise is not blown up to full width */
    assert_true(fabs(sb_bar_scale(3e6) / 3e6 - 1) < 1e-12);
    assert_true(fabs(sb_bar_scale(NAN) / 0.01 - 1) < 1e-12);
}

static void check_fold(const char *text, bool unicode, const char *expected)
{
    char *const folded = sb_sanitize_page_text(text, unicode);

    assert_string_equal(folded, expected);
    free(folded);
}

TEST(fold_is_safe_to_show)
{
    check_fold("naive", false, "naive");
    check_fold("a – b … Knuth’s", false, "a - b ... Knuth's");
    check_fold("é", true, "é");
    check_fold("é", false, "?");
    check_fold("\x1B[31m\a\tx\n", true, "\uFFFD[31m\uFFFD x ");
    check_fold("\x1B", false, "?");
    check_fold("\xC2\x9B", true, "\uFFFD");     /* U+009B, which begins a control sequence too */
    check_fold("\xE2\x80\xAE", true, "\uFFFD"); /* U+202E turns what follows around */
}

TEST(malformed_utf8_is_replaced)
{
    check_fold("\xFF", true, "\uFFFD");
    check_fold("\xC3", true, "\uFFFD");                                 /* ends too early */
    check_fold("\xC0\xAF", true, "\uFFFD\uFFFD");                       /* an overlong slash */
    check_fold("\xED\xA0\x80", true, "\uFFFD\uFFFD\uFFFD");             /* a surrogate */
    check_fold("\xF4\x90\x80\x80z", true, "\uFFFD\uFFFD\uFFFD\uFFFDz"); /* above U+10FFFF */
    check_fold("\xF0\x9F\x82\xA1", true, "\xF0\x9F\x82\xA1");           /* the ace of spades is fine */
    assert_int_equal(sb_utf8_width("█▍ é"), 4);
    assert_int_equal(sb_utf8_width("A♠ 10♦"), 6);
    assert_int_equal(sb_utf8_width("東風"), 4);    /* East Asian Width W, Unicode Standard Annex 11 */
    assert_int_equal(sb_utf8_width("e\u0301"), 1); /* a combining accent */
    assert_int_equal(sb_utf8_width("\xE2"), 1);
    assert_int_equal(sb_utf8_width(""), 0);
}
