/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The interval of an effect against data/vectors/spread.txt: for laws whose effect varies much or not at
 * all, for the matrix, and for G.
 */
#include "unit/test.h"

#include "fit/fit.h"
#include "fit/numeric.h"
#include "unit/assert_near.h"
#include "unit/vectors.h"

#include <math.h>

extern const struct sb_test_type sb_test_pearson, sb_test_likelihood_ratio, sb_test_matrix;

static struct sb_finding find(const struct sb_test_type *test, const struct sb_tally *tally)
{
    struct sb_finding finding;

    assert_int_equal(test->run(tally, 0.05, &finding), SB_OK);
    return finding;
}

static struct sb_finding find_at(double alpha, size_t cells, const struct vector_field field[])
{
    uint64_t count[VECTOR_FIELDS_MOST];
    struct sb_tally tally = { .statistic = "rank", .members = 1, .cells = cells, .count = count };
    struct sb_finding finding;

    for (size_t i = 0; i < cells; i++)
        tally.total += count[i] = field[i].whole;
    assert_int_equal(sb_test_pearson.run(&tally, alpha, &finding), SB_OK);
    return finding;
}

static void compute_effect(const struct vector *v, struct vector_field got[])
{
    got[0].real = find_at(0.05, v->ins, v->in).effect;
}

static void compute_interval(const struct vector *v, struct vector_field got[])
{
    const struct sb_finding finding = find_at(v->in[0].real, v->ins - 1, v->in + 1);

    got[0].real = finding.effect_low;
    got[1].real = finding.effect_high;
}

TEST(known_vectors)
{
    static const struct vector_kind kinds[] = {
        { "effect", .in = "n+", .out = "r", .relative = 1e-12, .least = 1, .compute = compute_effect },
        { "interval", .in = "rn+", .out = "rr", .relative = 1e-9, .least = 3, .compute = compute_interval },
        { .name = NULL },
    };

    vectors_check("spread.txt", kinds);
}

/* At a level of 0.1%, both ends are close to the effect, and on both sides of it. */
TEST(ends_at_a_low_level)
{
    static const uint64_t counts[][6] = { { 4000, 0, 0, 0, 0, 0 },
                                          { 4000, 3000, 0, 0, 0, 0 },
                                          { 900, 20, 20, 20, 20, 20 },
                                          { 170, 170, 165, 165, 165, 165 } };

    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        struct sb_tally tally = { .statistic = "rank", .members = 1, .cells = 6, .count = counts[i] };
        struct sb_finding finding;

        for (size_t j = 0; j < 6; j++)
            tally.total += counts[i][j];
        assert_int_equal(sb_test_pearson.run(&tally, 0.999, &finding), SB_OK);
        assert_true(finding.effect_low <= finding.effect && finding.effect <= finding.effect_high);
    }
}

/* Two deals that are equal show no variance, yet may come of a fair shuffle: p is 0.09. */
TEST(two_equal_deals)
{
    static const uint64_t count[] = { 0, 0, 2, 0, 0, 0 }, place[] = { 0, 2, 0, 2, 0, 0, 0, 0, 2 };
    const struct sb_tally ranks = {
        .statistic = "rank", .members = 1, .cells = 6, .total = 2, .count = count
    };
    const struct sb_tally places = { .members = 3, .cells = 3, .total = 2, .count = place, .ranks = &ranks };
    const struct sb_finding one = find(&sb_test_pearson, &ranks), other = find(&sb_test_matrix, &places);

    assert_true(one.effect_low == 0 && other.effect_low == 0);
    assert_true(one.effect_high > one.effect && other.effect_high > other.effect);
}

/* Below twice the expected count that its p-value asks for, 40 here, G has an effect but no interval. */
TEST(likelihood_ratio_below_its_threshold)
{
    static const uint64_t count[] = { 20, 40, 60 }, few[] = { 19, 40, 60 };
    struct sb_tally tally = { .statistic = "rank", .members = 1, .cells = 3, .total = 120, .count = count };
    struct sb_finding finding = find(&sb_test_likelihood_ratio, &tally);

    assert_true(finding.effect_low > 0 && finding.effect_low < finding.effect);
    assert_true(finding.effect < finding.effect_high);
    tally.total = 119;
    tally.count = few;
    finding = find(&sb_test_likelihood_ratio, &tally);
    assert_true(sb_finding_reliable(&finding));
    assert_true(finding.effect > 0 && isnan(finding.effect_low) && isnan(finding.effect_high));
}

/* Far from 0, with the variance of the noncentral law, both ends have a closed form: (d + z^2 + 1 -+ z sqrt(2 dof + 4 d))/N
 * for d = N effect + dof - dof, and a bit wider. */
TEST(far_from_uniform)
{
    const double total = 1e6, dof = 1e6, effect = 4, d = total * effect, z = 1.959963984540054;
    const struct sb_spread spread = { .effect = effect, .noise = dof, .trace = dof, .slope = effect };
    struct sb_finding finding = { .dof = dof, .value = d + dof };

    sb_spread_interval(&spread, total, 0.05, &finding);
    assert_near(finding.effect, effect, 1e-12);
    assert_near(finding.effect_high, (d + z * z + 1 + z * sqrt(2 * dof + 4 * d)) / total, 1e-7);
    assert_near(finding.effect_low, (d + z * z + 1 - z * sqrt(2 * dof + 4 * d)) / total, 1e-7);
}

/* A third of 600 shuffles are rotations, each equally often: p/q is 2 on 3 of 6 cells, the effect is known
 * for sure. */
TEST(effects_that_do_not_stray)
{
    static const uint64_t count[] = { 200000, 0, 200000, 0, 200000, 0 }, all[] = { 3000, 0, 0, 0, 0, 0 };
    const struct sb_tally half = {
        .statistic = "rank", .members = 1, .cells = 6, .total = 600000, .count = count
    };
    const struct sb_tally one = {
        .statistic = "rank", .members = 1, .cells = 6, .total = 3000, .count = all
    };
    struct sb_finding finding = find(&sb_test_pearson, &half);

    assert_near(finding.effect, 1, 1e-5);
    assert_true(finding.effect_low > 0.995 && finding.effect_high < 1.005); /* noncentral: 0.995 to 1.005 */
    finding = find(&sb_test_pearson, &one);
    assert_near(finding.effect, 5, 1e-14);
    assert_true(finding.effect_low < 5 - 5 * 2 / 3000.0 &&
                finding.effect_low > 4.9); /* it may have missed some */
}

/* 60 of 120 in one of 12 cells, the others alike: p/q strays far more than the noncentral law has it, by the
 * delta method 2 sqrt(sum p^3/q^2 - (sum p^2/q)^2)/sqrt(N). */
TEST(effects_that_stray)
{
    uint64_t count[12];
    const struct sb_tally tally = {
        .statistic = "rank", .members = 1, .cells = 12, .total = 2200000, .count = count
    };
    struct sb_finding finding;
    double low, high;

    for (size_t i = 0; i < 12; i++)
        count[i] = i == 0 ? 1100000 : 100000;
    finding = find(&sb_test_pearson, &tally);
    const double d = 12 * (0.25 + 11.0 / 484), cube = 144 * (0.125 + 11.0 / 10648);
    const double width = 1.959964 * 2 * sqrt(cube - d * d) / sqrt(2.2e6);

    sb_noncentral_interval(finding.value, finding.dof, 0.05, &low, &high);
    assert_near(finding.effect, d - 1, 1e-5);
    assert_near(finding.effect_high - finding.effect, width, 0.01);
    assert_near(finding.effect - finding.effect_low, width, 0.01);
    assert_true((high - low) / 2.2e6 < 1.5 * width); /* which is too narrow */
}

/* Two items, and deals of one of three: the matrix says what the ranks say, and has their interval. */
TEST(matrix_interval_of_ranks)
{
    static const uint64_t two[] = { 700000, 300000 }, two_places[] = { 700000, 300000, 300000, 700000 };
    static const uint64_t few[] = { 90, 10 }, few_places[] = { 90, 10, 10, 90 };
    static const uint64_t three[] = { 100000, 200000, 300000 };
    static const uint64_t three_places[] = { 100000, 500000, 200000, 400000, 300000, 300000 };
    const double ln_p[] = { log(1.0 / 3), log(2.0 / 3) };
    const struct sb_tally ranks[] = {
        { .statistic = "rank", .members = 1, .cells = 2, .total = 1000000, .count = two },
        { .statistic = "rank", .members = 1, .cells = 3, .total = 600000, .count = three },
        { .statistic = "rank",
          .members = 1,
          .cells = 2,
          .total = 100,
          .count = few }, /* where the curve would be seen */
    };
    const struct sb_tally places[] = {
        { .members = 2, .cells = 2, .total = 1000000, .count = two_places, .ranks = &ranks[0] },
        { .members = 3,
          .cells = 2,
          .total = 600000,
          .count = three_places,
          .ln_p = ln_p,
          .ranks = &ranks[1] },
        { .members = 2, .cells = 2, .total = 100, .count = few_places, .ranks = &ranks[2] },
    };

    for (size_t i = 0; i < 3; i++) {
        const struct sb_finding one = find(&sb_test_pearson, &ranks[i]),
                                other = find(&sb_test_matrix, &places[i]);
        const double off = (i < 2 ? 1e-3 : 5e-3) * (one.effect_high - one.effect_low);

        assert_near(other.value, one.value, 1e-12);
        assert_near(other.effect, one.effect, 1e-9);
        assert_true(fabs(other.effect_low - one.effect_low) < off);
        assert_true(fabs(other.effect_high - one.effect_high) < off);
    }
}

/*
 * 10,000 rotations of four items: the matrix is fair whenever the four are equally likely, and X2 of the
 * matrix is 3 times that of the four, 8.64 with 3 degrees, whose p is 0.034. As if it had 9 degrees of
 * freedom, 25.9 would leave out an effect of 0 at 95%.
 */
TEST(matrix_interval_of_rotations)
{
    static const uint64_t shift[] = { 2620, 2440, 2500, 2440 };
    static const size_t rank[] = { 0, 9, 16, 18 }; /* 1234 2341 3412 4123 */
    uint64_t count[24] = { 0 }, place[16];
    const struct sb_tally ranks = {
        .statistic = "rank", .members = 1, .cells = 24, .total = 10000, .count = count
    };
    const struct sb_tally places = {
        .members = 4, .cells = 4, .total = 10000, .count = place, .ranks = &ranks
    };
    struct sb_finding finding;
    double low, high;

    for (size_t k = 0; k < 4; k++) {
        count[rank[k]] = shift[k];
        for (size_t j = 0; j < 4; j++)
            place[(j + k) % 4 * 4 + j] = shift[k];
    }
    finding = find(&sb_test_matrix, &places);
    assert_near(finding.value, 3 * 8.64, 1e-12);
    assert_true(finding.p < 0.025 && finding.effect_low == 0);
    sb_noncentral_interval(8.64, 3, 0.05, &low, &high);
    assert_true(finding.effect_high > 3 * high / 10000 && finding.effect_high < 1.3 * 3 * high / 10000);
}
