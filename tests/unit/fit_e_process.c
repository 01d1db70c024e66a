/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * E-processes against exact rationals, against sums of logarithms in long doubles, and as the martingales
 * that they are: their mean over all series of cells is 1.
 */
#include "unit/test.h"

#include "fit/sequential.h"

#include <gmp.h>
#include <math.h>

enum { CELLS_MOST = 8 };

/* A null law of `cells`, weight/sum each; NULL weights: equally likely. */
struct law {
    size_t cells;
    const unsigned *weight;
};

static const struct law laws[] = {
    { 1, NULL },
    { 2, NULL },
    { 3, NULL },
    { 6, NULL },
    { 7, NULL },
    { 8, NULL },
    { 2, (const unsigned[]) { 1, 3 } },
    { 3, (const unsigned[]) { 1, 2, 3 } },
    { 4, (const unsigned[]) { 1, 0, 50, 3 } },
    { 7, (const unsigned[]) { 1, 2, 3, 4, 5, 6, 7 } },
    { 8, (const unsigned[]) { 0, 2, 3, 0, 5, 6, 7, 1 } },
};

static unsigned law_weight(const struct law *law, size_t cell)
{
    return law->weight ? law->weight[cell] : 1;
}

static unsigned law_sum(const struct law *law)
{
    unsigned sum = 0;

    for (size_t i = 0; i < law->cells; i++)
        sum += law_weight(law, i);
    return sum;
}

/* The e-value of one member under the law. */
static struct sb_e_value value_of(const struct law *law, const uint64_t count[])
{
    double ln_p[CELLS_MOST];
    struct sb_tally tally = { .statistic = "x", .members = 1, .cells = law->cells, .count = count };
    struct sb_e_value value;

    for (size_t i = 0; i < law->cells; i++) {
        ln_p[i] = log((double)law_weight(law, i) / law_sum(law));
        tally.total += count[i];
    }
    tally.ln_p = law->weight ? ln_p : NULL;
    sb_e_process(&tally, &value);
    return value;
}

/* product *= a (a+1) ... (a+steps-1), or its inverse. */
static void multiply_rising(mpq_t product, const mpq_t a, uint64_t steps, int inverse)
{
    mpq_t factor;

    mpq_init(factor);
    mpq_set(factor, a);
    for (uint64_t j = 0; j < steps; j++) {
        if (inverse)
            mpq_div(product, product, factor);
        else
            mpq_mul(product, product, factor);
        mpz_add(mpq_numref(factor), mpq_numref(factor), mpq_denref(factor));
    }
    mpq_clear(factor);
}

/* The averaged E by its definition. */
static double exact_e(const struct law *law, const uint64_t count[])
{
    const unsigned sum = law_sum(law);
    unsigned possible = 0;
    mpq_t mean, product, a, q;
    uint64_t total = 0;

    for (size_t i = 0; i < law->cells; i++) {
        possible += law_weight(law, i) > 0;
        total += count[i];
    }
    mpq_inits(mean, product, a, q, NULL);
    const unsigned long tenths = possible > 6 ? 1 : 10; /* the smallest concentration of a cell */
    unsigned long terms = 0;

    for (unsigned long g = tenths; g <= 1000000; g *= 10, terms++) {
        mpq_set_ui(product, 1, 1);
        mpq_set_ui(a, g * possible, 10);
        mpq_canonicalize(a);
        multiply_rising(product, a, total, 1);
        for (size_t i = 0; i < law->cells; i++) {
            if (law_weight(law, i) == 0)
                continue;
            mpq_set_ui(q, law_weight(law, i), sum);
            mpq_canonicalize(q);
            mpq_set_ui(a, g * possible, 10);
            mpq_canonicalize(a);
            mpq_mul(a, a, q);
            multiply_rising(product, a, count[i], 0);
            for (uint64_t j = 0; j < count[i]; j++)
                mpq_div(product, product, q);
        }
        mpq_add(mean, mean, product);
    }
    mpz_mul_ui(mpq_denref(mean), mpq_denref(mean), terms);
    mpq_canonicalize(mean);
    const double value = mpq_get_d(mean);

    mpq_clears(mean, product, a, q, NULL);
    return value;
}

TEST(against_rationals)
{
    static const uint64_t counts[][CELLS_MOST] = {
        { 0 },
        { 1 },
        { 0, 0, 1, 1 },
        { 5, 5, 5, 5, 5, 5, 5, 5 },
        { 40, 1, 0, 2, 0, 0, 0, 7 },
        { 60 },
        { 0, 0, 30, 1 },
        { 1, 2, 3, 4, 5, 6 },
        { 13, 8, 13, 21, 11, 9 },
        { 0, 0, 0, 0, 0, 0, 0, 50 },
    };

    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++)
        for (size_t j = 0; j < sizeof counts / sizeof counts[0]; j++) {
            uint64_t count[CELLS_MOST];

            for (size_t cell = 0; cell < CELLS_MOST; cell++)
                count[cell] = cell < laws[i].cells && law_weight(&laws[i], cell) ? counts[j][cell] : 0;
            const double got = value_of(&laws[i], count).ln_e, expected = log(exact_e(&laws[i], count));

            if (!(fabs(got - expected) < 1e-12))
                fail_msg("law %zu, counts %zu: %.17g, not %.17g", i, j, got, expected);
        }
}

/* The sum of probability times E over all series of t cells. */
static double mean_over_series(const struct law *law, unsigned t)
{
    size_t series = 1;
    double sum = 0;

    for (unsigned i = 0; i < t; i++)
        series *= law->cells;
    for (size_t s = 0; s < series; s++) {
        uint64_t count[CELLS_MOST] = { 0 };
        double probability = 1;
        size_t rest = s;

        for (unsigned i = 0; i < t; i++, rest /= law->cells) {
            count[rest % law->cells]++;
            probability *= (double)law_weight(law, rest % law->cells) / law_sum(law);
        }
        if (probability > 0)
            sum += probability * exp(value_of(law, count).ln_e);
    }
    return sum;
}

TEST(a_martingale)
{
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++)
        for (unsigned t = 0; t <= (laws[i].cells <= 3 ? 7 : 3); t++)
            if (!(fabs(mean_over_series(&laws[i], t) - 1) < 1e-12))
                fail_msg("law %zu, %u cells: %.17g", i, t, mean_over_series(&laws[i], t));
}

/* ln(a (a+1) ... (a+steps-1) / b^steps), eight factors to a logarithm. */
static long double ln_rising(long double a, long double b, uint64_t steps)
{
    long double sum = 0;

    for (uint64_t j = 0; j < steps;) {
        long double product = 1;

        for (const uint64_t end = j + 8 < steps ? j + 8 : steps; j < end; j++)
            product *= (a + (long double)j) / b;
        sum += logl(product);
    }
    return sum;
}

/*
 * Two million deals of six cells: ln E by sums of logarithms. Each is about ln(t/A) for its deal, so that the
 * sums keep 10 digits behind the point.
 */
TEST(millions_of_deals)
{
    static const uint64_t counts[][6] = {
        { 333333, 333334, 333333, 333333, 333334, 333333 },
        { 333933, 332334, 334333, 333933, 332734, 332733 },
        { 296296, 370370, 370370, 370370, 296297, 296297 },
    };
    static const struct law six = { 6, NULL };

    for (size_t i = 0; i < 3; i++) {
        const struct sb_e_value got = value_of(&six, counts[i]);
        long double sum = 0, best = 0;

        for (size_t j = 0; j < 6; j++)
            best += (long double)counts[i][j] * logl((long double)counts[i][j] * 6 / 2000000);
        for (long double g = 1; g <= 100000; g *= 10) {
            /* the factors that all six cells have in common are met once */
            const uint64_t common = 296296;
            long double ln_e = 6 * ln_rising(g, g, common) - ln_rising(6 * g, 6 * g, 2000000);

            for (size_t j = 0; j < 6; j++)
                ln_e += ln_rising(g + (long double)common, g, counts[i][j] - common);
            sum += expl(ln_e - best) / 6;
        }
        assert_true(fabsl((long double)got.ln_e - (best + logl(sum))) < 1e-9L);
        assert_true(fabsl((long double)got.ln_best - best) < 1e-9L);
    }
}

/* One that has been seen settles the matter; as long as it is not, it is as if it were not there. */
TEST(impossible_cells)
{
    static const unsigned without[] = { 1, 3 }, with[] = { 1, 0, 3 };
    static const struct law two = { 2, without }, more = { 3, with };

    assert_true(value_of(&more, (uint64_t[]) { 7, 0, 9 }).ln_e == value_of(&two, (uint64_t[]) { 7, 9 }).ln_e);
    const struct sb_e_value seen = value_of(&more, (uint64_t[]) { 7, 1, 9 });

    assert_true(isinf(seen.ln_e) && seen.ln_e > 0 && isinf(seen.ln_best));
}

/* Two deals in a cell of probability q: E_g = (A q + 1)/((A + 1) q), with A = 2 g for two cells. */
TEST(all_but_impossible_cells)
{
    for (int digits = 3; digits < 290; digits++) {
        const double q = pow(10, -digits), ln_p[] = { log(q), log1p(-q) };
        const uint64_t count[] = { 2, 0 };
        const struct sb_tally tally = {
            .statistic = "made up", .members = 1, .cells = 2, .total = 2, .count = count, .ln_p = ln_p
        };
        struct sb_e_value e;
        double sum = 0;

        for (double a = 2; a <= 2e5; a *= 10)
            sum += (a * q + 1) / (a + 1) / 6;
        sb_e_process(&tally, &e);
        assert_true(fabs(e.ln_e - (log(sum) - log(q))) < 1e-9 * e.ln_e);
    }
}

TEST(nothing_to_tell)
{
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++) {
        const struct sb_e_value value = value_of(&laws[i], (uint64_t[CELLS_MOST]) { 0 });

        assert_true(fabs(value.ln_e) < 1e-14 && value.ln_best == 0);
    }
    assert_true(fabs(value_of(&laws[0], (uint64_t[]) { 1000 }).ln_e) < 1e-14); /* a single cell */
}

/* A statistic without members has no values; counts in bytes change nothing. */
TEST(no_members)
{
    const uint8_t small[1] = { 0 };
    const uint64_t count[1] = { 0 };
    const struct sb_tally none = { .statistic = "x", .cells = 9, .total = 5, .count = count, .small = small };
    struct sb_e_value untouched = { .ln_e = 7 };

    sb_e_process(&none, &untouched);
    assert_true(untouched.ln_e == 7);
}

/* Members share a table of counts: each has the value that it has alone, also where counts collide in it. */
TEST(members_are_apart)
{
    enum { MEMBERS = 40, CELLS = 30 };
    uint64_t count[MEMBERS * CELLS];
    struct sb_tally all = {
        .statistic = "x", .members = MEMBERS, .cells = CELLS, .total = 30 * 1000, .count = count
    };
    struct sb_e_value together[MEMBERS];

    for (size_t i = 0; i < MEMBERS; i++)
        for (size_t j = 0; j < CELLS; j++) /* pairs of 1000 + d and 1000 - d, up to 1000 away */
            count[i * CELLS + j] = j % 2 ? 1000 - (i * 25 + j / 2) : 1000 + (i * 25 + j / 2);
    sb_e_process(&all, together);
    for (size_t i = 0; i < MEMBERS; i++) {
        struct sb_tally one = all;
        struct sb_e_value alone;

        one.members = 1;
        one.count = count + i * CELLS;
        sb_e_process(&one, &alone);
        assert_true(alone.ln_e == together[i].ln_e && alone.ln_best == together[i].ln_best);
    }
}

/* Of half of even counts the halves are whole, and of odd ones they lie between. */
TEST(halves)
{
    static const uint64_t even[6] = { 0, 2, 14, 40, 6, 100 }, half[6] = { 0, 1, 7, 20, 3, 50 };
    static const uint64_t odd[2] = { 3, 5 }, below[2] = { 1, 2 }, above[2] = { 2, 3 };
    const struct sb_tally whole = { .statistic = "x", .members = 1, .cells = 6, .total = 162, .count = even };
    const struct sb_tally part = { .statistic = "x", .members = 1, .cells = 6, .total = 81, .count = half };
    const struct sb_tally few = { .statistic = "x", .members = 1, .cells = 2, .total = 8, .count = odd };
    const struct sb_tally less = { .statistic = "x", .members = 1, .cells = 2, .total = 3, .count = below };
    const struct sb_tally more = { .statistic = "x", .members = 1, .cells = 2, .total = 5, .count = above };
    struct sb_e_value a, b, c;

    sb_e_process_half(&whole, &a);
    sb_e_process(&part, &b);
    assert_true(fabs(a.ln_e - b.ln_e) < 1e-12 && fabs(a.ln_best - b.ln_best) < 1e-12);
    sb_e_process(&whole, &b);
    assert_true(fabs(2 * a.ln_best - b.ln_best) < 1e-12 * b.ln_best);
    sb_e_process_half(&few, &a);
    sb_e_process(&less, &b);
    sb_e_process(&more, &c);
    /* ln E is convex in the counts, since ln Q is */
    assert_true(a.ln_e <= 0.5 * (b.ln_e + c.ln_e));
}

/* The bounds that e_error.c derives, in units of 2^-53: before the first deal, ln(1 + 10 T/K)/2 and X are 0. */
TEST(errors_are_those_of_the_derivation)
{
    const struct sb_tally before = { .members = 1, .cells = 1000 },
                          later = { .members = 1, .cells = 1000, .total = 5000 };
    const double h = log(51) / 2 + 2, l = log(1001);
    const struct sb_e_error first = sb_e_process_error(&before), second = sb_e_process_error(&later);

    assert_true(fabs(first.fixed * 0x1p53 / (1000 * (1016 * 2 + 128 + 32 * l) + 4 * 1000 + 128) - 1) < 1e-12);
    assert_true(fabs(second.fixed * 0x1p53 / (1000 * (1016 * h + 128 + 32 * l) + 4 * 1000 + 128) - 1) <
                1e-12);
    assert_true(first.deviation == 0);
    assert_true(fabs(second.deviation * 0x1p53 / (100 * (4 + 32 + 20 * l)) - 1) < 1e-12);
    assert_true(first.per_best == 1016 * 0x1p-53 && second.per_best == first.per_best);
}
