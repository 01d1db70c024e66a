/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sampled counts agree with the exact law: every shuffle, with most draws, from three generators, at n = 3
 * and 4, and deals of 2 out of 4.
 *
 * The test is Pearson's chi-square of 20,000 decks against the law of the tree. The seed is fixed. With
 * other seeds, one of the about 3,000 comparisons would be beyond its limit of p = 1e-9 once in 330,000
 * runs.
 */
#include "unit/test.h"

#include "exact/engine.h"
#include "sample/sample.h"
#include "subject/subject.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DECKS = 20000 };

static const char *const draws[] = { "ideal",    "lemire",     "lemire:12", "modulo",  "modulo:4",
                                     "multiply", "multiply:5", "round:4",   "float24", "byte-modulo" };

static double chi_square_p(const struct sb_evidence *law, const struct sb_evidence *sampled)
{
    double chi2 = 0, cells = 0;

    for (size_t rank = 0; rank < law->cells; rank++) {
        const double expected = sb_evidence_share(law, rank) * DECKS;
        const double off = (double)sampled->counts.u64[rank] - expected;

        if (expected == 0 && sampled->counts.u64[rank] > 0)
            return 0;
        if (expected > 0) {
            chi2 += off * off / expected;
            cells++;
        }
    }
    return cells > 1 ? gsl_cdf_chisq_Q(chi2, cells - 1) : 1;
}

static double compare(const char *text, size_t n, size_t deal)
{
    struct sb_scheme scheme;
    struct sb_shuffler shuffler;
    struct sb_evidence law, sampled;
    struct sb_error error;

    assert_int_equal(sb_scheme_parse(text, NULL, NULL, &error, &scheme), SB_OK);
    assert_int_equal(sb_shuffler_open(scheme.shuffle, n, deal, &shuffler), SB_OK);
    const struct sb_law tree = {
        .shuffler = &shuffler,
        .draw = &scheme.draw,
        .largest = sb_draw_largest(&scheme.draw, scheme.rng.largest),
    };
    const struct sb_sample sample = {
        .recipe = { &shuffler, &scheme.draw, &scheme.rng, 20261121, NULL },
        .total = DECKS,
        .threads = 1,
    };
    assert_int_equal(sb_tree_law(&tree, &error, &law), SB_OK);
    assert_int_equal(sb_sample_tally(&sample, &error, &sampled), SB_OK);
    assert_int_equal(sampled.total, DECKS);
    const double p = chi_square_p(&law, &sampled);
    sb_evidence_close(&law);
    sb_evidence_close(&sampled);
    sb_shuffler_close(&shuffler);
    return p;
}

static void every_shuffle_and_draw(const char *rng)
{
    for (size_t i = 0; i < sb_shuffle_types_count; i++)
        for (size_t d = 0; d < sizeof draws / sizeof draws[0]; d++)
            for (size_t k = 0; k < 3; k++) {
                const size_t n = k ? 4 : 3, deal = k == 2 ? 2 : n;
                const char *const shuffle = sb_shuffle_types[i]->name;
                const bool large = /* the usual is too much for a tree */
                    strcmp(shuffle, "sort-by-key") == 0 || strcmp(shuffle, "riffle") == 0 ||
                    strcmp(shuffle, "swap-or-not") == 0;
                char scheme[128];

                snprintf(scheme, sizeof scheme, "%s%s/%s/%s", shuffle, large ? ":2" : "", draws[d], rng);
                const double p = compare(scheme, n, deal);
                if (p < 1e-9)
                    fail_msg("%s, deals of %zu of %zu: p = %g", scheme, deal, n, p);
            }
}

TEST(philox_agrees)
{
    every_shuffle_and_draw("philox");
}

TEST(mt19937_agrees)
{
    every_shuffle_and_draw("mt19937");
}

/* its span is no power of two */
TEST(minstd_agrees)
{
    every_shuffle_and_draw("minstd");
}
