/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How often the bound of a pass is wrong: laws whose total variation from the null law is exactly what a
 * pass excludes, looked at as the gate looks, until the bound is below that, or until 20 times the deals
 * that a fair law needs. At most a share of delta may pass. Figures of docs/gate-method.md, section "Calibration".
 *
 *     build/tests/bench-gate-pass [RUNS]       10,000 runs of each law by default: some ten minutes of one processor
 */
#include "fit/sequential.h"
#include "gate/gate.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS_MOST = 120, LAWS = 7 };

static const double exclude = 0.2;

struct null_law {
    const char *name;
    size_t cells;
    double q[CELLS_MOST];
    bool uniform;
};

static void null_uniform(size_t cells, struct null_law *null)
{
    *null = (struct null_law) { .name = "equally likely", .cells = cells, .uniform = true };
    for (size_t i = 0; i < cells; i++)
        null->q[i] = 1 / (double)cells;
}

/* Halves: 1/2, 1/4, ..., the last twice. */
static void null_halves(size_t cells, struct null_law *null)
{
    *null = (struct null_law) { .name = "halves", .cells = cells };
    for (size_t i = 0; i < cells; i++)
        null->q[i] = exp2(-(double)(i + 1 < cells ? i + 1 : i));
}

/* Binomial with p = 1/2. */
static void null_binomial(size_t cells, struct null_law *null)
{
    *null = (struct null_law) { .name = "binomial", .cells = cells };
    for (size_t i = 0; i < cells; i++)
        null->q[i] = gsl_ran_binomial_pdf((unsigned)i, 0.5, (unsigned)cells - 1);
}

/* Moves exactly `exclude` from some cells to others, in proportion to their probability. */
static bool move(const struct null_law *null, const bool from[], const bool to[], double law[])
{
    double giving = 0, taking = 0;

    for (size_t i = 0; i < null->cells; i++) {
        giving += from[i] ? null->q[i] : 0;
        taking += to[i] ? null->q[i] : 0;
    }
    if (giving < exclude || taking <= 0)
        return false;
    for (size_t i = 0; i < null->cells; i++)
        law[i] = null->q[i] - (from[i] ? exclude * null->q[i] / giving : 0) +
                 (to[i] ? exclude * null->q[i] / taking : 0);
    return true;
}

/* The kinds of laws; false where a kind does not exist for this null law. */
static bool law_of(const struct null_law *null, size_t kind, const gsl_rng *rng, const char **name,
                   double law[])
{
    static const char *const names[LAWS] = { "every other cell up", "first cell up",   "last cell up",
                                             "first half up",       "one in three up", "any half up",
                                             "first cell down" };
    const size_t k = null->cells;
    bool from[CELLS_MOST], to[CELLS_MOST];

    *name = names[kind];
    for (size_t i = 0; i < k; i++) {
        const bool up[LAWS] = { i % 2 == 0, i == 0, i == k - 1,
                                i<k / 2, i % 3 == 0, gsl_rng_uniform(rng) < 0.5, i> 0 };

        to[i] = up[kind];
        from[i] = !up[kind];
    }
    return move(null, from, to, law);
}

/* Whether the bound is ever below what is true. */
static bool passes(const struct null_law *null, const double law[], double ln_level, uint64_t limit,
                   const gsl_rng *rng)
{
    double ln_p[CELLS_MOST];
    uint64_t count[CELLS_MOST] = { 0 };
    unsigned more[CELLS_MOST];
    struct sb_tally tally = { .statistic = "x",
                              .members = 1,
                              .cells = null->cells,
                              .count = count,
                              .ln_p = null->uniform ? NULL : ln_p };

    for (size_t i = 0; i < null->cells; i++)
        ln_p[i] = log(null->q[i]);
    while (tally.total < limit) {
        const uint64_t next = sb_gate_next_look(tally.total);
        bool below;

        gsl_ran_multinomial(rng, null->cells, (unsigned)(next - tally.total), law, more);
        for (size_t i = 0; i < null->cells; i++)
            count[i] += more[i];
        tally.total = next;
        if (sb_tv_high_below(&tally, ln_level, exclude, &below))
            abort();
        if (below)
            return true;
    }
    return false;
}

/* About when a fair law passes. */
static double fair_total(size_t cells, double ln_level)
{
    double total = 1;

    while (sb_tv_high_fair(total, (double)cells, ln_level) >= exclude)
        total *= 1.02;
    return total;
}

static bool calibrate(const struct null_law *null, double delta, size_t runs, gsl_rng *rng)
{
    const double ln_level = -log(delta);
    const uint64_t limit = 20 * (uint64_t)fair_total(null->cells, ln_level);
    bool fine = true;

    for (size_t kind = 0; kind < LAWS; kind++) {
        const char *name;
        double law[CELLS_MOST];
        size_t passed = 0;

        if (!law_of(null, kind, rng, &name, law))
            continue;
        for (size_t run = 0; run < runs; run++)
            passed += passes(null, law, ln_level, limit, rng);
        fine = fine && (double)passed <= delta * (double)runs;
        printf("%s, %zu cells, %s, delta %g: %zu false passes in %zu runs\n", null->name, null->cells, name,
               delta, passed, runs);
        fflush(stdout);
    }
    return fine;
}

int main(int argc, char *argv[])
{
    const size_t runs = argc > 1 ? strtoul(argv[1], NULL, 10) : 10000;
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    static const double deltas[] = { 0.5, 0.05 };
    struct null_law null[8];
    size_t nulls = 0;
    bool fine = true;

    gsl_rng_set(rng, 20261123);
    null_uniform(2, &null[nulls++]);
    null_uniform(3, &null[nulls++]);
    null_uniform(6, &null[nulls++]);
    null_uniform(24, &null[nulls++]);
    null_uniform(120, &null[nulls++]);
    null_halves(6, &null[nulls++]);
    null_binomial(9, &null[nulls++]);
    null_binomial(30, &null[nulls++]);
    for (size_t i = 0; i < nulls; i++)
        for (size_t j = 0; j < sizeof deltas / sizeof deltas[0]; j++)
            fine = calibrate(&null[i], deltas[j], runs, rng) && fine;
    gsl_rng_free(rng);
    puts(fine ? "all within delta" : "NOT within delta");
    return !fine;
}
