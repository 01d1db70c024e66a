/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How often the interval of an effect holds the truth: the figures of docs/statistics.md, section "The
 * interval of an effect".
 *
 *     build/tests/bench-effect-coverage [TRIALS [N]]     2,000 of each by default, n = 3 to 6
 *
 * The law of each biased shuffle of the zoo at n = 3 to 6 is exact, and with it the true effect of each test.
 * Samples are multinomial, of 5, 30 and 1000 shuffles for each of the n! permutations. A line has the
 * shuffle's true effects, and for 95% and 99.9% the share of intervals that hold the truth: of Pearson's
 * test, of G, and of the matrix. Fixed seeds.
 */
#include "core/permutation.h"
#include "fit/test/fit.h"
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

extern const struct sb_test_type sb_test_pearson, sb_test_likelihood_ratio, sb_test_matrix;

enum { CELLS_MOST = 720, ITEMS_MOST = 6, TESTS = 3, LEVELS = 2, SIZES = 3, KINDS_MOST = 64 };

static const double alphas[LEVELS] = { 0.05, 0.001 };
static const unsigned each[SIZES] = { 5, 30, 1000 };

struct law {
    size_t n, cells;
    double p[CELLS_MOST];
    sb_item deal[CELLS_MOST][ITEMS_MOST];
    double effect[TESTS];
};

/* The effects by their formulas, from the law. */
static void set_effects(struct law *law)
{
    double matrix[ITEMS_MOST][ITEMS_MOST] = { { 0 } }, cells = (double)law->cells, n = (double)law->n;

    memset(law->effect, 0, sizeof law->effect);
    for (size_t i = 0; i < law->cells; i++) {
        const double p = law->p[i];

        law->effect[0] += (p - 1 / cells) * (p - 1 / cells) * cells;
        law->effect[1] += p > 0 ? 2 * p * log(p * cells) : 0;
        for (size_t j = 0; j < law->n; j++)
            matrix[law->deal[i][j]][j] += p;
    }
    for (size_t i = 0; i < law->n; i++)
        for (size_t j = 0; j < law->n; j++)
            law->effect[2] += (matrix[i][j] - 1 / n) * (matrix[i][j] - 1 / n) * (n - 1);
    for (size_t t = 0; t < TESTS; t++)
        if (fabs(law->effect[t]) < 1e-12)
            law->effect[t] = 0;
}

static bool law_of(const char *scheme, size_t n, struct law *law)
{
    const struct sb_options options = { .n = n, .by = SB_BY_EXACT, .alpha = 0.001 };
    struct sb_reports *reports;

    if (sb_reports_new(&scheme, 1, &options, NULL, &reports))
        return false;
    const struct sb_evidence *const evidence = &reports->report[0].evidence;

    if (evidence->cells == 0 || evidence->cells > CELLS_MOST) { /* no exact law in reasonable time */
        sb_reports_free(reports);
        return false;
    }

    *law = (struct law) { .n = n, .cells = evidence->cells };
    for (size_t i = 0; i < law->cells; i++) {
        law->p[i] = sb_evidence_share(evidence, i);
        sb_permutation_unrank(n, n, i, law->deal[i]);
    }
    set_effects(law);
    sb_reports_free(reports);
    return true;
}

/* One sample: whether each test's interval at each level holds the truth. */
static void sample(const gsl_rng *rng, const struct law *law, unsigned total, size_t held[TESTS][LEVELS])
{
    static const struct sb_test_type *const tests[TESTS] = { &sb_test_pearson, &sb_test_likelihood_ratio,
                                                             &sb_test_matrix };
    unsigned thrown[CELLS_MOST];
    uint64_t count[CELLS_MOST], matrix[ITEMS_MOST * ITEMS_MOST] = { 0 };
    const struct sb_tally ranks = { .members = 1, .cells = law->cells, .total = total, .count = count };
    const struct sb_tally places = { .members = law->n, .cells = law->n, .total = total, .count = matrix };

    gsl_ran_multinomial(rng, law->cells, total, law->p, thrown);
    for (size_t i = 0; i < law->cells; i++) {
        count[i] = thrown[i];
        for (size_t j = 0; j < law->n; j++)
            matrix[law->deal[i][j] * law->n + j] += thrown[i];
    }
    for (size_t t = 0; t < TESTS; t++)
        for (size_t l = 0; l < LEVELS; l++) {
            struct sb_finding found;

            if (tests[t]->run(t == 2 ? &places : &ranks, alphas[l], &found))
                abort();
            held[t][l] +=
                found.effect_low <= law->effect[t] + 1e-12 && law->effect[t] - 1e-12 <= found.effect_high;
        }
}

static void measure(const char *scheme, size_t n, size_t trials, const gsl_rng *rng)
{
    static struct law law;

    if (!law_of(scheme, n, &law))
        return;
    for (size_t s = 0; s < SIZES; s++) {
        size_t held[TESTS][LEVELS] = { { 0 } };

        for (size_t t = 0; t < trials; t++)
            sample(rng, &law, each[s] * (unsigned)law.cells, held);
        printf("%zu %-26s %5u", n, scheme, each[s]);
        for (size_t t = 0; t < TESTS; t++)
            printf("  %9.3g %6.2f %6.2f", law.effect[t], 100 * (double)held[t][0] / (double)trials,
                   100 * (double)held[t][1] / (double)trials);
        printf("\n");
        fflush(stdout);
    }
}

int main(int argc, char *argv[])
{
    const size_t trials = argc > 1 ? strtoul(argv[1], NULL, 10) : 2000;
    const size_t first = argc > 2 ? strtoul(argv[2], NULL, 10) : 3, last = argc > 2 ? first : ITEMS_MOST;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus2);

    if (!rng)
        return EXIT_FAILURE;
    printf("n shuffle                    times    pearson   95%%   99.9%%          G   95%%   99.9%%"
           "     matrix   95%%   99.9%%\n");
    for (size_t n = first; n <= last; n++)
        for (size_t i = 0; i < sb_shuffle_types_count; i++)
            if (sb_shuffle_types[i]->claim == SB_BIASED) {
                gsl_rng_set(rng, 1000 * n + i);
                measure(sb_shuffle_types[i]->name, n, trials, rng);
            }
    gsl_rng_free(rng);
    return EXIT_SUCCESS;
}
