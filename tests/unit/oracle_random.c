/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The oracle's random answers are the upper halves of Knuth's MMIX generator, x <- 6364136223846793005 x +
 * 1442695040888963407 modulo 2^64. The expected values were computed with Python's integers.
 */
#include "unit/test.h"

#include "exact/oracle.h"

TEST(random_answers_are_knuths)
{
    static const uint32_t expected[] = { 1817669548, 2187888307, 2784682393, 1644385741 };
    uint64_t series = 1;

    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        assert_int_equal(sb_oracle_random(&series), expected[i]);
}
