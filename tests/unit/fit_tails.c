/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tails of laws against plain sums of their terms, in long doubles. */
#include "unit/test.h"

#include "fit/numeric.h"

#include "unit/assert_near.h"

#include <math.h>

/* Twice the smaller of P(X <= value) and P(X >= value), at most 1; as a logarithm. */
static double both(const long double p[], size_t cells, size_t value)
{
    long double low = 0, high = 0;

    for (size_t i = 0; i <= value; i++)
        low += p[i];
    for (size_t i = value; i < cells; i++)
        high += p[i];
    return (double)logl(fminl(1, 2 * fminl(low, high)));
}

TEST(poisson)
{
    enum { CELLS = 60 };
    long double p[CELLS];

    p[0] = expl(-1);
    for (size_t i = 1; i < CELLS; i++)
        p[i] = p[i - 1] / (long double)i;
    for (size_t value = 0; value < 40; value++)
        assert_near(sb_tails_poisson(value), both(p, CELLS, value), 1e-13);
}

static long double choose(size_t n, size_t k)
{
    long double product = 1;

    for (size_t i = 0; i < k; i++)
        product = product * (long double)(n - i) / (long double)(i + 1);
    return product;
}

/* How many of the first `width` items are at the first `width` positions: (w over x) (n-w over w-x) / (n over w). */
TEST(hypergeometric)
{
    static const size_t sizes[][2] = { { 2, 1 }, { 10, 3 }, { 10, 5 }, { 52, 13 }, { 52, 26 } };

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const size_t n = sizes[i][0], w = sizes[i][1];
        long double p[27];

        for (size_t x = 0; x <= w; x++)
            p[x] = choose(w, x) * choose(n - w, w - x) / choose(n, w);
        for (size_t x = 0; x <= w; x++)
            assert_true(fabs(sb_tails_hypergeometric(n, w, x) - both(p, w + 1, x)) < 1e-11);
    }
}

TEST(cells)
{
    static const long double p[] = { 0.1L, 0.5L, 0.3L, 0.1L };
    double ln_p[4];

    for (size_t i = 0; i < 4; i++)
        ln_p[i] = (double)logl(p[i]);
    for (size_t i = 0; i < 4; i++)
        assert_near(sb_tails_cells(ln_p, 4, i), both(p, 4, i), 1e-14);
}

/* Tails far below the smallest double, and a cell that cannot occur. */
TEST(cells_far_out)
{
    static const double ln_p[] = { -HUGE_VAL, -5000, -4999, 0 };

    assert_near(sb_tails_cells(ln_p, 4, 1), log(2) - 5000, 1e-12);
    assert_near(sb_tails_cells(ln_p, 4, 2), log(2) - 4999 + log1p(exp(-1)), 1e-12);
    assert_true(sb_tails_cells(ln_p, 4, 3) == 0);
}

/* A coin 100 times: mean 50, standard deviation 5. Both bounds are above the exact tail, and below 1 far out. */
TEST(bounds)
{
    long double p[101];

    for (size_t i = 0; i <= 100; i++)
        p[i] = choose(100, i) * powl(0.5L, 100);
    for (size_t i = 51; i <= 100; i++) {
        const double exact = both(p, 101, i);

        assert_true(sb_tails_subgaussian((double)(i - 50) / 5.0) >= exact);
        assert_true(sb_tails_bits_above(50, (double)i) >= exact);
    }
    assert_near(sb_tails_subgaussian(6), log(2) - 18, 1e-14);
    assert_near(sb_tails_bits_above(50, 100), log(2) + 50 - 100 * log(2), 1e-12);
    assert_true(sb_tails_subgaussian(0) == 0);
}
