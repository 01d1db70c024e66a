/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How often the interval of an effect holds the true effect: the figures of docs/accuracy.md, section
 * "Intervals of effects".
 *
 *     build/tests/bench-effect-coverage [TRIALS [N [SCHEME]]]
 *
 * TRIALS is 2,000 by default and N all of 3 to 6. The law of every biased shuffle of the zoo, of one fair
 * shuffle, and of riffle and overhand shuffles with other parameters is exact there. The law gives the true
 * effect of each test. Samples are multinomial: of 5 and of 20 shuffles for each of the n! permutations, and
 * of 1,000, 10,000 and 100,000 shuffles where that is more than 5 for each. For each n and size the program
 * prints, at 95% and 99.9%, the lowest share of intervals that hold the truth, and the scheme that has it.
 * With a SCHEME it measures that scheme alone and prints its shares; with `all` it prints those of every
 * scheme. Fixed seeds.
 */
#include "core/core.h"
#include "fit/fit.h"
#include "study/report/report_result.h"
#include "study/results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

extern const struct sb_test_type sb_test_pearson, sb_test_likelihood_ratio, sb_test_matrix;

enum { CELLS_MOST = 720, ITEMS_FEWEST = 3, ITEMS_MOST = 6, TESTS = 4, LEVELS = 2, SIZES = 5, SCHEMES_MOST = 128 };

static const double alphas[LEVELS] = { 0.05, 0.001 };
static const char *const names[TESTS] = { "pearson", "G", "matrix, ranks known", "matrix alone" };

/* Besides the zoo, whose riffle, overhand and cut have one parameter each. */
static const char *const more[] = { "fisher-yates", "riffle:1",   "riffle:2",   "riffle:3",
                                    "overhand:2",   "overhand:3", "overhand:10" };

struct law {
    const char *scheme;
    size_t n, cells;
    double p[CELLS_MOST];
    sb_item deal[CELLS_MOST][ITEMS_MOST];
    double effect[TESTS];
};

/* The lowest coverage of a test at a level so far. */
struct lowest {
    double share;
    const char *scheme; /* NULL: no interval yet */
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
    law->effect[3] = law->effect[2];
    for (size_t t = 0; t < TESTS; t++)
        if (fabs(law->effect[t]) < 1e-12)
            law->effect[t] = 0;
}

static bool law_of(const char *scheme, size_t n, struct law *law)
{
    const struct sb_request options = { .n = n, .by = SB_BY_EXACT, .alpha = 0.001 };
    struct sb_reports *reports;

    if (sb_reports_new(&scheme, 1, &options, NULL, &reports))
        return false;
    const struct sb_evidence *const evidence = &reports->report[0].evidence;

    if (evidence->cells == 0 || evidence->cells > CELLS_MOST) { /* no exact law in reasonable time */
        sb_reports_free(reports);
        return false;
    }

    *law = (struct law) { .scheme = scheme, .n = n, .cells = evidence->cells };
    for (size_t i = 0; i < law->cells; i++) {
        law->p[i] = sb_evidence_share(evidence, i);
        sb_permutation_unrank(n, n, i, law->deal[i]);
    }
    set_effects(law);
    sb_reports_free(reports);
    return true;
}

/* One sample: counts the intervals that there are, and those that hold the truth. */
static void sample(const gsl_rng *rng, const struct law *law, unsigned total, size_t made[TESTS],
                   size_t held[TESTS][LEVELS])
{
    static const struct sb_test_type *const tests[TESTS] = { &sb_test_pearson, &sb_test_likelihood_ratio,
                                                             &sb_test_matrix, &sb_test_matrix };
    unsigned thrown[CELLS_MOST];
    uint64_t count[CELLS_MOST], matrix[ITEMS_MOST * ITEMS_MOST] = { 0 };
    const struct sb_tally ranks = { .members = 1, .cells = law->cells, .total = total, .count = count };
    const struct sb_tally alone = { .members = law->n, .cells = law->n, .total = total, .count = matrix };
    struct sb_tally places = alone;
    const struct sb_tally *const tallies[TESTS] = { &ranks, &ranks, &places, &alone };

    places.ranks = &ranks;
    gsl_ran_multinomial(rng, law->cells, total, law->p, thrown);
    for (size_t i = 0; i < law->cells; i++) {
        count[i] = thrown[i];
        for (size_t j = 0; j < law->n; j++)
            matrix[law->deal[i][j] * law->n + j] += thrown[i];
    }
    for (size_t t = 0; t < TESTS; t++)
        for (size_t l = 0; l < LEVELS; l++) {
            struct sb_finding found;

            if (tests[t]->run(tallies[t], alphas[l], &found))
                abort();
            made[t] += l == 0 && !isnan(found.effect_low);
            held[t][l] += found.effect_low <= law->effect[t] + 1e-12 && law->effect[t] - 1e-12 <= found.effect_high;
        }
}

static void measure(const struct law *law, unsigned total, size_t trials, bool show, const gsl_rng *rng,
                    struct lowest lowest[TESTS][LEVELS])
{
    size_t made[TESTS] = { 0 }, held[TESTS][LEVELS] = { { 0 } };

    for (size_t t = 0; t < trials; t++)
        sample(rng, law, total, made, held);
    if (show)
        printf("%zu %-24s %6u", law->n, law->scheme, total);
    for (size_t t = 0; t < TESTS; t++) {
        if (show)
            printf("  %9.3g", law->effect[t]);
        for (size_t l = 0; l < LEVELS; l++) {
            const double share = 100 * (double)held[t][l] / (double)made[t];

            if (made[t] > 0 && (!lowest[t][l].scheme || share < lowest[t][l].share))
                lowest[t][l] = (struct lowest) { share, law->scheme };
            if (show && made[t] == 0)
                printf("      -");
            else if (show)
                printf(" %6.2f", share);
        }
    }
    if (show)
        printf("\n");
    fflush(stdout);
}

/* All schemes, or the one that is named, at one n and one size. */
static void survey(size_t n, unsigned total, size_t trials, const char *shown, gsl_rng *rng)
{
    static struct law law;
    struct lowest lowest[TESTS][LEVELS] = { { { 0 } } };
    const size_t others = sizeof more / sizeof more[0];

    for (size_t i = 0; i < sb_shuffle_types_count + others; i++) {
        const bool of_zoo = i < sb_shuffle_types_count;
        const char *const scheme = of_zoo ? sb_shuffle_types[i]->name : more[i - sb_shuffle_types_count];

        if (shown && strcmp(shown, "all") != 0 && strcmp(shown, scheme) != 0)
            continue;
        if ((of_zoo && sb_shuffle_types[i]->claim != SB_BIASED) || !law_of(scheme, n, &law))
            continue;
        gsl_rng_set(rng, 1000 * n + i);
        measure(&law, total, trials, shown, rng, lowest);
    }
    for (size_t t = 0; t < TESTS; t++) {
        printf("lowest: n = %zu, %6u shuffles, %-20s", n, total, names[t]);
        for (size_t l = 0; l < LEVELS; l++)
            if (lowest[t][l].scheme)
                printf("  %g%%: %6.2f %-24s", 100 * (1 - alphas[l]), lowest[t][l].share, lowest[t][l].scheme);
        printf("%s\n", lowest[t][0].scheme ? "" : "  no interval");
    }
    fflush(stdout);
}

int main(int argc, char *argv[])
{
    const size_t trials = argc > 1 ? strtoul(argv[1], NULL, 10) : 2000;
    const size_t first = argc > 2 ? strtoul(argv[2], NULL, 10) : ITEMS_FEWEST;
    const size_t last = argc > 2 ? first : ITEMS_MOST;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus2);

    if (!rng || trials == 0 || first < ITEMS_FEWEST || last > ITEMS_MOST)
        return EXIT_FAILURE;
    if (argc > 3)
        printf("n shuffle, shuffles, then of pearson, G, the matrix with ranks and alone: effect, 95%%, "
               "99.9%%\n");
    for (size_t n = first; n <= last; n++) {
        const unsigned each = (unsigned)sb_cells(n, n);
        const unsigned sizes[SIZES] = { 5 * each, 20 * each, 1000, 10000, 100000 };

        for (size_t s = 0; s < SIZES; s++)
            if (s < 2 || sizes[s] > 5 * each)
                survey(n, sizes[s], trials, argc > 3 ? argv[3] : NULL, rng);
    }
    gsl_rng_free(rng);
    return EXIT_SUCCESS;
}
