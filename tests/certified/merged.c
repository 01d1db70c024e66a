/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pearson's test of merged cells: value, ln p and the interval of the effect of the member with the smallest p, from
 * the counts on, within the errors that fit/fit.h states. */
#include "certified/exact_spread.h"

#include "core/numbers.h"
#include "fit/fit.h"

#include <math.h>
#include <string.h>

static struct claim claim_value = { "merged: value", .relative = 1e-12, .absolute = 1e-11 };
static struct claim claim_p = { "merged: ln p", .relative = 1e-12, .absolute = 1e-11 };
static struct claim claim_effect[] = {
    { "merged: effect", .absolute = 1e-10 },
    { "merged: effect_low", .absolute = 1e-10 },
    { "merged: effect_high", .absolute = 1e-10 },
};

enum { BITS = SPREAD_BITS, MEMBERS_MOST = 12, MERGED_MOST = 60 };

static uint64_t counts[MEMBERS_MOST * MERGED_MOST];

/* Draws counts of all members, which have the same total. */
static struct sb_tally random_members(uint64_t *seed, double total, double bias)
{
    const size_t members = 1 + random_below(seed, MEMBERS_MOST), cells = drawn.cells;
    struct sb_tally tally = drawn;

    tally.members = members;
    tally.count = counts;
    tally.total = (uint64_t)(2 * total);
    for (size_t i = 0; i < members; i++) {
        random_counts(seed, total, bias);
        memcpy(counts + i * cells, drawn_count, cells * sizeof counts[0]);
        /* about half of the deals are drawn, and the others are as even as the law allows */
        for (uint64_t cell = 0, left = tally.total - drawn.total; left; cell = (cell + 1) % cells) {
            const double p = drawn.ln_p ? exp(drawn.ln_p[cell]) : 1 / (double)cells;
            const uint64_t more = (uint64_t)ceil(p * (double)(tally.total - drawn.total));

            counts[i * cells + cell] += more < left ? more : left;
            left -= more < left ? more : left;
        }
    }
    return tally;
}

/* Makes the present tally that of a member's merged cells. */
static void merge_member(const struct sb_tally *tally, size_t member, const uint32_t map[], const double merged[],
                         size_t cells)
{
    memcpy(drawn_ln_p, merged, cells * sizeof merged[0]);
    given_law(cells);
    drawn.total = tally->total;
    memset(drawn_count, 0, cells * sizeof drawn_count[0]);
    for (size_t i = 0; i < tally->cells; i++)
        drawn_count[map[i]] += tally->count[member * tally->cells + i];
}

/* ln p of the value, times the number of members; at most 0. */
static void exact_ln_p(double dof, const arb_t value, size_t members, arb_t ln_p)
{
    ARBS(a, y);

    arb_set_d(a, 0.5 * dof);
    arb_mul_2exp_si(y, value, -1);
    exact_ln_gamma_q(a, y, BITS, ln_p);
    arb_set_ui(y, members);
    arb_log(y, y, BITS);
    arb_add(ln_p, ln_p, y, BITS);
    arb_zero(y);
    arb_min(ln_p, ln_p, y, BITS);
}

static void check(const struct sb_tally *tally, double level)
{
    const double members = (double)tally->members;
    uint32_t map[MERGED_MOST];
    double merged[MERGED_MOST];
    struct exact_spread spread;
    struct sb_finding finding;
    size_t worst = 0;
    ARBS(value, largest);

    exact_spread_init(&spread);
    for (size_t i = 0; i < tally->cells; i++)
        merged[i] = tally->ln_p ? tally->ln_p[i] : -log((double)tally->cells);
    assert_int_equal(sb_test_merged.run(tally, level, &finding), SB_OK);
    const size_t cells = sb_merge_cells(merged, tally->cells, 20 / (double)tally->total, map, merged);

    for (size_t i = 0; i < tally->members; i++) {
        merge_member(tally, i, map, merged, cells);
        exact_pearson(drawn_count, BITS, value);
        worst = arb_gt(value, largest) ? i : worst;
        arb_max(largest, value, largest, BITS);
    }
    const double x[4] = { (double)cells, (double)tally->total, members, finding.ln_p };

    assert_true(finding.dof == (double)cells - 1);
    if (cells > 1) {
        certify_enclosed(&claim_value, finding.value, largest, x);
        if (cells > 2 || members == 1) { /* else the binomial p, which has tests of its own */
            exact_ln_p(finding.dof, largest, tally->members, value);
            certify_enclosed(&claim_p, finding.ln_p, value, x);
        }
        merge_member(tally, worst, map, merged, cells);
        exact_spread_cells(drawn_count, &spread);
        certify_interval(claim_effect, &finding, &spread, level / members);
    }
    exact_spread_clear(&spread);
}

TEST(members)
{
    uint64_t seed = 44;

    for (size_t i = 0; i < certify_cases(60); i++) {
        double law[MERGED_MOST];
        struct sb_tally tally;

        random_law(&seed, 2 + random_below(&seed, MERGED_MOST - 1), i % 2);
        tally = random_members(&seed, random_scale(&seed, 100, i % 3 ? 1e5 : 5e6),
                               i % 4 ? 0 : random_scale(&seed, 1e-3, 0.9));
        if (tally.ln_p) { /* merging overwrites the drawn law */
            memcpy(law, drawn_ln_p, tally.cells * sizeof law[0]);
            tally.ln_p = law;
        }
        check(&tally, random_scale(&seed, 1e-9, 0.5));
    }
}
