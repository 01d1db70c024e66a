/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Intervals for a probability and De Moivre's mean deviation, against sums of their terms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fit/numeric/binomial.h"
#include "unit/assert_near.h"

#include <math.h>

struct interval {
    uint64_t count, total;
    double alpha, low, high;
};

/*
 * mpmath, 50 digits: bisection of betainc(c, N-c+1, 0, p, regularized=True) = alpha/2 and of its counterpart;
 * for N >= 10^6 by the secant method on the logarithm of the sum of the binomial terms, highest first.
 */
static void intervals_of_high_precision(void **state)
{
    static const struct interval table[] = {
        { 0, 10, 0.05, 0, 0.308497107818760824 },
        { 10, 10, 0.05, 0.691502892181239176, 1 },
        { 4, 10, 0.05, 0.12155225811982719, 0.737621923393054926 },
        { 1, 2, 0.05, 0.0125791170934250491, 0.987420882906574951 },
        { 2, 3, 1e-9, 0.0000129100000435113027, 0.999999999833333333 },
        { 15, 1000, 0.01, 0.00691800727446880556, 0.02797883231961296 },
        { 166, 1000, 0.001, 0.129414625154031215, 0.20770154957019668 },
        { 3, 1000000, 1e-9, 1.442771295645985779e-9, 0.00002992188209130273409 },
        { 999998, 1000000, 0.001, 0.999987948661069049, 0.9999999680389622743 },
        { 28, 100000000, 1e-9, 6.59389282741290696e-8, 7.479772584227407406e-7 },
        { 16666666, 100000000, 1e-4, 0.1665216959570881024, 0.1668116935428568815 },
        { 5, 1000000000000, 1e-9, 3.61615117862365192e-14, 3.448250435949479783e-11 },
        { 275573, 1000000000000, 2.8e-10, 2.722737687980018735e-7, 2.788991100586426637e-7 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        double low, high;

        sb_binomial_interval(table[i].count, table[i].total, table[i].alpha, &low, &high);
        assert_near(low, table[i].low, 1e-12);
        assert_near(high, table[i].high, 1e-12);
    }
}

/* Every count of small totals: the sums of binomial terms at both ends are alpha/2. */
static void intervals_by_summing(void **state)
{
    static const double alpha = 0.01;

    (void)state;
    for (unsigned total = 1; total <= 30; total++)
        for (unsigned count = 0; count <= total; count++) {
            double low, high, above = 0, below = 0;

            sb_binomial_interval(count, total, alpha, &low, &high);
            for (unsigned i = 0; i <= total; i++) {
                const double ways =
                    round(exp(lgamma(total + 1.0) - lgamma(i + 1.0) - lgamma(total - i + 1.0)));

                if (i >= count)
                    above += ways * pow(low, i) * pow(1 - low, total - i);
                if (i <= count)
                    below += ways * pow(high, i) * pow(1 - high, total - i);
            }
            assert_near(above, count == 0 ? 1 : alpha / 2, 1e-11);
            assert_near(below, count == total ? 1 : alpha / 2, 1e-11);
        }
}

/* Where nothing was counted nothing is known; the ends of 0 of N and N of N have closed forms. */
static void intervals_at_the_ends(void **state)
{
    double low, high;

    (void)state;
    sb_binomial_interval(0, 0, 0.05, &low, &high);
    assert_true(low == 0 && high == 1);
    sb_binomial_interval(0, 1000000000000, 0.05, &low, &high);
    assert_true(low == 0);
    assert_near(high, -log(0.025) / 1e12, 1e-11); /* 1 - 0.025^(1/N) */
    sb_binomial_interval(1000000000000, 1000000000000, 0.05, &low, &high);
    assert_true(high == 1);
    assert_near(1 - low, -log(0.025) / 1e12, 1e-3); /* so close to 1 a double is no better */
}

/* mpmath: sum |j - N/K| binomial(N, j) (1/K)^j (1-1/K)^(N-j); for large N by De Moivre's formula in 60
 * digits. */
static void mean_deviations(void **state)
{
    static const struct {
        uint64_t total;
        size_t cells;
        double expected;
    } table[] = {
        { 1, 6, 0.2777777777777777778 },
        { 2, 2, 0.5 },
        { 10, 2, 1.23046875 },
        { 7, 3, 1.02423411065386374 },
        { 100, 6, 2.982039871706177251 },
        { 1000, 24, 5.045829598217762295 },
        { 100000000, 6, 2973.540202012982481 },
        { 1000000000000, 24, 159438.330361078615 },
        { 10000000000000, 3628800, 1324.519869672143202 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        assert_near(sb_binomial_deviation(table[i].total, table[i].cells), table[i].expected, 1e-12);
    assert_true(sb_binomial_deviation(0, 6) == 0);
    assert_true(sb_binomial_deviation(1000, 1) == 0);
}

/* Two throws of a fair coin: HH and TT are 1/2 from uniform, HT and TH 0; one throw of a die is 5/6 from it.
 */
static void total_variation_of_the_fair(void **state)
{
    (void)state;
    assert_near(sb_total_variation_fair(2, 2), 0.25, 1e-14);
    assert_near(sb_total_variation_fair(1, 6), 5.0 / 6, 1e-14);
    assert_true(sb_total_variation_fair(100, 1) == 0);
    assert_true(isnan(sb_total_variation_fair(0, 6)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_of_high_precision), cmocka_unit_test(intervals_by_summing),
        cmocka_unit_test(intervals_at_the_ends),       cmocka_unit_test(mean_deviations),
        cmocka_unit_test(total_variation_of_the_fair),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
