/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * E-processes as the martingales that they are: their mean over all series of cells is 1. tests/certified encloses their
 * values.
 */
#include "unit/test.h"

#include "fit/sequential.h"
#include "unit/assert_near.h"

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

/* A statistic without members has no values. */
TEST(no_members)
{
    const uint64_t count[1] = { 0 };
    const struct sb_tally none = { .statistic = "x", .cells = 9, .total = 5, .count = count };
    struct sb_e_value untouched = { .ln_e = 7 };

    sb_e_process(&none, &untouched);
    assert_true(untouched.ln_e == 7);
}

/* Members share a table of counts: each has the value that it has alone, also where counts collide in it. */
TEST(members_are_apart)
{
    enum { MEMBERS = 40, CELLS = 30 };
    uint64_t count[MEMBERS * CELLS];
    struct sb_tally all = { .statistic = "x", .members = MEMBERS, .cells = CELLS, .total = 30 * 1000, .count = count };
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
