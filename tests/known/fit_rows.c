/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which deals a table shows, in which order, and their simultaneous intervals. */
#include "unit/test.h"

#include "core/evidence.h"
#include "fit/fit.h"
#include "known/assert_near.h"
#include "known/evidence_counts.h"
#include "unit/vectors.h"

#include <float.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

/* More than 24: the ten most and the ten least frequent in one descending order, those of equal counts by
 * rank. */
TEST(the_ends_of_many)
{
    uint64_t counts[120];
    struct sb_evidence evidence;
    struct sb_row *rows;
    size_t count;

    for (size_t i = 0; i < 120; i++) /* 1000..1059, each twice */
        counts[i] = 1000 + i * 7 % 60;
    evidence = open_counts(SB_BY_SAMPLE, 5, 5, counts);
    assert_int_equal(sb_rows_of(&evidence, &evidence, 0.001, &rows, &count), SB_OK);
    assert_int_equal(count, 20);
    for (size_t i = 0; i < count; i++) {
        const uint64_t expected = i < 10 ? 1059 - i / 2 : 1004 - (i - 10) / 2;

        assert_int_equal(counts[rows[i].rank], expected);
        assert_true(rows[i].low < rows[i].share && rows[i].share < rows[i].high);
        if (i % 2) {
            assert_int_equal(rows[i].rank, rows[i - 1].rank + 60);
            assert_true(rows[i].low == rows[i - 1].low && rows[i].high == rows[i - 1].high);
        }
    }
    free(rows);
    sb_evidence_close(&evidence);
}

TEST(nothing_counted_or_only_the_matrix)
{
    struct sb_evidence evidence = open_counts(SB_BY_SAMPLE, 1, 1, (uint64_t[]) { 0 });
    struct sb_row *rows = NULL;
    size_t count = 7;

    assert_int_equal(sb_rows_of(&evidence, &evidence, 0.001, &rows, &count), SB_OK);
    assert_int_equal(count, 1);
    assert_true(isnan(rows[0].share) && isnan(rows[0].ratio) && rows[0].low == 0 && rows[0].high == 1);
    free(rows);
    sb_evidence_close(&evidence);
    rows = NULL;
    count = 7;
    assert_int_equal(sb_evidence_open(SB_BY_SAMPLE, 52, 52, &evidence), SB_OK);
    assert_int_equal(sb_rows_of(&evidence, &evidence, 0.001, &rows, &count), SB_INVALID);
    assert_null(rows);
    assert_int_equal(count, 7);
    sb_evidence_close(&evidence);
}

/* ---- places ---- */

/* Which cells of a matrix are beyond chance. */

enum { N = 4, DEAL = 3, TOTAL = 200 };

static struct sb_evidence evidence_of(uint64_t matrix[N * DEAL])
{
    return (struct sb_evidence) { .n = N, .deal = DEAL, .total = TOTAL, .matrix = { .u64 = matrix } };
}

/* The farthest cells come first, in either direction; of equally far cells, the first. */
TEST(the_farthest_cells_come_first)
{
    uint64_t matrix[N * DEAL] = { 50, 0, 120, 50, 200, 10, 90, 50, 100, 0, 50, 50 };
    const size_t order[] = { 4, 2, 1, 8, 9, 5, 6 };
    struct sb_places places;
    const struct sb_evidence evidence = evidence_of(matrix);

    sb_places_find(&evidence, 0.01, &places);
    assert_int_equal(places.beyond, 7);
    assert_true(places.count > 0 && places.count <= 7);
    for (size_t i = 0; i < places.count; i++)
        assert_int_equal(places.place[i].item * DEAL + places.place[i].position, order[i]);
}

TEST(an_empty_sample_shows_nothing)
{
    uint64_t matrix[N * DEAL] = { 0 };
    struct sb_evidence evidence = evidence_of(matrix);
    struct sb_places places;

    evidence.total = 0;
    sb_places_find(&evidence, 0.01, &places);
    assert_int_equal(places.cells, 0);
    assert_int_equal(places.beyond, 0);
}

/* ---- fit power ---- */

/*
 * Power: noncentralities against a published table and high-precision values (data/vectors/power.txt);
 * numbers of shuffles and directions against their definitions.
 */

enum { CELLS_MOST = 24 };

static void compute_noncentralities(const struct vector *v, struct vector_field got[])
{
    const struct sb_power_test one = sb_power_test(1, 0.05), eight = sb_power_test(8, 0.05);

    got[0].real = sb_power_noncentrality(&one, v->in[0].real);
    got[1].real = sb_power_noncentrality(&eight, v->in[0].real);
}

static void compute_noncentrality(const struct vector *v, struct vector_field got[])
{
    const struct sb_power_test test = sb_power_test(v->in[0].real, v->in[1].real);

    got[0].real = test.critical;
    got[1].real = sb_power_noncentrality(&test, v->in[2].real);
}

TEST(known_vectors)
{
    static const struct vector_kind kinds[] = {
        { "noncentralities-at-1-and-8", .in = "r", .out = "rr", .relative = 5e-6, .least = 12,
          .compute = compute_noncentralities },
        { "noncentrality", .in = "rrre", .out = "rr", .least = 12, .compute = compute_noncentrality },
        { .name = NULL },
    };

    vectors_check("power.txt", kinds);
}

TEST(nothing_and_extremes)
{
    const struct sb_power_test test = sb_power_test(5, 0.001), strict = sb_power_test(5, 1e-300),
                               wide = sb_power_test(65534.0 * 65534.0, 0.001);

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
    assert_near(sb_power_known(0.001, log(3)), 6.2877098228681538, 1e-14); /* ln 1000 / ln 3 */
    assert_true(sb_power_known(0.001, 10) == 1);                           /* it takes a shuffle to see anything */
}

/* The mean and the variance of a statistic over all outcomes of N shuffles, whose law has three cells. */
static void moments_of(const double p[3], size_t total, bool likelihood_ratio, double *mean, double *variance)
{
    double square = 0;

    *mean = 0;
    for (size_t i = 0; i <= total; i++)
        for (size_t j = 0; i + j <= total; j++) {
            const double count[] = { (double)i, (double)j, (double)(total - i - j) }, fair = (double)total / 3;
            double value = 0, ln_chance = lgamma((double)total + 1);

            for (size_t c = 0; c < 3; c++) {
                const double off = count[c] - fair;

                ln_chance += count[c] * log(p[c]) - lgamma(count[c] + 1);
                if (!likelihood_ratio)
                    value += off * off / fair;
                else if (count[c] > 0)
                    value += 2 * count[c] * log(count[c] / fair);
            }
            *mean += exp(ln_chance) * value;
            square += exp(ln_chance) * value * value;
        }
    *variance = square - *mean * *mean;
}

/* The spread of a law that is near the null law: mean N effect + noise, variance 2 trace + 4 N slope, but for terms
 * that vanish as N grows and the effect falls. */
TEST(spread_of_a_law)
{
    enum { SHUFFLES = 300 };
    static const uint64_t count[] = { 36, 34, 30 };
    static const double p[] = { 0.36, 0.34, 0.30 };
    struct sb_evidence evidence = open_counts(SB_BY_EXACT, 3, 1, count);
    double pearson = 0, likelihood_ratio = 0, mean, variance;

    for (size_t c = 0; c < 3; c++) {
        pearson += 3 * (p[c] - 1.0 / 3) * (p[c] - 1.0 / 3);
        likelihood_ratio += 2 * p[c] * log(3 * p[c]);
    }
    const struct sb_spread spread[] = { sb_law_spread_pearson(&evidence, pearson),
                                        sb_law_spread_likelihood_ratio(&evidence, likelihood_ratio) };

    for (size_t i = 0; i < 2; i++) {
        moments_of(p, SHUFFLES, i == 1, &mean, &variance);
        assert_near(SHUFFLES * spread[i].effect + spread[i].noise, mean, i == 0 ? 1e-9 : 2e-3);
        assert_near(2 * spread[i].trace + 4 * SHUFFLES * spread[i].slope, variance, 0.02);
    }
    sb_evidence_close(&evidence);
}

/* The naive swap at n = 3 from its counts: (n-1) * 4 (1/27)^2 = 8/729. A deal of 1 by sattolo never has the
 * first item first: (n-1)/n * (3 (1/9 + 2/36) + 3/2 (1/9 + 2/36)) = 1/2. */
TEST(matrix_effects)
{
    static const uint64_t naive[] = { 4, 5, 5, 5, 4, 4 }, sattolo[] = { 0, 1, 1 };
    struct sb_evidence evidence;

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

/* The same matrix of the naive swap in doubles, where what rounding leaves of 1/3 is no deviation; and one item. */
TEST(matrix_effects_of_doubles)
{
    static const double p[] = { 9, 9, 9, 10, 8, 9, 8, 10, 9 };
    struct sb_evidence evidence;

    assert_int_equal(sb_evidence_open(SB_BY_EXACT, 3, 3, &evidence), SB_OK);
    sb_numbers_close(&evidence.matrix);
    assert_int_equal(sb_numbers_open(SB_NUMBERS_SHARE, 9, &evidence.matrix), SB_OK);
    for (size_t i = 0; i < 9; i++)
        evidence.matrix.share[i] = nextafter(p[i] / 27, 1);
    evidence.error = DBL_EPSILON;
    assert_near(sb_power_matrix(&evidence), 8.0 / 729, 1e-13);
    sb_evidence_close(&evidence);
    assert_int_equal(sb_evidence_open(SB_BY_EXACT, 1, 1, &evidence), SB_OK);
    assert_true(sb_power_matrix(&evidence) == 0);
    sb_evidence_close(&evidence);
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
TEST(worst_direction)
{
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus2);

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

/* Over random directions with the same chi-square per shuffle, which is 1: the mean total variation; 20000 of them, so
 * that the mean is off by less than 0.5%. Of two and three cells, the mean is known: 1/2, and sqrt(2)/pi. */
TEST(typical_direction)
{
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus2);

    assert_non_null(rng);
    for (size_t cells = 2; cells <= CELLS_MOST; cells += 2) {
        double p[CELLS_MOST], sizes = 0;

        for (size_t trial = 0; trial < 20000; trial++) {
            double mean = 0, tv, squares;

            for (size_t i = 0; i < cells; i++) {
                p[i] = gsl_ran_ugaussian(rng);
                mean += p[i] / (double)cells;
            }
            for (size_t i = 0; i < cells; i++)
                p[i] += 1 / (double)cells - mean;
            squares = chi_square(p, cells, &tv);
            sizes += tv / sqrt(squares) / 20000;
        }
        assert_near(sb_power_typical(sizes, (double)cells), 1, 0.01);
    }
    assert_near(sb_power_typical(0.8, 6), sb_power_worst(0.8, 6), 1e-14); /* no law has a smaller chi-square */
    assert_near(sb_power_typical_tv(sb_power_worst(0.8, 6), 6), 0.8, 1e-14);
    assert_near(sb_power_typical(0.5, 2), 1, 1e-14);
    assert_near(sb_power_typical(sqrt(2) / 3.14159265358979323846, 3), 1, 1e-14);
    assert_near(sb_power_typical(0.5, 3628800), 0.5 * 3.14159265358979323846, 1e-6);
    assert_near(sb_power_typical_tv(sb_power_typical(0.01, 24), 24), 0.01, 1e-14);
    assert_near(sb_power_typical(0.1, 2), sb_power_worst(0.1, 2), 1e-14); /* two cells have one direction */
    assert_true(isnan(sb_power_typical_tv(30, 6)));
    gsl_rng_free(rng);
}
