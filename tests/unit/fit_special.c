/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tails of chi-square, against published tables and values of high precision. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fit/numeric/special.h"
#include "unit/assert_near.h"

#include <math.h>

#include <gsl/gsl_errno.h>

struct tail {
    double x, dof, expected;
};

/* Abramowitz and Stegun, Handbook of Mathematical Functions, table 26.8: chi-square for given Q, three
 * decimals. */
static void published_percentage_points(void **state)
{
    static const struct tail table[] = {
        { 3.841, 1, 0.05 },     { 10.828, 1, 0.001 },    { 11.070, 5, 0.05 },  { 20.515, 5, 0.001 },
        { 16.919, 9, 0.05 },    { 36.123, 14, 0.001 },   { 37.652, 25, 0.05 }, { 59.703, 30, 0.001 },
        { 124.342, 100, 0.05 }, { 149.449, 100, 0.001 }, { 1.145, 5, 0.95 },   { 70.065, 100, 0.99 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof table[0];
         i++) /* half a unit of the last decimal changes p so much */
        assert_near(sb_chisq_q(table[i].x, table[i].dof), table[i].expected, 1e-3);
}

/*
 * mpmath 1.2.1, 50 digits: log Q(dof/2, x/2), summed as e^-y y^b/Gamma(b+1) for b = dof/2-1, dof/2-2, ... >=
 * 0, and erfc(sqrt(y)) for odd dof: another way than the code's. The p-value itself has to be right to 1e-10.
 */
static void ln_q_of_high_precision(void **state)
{
    static const struct tail table[] = {
        { 0.5, 1, -0.73501112983708440303 },
        { 3.841458820694124, 1, -2.9957322735539898447 },
        { 1e4, 1, -5004.8310615136451433 },
        { 11.0705, 5, -2.9957331649935152939 },
        { 1e5, 5, -49984.054985444007497 }, /* p is 10^-21708 */
        { 500, 719, -4.6947744593180587608e-11 },
        { 719, 719, -0.7072738566249432566 },
        { 800, 719, -3.9712921026698104443 },
        { 3000, 719, -631.96920370543686158 },
        { 1000, 1001, -0.68721636811237324225 },
        { 1060, 1001, -2.3500004257876362282 },
        { 39800, 40319, -0.03395492371927655379 },
        { 40319, 40319, -0.69502211515072202027 },
        { 41000, 40319, -4.7688348713981591693 },
        { 52000, 40319, -716.13849249629630322 },
        { 999000, 1000000, -0.27420433134075002647 }, /* here gsl_cdf_chisq_Q is off by 1e-5 */
        { 3620000, 3628799, -0.00054064332779149013453 },
        { 3628799, 3628799, -0.69334464787816439665 },
        { 3640000, 3628799, -11.021049702672219787 },
        { 3750000, 3628799, -994.76245526122297944 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        assert_true(fabs(sb_chisq_ln_q(table[i].x, table[i].dof) - table[i].expected) <= 1e-10);
}

/* By the same expression, where ln p is so large that its own last digit is all that can be asked. */
static void ln_q_out_of_this_world(void **state)
{
    static const struct tail table[] = {
        { 1e9, 5, -499999970.23950488289 },
        { 1e6, 719, -497049.66357188222772 },
        { 1e6, 40319, -415118.751569226867 },
        { 1e7, 3628799, -1346382.6177889299785 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        assert_near(sb_chisq_ln_q(table[i].x, table[i].dof), table[i].expected, 1e-15);
    assert_near(sb_chisq_ln_q(1e300, 5), -5e299, 1e-15);
    assert_near(sb_chisq_ln_q(1.7e308, 1), -8.5e307, 1e-15);
}

/* mpmath: gammainc(dof/2, 0, x/2, regularized=True); the last two by its series, sum of y^i/((a+1)...(a+i)).
 */
static void small_lower_tails(void **state)
{
    static const struct tail table[] = {
        { 1e-10, 23, 2.5230816401708705797e-127 }, { 1e-3, 5, 1.681487718970627543e-9 },
        { 100, 719, 6.42508055019301314e-176 },    { 500, 719, 4.6947744592078542247e-11 },
        { 3e6, 3628799, 0 /* 10^-13406 */ },       { 3620000, 3628799, 0.00054049720652189691886 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        assert_near(sb_chisq_p(table[i].x, table[i].dof), table[i].expected, 1e-11);
}

/* Two degrees of freedom are an exponential distribution: Q = exp(-x/2). */
static void exponential(void **state)
{
    static const double xs[] = { 1e-300, 1e-5, 1, 2, 100, 1380, 1383, 1500, 1e10 };

    (void)state;
    for (size_t i = 0; i < sizeof xs / sizeof xs[0]; i++)
        assert_true(fabs(sb_chisq_ln_q(xs[i], 2) + 0.5 * xs[i]) <= 1e-14 * fmax(1, xs[i]));
}

static void neither_too_small_nor_too_few(void **state)
{
    (void)state;
    assert_true(sb_chisq_ln_q(0, 5) == 0);
    assert_true(sb_chisq_ln_q(-3, 5) == 0);
    assert_true(sb_chisq_ln_q(7, 0) == 0);
    assert_true(sb_chisq_p(0, 5) == 0);
    assert_true(isnan(sb_chisq_ln_q(NAN, 5)));
    assert_true(sb_chisq_ln_q(INFINITY, 5) == -INFINITY);
}

/* There is no seam where the tail changes its method: at 1000 degrees of freedom, at x = dof, at p = 1e-300.
 */
static void smooth_where_methods_meet(void **state)
{
    static const double dofs[] = { 1, 5, 719, 1000, 1001, 40319, 3628799 };

    (void)state;
    for (size_t i = 0; i < sizeof dofs / sizeof dofs[0]; i++) {
        const double dof = dofs[i];
        double last = 0;

        for (double z = -4; z < 60; z += 0.125) {
            const double x = dof + z * sqrt(2 * dof), ln_q = x > 0 ? sb_chisq_ln_q(x, dof) : 0;

            assert_true(ln_q <= last);
            assert_true(fabs(exp(ln_q) + sb_chisq_p(x, dof) - 1) < 1e-12);
            last = ln_q;
        }
    }
}

/* mpmath: k*log(k/m) + m - k; near k = m it is (k-m)^2/(2m) - (k-m)^3/(6m^2) + ... */
static void divergence_keeps_its_digits(void **state)
{
    (void)state;
    assert_near(sb_divergence(5, 3, -2), 0.55412811882995341603, 1e-15);
    assert_near(sb_divergence(1e12 + 1, 1e12, -1), 4.99999999999833333e-13, 1e-15);
    assert_near(sb_divergence(1e-9, 1, 1 - 1e-9), 0.99999997827673416305, 1e-15);
    assert_true(sb_divergence(0, 7, 7) == 7);
    assert_true(sb_divergence(7, 7, 0) == 0);
}

/* mpmath: loggamma(k) - ((k - 0.5)*log(k) - k + 0.5*log(2*pi)); the Poisson law of 3 at mean 2 is 4/3 e^-2.
 */
static void stirling_and_poisson(void **state)
{
    (void)state;
    assert_near(sb_stirling_rest(0.5), 0.15342640972002734529, 1e-14);
    assert_near(sb_stirling_rest(7), 0.011896709945891770095, 1e-13);
    assert_near(exp(sb_ln_poisson(3, 2)), 4.0 / 3 * exp(-2), 1e-14);
    assert_near(sb_ln_poisson(0, 2), -2, 0);
}

static void never_called(const char *reason, const char *file, int line, int number)
{
    (void)reason;
    (void)file;
    (void)line;
    (void)number;
    fail();
}

/* GSL's error handler is the caller's, and other threads' too: it never hears of anything. */
static void no_errors_for_gsl_to_handle(void **state)
{
    gsl_error_handler_t *const before = gsl_set_error_handler(never_called);

    (void)state;
    for (double dof = 1; dof < 1e4; dof *= 1.37)
        for (double x = 1e-300; x<1e300; x = x> 1e-3 && x < 1e6 ? x * 1.013 : x * 1e3)
            sb_chisq_ln_q(x, dof);
    for (double k = 1e-300; k < 1e300; k *= 7.3)
        for (double ratio = 1e-9; ratio < 1e9; ratio *= 1.7)
            sb_divergence(k, k * ratio, k * ratio - k);
    sb_chisq_ln_q(1e5, 719);
    sb_divergence(0.5, 3, 2.5);
    sb_stirling_rest(1e300);
    assert_ptr_equal(gsl_set_error_handler(before), never_called);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_percentage_points),
        cmocka_unit_test(ln_q_of_high_precision),
        cmocka_unit_test(ln_q_out_of_this_world),
        cmocka_unit_test(small_lower_tails),
        cmocka_unit_test(exponential),
        cmocka_unit_test(neither_too_small_nor_too_few),
        cmocka_unit_test(smooth_where_methods_meet),
        cmocka_unit_test(divergence_keeps_its_digits),
        cmocka_unit_test(stirling_and_poisson),
        cmocka_unit_test(no_errors_for_gsl_to_handle),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
