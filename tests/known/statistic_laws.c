/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Null laws of large decks: against exact integers, closed forms that the laws are not made with, and
 * moments.
 *
 * Values at n = 52 and 1000: ratios of exact integers, made by Python's from the textbook recurrences over
 * whole numbers (c, A, I, D), to 20 digits; those of the inversions near the middle at n = 1000 by mpmath at
 * 40 digits from the characteristic function.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/sum.h"
#include "statistic/statistic.h"

#include <stdlib.h>
#include <string.h>

static const struct sb_statistic_type *find(const char *name)
{
    const struct sb_statistic_type *const type = sb_statistic_find(name);

    assert_non_null(type);
    return type;
}

/* A law of one member; the caller frees it. */
static double *law_of(const struct sb_statistic_type *type, size_t n)
{
    double *const ln_p = calloc(type->cells(n, n), sizeof *ln_p);

    assert_non_null(ln_p);
    assert_int_equal(type->null_law(n, n, 0, ln_p), SB_OK);
    return ln_p;
}

static void test_fifty_two_cards_to_twelve_digits(void **state)
{
    static const struct {
        const char *statistic;
        size_t cell;
        double p;
    } expected[] = {
        { "fixed-points", 0, 0.367879441171442322 },     { "cycles", 4, 0.23282114328188702 },
        { "records", 4, 0.23282114328188702 },           { "descents", 25, 0.18406709449655771 },
        { "rising-sequences", 26, 0.18406709449655771 }, { "inversions", 663, 0.0062634273045342102 },
        { "longest-increasing", 11, 0.279613876333557 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        double *const ln_p = law_of(find(expected[i].statistic), 52);
        const double p = exp(ln_p[expected[i].cell]);

        if (!(fabs(p / expected[i].p - 1) < 4e-15))
            fail_msg("%s: %.17g, not %.17g", expected[i].statistic, p, expected[i].p);
        free(ln_p);
    }
}

static void test_a_thousand_cards(void **state)
{
    static const struct {
        const char *statistic;
        size_t n, cell;
        double ln_p;
    } expected[] = {
        { "cycles", 1000, 1, -6.907755278982137052 },
        { "cycles", 1000, 7, -1.797717240061530907 },
        { "cycles", 1000, 100, -213.9700829991757167 },
        { "records", 1000, 500, -2166.764201887346434 },
        { "records", 1000, 999, -5899.006815611092604 },
        { "cycles", 1000, 1000, -5912.128178488163349 },
        { "descents", 1000, 0, -5912.128178488163349 },
        { "descents", 1000, 1, -5218.980997928218039 },
        { "descents", 1000, 100, -1297.055531234195106 },
        { "rising-sequences", 1000, 301, -254.2025816769669988 },
        { "descents", 1000, 499, -3.132510074821905170 },
        { "descents", 1000, 500, -3.132510074821905170 },
        { "fixed-points", 1000, 0, -1 },
        { "fixed-points", 1000, 5, -5.787491742782045994 },
        { "fixed-points", 1000, 500, -2612.330458460156084 },
        { "fixed-points", 1000, 998, -5899.006815611092604 },
        { "adjacent", 1000, 0, -0.9990004996669164668 },
        { "adjacent", 1000, 5, -5.791499764179584813 },
        { "adjacent", 1000, 500, -2613.021607638053357 },
        { "adjacent", 1000, 998, -5905.221423709514795 },
        { "inversions", 1000, 0, -5912.128178488163349 },
        { "inversions", 1000, 1, -5905.221423709514795 },
        { "inversions", 1000, 100, -5580.402952236634113 },
        { "inversions", 1000, 3000, -3672.580627982089946 },
        { "inversions", 1000, 230000, -16.51062469314396473 },
        { "inversions", 1000, 240000, -11.19760194971849782 },
        { "inversions", 1000, 249750, -9.489830201239340678 },
        /* the last of each: one permutation, 59^2, the Catalan number but one, and (n/2)!^2 */
        { "longest-increasing", 60, 59, -180.4730985358601523 },
        { "longest-increasing", 60, 2, -112.1830061539099037 },
        { "displacement", 200, 0, -863.2319871924054735 },
        { "displacement", 200, 2, -857.9386823676809811 },
        { "displacement", 200, 20000, -135.7532360812784932 },
    };

    double *ln_p = NULL; /* that of the one before, where it is the same */

    (void)state;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        if (i == 0 || strcmp(expected[i].statistic, expected[i - 1].statistic) != 0) {
            free(ln_p);
            ln_p = law_of(find(expected[i].statistic), expected[i].n);
        }
        const double ln_got = ln_p[expected[i].cell];

        /* twelve digits of p where it is a double, and of ln p where not */
        if (!(fabs(ln_got - expected[i].ln_p) < 1e-12 * fmax(1, fabs(expected[i].ln_p) / 700)))
            fail_msg("%s: %.17g, not %.17g", expected[i].statistic, ln_got, expected[i].ln_p);
    }
    free(ln_p);
}

/* The sum of p, the mean and the variance of the cells. */
static void moments(const double ln_p[], size_t cells, double *total, double *mean, double *variance)
{
    struct sb_sum sum[3] = { { 0, 0 }, { 0, 0 }, { 0, 0 } };

    for (size_t cell = 0; cell < cells; cell++) {
        sb_sum_add(&sum[0], exp(ln_p[cell]));
        sb_sum_add(&sum[1], exp(ln_p[cell]) * (double)cell);
    }
    *total = sb_sum_value(&sum[0]);
    *mean = sb_sum_value(&sum[1]);
    for (size_t cell = 0; cell < cells; cell++)
        sb_sum_add(&sum[2], exp(ln_p[cell]) * ((double)cell - *mean) * ((double)cell - *mean));
    *variance = sb_sum_value(&sum[2]);
}

static double harmonic(size_t n, int power)
{
    double sum = 0;

    for (size_t i = 1; i <= n; i++)
        sum += pow((double)i, -power);
    return sum;
}

/* The means and variances of the textbooks; NaN where there is none. */
static void known_moments(const char *name, size_t items, double *mean, double *variance)
{
    const double n = (double)items;

    *mean = *variance = NAN;
    if (strcmp(name, "fixed-points") == 0)
        *mean = *variance = 1;
    if (strcmp(name, "adjacent") == 0)
        *mean = (n - 1) / n;
    if (strcmp(name, "cycles") == 0 || strcmp(name, "records") == 0) {
        *mean = harmonic(items, 1);
        *variance = harmonic(items, 1) - harmonic(items, 2);
    }
    if (strcmp(name, "cycle-of-first") == 0) {
        *mean = (n + 1) / 2;
        *variance = (n * n - 1) / 12;
    }
    if (strcmp(name, "descents") == 0 || strcmp(name, "rising-sequences") == 0) {
        *mean = (n - 1) / 2 + (name[0] == 'r');
        *variance = (n + 1) / 12;
    }
    if (strcmp(name, "inversions") == 0) {
        *mean = n * (n - 1) / 4;
        *variance = n * (n - 1) * (2 * n + 5) / 72;
    }
    if (strcmp(name, "displacement") == 0) { /* 901 and 6377.666... for 52 cards */
        *mean = (n * n - 1) / 3;
        *variance = (n + 1) * (2 * n * n + 7) / 45;
    }
}

/* Moments of all laws, for small decks, cards, odd numbers and the largest. */
static void test_moments(void **state)
{
    static const size_t items[] = { 2, 3, 11, 52, 60, 199, 200, 313, 1000 };

    (void)state;
    for (size_t t = 0; t < sb_statistic_types_count; t++)
        for (size_t i = 0; i < sizeof items / sizeof items[0]; i++) {
            const struct sb_statistic_type *const type = sb_statistic_types[t];
            const size_t n = items[i], cells = type->cells(n, n);
            double total, mean, variance, known_mean, known_variance;

            if (cells == 0)
                continue;
            double *const ln_p = law_of(type, n);
            moments(ln_p, cells, &total, &mean, &variance);
            known_moments(type->name, n, &known_mean, &known_variance);
            if (!(fabs(total - 1) < 1e-12) || fabs(mean - known_mean) > 1e-12 * mean ||
                fabs(variance - known_variance) > 1e-11 * known_variance)
                fail_msg("%s, n = %zu: sum - 1 = %g, mean %.17g not %.17g, variance %.17g not %.17g",
                         type->name, n, total - 1, mean, known_mean, variance, known_variance);
            free(ln_p);
        }
}

/* What is said to be out of range is, and the next one is not. */
static void test_ranges(void **state)
{
    (void)state;
    assert_int_equal(find("longest-increasing")->cells(60, 60), 61);
    assert_int_equal(find("longest-increasing")->cells(61, 61), 0);
    assert_int_equal(find("longest-increasing")->cells(61, 60), 61);
    assert_int_equal(find("displacement")->cells(200, 200), 20001);
    assert_int_equal(find("displacement")->cells(201, 201), 0);
    assert_int_equal(find("inversions")->cells(1000, 1000), 499501);
    assert_int_equal(find("inversions")->cells(1001, 1001), 0);
    for (size_t t = 0; t < sb_statistic_types_count; t++) {
        const char *const range = sb_statistic_types[t]->range;

        assert_non_null(range);
        for (size_t n = 2; n < 10 && !sb_statistic_types[t]->profile; n++) /* deals of all cards but one */
            assert_int_equal(sb_statistic_types[t]->cells(n, n - 1) == 0, strncmp(range, "whole", 5) == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fifty_two_cards_to_twelve_digits),
        cmocka_unit_test(test_a_thousand_cards),
        cmocka_unit_test(test_moments),
        cmocka_unit_test(test_ranges),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
