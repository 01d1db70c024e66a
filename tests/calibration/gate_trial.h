/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One run of the gate on three cards whose orders have a given law. The trial draws counts from look to
 * look. It tests the rank and the positions of the items, as the gate does by default.
 */
#ifndef GATE_TRIAL_H
#define GATE_TRIAL_H

#include "gate/gate.h"

#include <gsl/gsl_rng.h>

enum {
    TRIAL_ITEMS = 3,
    TRIAL_ORDERS = 6,
    TRIAL_PLACES = TRIAL_ITEMS * TRIAL_ITEMS,
    TRIAL_FAMILIES = 2, /* the rank, the positions */
};

/* Where item i of the order of rank r is found: trial_place[r][i]. */
extern const unsigned trial_place[TRIAL_ORDERS][TRIAL_ITEMS];

struct trial_outcome {
    enum sb_verdict verdict;
    uint64_t total;
    double ln_e;
    uint64_t rank[TRIAL_ORDERS], matrix[TRIAL_PLACES];
};

/* The run; law[TRIAL_ORDERS] adds up to 1. The generator is begun anew from the seed. */
struct trial_outcome trial_run(const struct sb_gate_terms *terms, const double law[], gsl_rng *rng, unsigned long seed);

/*
 * E is the likelihood ratio of a mixture of laws against the fair one: a statistic by its weight, a
 * concentration A = g K, a Dirichlet law of its cells, the orders of one cell equally likely. These draw a law of up to
 * TRIAL_ORDERS cells, law[cells]; and one of orders by the place of an item, law[TRIAL_ORDERS].
 */
void trial_draw_cells(gsl_rng *rng, size_t cells, double law[]);
void trial_draw_place(gsl_rng *rng, size_t item, double law[]);

/* The ratio of one statistic with these counts, averaged over the concentrations, from the Gamma functions of its
 * definition; it shares nothing with the library's. Not for parallel regions. */
long double trial_ratio_of(size_t cells, const uint64_t count[]);

#endif
