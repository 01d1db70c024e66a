/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How often the catalogue raises an alarm of a fair shuffle, alone and in the gate, with fixed seeds. By Ville's
 * inequality the first shares below are at most their level on average; with other seeds a share would exceed 1.5 times
 * its level in less than 1 of 1000 cases. Rare alarms go by importance sampling: permutations from the mixture whose
 * likelihood ratio is E raise an alarm in most runs, and the mean of 1/E over these is the probability of an alarm of a
 * fair shuffle.
 */
#include "unit/test.h"

#include "calibration/gate_trial.h"
#include "study/catalogue/look.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include <math.h>
#include <stdlib.h>

enum { RANKS_MOST = 120 };

static struct sb_catalogue *build(size_t n, bool ranked)
{
    struct sb_catalogue *catalogue;
    struct sb_error error;

    assert_int_equal(sb_catalogue_build(n, ranked, &error, &catalogue), SB_OK);
    assert_non_null(catalogue);
    return catalogue;
}

/* A run on counts by rank from this law, until E reaches 1/alpha at a look or `limit` permutations have come; returns
 * whether E did. count[] is that of the last look. */
static bool run_ranks(struct sb_catalogue *catalogue, const double law[], double alpha, uint64_t limit, gsl_rng *rng,
                      uint64_t count[])
{
    const size_t cells = (size_t)sb_deals(catalogue->n, catalogue->n);
    struct sb_tally rank = { .members = 1, .cells = cells, .count = count };
    unsigned thrown[RANKS_MOST];

    for (size_t i = 0; i < cells; i++)
        count[i] = 0;
    while (rank.total < limit) {
        const uint64_t next = sb_gate_next_look(rank.total);

        gsl_ran_multinomial(rng, cells, (unsigned)(next - rank.total), law, thrown);
        for (size_t i = 0; i < cells; i++)
            count[i] += thrown[i];
        rank.total = next;
        sb_catalogue_read(catalogue, &rank);
        if (catalogue->ln_e >= -log(alpha))
            return true;
    }
    return false;
}

TEST(few_false_alarms_by_rank)
{
    enum { RUNS = 1000 };
    static const double level = 0.1;

    for (size_t n = 3; n <= 5; n++) {
        struct sb_catalogue *const catalogue = build(n, true);
        gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
        double fair[RANKS_MOST];
        uint64_t count[RANKS_MOST];
        unsigned alarms = 0;

        for (size_t i = 0; i < RANKS_MOST; i++)
            fair[i] = 1;
        for (unsigned seed = 1; seed <= RUNS; seed++) {
            gsl_rng_set(rng, seed);
            alarms += run_ranks(catalogue, fair, level, 5000, rng, count);
        }
        assert_in_range(alarms, 1, (uintmax_t)(1.5 * level * RUNS));
        gsl_rng_free(rng);
        sb_catalogue_free(catalogue);
    }
}

TEST(few_false_alarms_of_decks)
{
    enum { RUNS = 300, DECKS = 300, ITEMS = 20 };
    static const double level = 0.1;
    unsigned alarms = 0;
    sb_item deck[ITEMS];
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);

    for (unsigned seed = 1; seed <= RUNS; seed++) {
        struct sb_catalogue *const catalogue = build(ITEMS, false);
        bool alarm = false;

        gsl_rng_set(rng, seed);
        for (unsigned t = 0; t < DECKS && !alarm; t++) {
            for (size_t j = 0; j < ITEMS; j++)
                deck[j] = (sb_item)j;
            gsl_ran_shuffle(rng, deck, ITEMS, sizeof deck[0]);
            sb_catalogue_add(catalogue, deck, 1);
            sb_catalogue_read(catalogue, NULL);
            alarm = catalogue->ln_e >= -log(level);
        }
        alarms += alarm;
        sb_catalogue_free(catalogue);
    }
    gsl_rng_free(rng);
    assert_true(alarms <= 1.5 * level * RUNS);
}

/* The average likelihood ratio, from the candidates' probabilities. */
static long double ratio_of(const struct sb_catalogue *catalogue, const uint64_t count[])
{
    const size_t cells = (size_t)sb_deals(catalogue->n, catalogue->n);
    long double sum = 1, weights = 1;

    for (size_t k = 0; k < catalogue->count; k++) {
        const struct sb_candidate *const candidate = &catalogue->candidate[k];
        long double ln = 0;

        for (size_t i = 0; i < cells; i++)
            if (count[i])
                ln += candidate->worth[i] == SB_WORTH_IMPOSSIBLE
                          ? -HUGE_VALL
                          : (long double)count[i] * ((long double)candidate->worth[i] * SB_WORTH_UNIT);
        sum += candidate->weight * expl(ln);
        weights += candidate->weight;
    }
    return sum / weights;
}

/* Draws a candidate, or the fair shuffle, by the weights; law[] is that of its ranks. */
static void draw_law(const struct sb_catalogue *catalogue, gsl_rng *rng, double law[])
{
    const size_t cells = (size_t)sb_deals(catalogue->n, catalogue->n);
    double all = 1, drawn;
    size_t k = 0;

    for (size_t i = 0; i < catalogue->count; i++)
        all += catalogue->candidate[i].weight;
    drawn = all * gsl_rng_uniform(rng);
    while (k < catalogue->count && drawn >= catalogue->candidate[k].weight)
        drawn -= catalogue->candidate[k++].weight;
    for (size_t i = 0; i < cells; i++) {
        const int64_t worth = k < catalogue->count ? catalogue->candidate[k].worth[i] : 0;

        law[i] = worth == SB_WORTH_IMPOSSIBLE ? 0 : exp((double)worth * SB_WORTH_UNIT);
    }
}

TEST(rare_alarms)
{
    enum { RUNS = 400 };
    static const double levels[] = { 1e-6, 1e-9 };
    struct sb_catalogue *const catalogue = build(4, true);
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    double law[RANKS_MOST];
    uint64_t count[RANKS_MOST];

    for (size_t l = 0; l < sizeof levels / sizeof levels[0]; l++) {
        unsigned alarms = 0;
        long double sum = 0;

        for (unsigned seed = 1; seed <= RUNS; seed++) {
            gsl_rng_set(rng, seed);
            draw_law(catalogue, rng, law);
            if (!run_ranks(catalogue, law, levels[l], 300000, rng, count))
                continue;
            const long double ratio = ratio_of(catalogue, count);

            assert_true(fabsl(logl(ratio) - catalogue->ln_e) < 1e-9L);
            alarms++;
            sum += 1 / ratio;
        }
        assert_true(alarms > RUNS / 2);
        assert_true(sum / RUNS <= levels[l] && sum / RUNS > levels[l] / 20);
    }
    gsl_rng_free(rng);
    sb_catalogue_free(catalogue);
}

/* A run of the gate on the rank, the positions and the catalogue of three cards; count[] is that of the last look. */
static struct trial_outcome run_gate(struct sb_catalogue *catalogue, const struct sb_gate_terms *terms,
                                     const double law[], gsl_rng *rng)
{
    struct trial_outcome outcome = { 0 };
    struct sb_tally tally[] = {
        { .statistic = "rank", .members = 1, .cells = TRIAL_ORDERS, .count = outcome.rank },
        { .statistic = "position", .members = TRIAL_ITEMS, .cells = TRIAL_ITEMS, .count = outcome.matrix },
        sb_catalogue_tally(catalogue, 0),
    };
    struct sb_gate gate;
    uint64_t total = 0;

    assert_int_equal(sb_gate_open(terms, tally, 3, &gate), SB_OK);
    while (gate.verdict == SB_VERDICT_INCONCLUSIVE && total < terms->limit) {
        const uint64_t next = sb_gate_next_look(total) < terms->limit ? sb_gate_next_look(total) : terms->limit;
        unsigned thrown[TRIAL_ORDERS];

        gsl_ran_multinomial(rng, TRIAL_ORDERS, (unsigned)(next - total), law, thrown);
        for (size_t r = 0; r < TRIAL_ORDERS; r++) {
            outcome.rank[r] += thrown[r];
            for (size_t i = 0; i < TRIAL_ITEMS; i++)
                outcome.matrix[i * TRIAL_ITEMS + trial_place[r][i]] += thrown[r];
        }
        tally[0].total = tally[1].total = total = next;
        sb_catalogue_read(catalogue, &tally[0]);
        tally[2] = sb_catalogue_tally(catalogue, total);
        assert_int_equal(sb_gate_look(tally, 3, &gate), SB_OK);
    }
    outcome.verdict = gate.verdict;
    outcome.ln_e = gate.ln_e;
    sb_gate_close(&gate);
    return outcome;
}

/* The mean of 1/E at the alarms of the gate, from the mixture that has 5% of the catalogue. */
TEST(rare_alarms_of_the_gate)
{
    enum { RUNS = 400 };
    static const double levels[] = { 1e-6, 1e-9 };
    struct sb_catalogue *const catalogue = build(3, true);
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    double law[RANKS_MOST];

    for (size_t l = 0; l < sizeof levels / sizeof levels[0]; l++) {
        const struct sb_gate_terms terms = { .alpha = levels[l], .delta = 1e-300, .exclude = 1e-9, .limit = 2000000 };
        unsigned alarms = 0;
        long double sum = 0, squares = 0;

        for (unsigned seed = 1; seed <= RUNS; seed++) {
            gsl_rng_set(rng, seed);
            if (gsl_rng_uniform(rng) < 0.05)
                draw_law(catalogue, rng, law);
            else
                trial_draw_law(rng, RUNS + seed, law);
            const struct trial_outcome outcome = run_gate(catalogue, &terms, law, rng);

            if (outcome.verdict != SB_VERDICT_FAIL)
                continue;
            const long double ratio = 0.95L * trial_ratio(&outcome) + 0.05L * ratio_of(catalogue, outcome.rank);

            assert_true(fabsl(logl(ratio) - outcome.ln_e) < 1e-8L);
            alarms++;
            sum += 1 / ratio;
            squares += 1 / ratio / ratio;
        }
        const long double mean = sum / RUNS;

        print_message("alpha %g: %u alarms of %d, probability %.3Lg, standard error %.1Lg\n", levels[l], alarms, RUNS,
                      mean, sqrtl((squares / RUNS - mean * mean) / RUNS));
        assert_true(alarms > RUNS / 2);
        assert_true(mean <= levels[l] && mean > levels[l] / 20);
    }
    gsl_rng_free(rng);
    sb_catalogue_free(catalogue);
}
