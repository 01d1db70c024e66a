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

/* One that has been seen settles the matter; as long as it is not, it is as if it were not there. */
TEST(impossible_cells)
{
    static const unsigned without[] = { 1, 3 }, with[] = { 1, 0, 3 };
    static const struct law two = { 2, without }, more = { 3, with };

    assert_true(value_of(&more, (uint64_t[]) { 7, 0, 9 }).ln_e == value_of(&two, (uint64_t[]) { 7, 9 }).ln_e);
    const struct sb_e_value seen = value_of(&more, (uint64_t[]) { 7, 1, 9 });

    assert_true(isinf(seen.ln_e) && seen.ln_e > 0 && isinf(seen.ln_best));
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
