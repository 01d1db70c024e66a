/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Null laws of large decks: against exact integers and closed forms that the code does not use
 * (data/vectors/null_laws.txt), and against moments.
 */
#include "unit/test.h"

#include "core/numbers.h"
#include "statistic/statistic.h"
#include "tally/tally.h"
#include "unit/vectors.h"

#include <gsl/gsl_cdf.h>
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
    double *const ln_p = calloc(sb_statistic_cells(type, NULL, n, n), sizeof *ln_p);

    assert_non_null(ln_p);
    assert_int_equal(sb_statistic_null_law(type, NULL, n, n, ln_p), SB_OK);
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
    assert_true(cell < sb_statistic_cells(type, NULL, n, n));
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
    double *const ln_p = calloc(sb_statistic_cells(type, NULL, n, deal), sizeof *ln_p);

    assert_non_null(ln_p);
    assert_true(v->in[3].whole < sb_statistic_cells(type, NULL, n, deal));
    assert_int_equal(sb_statistic_null_law(type, NULL, n, deal, ln_p), SB_OK);
    got[0].real = ln_p[v->in[3].whole];
    free(ln_p);
}

TEST(test_known_vectors)
{
    static const struct vector_kind kinds[] = {
        { "probability", .in = "tnn", .out = "r", .relative = 4e-15, .least = 7, .compute = compute_probability },
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
            const size_t n = items[i], cells = sb_statistic_cells(type, NULL, n, n);
            double total, mean, variance, known_mean, known_variance;

            if (cells == 0)
                continue;
            double *const ln_p = law_of(type, n);
            moments(ln_p, cells, &total, &mean, &variance);
            known_moments(type->name, n, &known_mean, &known_variance);
            if (!(fabs(total - 1) < 1e-12) || fabs(mean - known_mean) > 1e-12 * mean ||
                fabs(variance - known_variance) > 1e-11 * known_variance)
                fail_msg("%s, n = %zu: sum - 1 = %g, mean %.17g not %.17g, variance %.17g not %.17g", type->name, n,
                         total - 1, mean, known_mean, variance, known_variance);
            free(ln_p);
        }
}

/* What is said to be out of range is, and the next one is not. */
TEST(test_ranges)
{
    assert_int_equal(sb_statistic_cells(find("longest-increasing"), NULL, 60, 60), 61);
    assert_int_equal(sb_statistic_cells(find("longest-increasing"), NULL, 61, 61), 0);
    assert_int_equal(sb_statistic_cells(find("longest-increasing"), NULL, 61, 60), 61);
    assert_int_equal(sb_statistic_cells(find("displacement"), NULL, 200, 200), 20001);
    assert_int_equal(sb_statistic_cells(find("displacement"), NULL, 201, 201), 0);
    assert_int_equal(sb_statistic_cells(find("inversions"), NULL, 1000, 1000), 499501);
    assert_int_equal(sb_statistic_cells(find("inversions"), NULL, 1001, 1001), 0);
    for (size_t t = 0; t < sb_statistic_types_count; t++) {
        const char *const range = sb_statistic_types[t]->range;

        assert_non_null(range);
        if (sb_statistic_types[t]->profile || strstr(range, "equal cards") || strstr(range, "sets and hands"))
            continue;                   /* they have cells for other decks only */
        for (size_t n = 2; n < 10; n++) /* deals of all cards but one */
            assert_int_equal(sb_statistic_cells(sb_statistic_types[t], NULL, n, n - 1) == 0,
                             strncmp(range, "whole", 5) == 0);
    }
}

/* ---- large laws ---- */

/*
 * Null laws of more than 1000 items, against recurrences, closed forms and counts that share no code with them; and
 * the cells of fair permutations, against the laws.
 */

static void assert_close(const char *what, size_t n, size_t cell, double got, double expected, double relative)
{
    if (!(fabs(got - expected) <= relative * fabs(expected)))
        fail_msg("%s, n = %zu, cell %zu: %.17g instead of %.17g", what, n, cell, got, expected);
}

/* The sums of p, of p v and of p v^2 of a law, centred at `about`. */
static void laws_moments(const struct sb_statistic_type *type, size_t n, double about, double sum[3])
{
    const struct sb_window window = type->window(n, n);
    double *const ln_p = law_of(type, n);
    struct sb_sum exact[3] = { { 0, 0 }, { 0, 0 }, { 0, 0 } };

    for (size_t cell = 0; cell < window.cells; cell++) {
        const double off = (double)(window.low + cell) - about, p = exp(ln_p[cell]);

        sb_sum_add(&exact[0], p);
        sb_sum_add(&exact[1], p * off);
        sb_sum_add(&exact[2], p * off * off);
    }
    for (size_t i = 0; i < 3; i++)
        sum[i] = sb_sum_value(&exact[i]);
    free(ln_p);
}

/* The textbooks' laws_moments. The windows' ends hold 10^-10 of a law, and so little of its variance. */
TEST(laws_test_moments)
{
    static const size_t items[] = { 1001, 65536, 1000000 };

    for (size_t i = 0; i < sizeof items / sizeof items[0]; i++) {
        const size_t items_count = items[i], width = items_count / 8;
        const double n = (double)items_count, w = (double)width;
        double harmonic = 0, squares = 0, sum[3];

        for (size_t m = items_count; m > 0; m--) {
            harmonic += 1 / (double)m;
            squares += 1 / (double)m / (double)m;
        }
        const struct {
            const char *name;
            double mean, variance, tolerance;
        } known[] = {
            { "descents", (n - 1) / 2, (n + 1) / 12, 1e-8 },
            { "rising-sequences", (n + 1) / 2, (n + 1) / 12, 1e-8 },
            { "cycles", harmonic, harmonic - squares, 1e-11 },
            { "records", harmonic, harmonic - squares, 1e-11 },
            { "fixed-points", 1, 1, 1e-13 },
            { "adjacent", (n - 1) / n, 1 - 1 / n - 1 / n / n, 1e-2 },
            { "eighths", w * w / n, w * w * (n - w) * (n - w) / (n * n * (n - 1)), 1e-7 },
        };

        for (size_t t = 0; t < sizeof known / sizeof known[0]; t++) {
            laws_moments(find(known[t].name), items_count, known[t].mean, sum);
            assert_true(fabs(sum[0] - 1) < 1e-11);
            assert_true(fabs(sum[1]) < 1e-8 * sqrt(known[t].variance));
            assert_close(known[t].name, items_count, 0, sum[2], known[t].variance, known[t].tolerance);
        }
    }
}

/* ln C(n, k) */
static double ln_binomial(double n, double k)
{
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

TEST(test_eighths)
{
    static const size_t items[] = { 1001, 8199, 1000000 };

    for (size_t i = 0; i < sizeof items / sizeof items[0]; i++) {
        const size_t n = items[i];
        const struct sb_statistic_type *const type = find("eighths");
        const struct sb_window window = type->window(n, n);
        const double w = (double)(n / 8), all = (double)n;
        double *const ln_p = law_of(type, n);

        for (size_t cell = 1; cell + 1 < window.cells; cell++) {
            const double x = (double)(window.low + cell);

            assert_close("eighths", n, cell, exp(ln_p[cell]),
                         exp(ln_binomial(w, x) + ln_binomial(all - w, w - x) - ln_binomial(all, w)), 2e-8);
        }
        free(ln_p);
    }
}

/* Row n of the Eulerian triangle over n!, row by row: p_n(k) = ((k+1) p_{n-1}(k) + (n-k) p_{n-1}(k-1)) / n has no
 * negative term, so that rounding takes n/2^52 of a probability at most. */
TEST(test_descents)
{
    enum { MOST = 2001 };
    static const size_t items[] = { 1001, MOST };
    static double p[MOST + 1];

    for (size_t i = 0; i < sizeof items / sizeof items[0]; i++) {
        const size_t n = items[i];
        const struct sb_statistic_type *const type = find("descents");
        const struct sb_window window = type->window(n, n);
        double *const ln_p = law_of(type, n);

        memset(p, 0, sizeof p);
        p[0] = 1;
        for (size_t m = 2; m <= n; m++)
            for (size_t k = m; k-- > 0;)
                p[k] = ((double)(k + 1) * p[k] + (k > 0 ? (double)(m - k) * p[k - 1] : 0)) / (double)m;
        for (size_t cell = 1; cell + 1 < window.cells; cell++)
            assert_close("descents", n, cell, exp(ln_p[cell]), p[window.low + cell], 1e-11);
        free(ln_p);
    }
}

/* Beyond the window of a law that is nearly normal are some 10^-10 of it at either end. */
TEST(windows_have_the_right_width)
{
    static const char *const names[] = { "descents", "rising-sequences", "eighths" };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct sb_statistic_type *const type = find(names[i]);
        double *const ln_p = law_of(type, 1000000);
        const double low = exp(ln_p[0]), high = exp(ln_p[type->window(1000000, 1000000).cells - 1]);

        if (!(low > 3e-11 && low < 3e-10 && high > 3e-11 && high < 3e-10))
            fail_msg("%s: %g, %g", names[i], low, high);
        free(ln_p);
    }
}

/* The number of pairs of positions, and of positions, in each band, one by one. */
TEST(test_bands)
{
    static const size_t items[] = { 1001, 4097, 8193, 8200 };

    for (size_t i = 0; i < sizeof items / sizeof items[0]; i++) {
        const size_t n = items[i];
        const struct sb_statistic_type *const distance = find("distance"), *const band = find("band");
        double pairs[64] = { 0 }, positions[64] = { 0 }, *ln_p = law_of(distance, n);

        for (size_t d = 1; d < n; d++)
            pairs[64 * (d - 1) / (n - 1)] += (double)(n - d);
        for (size_t p = 0; p < n; p++)
            positions[64 * p / n]++;
        for (size_t b = 0; b < 64; b++)
            assert_close("distance", n, b, exp(ln_p[b]), pairs[b] / ((double)n * (double)(n - 1) / 2), 1e-12);
        free(ln_p);
        if (sb_statistic_cells(band, NULL, n, n) == 0)
            continue;
        ln_p = law_of(band, n);
        for (size_t b = 0; b < 64; b++)
            assert_close("band", n, b, exp(ln_p[b]), positions[b] / (double)n, 1e-13);
        free(ln_p);
    }
}

/* A random permutation by a multiplicative congruential generator of 64 bits. */
static void shuffle(size_t n, uint64_t *seed, sb_item a[])
{
    for (size_t i = 0; i < n; i++)
        a[i] = (sb_item)i;
    for (size_t i = n; i-- > 1;) {
        *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const size_t j = (size_t)((*seed >> 32) * (i + 1) >> 32);
        const sb_item item = a[i];

        a[i] = a[j];
        a[j] = item;
    }
}

/*
 * Pearson's chi-square of the groups of every member over fair permutations with a fixed seed. Some 210 tests at
 * 10^-9: a false alarm has a probability of 2 in 10^7.
 */
static void check_fair(size_t n, size_t permutations)
{
    const struct sb_statistic_type *type[64];
    sb_item *const a = calloc(n, sizeof *a);
    struct sb_observer *observer = NULL;
    struct sb_tally tally[64];
    uint64_t seed = n;
    size_t count = 0;

    assert_non_null(a);
    for (size_t i = 0; i < sb_statistic_types_count; i++)
        if (sb_statistic_joins(sb_statistic_types[i], n, n) && sb_statistic_types[i] != &sb_statistic_position)
            type[count++] = sb_statistic_types[i];
    assert_true(count >= 10);
    assert_int_equal(sb_observer_new(NULL, n, n, type, count, 64, false, NULL, &observer), SB_OK);
    for (size_t t = 0; t < permutations; t++) {
        shuffle(n, &seed, a);
        sb_observer_add(observer, a, 1);
    }
    sb_observer_read(observer, tally);
    for (size_t i = 0; i < count; i++)
        for (size_t member = 0; member < tally[i].members; member++) {
            const uint64_t *const row = tally[i].count + member * tally[i].cells;
            double sum = 0;
            uint64_t total = 0;

            for (size_t cell = 0; cell < tally[i].cells; cell++) {
                const double expected =
                    (double)permutations * (tally[i].ln_p ? exp(tally[i].ln_p[cell]) : 1 / (double)tally[i].cells);

                sum += ((double)row[cell] - expected) * ((double)row[cell] - expected) / expected;
                total += row[cell];
            }
            assert_int_equal(total, permutations);
            if (gsl_cdf_chisq_Q(sum, (double)tally[i].cells - 1) < 1e-9)
                fail_msg("%s, n = %zu, member %zu: chi-square %g in %zu cells", tally[i].statistic, n, member, sum,
                         tally[i].cells);
        }
    sb_observer_free(observer);
    free(a);
}

TEST(test_fair)
{
    check_fair(1001, 4000);
    check_fair(8193, 2000);
}
