/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How far the chi-square law is from the truth if cells have small expected counts: the figures of
 * docs/statistics.md, section "Small expectations".
 *
 *     build/tests/bench-merged-tail [N]     52 by default; a minute of processor time
 *
 * The counts of 100,000 fair decks in the merged cells of a statistic are multinomial. The program draws
 * 3,000,000 such samples, and counts those whose p is alpha/15 or less, as Bonferroni over 15 tests asks.
 * Beside this share it prints alpha/15. Cells are merged until each expects 5, the usual rule, and until
 * each expects 20, as in a report. The seeds are fixed.
 */
#include "core/numbers.h"
#include "core/system.h"
#include "fit/fit.h"
#include "fit/numeric.h"
#include "statistic/statistic.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

enum { DECKS = 100000, THROWS = 100000, CHUNKS = 30, CELLS_MOST = 64, LEVELS = 3, TESTS = 15 };

static const double alpha[LEVELS] = { 0.05, 0.01, 0.001 };

/* The merged law of a statistic. */
struct law {
    size_t cells;
    double p[CELLS_MOST], ln_p[CELLS_MOST];
};

/* Whether it has one of so many cells at most. */
static bool law_of(const struct sb_statistic_type *type, size_t n, double least, struct law *law)
{
    const size_t cells = type->cells(n, n);
    double *const ln_p = calloc(cells + 1, sizeof *ln_p);
    uint32_t *const map = calloc(cells + 1, sizeof *map);

    if (!ln_p || !map || (cells && type->null_law(n, n, 0, ln_p)))
        abort();
    law->cells = cells ? sb_merge_cells(ln_p, cells, least / DECKS, map, ln_p) : 0;
    for (size_t i = 0; i < law->cells && i < CELLS_MOST; i++) {
        law->ln_p[i] = ln_p[i];
        law->p[i] = exp(ln_p[i]);
    }
    free(ln_p);
    free(map);
    return law->cells > 2 && law->cells <= CELLS_MOST;
}

static double p_of(const struct law *law, const gsl_rng *rng)
{
    unsigned thrown[CELLS_MOST];
    uint64_t count[CELLS_MOST];
    const struct sb_tally tally = {
        .members = 1, .cells = law->cells, .total = DECKS, .count = count, .ln_p = law->ln_p
    };
    struct sb_cells_sum sum;

    gsl_ran_multinomial(rng, law->cells, DECKS, law->p, thrown);
    for (size_t i = 0; i < law->cells; i++)
        count[i] = thrown[i];
    if (sb_cells_add(&tally, sb_cell_pearson, &sum))
        abort();
    return sb_chisq_q(sum.value, (double)law->cells - 1);
}

/* What the threads share. */
struct throw_run {
    const struct law *law;
    atomic_size_t next;        /* chunk to be taken */
    atomic_size_t all[LEVELS]; /* how often p is as small as each level asks */
};

static void throw_work(void *state, size_t thread)
{
    struct throw_run *const run = state;
    size_t chunk;

    while ((chunk = atomic_fetch_add(&run->next, 1)) < CHUNKS) {
        gsl_rng *const rng = gsl_rng_alloc(gsl_rng_taus2);

        if (!rng)
            abort();
        gsl_rng_set(rng, 1 + chunk);
        for (size_t i = 0; i < THROWS; i++) {
            const double p = p_of(run->law, rng);

            for (size_t j = 0; j < LEVELS; j++)
                run->all[j] += p <= alpha[j] / TESTS;
        }
        gsl_rng_free(rng);
    }
}

/* How often p is as small as each level asks. */
static void throw_all(const struct law *law, size_t small[LEVELS])
{
    struct throw_run run = { .law = law };

    sb_threads_run(sb_threads_count(0, CHUNKS), throw_work, &run);
    for (size_t j = 0; j < LEVELS; j++)
        small[j] = run.all[j];
}

static void say(const char *name, const struct law *law)
{
    size_t small[LEVELS];

    throw_all(law, small);
    printf("%-20s %5zu", name, law->cells);
    for (size_t j = 0; j < LEVELS; j++) {
        const double meant = (double)CHUNKS * THROWS * alpha[j] / TESTS;

        printf("   %.2f +- %.2f", (double)small[j] / meant, sqrt((double)small[j]) / meant);
    }
    printf("\n");
    fflush(stdout);
}

/* All statistics whose law is small once it is merged, each law once. */
static void say_all(size_t n, double least)
{
    enum { LAWS_MOST = 64 };
    static struct law law[LAWS_MOST];
    size_t laws = 0;

    printf("n = %zu, each cell expects %.0f or more: false alarms over what alpha = 0.05, 0.01, 0.001 say\n", n, least);
    for (size_t i = 0; i < sb_statistic_types_count && laws < LAWS_MOST; i++) {
        const struct sb_statistic_type *const type = sb_statistic_types[i];
        bool seen = false;

        if (!sb_statistic_joins(type, n, n) || !law_of(type, n, least, &law[laws]))
            continue;
        for (size_t j = 0; j < laws; j++)
            seen = seen || (law[j].cells == law[laws].cells &&
                            memcmp(law[j].p, law[laws].p, law[j].cells * sizeof law[j].p[0]) == 0);
        if (!seen)
            say(type->name, &law[laws++]);
    }
}

int main(int argc, char *argv[])
{
    const size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 52;

    say_all(n, 5);
    say_all(n, 20);
    return EXIT_SUCCESS;
}
