/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Integers of 128 bits made of two words, against GMP. The compiler's own 128-bit integers are not used
 * here.
 */
#include "unit/test.h"

#define SB_WIDE_PORTABLE
#include "core/numbers.h"

#include <gmp.h>

enum { WIDE_CASES = 20000 };

static uint64_t wide_state = 1;

static uint64_t wide_word(void)
{
    wide_state ^= wide_state >> 12;
    wide_state ^= wide_state << 25;
    wide_state ^= wide_state >> 27;
    return wide_state * UINT64_C(2685821657736338717);
}

/* Of all sizes, and often near a power of two, where carries are. */
static sb_wide wide_any(void)
{
    const uint64_t kind = wide_word();
    sb_wide a = sb_wide_join(wide_word(), wide_word());

    if (kind >> 8 & 1)
        a = sb_wide_subtract(sb_wide_from(kind >> 9 & 3), sb_wide_from(2));
    return sb_wide_shift(a, (unsigned)(kind % 128));
}

static void wide_import(mpz_t number, sb_wide a)
{
    const uint64_t halves[2] = { sb_wide_low(a), sb_wide_high(a) };

    mpz_import(number, 2, -1, sizeof halves[0], 0, 0, halves);
}

/* Of a number modulo 2^128. */
static void wide_expect(const mpz_t expected, sb_wide a)
{
    mpz_t own, rest;

    mpz_inits(own, rest, NULL);
    wide_import(own, a);
    mpz_fdiv_r_2exp(rest, expected, 128);
    assert_int_equal(mpz_cmp(own, rest), 0);
    mpz_clears(own, rest, NULL);
}

TEST(operations_are_gmps)
{
    mpz_t a, b, c, d;

    mpz_inits(a, b, c, d, NULL);
    for (int i = 0; i < WIDE_CASES; i++) {
        const sb_wide x = wide_any(), y = wide_any();
        const unsigned bits = (unsigned)(wide_word() % 128);
        sb_wide rest;

        wide_import(a, x);
        wide_import(b, y);
        assert_int_equal(sb_wide_below(x, y), mpz_cmp(a, b) < 0);
        assert_int_equal(sb_wide_equal(x, y), mpz_cmp(a, b) == 0);
        assert_int_equal(sb_wide_is_zero(x), mpz_sgn(a) == 0);
        mpz_add(c, a, b);
        wide_expect(c, sb_wide_add(x, y));
        mpz_sub(c, a, b);
        wide_expect(c, sb_wide_subtract(x, y));
        mpz_mul(c, a, b);
        wide_expect(c, sb_wide_multiply(x, y));
        mpz_fdiv_q_2exp(c, a, bits);
        wide_expect(c, sb_wide_shift(x, bits));
        wide_import(c, sb_wide_from(sb_wide_low(x)));
        wide_import(d, sb_wide_from(sb_wide_low(y)));
        mpz_mul(c, c, d);
        wide_expect(c, sb_wide_product(sb_wide_low(x), sb_wide_low(y)));
        if (mpz_sgn(b) == 0)
            continue;
        mpz_fdiv_qr(c, d, a, b);
        wide_expect(c, sb_wide_divide(x, y, &rest));
        wide_expect(d, rest);
    }
    mpz_clears(a, b, c, d, NULL);
}

/* The nearest of all doubles: no neighbour is nearer, and of two at the same distance it is the even one. */
TEST(a_double_is_the_nearest)
{
    mpf_t exact, off, other;

    mpf_init2(exact, 256);
    mpf_init2(off, 256);
    mpf_init2(other, 256);
    for (int i = 0; i < WIDE_CASES; i++) {
        sb_wide x = wide_any();
        mpz_t a;

        if (i % 2) /* halfway between two */
            x = sb_wide_join(wide_word() >> 11 | UINT64_C(1) << 52, i % 4 == 1 ? UINT64_C(1) << 63 : 1);
        const double nearest = sb_wide_double(x),
                     neighbours[] = { nextafter(nearest, 0), nextafter(nearest, 1e300) };

        mpz_init(a);
        wide_import(a, x);
        mpf_set_z(exact, a);
        mpz_clear(a);
        mpf_set_d(off, nearest);
        mpf_sub(off, off, exact);
        mpf_abs(off, off);
        for (int k = 0; k < 2; k++) {
            mpf_set_d(other, neighbours[k]);
            mpf_sub(other, other, exact);
            mpf_abs(other, other);
            assert_true(mpf_cmp(off, other) <= 0);
            if (mpf_cmp(off, other) == 0 && nearest > 0) {
                int exponent;

                assert_true(fmod(ldexp(frexp(nearest, &exponent), 53), 2) == 0);
            }
        }
        assert_true(sb_wide_difference(sb_wide_from(3), sb_wide_from(5)) == -2);
    }
    mpf_clears(exact, off, other, NULL);
}
