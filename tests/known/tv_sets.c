/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The test of all sets of equally likely cells, against its definition, and the exact chance that it ever rules out a
 * total variation that is there.
 */
#include "unit/test.h"

#include "fit/sequential.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

enum { CELLS_MOST = 8 };

/* E of a coin that shows `heads` in `total` tosses, against theta, with the steps 1, 1/sqrt 2, ..., 2^-8, 2^-9, ...,
 * 2^-20. */
static long double e_of(long double heads, long double total, long double theta)
{
    long double e = 0;

    for (int j = 0; j < 29; j++) {
        const long double v = fmaxl(0, theta - exp2l(j <= 16 ? -0.5L * j : 8 - j));
        const long double ln_heads = heads > 0 ? heads * logl(v / theta) : 0;

        e += expl(ln_heads + (total - heads) * logl((1 - v) / (1 - theta))) / 29;
    }
    return e;
}

/* The mean, over all sets of m cells, of how many times as likely the counts are under the law with theta in the set. */
static long double mean_of_sets(const uint64_t count[], size_t cells, uint64_t total, size_t m, long double x)
{
    const long double q = (long double)m / (long double)cells;
    long double sum = 0;
    size_t sets = 0;

    for (unsigned set = 0; set < 1U << cells; set++) {
        uint64_t heads = 0;
        size_t members = 0;

        for (size_t cell = 0; cell < cells; cell++)
            if (set >> cell & 1) {
                heads += count[cell];
                members++;
            }
        if (members != m)
            continue;
        sets++;
        sum += expl((long double)heads * logl(1 + x / q) + (long double)(total - heads) * logl(1 - x / (1 - q)));
    }
    return sum / (long double)sets;
}

static void sort_counts(uint64_t count[], size_t cells)
{
    for (size_t i = 1; i < cells; i++)
        for (size_t j = i; j > 0 && count[j] > count[j - 1]; j--) {
            const uint64_t held = count[j];

            count[j] = count[j - 1];
            count[j - 1] = held;
        }
}

/* Whether x is ruled out; counts in descending order. */
static bool plain_excludes(const uint64_t count[], size_t cells, uint64_t total, long double level, long double x)
{
    uint64_t heads = 0;

    for (size_t m = 1; m < cells; m++) {
        const long double theta = (long double)m / (long double)cells + x;

        heads += count[m - 1];
        if (theta < 1 && mean_of_sets(count, cells, total, m, x) * level > 0.8L &&
            ((long double)heads >= theta * (long double)total || e_of(heads, total, theta) < 5 * level))
            return false;
    }
    return true;
}

TEST(sets_against_all_subsets)
{
    static const double x[] = { 0.02, 0.05, 0.1, 0.3 }, level[] = { 2, 20, 1e6 };
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    size_t ruled_out = 0;

    for (unsigned i = 0; i < 500; i++) {
        const size_t cells = 2 + i % 7, at = i % 4, which = i % 3;
        const double end = 8 / (x[at] * x[at]) * exp(-3 * gsl_rng_uniform(rng));
        uint64_t count[CELLS_MOST];
        struct sb_tally tally = { .statistic = "x", .members = 1, .cells = cells, .count = count };
        bool excluded = false;

        for (size_t cell = 0; cell < cells; cell++) {
            count[cell] = gsl_ran_poisson(rng, end / (double)cells);
            tally.total += count[cell];
        }
        sort_counts(count, cells);
        assert_true(sb_tv_sets_join(&tally));
        assert_int_equal(sb_tv_sets_exclude(&tally, log(level[which]), x[at], &excluded), SB_OK);
        assert_int_equal(excluded, plain_excludes(count, cells, tally.total, level[which], x[at]));
        ruled_out += excluded;
    }
    assert_true(ruled_out > 125 && ruled_out < 375);
    gsl_rng_free(rng);
}

/* With three and four cells, the exact probability that x is ever ruled out within so many deals, by the sets or by the
 * bound at the rest of delta, if the total variation is x or more: it is below delta, and not far below. */
enum { DEALS = 60, ROOM = DEALS + 1 };

static bool rules_out(const uint64_t count[], size_t cells, uint64_t total, double level, double x)
{
    const struct sb_tally tally = { .statistic = "x", .members = 1, .cells = cells, .count = count, .total = total };
    double high = 0;
    bool excluded = false;

    assert_int_equal(sb_tv_sets_exclude(&tally, level, x, &excluded), SB_OK);
    if (!excluded)
        assert_int_equal(sb_tv_high_largest(&tally, sb_tv_sets_ln_rest(level), 0, &high), SB_OK);
    return excluded || high < x;
}

/* The same for counts in any order, computed once for each total. */
static bool known_out(uint64_t count[4], size_t cells, uint64_t total, double level, double x)
{
    static struct {
        size_t cells;
        uint64_t total;
        double level;
        bool out;
    } all[ROOM][ROOM][ROOM], *known;

    sort_counts(count, cells);
    known = &all[count[0]][count[1]][count[2]];
    if (known->cells != cells || known->total != total || known->level != level) {
        known->cells = cells;
        known->total = total;
        known->level = level;
        known->out = rules_out(count, cells, total, level, x);
    }
    return known->out;
}

/* Fills in chance[law], for all laws at once, since the rule is the same. */
static void chances_of_a_pass(size_t cells, uint64_t deals, double delta, double x, const double law[][4], size_t laws,
                              double chance[])
{
    static double now[8][ROOM][ROOM][ROOM]; /* by the first three counts */

    memset(now, 0, sizeof now);
    for (size_t k = 0; k < laws; k++) {
        now[k][0][0][0] = 1;
        chance[k] = 0;
    }
    for (uint64_t t = 1; t <= deals; t++) /* in descending order, since each state comes from lower ones */
        for (uint64_t a = t + 1; a-- > 0;)
            for (uint64_t b = t - a + 1; b-- > 0;)
                for (uint64_t rest = t - a - b, c = rest + 1; c-- > (cells == 3 ? rest : 0);) {
                    uint64_t count[4] = { a, b, c, t - a - b - c };
                    const bool last = count[3] > 0;
                    const bool out = known_out(count, cells, t, -log(delta), x);

                    for (size_t k = 0; k < laws; k++) {
                        const double p =
                            (a ? now[k][a - 1][b][c] * law[k][0] : 0) + (b ? now[k][a][b - 1][c] * law[k][1] : 0) +
                            (c ? now[k][a][b][c - 1] * law[k][2] : 0) + (last ? now[k][a][b][c] * law[k][3] : 0);

                        chance[k] += out ? p : 0;
                        now[k][a][b][c] = out ? 0 : p;
                    }
                }
}

TEST(a_pass_is_rarely_wrong)
{
    static const double three[][4] = {
        { 19 / 30.0, 5.5 / 30, 5.5 / 30 },  /* one cell up by 0.3 */
        { 14.5 / 30, 14.5 / 30, 1 / 30.0 }, /* two cells */
        { 19 / 30.0, 10 / 30.0, 1 / 30.0 },
        { 18 / 30.0, 11 / 30.0, 1 / 30.0 },
        { 19 / 30.0, 11 / 30.0, 0 },
        { 22 / 30.0, 4 / 30.0, 4 / 30.0 },
        { 0.5, 0.5, 0 },
    };
    static const double four[][4] = {
        { 0.55, 0.15, 0.15, 0.15 }, { 0.4, 0.4, 0.1, 0.1 }, { 0.35, 0.35, 0.3, 0 },
        { 0.55, 0.25, 0.2, 0 },     { 0.5, 0.3, 0.1, 0.1 }, { 0.45, 0.35, 0.2, 0 },
    };
    static const double delta[] = { 0.5, 0.05 };
    double chance[8];

    for (size_t i = 0; i < 2; i++) {
        chances_of_a_pass(3, DEALS, delta[i], 0.3, three, 7, chance);
        for (size_t k = 0; k < 7; k++)
            assert_true(chance[k] <= delta[i]);
        assert_true(chance[0] > delta[i] / 4 || chance[1] > delta[i] / 4);
        chances_of_a_pass(4, 30, delta[i], 0.3, four, 6, chance);
        for (size_t k = 0; k < 6; k++)
            assert_true(chance[k] <= delta[i]);
        assert_true(chance[1] > delta[i] / 4);
    }
}
