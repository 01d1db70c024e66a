/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One run of the gate on simulated counts, or on decks of the library. */
#include "calibration/gate_trial.h"
#include "subject/subject.h"

#include "core/calls.h"
#include "core/core.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_randist.h>

const unsigned trial_place[TRIAL_ORDERS][TRIAL_ITEMS] = {
    { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 2, 0, 1 }, { 1, 2, 0 }, { 2, 1, 0 },
};

enum { CONCENTRATIONS = 6 };

static const double concentrations[CONCENTRATIONS] = { 1, 10, 1e2, 1e3, 1e4, 1e5 };

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

struct trial_outcome trial_run(const struct sb_gate_terms *terms, const double law[], gsl_rng *rng, unsigned long seed)
{
    struct trial_outcome outcome = { 0 };
    struct sb_tally tally[TRIAL_FAMILIES] = {
        { .statistic = "rank", .members = 1, .cells = TRIAL_ORDERS, .count = outcome.rank },
        { .statistic = "position", .members = TRIAL_ITEMS, .cells = TRIAL_ITEMS, .count = outcome.matrix },
    };
    struct sb_gate gate;
    uint64_t total = 0;

    gsl_rng_set(rng, seed);
    if (sb_gate_open(terms, tally, TRIAL_FAMILIES, &gate))
        abort();
    while (gate.verdict == SB_VERDICT_INCONCLUSIVE && total < terms->limit) {
        const uint64_t next = least(sb_gate_next_look(total), terms->limit);
        unsigned thrown[TRIAL_ORDERS];

        gsl_ran_multinomial(rng, TRIAL_ORDERS, (unsigned)(next - total), law, thrown);
        for (size_t r = 0; r < TRIAL_ORDERS; r++) {
            outcome.rank[r] += thrown[r];
            for (size_t i = 0; i < TRIAL_ITEMS; i++)
                outcome.matrix[i * TRIAL_ITEMS + trial_place[r][i]] += thrown[r];
        }
        tally[0].total = tally[1].total = total = next;
        if (sb_gate_look(tally, TRIAL_FAMILIES, &gate))
            abort();
    }
    outcome.verdict = gate.verdict;
    outcome.total = total;
    outcome.ln_e = gate.ln_e;
    sb_gate_close(&gate);
    return outcome;
}

void trial_draw_cells(gsl_rng *rng, size_t cells, double law[])
{
    const double g = concentrations[gsl_rng_uniform_int(rng, CONCENTRATIONS)];
    double concentration[TRIAL_ORDERS];

    for (size_t i = 0; i < cells; i++)
        concentration[i] = g;
    gsl_ran_dirichlet(rng, cells, concentration, law);
}

void trial_draw_place(gsl_rng *rng, size_t item, double law[])
{
    double place[TRIAL_ITEMS];

    trial_draw_cells(rng, TRIAL_ITEMS, place);
    for (size_t r = 0; r < TRIAL_ORDERS; r++) /* two orders have the item in a place */
        law[r] = 0.5 * place[trial_place[r][item]];
}

void trial_draw_law(gsl_rng *rng, unsigned long seed, double law[])
{
    gsl_rng_set(rng, seed);
    const double g = concentrations[gsl_rng_uniform_int(rng, CONCENTRATIONS)];
    const double concentration[TRIAL_ORDERS] = { g, g, g, g, g, g };
    double place[TRIAL_ITEMS];

    if (gsl_rng_uniform_int(rng, 2)) {
        gsl_ran_dirichlet(rng, TRIAL_ORDERS, concentration, law);
        return;
    }
    const size_t item = gsl_rng_uniform_int(rng, TRIAL_ITEMS);

    gsl_ran_dirichlet(rng, TRIAL_ITEMS, concentration, place);
    for (size_t r = 0; r < TRIAL_ORDERS; r++) /* two orders have the item in a place */
        law[r] = 0.5 * place[trial_place[r][item]];
}

long double trial_ratio_of(size_t cells, const uint64_t count[])
{
    long double mean = 0, total = 0;

    for (size_t i = 0; i < cells; i++)
        total += (long double)count[i];
    for (size_t j = 0; j < CONCENTRATIONS; j++) {
        const long double g = concentrations[j], a = g * (long double)cells;
        long double ln = lgammal(a) - lgammal(a + total) + total * logl((long double)cells);

        for (size_t i = 0; i < cells; i++)
            ln += lgammal(g + (long double)count[i]) - lgammal(g);
        mean += expl(ln) / CONCENTRATIONS;
    }
    return mean;
}

long double trial_ratio(const struct trial_outcome *outcome)
{
    long double sum = trial_ratio_of(TRIAL_ORDERS, outcome->rank) / 2;

    for (size_t i = 0; i < TRIAL_ITEMS; i++)
        sum += trial_ratio_of(TRIAL_ITEMS, outcome->matrix + i * TRIAL_ITEMS) / (2 * TRIAL_ITEMS);
    return sum;
}

/* Deals that many more decks and counts them. */
static void deal(struct sb_dealer *dealer, uint64_t decks, size_t n, uint64_t *rank, uint64_t *matrix)
{
    for (uint64_t i = 0; i < decks; i++) {
        const uint32_t *items;

        if (sb_dealer_next(dealer, &items))
            abort();
        for (size_t j = 0; j < n; j++)
            matrix[items[j] * n + j]++;
        if (rank)
            rank[sb_permutation_rank(n, n, items)]++;
    }
}

struct trial_outcome trial_deal(const struct sb_gate_terms *terms, const char *scheme, size_t n, uint64_t seed)
{
    const size_t cells = sb_cells(n, n);
    uint64_t *const matrix = calloc(n * n, sizeof *matrix);
    uint64_t *const rank = sb_gate_reaches(terms, cells) ? calloc(cells, sizeof *rank) : NULL;
    struct sb_tally tally[TRIAL_FAMILIES] = {
        { .statistic = "position", .members = n, .cells = n, .count = matrix },
        { .statistic = "rank", .members = 1, .cells = cells, .count = rank },
    };
    const size_t families = rank ? 2 : 1;
    struct sb_request options;
    struct sb_dealer *dealer;
    struct sb_gate gate;
    uint64_t total = 0;

    sb_request_init(&options, SB_REPORT);
    options.n = n;
    options.seed = seed;
    if (!matrix || sb_dealer_new(scheme, &options, NULL, &dealer) || sb_gate_open(terms, tally, families, &gate))
        abort();
    while (gate.verdict == SB_VERDICT_INCONCLUSIVE && total < terms->limit) {
        const uint64_t next = least(sb_gate_next_look(total), terms->limit);

        deal(dealer, next - total, n, rank, matrix);
        tally[0].total = tally[1].total = total = next;
        if (sb_gate_look(tally, families, &gate))
            abort();
    }
    const struct trial_outcome outcome = { .verdict = gate.verdict, .total = total, .ln_e = gate.ln_e };

    sb_gate_close(&gate);
    sb_dealer_free(dealer);
    free(rank);
    free(matrix);
    return outcome;
}
