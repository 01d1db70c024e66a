/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures the costs of shuffles. Operations are counted on at most 500 decks of n items, and on at most 500
 * decks of 2n items. Time is measured on many decks. */
#include "core/error.h"
#include "sample/cost/cost.h"
#include "study/bench/costs.h"
#include "study/results.h"
#include "subject/options.h"
#include "subject/scheme.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BENCH_DECKS = 1000000,    /* default number of decks to time */
    BENCH_COUNTED = 1 << 19,  /* approximate number of items in all decks on which operations are counted */
    BENCH_COUNTED_MOST = 500, /* the most decks on which operations are counted */
};

/* Returns the text of scheme `index`. If count is 0, returns the name of shuffle `index` of the registry. */
static const char *bench_scheme(const char *const schemes[], size_t count, size_t index)
{
    return count > 0 ? schemes[index] : sb_shuffle_types[index]->name;
}

static enum sb_status bench_failed(const char *name, uint64_t seed, enum sb_status status,
                                   struct sb_error *error)
{
    if (status == SB_NO_MEMORY)
        return sb_error_memory(error, "the decks of a benchmark");
    if (status == SB_STOPPED)
        return sb_error_set(error, status, "%s: stopped", name);
    if (status == SB_BROKEN)
        return sb_error_stuck(error, SB_INVALID, name, seed);
    return sb_error_set(error, SB_INVALID,
                        "%s: the generator does not work with seed %llu: take another seed or generator",
                        name, (unsigned long long)seed);
}

/* Counts operations on decks of n items, of which `deal` items are dealt. */
static enum sb_status bench_count(const struct sb_scheme *scheme, const struct sb_options *options, size_t n,
                                  size_t deal, struct sb_cost_counts *counts)
{
    const size_t decks =
        BENCH_COUNTED / (n + 1) < BENCH_COUNTED_MOST ? BENCH_COUNTED / (n + 1) + 1 : BENCH_COUNTED_MOST;
    struct sb_shuffler shuffler;
    enum sb_status status = sb_shuffler_open(scheme->shuffle, n, deal, &shuffler);

    if (status)
        return status;
    const struct sb_recipe recipe = {
        .shuffler = &shuffler,
        .draw = &scheme->draw,
        .rng = &scheme->rng,
        .seed = options->seed,
        .stop = options->stop,
    };

    status = sb_cost_count(&recipe, decks, counts);
    sb_shuffler_close(&shuffler);
    return status;
}

static enum sb_status bench_time(const struct sb_scheme *scheme, const struct sb_options *options,
                                 double words, struct sb_cost_times *times)
{
    struct sb_shuffler shuffler;
    enum sb_status status = sb_shuffler_open(scheme->shuffle, options->n, options->deal, &shuffler);

    if (status)
        return status;
    const struct sb_recipe recipe = {
        .shuffler = &shuffler,
        .draw = &scheme->draw,
        .rng = &scheme->rng,
        .seed = options->seed,
        .stop = options->stop,
    };

    status = sb_cost_time(&recipe, (size_t)options->samples, words, times);
    sb_shuffler_close(&shuffler);
    return status;
}

/* Returns the exponent x of a cost that is proportional to n^x and grew from `one` to `two` when n
 * doubled. */
static double bench_growth(double one, double two)
{
    return one > 0 && two > 0 ? log2(two / one) : NAN;
}

static enum sb_status bench_cost(const struct sb_scheme *scheme, const struct sb_options *options,
                                 struct sb_cost *cost)
{
    const size_t n = options->n, twice = 2 * n, deal = options->deal == n ? twice : options->deal;
    struct sb_cost_counts counts, grown;
    struct sb_cost_times times;
    enum sb_status status = bench_count(scheme, options, n, options->deal, &counts);
    bool grows = false;

    if (status == SB_OK && twice <= SB_COMPUTED_MOST && sb_scheme_check(scheme, twice, deal, NULL) == SB_OK) {
        status = bench_count(scheme, options, twice, deal, &grown);
        grows = true;
    }
    if (status == SB_OK)
        status = bench_time(scheme, options, counts.words, &times);
    if (status)
        return status;
    cost->title = scheme->shuffle.type->title;
    cost->draws = counts.draws;
    cost->words = counts.words;
    cost->reads = counts.reads;
    cost->writes = counts.writes;
    cost->bytes = counts.bytes;
    cost->draws_growth = grows ? bench_growth(counts.draws, grown.draws) : NAN;
    cost->accesses_growth =
        grows ? bench_growth(counts.reads + counts.writes, grown.reads + grown.writes) : NAN;
    cost->plain = times.plain;
    cost->side_by_side = times.side_by_side;
    cost->generator = times.generator;
    cost->fill = times.fill;
    cost->copy = times.copy;
    return SB_OK;
}

static enum sb_status bench_all(const char *const schemes[], size_t count, const struct sb_options *options,
                                struct sb_error *error, struct sb_costs *costs)
{
    for (size_t i = 0; i < costs->count; i++) {
        const char *const name = bench_scheme(schemes, count, i);
        struct sb_scheme scheme;
        enum sb_status status = sb_scheme_parse(name, options->draw, options->rng, error, &scheme);

        if (status == SB_OK)
            status = sb_scheme_check(&scheme, options->n, options->deal, error);
        if (status)
            return status;
        if (options->progress)
            options->progress(options->progress_state, scheme.name, i, costs->count);
        costs->cost[i].name = strdup(scheme.name);
        if (!costs->cost[i].name)
            return sb_error_memory(error, "the costs");
        status = bench_cost(&scheme, options, &costs->cost[i]);
        if (status)
            return bench_failed(scheme.name, options->seed, status, error);
    }
    return SB_OK;
}

enum sb_status sb_costs_new(const char *const schemes[], size_t count, const struct sb_options *options,
                            struct sb_error *error, struct sb_costs **costs)
{
    struct sb_options settled;
    enum sb_status status = sb_options_settle(options, error, &settled);

    if (status == SB_OK && !schemes && count > 0)
        status = sb_error_null(error, "the scheme");
    if (status)
        return status;
    settled.samples = options->samples ? options->samples : BENCH_DECKS;
    struct sb_costs *const made = calloc(1, sizeof *made);
    if (made)
        *made = (struct sb_costs) {
            .n = settled.n,
            .deal = settled.deal,
            .decks = settled.samples,
            .count = count > 0 ? count : sb_shuffles_unnamed(),
        };
    if (made)
        made->cost = calloc(made->count + 1, sizeof *made->cost);
    if (!made || !made->cost) {
        sb_costs_free(made);
        return sb_error_memory(error, "the costs");
    }
    status = bench_all(schemes, count, &settled, error, made);
    if (status)
        sb_costs_free(made);
    else
        *costs = made;
    return status;
}

void sb_costs_free(struct sb_costs *costs)
{
    if (!costs)
        return;
    for (size_t i = 0; costs->cost && i < costs->count; i++)
        free(costs->cost[i].name);
    free(costs->cost);
    free(costs);
}
