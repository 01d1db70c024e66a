/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How often G rejects fair counts, at the expected count from which a report relies on it and at four times
 * that count: the figures of docs/statistics.md, section "The likelihood ratio".
 *
 *     build/tests/bench-likelihood-ratio [TRIALS]     100,000 by default, fewer for many cells; 5 minutes
 *
 * The counts are of equally likely cells, as of n! permutations or n!/(n-k)! deals. A line has the number of
 * cells, the shuffles, the expected count, and the shares of p-values of 5%, 1% and 0.1% or less, each with
 * its standard error. Then it has the Kolmogorov-Smirnov distance of the p-values from uniform, with its p.
 * The seeds are fixed.
 */
#include "calibration/kolmogorov.h"
#include "fit/fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

extern const struct sb_test_type sb_test_likelihood_ratio;

enum { CELLS_MOST = 40320, LEVELS = 3, WORK_MOST = 300000000 };

static const double levels[LEVELS] = { 0.05, 0.01, 0.001 };

static struct sb_finding run(size_t cells, uint64_t total, const uint64_t count[])
{
    const struct sb_tally tally = { .statistic = "rank", .members = 1, .cells = cells, .total = total, .count = count };
    struct sb_finding finding;

    if (sb_test_likelihood_ratio.run(&tally, 0.05, &finding))
        abort();
    return finding;
}

/* One line of the table. */
static void measure(const gsl_rng *rng, size_t cells, double times, size_t trials)
{
    static uint64_t count[CELLS_MOST];
    static unsigned thrown[CELLS_MOST];
    static double law[CELLS_MOST];
    double *const p = calloc(trials, sizeof *p);
    size_t small[LEVELS] = { 0 };

    if (!p)
        abort();
    for (size_t i = 0; i < cells; i++) {
        law[i] = 1;
        count[i] = 1;
    }
    /* without counts, no cell would be possible, and the expected count would be that of few cells */
    const double expected = times * run(cells, cells, count).expected_needed;
    const unsigned total = (unsigned)ceil(expected * (double)cells);

    for (size_t t = 0; t < trials; t++) {
        gsl_ran_multinomial(rng, cells, total, law, thrown);
        for (size_t i = 0; i < cells; i++)
            count[i] = thrown[i];
        p[t] = run(cells, total, count).p;
        for (size_t j = 0; j < LEVELS; j++)
            small[j] += p[t] <= levels[j];
    }
    printf("%6zu %9u %7.1f %8zu", cells, total, expected, trials);
    for (size_t j = 0; j < LEVELS; j++)
        printf("   %.5f +- %.5f", (double)small[j] / (double)trials,
               sqrt(levels[j] * (1 - levels[j]) / (double)trials));
    const double distance = kolmogorov_distance(trials, p);

    printf("   %.5f %.3f\n", distance, kolmogorov_p(trials, distance));
    fflush(stdout);
    free(p);
}

int main(int argc, char *argv[])
{
    static const size_t cells[] = { 6, 12, 24, 60, 120, 720, 5040, 40320 };
    const size_t asked = argc > 1 ? strtoul(argv[1], NULL, 10) : 100000;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus2);

    if (!rng)
        return EXIT_FAILURE;
    printf(" cells  shuffles  expect   trials   p <= 0.05              0.01                   0.001"
           "                  D       p\n");
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++)
        for (double times = 1; times <= 4; times *= 4) {
            const size_t most = WORK_MOST / cells[i];

            gsl_rng_set(rng, 1 + i);
            measure(rng, cells[i], times, asked < most ? asked : most);
        }
    gsl_rng_free(rng);
    return EXIT_SUCCESS;
}
