/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Samples of deals, and of any shuffle before or after a fair one, follow their laws.
 *
 * The tests are Pearson's chi-square over all deals; deals that expect fewer than 5 form one cell. The seeds are
 * fixed. With other seeds, one of the 216 comparisons would be beyond its limit of p = 1e-9 once in 4,600,000 runs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "exact/engine.h"
#include "property/metamorphic.h"
#include "sample/sample.h"
#include "subject/subject.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DECKS = 20000, FEW = 5, DEALS = 120 };

static const double limit = 1e-9, expected_least = 5;

/* The p-value of counts with these probabilities; 0 if an impossible deal came up. Deals that expect too few
 * are merged into one cell. */
static double chi_square_p(const double p[], const uint64_t count[], size_t deals)
{
    double chi2 = 0, cells = 0, rare = 0, rare_count = 0;

    for (size_t i = 0; i < deals; i++) {
        const double expected = DECKS * p[i], off = (double)count[i] - expected;

        if (p[i] <= 0 && count[i])
            return 0;
        if (expected < expected_least) {
            rare += expected;
            rare_count += (double)count[i];
            continue;
        }
        chi2 += off * off / expected;
        cells++;
    }
    if (rare >= expected_least) {
        chi2 += (rare_count - rare) * (rare_count - rare) / rare;
        cells++;
    }
    return cells > 1 ? gsl_cdf_chisq_Q(chi2, cells - 1) : 1;
}

static void scheme_of(size_t index, char name[64])
{
    const char *const shuffle = sb_shuffle_types[index]->name;
    const bool large = strcmp(shuffle, "sort-by-key") == 0 || strcmp(shuffle, "riffle") == 0 ||
                       strcmp(shuffle, "swap-or-not") == 0; /* the usual is too much for a tree */

    snprintf(name, 64, "%.50s%s", shuffle, large ? ":2" : "");
}

/* Exact equals sampled, for deals of a random number of items: those of the tree, and those of the sample. */
static void deals_agree(void **state)
{
    for (size_t s = 0; s < sb_shuffle_types_count; s++)
        for (int trial = 0; trial < 4; trial++) {
            const size_t n = 3 + random_below(FEW - 2), deal = 1 + random_below(n - 1);
            struct sb_scheme scheme;
            struct sb_shuffler shuffler;
            struct sb_evidence law, sampled;
            struct sb_error error;
            double p[DEALS];
            char name[64];

            scheme_of(s, name);
            assert_int_equal(sb_scheme_parse(name, NULL, NULL, &error, &scheme), SB_OK);
            assert_int_equal(sb_shuffler_open(scheme.shuffle, n, deal, &shuffler), SB_OK);
            const struct sb_law tree = {
                .shuffler = &shuffler,
                .draw = &scheme.draw,
                .largest = sb_draw_largest(&scheme.draw, scheme.rng.largest),
            };
            const struct sb_sample sample = {
                .recipe = { &shuffler, &scheme.draw, &scheme.rng, 20261126 + (uint64_t)trial, NULL },
                .total = DECKS,
                .threads = 1,
            };

            assert_int_equal(sb_tree_law(&tree, &error, &law), SB_OK);
            assert_int_equal(sb_sample_tally(&sample, &error, &sampled), SB_OK);
            for (size_t rank = 0; rank < law.cells; rank++)
                p[rank] = sb_evidence_share(&law, rank);
            if (!(chi_square_p(p, sampled.counts.u64, law.cells) >= limit))
                fail_msg("%s, deals of %zu of %zu", name, deal, n);
            sb_evidence_close(&law);
            sb_evidence_close(&sampled);
            sb_shuffler_close(&shuffler);
        }
}

/* Takes decks of a scheme into a[DECKS * n]. */
static void take(const char *name, size_t n, uint64_t seed, sb_item a[])
{
    struct sb_request options;
    struct sb_dealer *dealer;
    const uint32_t *deck;

    sb_request_init(&options, SB_REPORT);
    options.n = n;
    options.seed = seed;
    assert_int_equal(sb_dealer_new(name, &options, NULL, &dealer), SB_OK);
    for (size_t t = 0; t < DECKS; t++) {
        assert_int_equal(sb_dealer_next(dealer, &deck), SB_OK);
        memcpy(a + t * n, deck, n * sizeof a[0]);
    }
    sb_dealer_free(dealer);
}

/* Any shuffle after a fair one is fair, and any shuffle before it: decks of both, one applied to the other.
 * */
static void with_a_fair_shuffle(void **state)
{
    static sb_item fair[DECKS * FEW], other[DECKS * FEW];
    double uniform[DEALS];

    for (size_t s = 0; s < sb_shuffle_types_count; s++) {
        const size_t n = 3 + random_below(FEW - 2), cells = sb_cells(n, n);
        uint64_t after[DEALS] = { 0 }, before[DEALS] = { 0 };
        char name[64];

        scheme_of(s, name);
        take("fisher-yates", n, 2 * s + 1, fair);
        take(name, n, 2 * s + 2, other);
        for (size_t t = 0; t < DECKS; t++) {
            sb_item product[FEW];

            rename_deal(n, fair + t * n, other + t * n, product);
            after[sb_permutation_cell(n, n, product)]++;
            rename_deal(n, other + t * n, fair + t * n, product);
            before[sb_permutation_cell(n, n, product)]++;
        }
        for (size_t i = 0; i < cells; i++)
            uniform[i] = 1 / (double)cells;
        if (!(chi_square_p(uniform, after, cells) >= limit && chi_square_p(uniform, before, cells) >= limit))
            fail_msg("%s of %zu", name, n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deals_agree),
        cmocka_unit_test(with_a_fair_shuffle),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
