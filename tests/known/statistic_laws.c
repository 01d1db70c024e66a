/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Null laws of large decks: against exact integers and closed forms that the code does not use
 * (data/vectors/null_laws.txt), and against moments.
 */
#include "unit/test.h"

#include "core/numbers.h"
#include "statistic/statistic.h"
#include "unit/vectors.h"

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

/* ln p of a cell. The law stays for the next vector, which mostly asks for the same one. */
static double ln_p_of(const struct vector *v)
{
    static const struct sb_statistic_type *type;
    static size_t n;
    static double *ln_p;
    const size_t cell = (size_t)v->in[2].whole;

    if (find(v->in[0].text) != type || v->in[1].whole != n) {
        type = find(v->in[0].text);
        n = (size_t)v->in[1].whole;
        free(ln_p);
        ln_p = law_of(type, n);
    }
    assert_true(cell < type->cells(n, n));
    return ln_p[cell];
}

static void compute_probability(const struct vector *v, struct vector_field got[])
{
    got[0].real = exp(ln_p_of(v));
}

static void compute_ln_probability(const struct vector *v, struct vector_field got[])
{
    got[0].real = ln_p_of(v);
}

static void compute_position(const struct vector *v, struct vector_field got[])
{
    const struct sb_statistic_type *const type = find("position");
    const size_t n = (size_t)v->in[0].whole, deal = (size_t)v->in[1].whole;
    double *const ln_p = calloc(type->cells(n, deal), sizeof *ln_p);

    assert_non_null(ln_p);
    assert_true(v->in[3].whole < type->cells(n, deal));
    assert_int_equal(type->null_law(n, deal, (size_t)v->in[2].whole, ln_p), SB_OK);
    got[0].real = ln_p[v->in[3].whole];
    free(ln_p);
}

TEST(test_known_vectors)
{
    static const struct vector_kind kinds[] = {
        { "probability", .in = "tnn", .out = "r", .relative = 4e-15, .least = 7,
          .compute = compute_probability },
        { "ln-probability", .in = "tnn", .out = "r", .absolute = 1e-12, .relative = 1e-12 / 700, .least = 32,
          .compute = compute_ln_probability },
        { "position-ln-probability", .in = "nnnn", .out = "r", .relative = 1e-14, .least = 4,
          .compute = compute_position },
        { .name = NULL },
    };

    vectors_check("null_laws.txt", kinds);
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
TEST(test_moments)
{
    static const size_t items[] = { 2, 3, 11, 52, 60, 199, 200, 313, 1000 };

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
TEST(test_ranges)
{
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
        if (sb_statistic_types[t]->profile || strstr(range, "equal cards"))
            continue;                   /* they have cells for other decks only */
        for (size_t n = 2; n < 10; n++) /* deals of all cards but one */
            assert_int_equal(sb_statistic_types[t]->cells(n, n - 1) == 0, strncmp(range, "whole", 5) == 0);
    }
}
