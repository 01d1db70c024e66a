/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The noncentral chi-square distribution and its interval, against values of high precision. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fit/numeric/noncentral.h"
#include "fit/numeric/root.h"
#include "fit/numeric/special.h"
#include "unit/assert_near.h"

#include <math.h>

/* mpmath, 60 digits: sum over j of exp(-h) h^j/j! Q(dof/2 + j, x/2), h = lambda/2; the first is a central
 * one. */
static void tails_of_high_precision(void **state)
{
    static const struct {
        double x, dof, lambda, q, p;
    } table[] = {
        { 11.0705, 5, 0, 0.0499999554280436516, 0.950000044571956348 },
        { 11.0705, 5, 10, 0.677438744686521455, 0.322561255313478545 },
        { 40, 5, 10, 0.00324780744373217397, 0.996752192556267826 },
        { 2, 5, 20, 0.999938513717053273, 0.0000614862829467265867 },
        { 900, 719, 100, 0.0322869050671895671, 0.967713094932810433 },
        { 600, 719, 100, 0.999999990834644603, 9.16535539652478667e-9 },
        { 100000, 5, 100000, 0.50252311990635755, 0.49747688009364245 },
        { 98000, 5, 100000, 0.999275243256770614, 0.000724756743229385593 },
        { 100200, 5, 100000, 0.37837614579251647, 0.62162385420748353 },
        { 3640000, 3628799, 8000, 0.117912272333699871, 0.882087727666300129 },
        { 3620000, 3628799, 8000, 0.999999999768830763, 2.31169237143236412e-10 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        assert_near(sb_noncentral_q(table[i].x, table[i].dof, table[i].lambda), table[i].q, 1e-10);
        assert_near(sb_noncentral_p(table[i].x, table[i].dof, table[i].lambda), table[i].p, 1e-10);
    }
}

/* With one degree of freedom X is (Z + m)^2, lambda = m^2: two tails of the normal distribution. */
static void one_degree_is_a_squared_normal(void **state)
{
    static const double means[] = { 0.1, 1, 5, 100, 999, 1001, 1e5 };

    (void)state;
    for (size_t i = 0; i < sizeof means / sizeof means[0]; i++)
        for (double z = -5; z <= 5; z += 0.5) {
            const double m = means[i], root = m + z;
            /* P(|Z + m| > root) */
            const double q = 0.5 * erfc(z / sqrt(2)) + 0.5 * erfc((root + m) / sqrt(2));

            if (root > 0) /* beyond lambda = 1e6 it is an approximation */
                assert_near(sb_noncentral_q(root * root, 1, m * m), q, m > 1000 ? 1e-6 : 1e-9);
        }
}

/* mpmath: the sum above set equal to alpha/2, by findroot with 25 digits. */
static void intervals_of_high_precision(void **state)
{
    static const struct {
        double x, dof, alpha, low, high;
    } table[] = {
        { 11.07, 5, 0.05, 0, 22.87189309555957 },
        { 30, 5, 0.001, 2.3670153278628106, 71.830153216798597 },
        { 900, 719, 0.05, 95.3284325424416, 277.61474851126173 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        double low, high;

        sb_noncentral_interval(table[i].x, table[i].dof, table[i].alpha, &low, &high);
        assert_near(low, table[i].low, 1e-10);
        assert_near(high, table[i].high, 1e-10);
    }
}

/* An interval's ends have the tails that they should, from the smallest case to the largest; 0 is the end of
 * all. */
static void intervals_have_their_tails(void **state)
{
    static const double dofs[] = { 1, 5, 719, 40319, 3628799 }, ratios[] = { 0.9, 1, 1.01, 1.5, 30, 1e4 };
    static const double alpha = 0.001;

    (void)state;
    for (size_t i = 0; i < sizeof dofs / sizeof dofs[0]; i++)
        for (size_t j = 0; j < sizeof ratios / sizeof ratios[0]; j++) {
            const double dof = dofs[i], x = ratios[j] * dof;
            double low, high;

            sb_noncentral_interval(x, dof, alpha, &low, &high);
            assert_true(0 <= low && low <= fmax(0, x - dof) && low <= high);
            if (low > 0)
                assert_near(sb_noncentral_q(x, dof, low), alpha / 2, 1e-6);
            else
                assert_true(sb_chisq_q(x, dof) >= alpha / 2);
            if (high > 0)
                assert_near(sb_noncentral_p(x, dof, high), alpha / 2, 1e-6);
            else
                assert_true(sb_chisq_p(x, dof) <= alpha / 2);
        }
}

static void nothing_and_nonsense(void **state)
{
    double low, high;

    (void)state;
    assert_true(sb_noncentral_q(0, 5, 3) == 1 && sb_noncentral_p(0, 5, 3) == 0);
    assert_true(isnan(sb_noncentral_q(1, 5, NAN)));
    sb_noncentral_interval(0, 5, 0.05, &low, &high);
    assert_true(low == 0 && high == 0);
}

static double cube_minus_two(const void *state, double t)
{
    (void)state;
    return t * t * t - 2;
}

static double step_at_three(const void *state, double t)
{
    (void)state;
    return t < 3 ? -HUGE_VAL : 1;
}

/* The solver itself: a smooth function, and one with neither slope nor finite values. */
static void roots(void **state)
{
    (void)state;
    assert_near(sb_root_find(cube_minus_two, NULL, 0, 100, 1e-15), cbrt(2), 1e-14);
    assert_near(sb_root_find(step_at_three, NULL, -10, 1e6, 1e-15), 3, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tails_of_high_precision),     cmocka_unit_test(one_degree_is_a_squared_normal),
        cmocka_unit_test(intervals_of_high_precision), cmocka_unit_test(intervals_have_their_tails),
        cmocka_unit_test(nothing_and_nonsense),        cmocka_unit_test(roots),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
