/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bars around the uniform line, and text made safe to print. */
#include "unit/test.h"

#include "core/text.h"
#include "report/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
