/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One run of a whole gate on three cards. */
#include "calibration/whole_trial.h"

#include <gsl/gsl_randist.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1024, LINES_MOST = 2 + SB_LAGS + 1 };

static unsigned after[TRIAL_ORDERS][TRIAL_ORDERS];   /* [from][step] the rank after a step */
static unsigned between[TRIAL_ORDERS][TRIAL_ORDERS]; /* [from][to] the rank of the step */
static sb_item deck[TRIAL_ORDERS][TRIAL_ITEMS];

void whole_prepare(void)
{
    for (unsigned r = 0; r < TRIAL_ORDERS; r++)
        for (unsigned i = 0; i < TRIAL_ITEMS; i++)
            deck[r][trial_place[r][i]] = i;
    for (unsigned from = 0; from < TRIAL_ORDERS; from++)
        for (unsigned step = 0; step < TRIAL_ORDERS; step++)
            for (unsigned to = 0; to < TRIAL_ORDERS; to++) {
                bool same = true;

                for (size_t j = 0; j < TRIAL_ITEMS; j++)
                    same = same && deck[to][j] == deck[from][deck[step][j]];
                if (same) {
                    after[from][step] = to;
                    between[from][to] = step;
                }
            }
}

/* What permutations come from: orders of one law, or steps of it from the permutation `lag` places before. */
struct origin {
    size_t lag;
    double law[TRIAL_ORDERS];
};

static unsigned drawn(gsl_rng *rng, const double law[])
{
    double left = gsl_rng_uniform(rng);
    unsigned cell = 0;

    while (cell + 1 < TRIAL_ORDERS && left >= law[cell])
        left -= law[cell++];
    return cell;
}

/* Deals the next permutation and counts it and its steps. */
static unsigned next(struct whole *whole, const struct origin *origin)
{
    const uint64_t t = whole->total++;
    const bool steps = origin->lag && t >= origin->lag && t - origin->lag < SB_LAGS_STEPS;
    unsigned r = origin->lag && !steps ? (unsigned)gsl_rng_uniform_int(whole->rng, TRIAL_ORDERS)
                                       : drawn(whole->rng, origin->law);

    if (steps)
        r = after[whole->past[(t - origin->lag) % SB_LAGS_FARTHEST]][r];
    for (size_t l = 0; l < SB_LAGS && (UINT64_C(1) << l) <= t; l++)
        if (t - (UINT64_C(1) << l) < SB_LAGS_STEPS)
            whole->steps[l][between[whole->past[(t - (UINT64_C(1) << l)) % SB_LAGS_FARTHEST]][r]]++;
    whole->past[t % SB_LAGS_FARTHEST] = (uint8_t)r;
    whole->rank[r]++;
    for (size_t i = 0; i < TRIAL_ITEMS; i++)
        whole->matrix[i * TRIAL_ITEMS + trial_place[r][i]]++;
    return r;
}

static void deal(struct whole *whole, const struct origin *origin, uint64_t count)
{
    sb_item items[CHUNK * TRIAL_ITEMS];

    while (count) {
        const size_t chunk = count < CHUNK ? (size_t)count : CHUNK;

        for (size_t i = 0; i < chunk; i++)
            memcpy(items + i * TRIAL_ITEMS, deck[next(whole, origin)], sizeof deck[0]);
        sb_lags_add(whole->lags, items, chunk);
        count -= chunk;
    }
}

/* Updates the tallies; returns their number. */
static size_t read_tallies(struct whole *whole, struct sb_tally tally[LINES_MOST])
{
    const size_t lags = sb_lags_count(whole->lags);

    tally[0] = (struct sb_tally) { .statistic = "rank", .members = 1, .cells = TRIAL_ORDERS, .count = whole->rank };
    tally[1] = (struct sb_tally) {
        .statistic = "position", .members = TRIAL_ITEMS, .cells = TRIAL_ITEMS, .count = whole->matrix
    };
    tally[0].total = tally[1].total = whole->total;
    sb_lags_read(whole->lags, tally + 2);
    sb_catalogue_read(whole->catalogue, &tally[0]);
    tally[2 + lags] = sb_catalogue_tally(whole->catalogue, whole->total);
    return 2 + lags + 1;
}

/* Opens a gate on nothing yet. The caller closes it, and frees the lags. */
static void begin(struct whole *whole, const struct sb_gate_terms *terms, unsigned long seed, struct sb_gate *gate)
{
    struct sb_tally tally[LINES_MOST];

    gsl_rng_set(whole->rng, seed);
    whole->total = 0;
    memset(whole->rank, 0, sizeof whole->rank);
    memset(whole->matrix, 0, sizeof whole->matrix);
    memset(whole->steps, 0, sizeof whole->steps);
    if (sb_lags_new(NULL, TRIAL_ITEMS, TRIAL_ITEMS, true, NULL, &whole->lags) ||
        sb_gate_open(terms, tally, read_tallies(whole, tally), gate))
        abort();
}

static void run(struct whole *whole, const struct origin *origin, struct sb_gate *gate)
{
    struct sb_tally tally[LINES_MOST];

    while (gate->verdict == SB_VERDICT_INCONCLUSIVE && whole->total < gate->terms.limit) {
        deal(whole, origin, sb_gate_next_look(whole->total) - whole->total);
        if (sb_gate_look(tally, read_tallies(whole, tally), gate))
            abort();
    }
}

/* The probability of an order under a candidate. */
static double candidate_p(const struct sb_candidate *candidate, size_t r)
{
    const int64_t worth = candidate->worth[r];

    return worth == SB_WORTH_IMPOSSIBLE ? 0 : exp((double)worth * SB_WORTH_UNIT) / TRIAL_ORDERS;
}

/* A part of the mixture: one line by its weight, and then its law. */
static struct origin draw_origin(const struct whole *whole, const struct sb_gate *gate)
{
    const struct sb_catalogue *const catalogue = whole->catalogue;
    double left = gsl_rng_uniform(whole->rng), weights = 1;
    struct origin origin = { 0 };
    size_t k = 0, chosen = 0;

    while (k + 1 < gate->lines_count && left >= gate->line[k].weight)
        left -= gate->line[k++].weight;
    const struct sb_gate_line *const line = &gate->line[k];

    if (strcmp(line->statistic, "position") == 0) {
        trial_draw_place(whole->rng, line->member, origin.law);
    } else if (strcmp(line->statistic, "rank") == 0) {
        origin.lag = line->lag;
        trial_draw_cells(whole->rng, TRIAL_ORDERS, origin.law);
    } else { /* the catalogue: a candidate, or a fair shuffle of weight 1 */
        for (size_t i = 0; i < catalogue->count; i++)
            weights += catalogue->candidate[i].weight;
        left = weights * gsl_rng_uniform(whole->rng);
        while (chosen < catalogue->count && left >= catalogue->candidate[chosen].weight)
            left -= catalogue->candidate[chosen++].weight;
        for (size_t r = 0; r < TRIAL_ORDERS; r++)
            origin.law[r] =
                chosen < catalogue->count ? candidate_p(&catalogue->candidate[chosen], r) : 1.0 / TRIAL_ORDERS;
    }
    return origin;
}

static long double catalogue_ratio(const struct whole *whole)
{
    const struct sb_catalogue *const catalogue = whole->catalogue;
    long double sum = 1, weights = 1;

    for (size_t k = 0; k < catalogue->count; k++) {
        const struct sb_candidate *const candidate = &catalogue->candidate[k];
        long double ln = 0;

        for (size_t r = 0; r < TRIAL_ORDERS; r++)
            if (whole->rank[r])
                ln +=
                    (long double)whole->rank[r] * (candidate->worth[r] == SB_WORTH_IMPOSSIBLE
                                                       ? -HUGE_VALL
                                                       : (long double)candidate->worth[r] * (long double)SB_WORTH_UNIT);
        sum += (long double)candidate->weight * expl(ln);
        weights += (long double)candidate->weight;
    }
    return sum / weights;
}

/* E of all lines by the definitions. */
static long double ratio(const struct whole *whole, const struct sb_gate *gate)
{
    long double sum = 0;

    for (size_t k = 0; k < gate->lines_count; k++) {
        const struct sb_gate_line *const line = &gate->line[k];
        long double e;

        if (strcmp(line->statistic, "catalogue") == 0)
            e = catalogue_ratio(whole);
        else if (strcmp(line->statistic, "position") == 0)
            e = trial_ratio_of(TRIAL_ITEMS, whole->matrix + line->member * TRIAL_ITEMS);
        else
            e = trial_ratio_of(TRIAL_ORDERS, line->lag ? whole->steps[__builtin_ctzll(line->lag)] : whole->rank);
        sum += (long double)line->weight * e;
    }
    return sum;
}

bool whole_open(struct whole *whole)
{
    *whole = (struct whole) { .rng = gsl_rng_alloc(gsl_rng_mt19937) };
    return whole->rng && !sb_catalogue_build(TRIAL_ITEMS, true, NULL, &whole->catalogue) && whole->catalogue;
}

void whole_close(struct whole *whole)
{
    sb_catalogue_free(whole->catalogue);
    gsl_rng_free(whole->rng);
}

struct whole_outcome whole_trial(struct whole *whole, const struct sb_gate_terms *terms, bool fair, unsigned long seed)
{
    struct origin origin = { 0 };
    struct sb_gate gate;

    begin(whole, terms, seed, &gate);
    for (size_t r = 0; r < TRIAL_ORDERS; r++)
        origin.law[r] = 1.0 / TRIAL_ORDERS;
    if (!fair)
        origin = draw_origin(whole, &gate);
    run(whole, &origin, &gate);
    const struct whole_outcome outcome = { .verdict = gate.verdict,
                                           .ln_e = gate.ln_e,
                                           .ratio = gate.verdict == SB_VERDICT_FAIL ? ratio(whole, &gate) : 0 };

    sb_gate_close(&gate);
    sb_lags_free(whole->lags);
    return outcome;
}
