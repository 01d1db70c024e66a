/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Power: noncentralities and numbers of shuffles against a published table and values of high precision. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/exact.h"
#include "fit/numeric/power.h"
#include "unit/assert_near.h"

#include <math.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

enum { CELLS_MOST = 24 };

/* Zaykin, http://statgen.ncsu.edu/zaykin/ranks/NonCentrTable.txt: alpha = 0.05, six significant digits, made
 * with Mathematica. */
static void published_table(void **state)
{
    static const struct {
        double power, one, eight;
    } table[] = {
        { 0.40, 2.91145, 6.71289 }, { 0.50, 3.84102, 8.40464 }, { 0.60, 4.89857, 10.2362 },
        { 0.70, 6.17200, 12.3493 }, { 0.75, 6.94031, 13.5872 }, { 0.80, 7.84886, 15.0221 },
        { 0.85, 8.97839, 16.7697 }, { 0.90, 10.5074, 19.0827 }, { 0.95, 12.9947, 22.7437 },
        { 0.97, 14.7514, 25.2695 }, { 0.99, 18.3725, 30.3563 }, { 0.999, 25.5045, 40.0366 },
    };
    const struct sb_power_test one = sb_power_test(1, 0.05), eight = sb_power_test(8, 0.05);

    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        assert_near(sb_power_noncentrality(&one, table[i].power), table[i].one, 5e-6);
        assert_near(sb_power_noncentrality(&eight, table[i].power), table[i].eight, 5e-6);
    }
}

/* mpmath, 40 digits, both by bisection: Q(x; dof) = alpha, and the Poisson mixture of lower tails = 1 -
 * power. The last three by scipy 1.10 (chi2.isf, ncx2.sf with brentq). */
static void values_of_high_precision(void **state)
{
    static const struct {
        double dof, alpha, power, critical, lambda, relative;
    } table[] = {
        { 5, 0.05, 0.8, 11.070497693516354, 12.827606572305423, 1e-10 },
        { 5, 0.001, 0.9, 20.515005652432878, 29.205766292375344, 1e-10 },
        { 4, 0.001, 0.9, 18.466826952903171, 27.68269632794912, 1e-10 },
        { 5, 0.001, 0.1, 20.515005652432878, 7.1528090044467679, 1e-10 },
        { 3, 0.3, 0.31, 3.6648707831703174, 0.067282393689673271, 1e-8 },
        { 2, 1e-10, 0.999999, 46.051701859880914, 131.86951572306472, 1e-10 },
        { 119, 0.001, 0.9, 172.41768160217922, 83.463188266715012, 1e-10 },
        { 25, 0.001, 0.5, 52.619655776172839, 28.519635278435935, 1e-10 },
        { 719, 0.001, 0.9, 841.90521981599489, 182.02904769236376, 1e-10 },
        { 40319, 0.001, 0.9, 41202.230773242845, 1257.889161469137, 1e-8 },
        { 2601, 0.001, 0.9, 2829.5938917206427, 331.66026954252783, 1e-8 },
        { 3628799, 0.001, 0.9, 3637129.764053253, 11794.02784557379, 1e-7 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct sb_power_test test = sb_power_test(table[i].dof, table[i].alpha);

        assert_near(test.critical, table[i].critical, table[i].relative);
        assert_near(sb_power_noncentrality(&test, table[i].power), table[i].lambda, table[i].relative);
    }
}

/* The smallest N: it has the power and N - 1 has not. */
static void shuffles_are_the_fewest(void **state)
{
    static const double dofs[] = { 1, 5, 119, 2601, 40319 }, powers[] = { 0.0011, 0.1, 0.5, 0.9, 0.999999 };
    static const double effects[] = { 3, 0.1, 1.0 / 81, 1e-6 };

    (void)state;
    for (size_t d = 0; d < sizeof dofs / sizeof dofs[0]; d++) {
        const struct sb_power_test test = sb_power_test(dofs[d], 0.001);

        for (size_t p = 0; p < sizeof powers / sizeof powers[0]; p++)
            for (size_t e = 0; e < sizeof effects / sizeof effects[0]; e++) {
                const double n = sb_power_shuffles(&test, powers[p], effects[e]);

                assert_true(n >= 1 && n == floor(n));
                assert_true(sb_power_at(&test, n * effects[e]) >= powers[p] * (1 - 1e-9));
                assert_true(n == 1 || sb_power_at(&test, (n - 1) * effects[e]) < powers[p]);
            }
    }
}

static void nothing_and_extremes(void **state)
{
    const struct sb_power_test test = sb_power_test(5, 0.001), strict = sb_power_test(5, 1e-300),
                               wide = sb_power_test(65534.0 * 65534.0, 0.001);

    (void)state;
    assert_true(isnan(sb_power_shuffles(&test, 0.9, 0)));
    assert_true(isnan(sb_power_shuffles(&test, 0.9, 1e-310)));
    assert_true(sb_power_shuffles(&test, 0.0005, 0.1) == 1); /* less than its level is had for nothing */
    assert_near(sb_power_at(&test, 0), 0.001, 1e-10);
    assert_true(sb_power_at(&test, 1e25) == 1);
    assert_true(sb_power_noncentrality(&strict, 1 - 1e-15) > 1380);
    assert_true(sb_power_noncentrality(&strict, 1 - 1e-15) < 4000);
    /* with many degrees of freedom nearly normal: (z(alpha) + z(1-power)) sqrt(2 dof) and a little more */
    assert_near(sb_power_noncentrality(&wide, 0.9), (3.0902323 + 1.2815516) * sqrt(2.0) * 65534, 1e-4);
    assert_true(isnan(sb_power_known(0.001, 0)));
    assert_true(sb_power_known(0.001, log(3)) == 7); /* ln 1000 / ln 3 = 6.29 */
}

/* The naive swap at n = 3 from its counts: (n-1) * 4 (1/27)^2 = 8/729. A deal of 1 by sattolo never has the
 * first item first: (n-1)/n * (3 (1/9 + 2/36) + 3/2 (1/9 + 2/36)) = 1/2. */
static void matrix_effects(void **state)
{
    static const uint64_t naive[] = { 4, 5, 5, 5, 4, 4 }, sattolo[] = { 0, 1, 1 };
    struct sb_evidence evidence;

    (void)state;
    for (size_t deal = 1; deal <= 3; deal += 2) {
        assert_int_equal(sb_evidence_open(SB_BY_EXACT, 3, deal, &evidence), SB_OK);
        for (size_t i = 0; i < evidence.cells; i++) {
            evidence.counts.u64[i] = deal == 3 ? naive[i] : sattolo[i];
            evidence.total += evidence.counts.u64[i];
        }
        sb_mpz_set_u64(evidence.denominator, evidence.total);
        assert_int_equal(sb_evidence_matrix(&evidence), SB_OK);
        assert_near(sb_power_matrix(&evidence), deal == 3 ? 8.0 / 729 : 0.5, 1e-14);
        sb_evidence_close(&evidence);
    }
}

static double chi_square(const double p[], size_t cells, double *tv)
{
    double sum = 0;

    *tv = 0;
    for (size_t i = 0; i < cells; i++) {
        const double d = p[i] - 1 / (double)cells;

        *tv += 0.5 * fabs(d);
        sum += d * d * (double)cells;
    }
    return sum;
}

/* 4 TV^2 and 4 K^2/(K^2-1) TV^2 up to TV = 1/2; the law of b equal cells below and K - b above has the least
 * chi-square, and no random law has less. */
static void worst_direction(void **state)
{
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus2);

    (void)state;
    assert_non_null(rng);
    for (size_t cells = 2; cells <= CELLS_MOST; cells++) {
        const double k = (double)cells, odd = cells % 2 ? k * k / (k * k - 1) : 1;

        assert_near(sb_power_worst(0.01, k), 4 * odd * 1e-4, 1e-14);
        assert_near(sb_power_worst(0.5, k), odd, 1e-14);
        assert_near(sb_power_worst(1 - 1 / k, k), k - 1, 1e-12);
        for (size_t trial = 0; trial < 3000; trial++) {
            static const double shapes[] = { 0.05, 0.3, 1, 20 };
            double weight[CELLS_MOST], p[CELLS_MOST], tv;

            for (size_t i = 0; i < cells; i++)
                weight[i] = shapes[trial % 4];
            gsl_ran_dirichlet(rng, cells, weight, p);
            const double chi2 = chi_square(p, cells, &tv);
            assert_true(chi2 >= sb_power_worst(tv, k) * (1 - 1e-9));
            /* the law that has it */
            const double below = fmax(ceil(k / 2), ceil(k * tv - 1e-9)), above = k - below;

            for (size_t i = 0; i < cells; i++)
                p[i] = 1 / k + ((double)i < below ? -tv / below : tv / above);
            assert_true(p[0] >= -1e-9);
            const double least = chi_square(p, cells, &tv);
            assert_near(sb_power_worst(tv, k), least, 1e-9);
            assert_near(sb_power_worst_tv(least, k), tv, 1e-9);
        }
    }
    assert_true(isnan(sb_power_worst_tv(5.1, 6)));
    gsl_rng_free(rng);
}

/* Over random directions: mean chi-square to squared mean total variation; 20000 of them, so that the mean of
 * each is off by less than 0.5%. */
static void typical_direction(void **state)
{
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus2);

    (void)state;
    assert_non_null(rng);
    for (size_t cells = 4; cells <= CELLS_MOST; cells += 4) {
        double p[CELLS_MOST], squares = 0, sizes = 0;

        for (size_t trial = 0; trial < 20000; trial++) {
            double mean = 0, tv;

            for (size_t i = 0; i < cells; i++) {
                p[i] = gsl_ran_ugaussian(rng);
                mean += p[i] / (double)cells;
            }
            for (size_t i = 0; i < cells; i++)
                p[i] += 1 / (double)cells - mean;
            squares += chi_square(p, cells, &tv) / 20000;
            sizes += tv / 20000;
        }
        assert_near(sb_power_typical(sizes, (double)cells), squares, 0.02);
    }
    assert_near(sb_power_typical_tv(sb_power_typical(0.01, 24), 24), 0.01, 1e-14);
    assert_near(sb_power_typical(0.1, 2), sb_power_worst(0.1, 2), 1e-14); /* two cells have one direction */
    assert_true(isnan(sb_power_typical_tv(30, 6)));
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_table),         cmocka_unit_test(values_of_high_precision),
        cmocka_unit_test(shuffles_are_the_fewest), cmocka_unit_test(nothing_and_extremes),
        cmocka_unit_test(matrix_effects),          cmocka_unit_test(worst_direction),
        cmocka_unit_test(typical_direction),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
