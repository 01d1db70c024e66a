/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One run of the gate on simulated counts. */
#include "calibration/gate_trial.h"

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
