/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers as text: exact for programs, and readable for people. */
#include "unit/test.h"

#include "report/page.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

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
    assert_string_equal(sb_number_ratio_down(1.99999665).text, "1.9999");
    assert_string_equal(sb_number_ratio_up(1.00002).text, "1.0001");
    assert_string_equal(sb_number_ratio_up(1.651e-6).text, "1.7e-6");
    assert_string_equal(sb_number_ratio_down(4321.987).text, "4321.98");
    assert_string_equal(sb_number_ratio_up(0).text, "0.0000");
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
