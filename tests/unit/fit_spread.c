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
