/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How often the catalogue alone raises an alarm of a fair shuffle, with fixed seeds. By Ville's inequality the
 * first shares below are at most their level on average; with other seeds a share would exceed 1.5 times its level in
 * less than 1 of 1000 cases. Rare alarms go by importance sampling: permutations from the mixture whose likelihood
 * ratio is E raise an alarm in most runs, and the mean of 1/E over these is the probability of an alarm of a fair
 * shuffle.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gate/gate.h"
#include "study/catalogue/catalogue_build.h"

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
static bool run_ranks(struct sb_catalogue *catalogue, const double law[], double alpha, uint64_t limit,
                      gsl_rng *rng, uint64_t count[])
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

static void few_false_alarms_by_rank(void **state)
{
    enum { RUNS = 1000 };
    static const double level = 0.1;

    (void)state;
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

static void few_false_alarms_of_decks(void **state)
{
    enum { RUNS = 300, DECKS = 300, ITEMS = 20 };
    static const double level = 0.1;
    unsigned alarms = 0;
    sb_item deck[ITEMS];
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);

    (void)state;
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

static void rare_alarms(void **state)
{
    enum { RUNS = 400 };
    static const double levels[] = { 1e-6, 1e-9 };
    struct sb_catalogue *const catalogue = build(4, true);
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);
    double weight[512], law[RANKS_MOST];
    uint64_t count[RANKS_MOST];

    (void)state;
    assert_true(catalogue->count < 512);
    weight[catalogue->count] = 1; /* of the fair shuffle */
    for (size_t k = 0; k < catalogue->count; k++)
        weight[k] = catalogue->candidate[k].weight;
    gsl_ran_discrete_t *const mixture = gsl_ran_discrete_preproc(catalogue->count + 1, weight);

    for (size_t l = 0; l < sizeof levels / sizeof levels[0]; l++) {
        unsigned alarms = 0;
        long double sum = 0;

        for (unsigned seed = 1; seed <= RUNS; seed++) {
            gsl_rng_set(rng, seed);
            const size_t k = gsl_ran_discrete(rng, mixture);

            for (size_t i = 0; i < 24; i++) {
                const int64_t worth = k < catalogue->count ? catalogue->candidate[k].worth[i] : 0;

                law[i] = worth == SB_WORTH_IMPOSSIBLE ? 0 : exp((double)worth * SB_WORTH_UNIT);
            }
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
    gsl_ran_discrete_free(mixture);
    gsl_rng_free(rng);
    sb_catalogue_free(catalogue);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_false_alarms_by_rank),
        cmocka_unit_test(few_false_alarms_of_decks),
        cmocka_unit_test(rare_alarms),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
