/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rare errors, by importance sampling on three cards. The trials come from another law, under which the error
 * is common, and the mean of their likelihood ratios is the probability of the error.
 *
 * Alarms: calibration/whole_trial.h.
 *
 * Passes of a shuffle that has a set of m orders with probability theta = q + exclude, where q is the fair
 * probability. A gate passes orders by their counts, whatever their names are, so the set may be any of m orders. Half
 * of the trials are fair shuffles; the others have a set with probability v instead, where theta - v is one of the
 * steps of docs/how-it-decides.md ("Why a pass holds"), at random. The likelihood ratio of this mixture is the mean
 * over all sets of m orders of 1/2 + (mean of (v/q)^a ((1-v)/(1-q))^(t-a))/2, where `a` of t permutations are in the
 * set, divided by the mean of (theta/q)^a ((1-theta)/(1-q))^(t-a). It is computed from this definition.
 */
#include "calibration/whole_trial.h"
#include "promise/promise.h"

#include <math.h>
#include <stdlib.h>

struct rare_setting {
    struct sb_gate_terms terms;
    bool in[TRIAL_ORDERS]; /* the set */
};

static void rare_alarm(const struct promise_case *one, uint64_t index, double outcome[])
{
    static struct whole whole; /* of this process; never closed */
    const struct rare_setting *const set = one->about;

    if (!whole.rng) {
        whole_prepare();
        if (!whole_open(&whole))
            abort();
    }
    const struct whole_outcome run = whole_trial(&whole, &set->terms, false, (unsigned long)index + 1);

    outcome[0] = run.verdict == SB_VERDICT_FAIL ? (double)(1 / run.ratio / (long double)set->terms.alpha) : 0;
}

enum { HALF_STEPS = 17, STEPS = 29 };

/* 1, 2^-1/2, 2^-1, ..., 2^-8, then 2^-9, ..., 2^-20; at most theta. */
static double step_of(unsigned j, double theta)
{
    return fmin(theta, j < HALF_STEPS ? exp2(-0.5 * j) : exp2(-(double)(j - HALF_STEPS + 9)));
}

/* The mean over all sets of so many orders of how many times as likely the counts are as under a fair shuffle if the set
 * has the probability theta; if `mixed` is set, on average over the steps. */
static double mean_of(const uint64_t rank[TRIAL_ORDERS], uint64_t total, size_t orders, double theta, bool mixed)
{
    const double q = (double)orders / TRIAL_ORDERS;
    double sum = 0;
    size_t sets = 0;

    for (unsigned set = 0; set < 1U << TRIAL_ORDERS; set++) {
        uint64_t heads = 0;
        size_t members = 0;

        for (size_t r = 0; r < TRIAL_ORDERS; r++)
            if (set >> r & 1) {
                heads += rank[r];
                members++;
            }
        if (members != orders)
            continue;
        sets++;
        for (unsigned j = 0; j < (mixed ? STEPS : 1); j++) {
            const double v = mixed ? theta - step_of(j, theta) : theta, tails = (double)(total - heads);

            sum += exp((heads ? (double)heads * log(v / q) : 0) + tails * log((1 - v) / (1 - q))) / (mixed ? STEPS : 1);
        }
    }
    return sum / (double)sets;
}

static void rare_pass(const struct promise_case *one, uint64_t index, double outcome[])
{
    const struct rare_setting *const set = one->about;
    struct promise_random random = promise_seed(4, index);
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    double law[TRIAL_ORDERS];
    size_t orders = 0;

    for (size_t r = 0; r < TRIAL_ORDERS; r++)
        orders += set->in[r];
    const double theta = (double)orders / TRIAL_ORDERS + set->terms.exclude;
    const double other = theta - step_of((unsigned)promise_below(&random, STEPS), theta);
    const double v = promise_below(&random, 2) ? other : (double)orders / TRIAL_ORDERS;

    for (size_t r = 0; r < TRIAL_ORDERS; r++)
        law[r] = set->in[r] ? v / (double)orders : (1 - v) / (double)(TRIAL_ORDERS - orders);
    const struct trial_outcome run = trial_run(&set->terms, law, rng, (unsigned long)index + 1);

    outcome[0] = 0;
    if (run.verdict == SB_VERDICT_PASS)
        outcome[0] = mean_of(run.rank, run.total, orders, theta, false) /
                     (0.5 + 0.5 * mean_of(run.rank, run.total, orders, theta, true)) / set->terms.delta;
    gsl_rng_free(rng);
}

#define ALARM(a)                                                                                              \
    .line = { { .promise = "a fair shuffle fails", .allowed = (a), .weighted = true } }, .trial = rare_alarm, \
    .about = &(const struct rare_setting)                                                                     \
    {                                                                                                         \
        .terms = {.alpha = (a), .delta = 1e-300, .exclude = 1e-9, .limit = 500000 }                           \
    }
#define PASS(tv, most, ...)                                                                                  \
    .line = { { .promise = "a shuffle with this bias passes", .allowed = 1e-6, .weighted = true } },         \
    .trial = rare_pass, .about = &(const struct rare_setting)                                                \
    {                                                                                                        \
        .terms = { .alpha = 1e-100, .delta = 1e-6, .exclude = (tv), .limit = (most) }, .in = { __VA_ARGS__ } \
    }

static const struct promise_case cases[] = {
    { "rare-alarm-6", "3 items, alpha = 1e-6, up to 500,000 permutations", 5000, 0, ALARM(1e-6) },
    { "rare-alarm-9", "3 items, alpha = 1e-9, up to 500,000 permutations", 5000, 30, ALARM(1e-9) },
    { "rare-pass-half", "3 items, three orders up by 0.3", 5000, 40, PASS(0.3, 20000, true, false, false, true, true) },
    { "rare-pass-up", "3 items, one order up by 0.3", 5000, 0, PASS(0.3, 20000, true) },
    { "rare-pass-two", "3 items, two orders up by 0.2", 5000, 0, PASS(0.2, 40000, true, true) },
};

const struct promise_part promise_rare = { .title = "Gates: rare errors, by importance sampling",
                                           .count = sizeof cases / sizeof cases[0],
                                           .cases = cases };
