/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures the costs of shuffles. Operations are counted on at most 500 decks of n items, and on at most 500
 * decks of 2n items. Time is measured on many decks. */
#include "report/page.h"
#include "study/results.h"

struct sb_cost {
    char *name;                           /* name of the scheme; owned */
    const char *title;                    /* title of the shuffle; static */
    struct sb_cost_counts counts;         /* averages per deck */
    double draws_growth, accesses_growth; /* exponents of n: log2 of (cost at 2n / cost at n) */
    struct sb_cost_times times;
};

/* The opaque handle of shufflebias.h points to this struct. */
struct sb_costs {
    size_t n, deal;
    uint64_t decks; /* number of decks timed for each scheme */
    size_t count;
    struct sb_cost *cost; /* [count]; owned */
};

static void costs_page(const void *result, struct sb_page *page)
{
    sb_template_page("bench", &sb_costs_result, result, NULL, page);
}

#define C(field) SB_MEMBER(struct sb_cost, field)

#define COUNT(field) SB_MEMBER_OF(struct sb_cost, counts.field, #field)
#define TIME(field) SB_MEMBER_OF(struct sb_cost, times.field, #field)

static const struct sb_member cost_counted[] = {
    COUNT(draws), COUNT(words),    COUNT(reads),       COUNT(writes),
    COUNT(bytes), C(draws_growth), C(accesses_growth), { .name = NULL },
};
static const struct sb_member cost_timed[] = {
    TIME(plain), TIME(generator), TIME(fill), TIME(copy), TIME(side_by_side), { .name = NULL },
};

static void costs_csv(const void *result, FILE *stream)
{
    const struct sb_costs *const costs = result;

    fputs("scheme,n,deal,decks,draws,words,reads,writes,bytes,draws_growth,accesses_growth,plain_ns,"
          "generator_ns,fill_ns,copy_ns,side_by_side_ns\n",
          stream);
    for (size_t i = 0; i < costs->count; i++) {
        fprintf(stream, "%s,%zu,%zu,%llu,", costs->cost[i].name, costs->n, costs->deal,
                (unsigned long long)costs->decks);
        sb_csv_members(cost_counted, &costs->cost[i], stream);
        fputc(',', stream);
        sb_csv_members(cost_timed, &costs->cost[i], stream);
        fputc('\n', stream);
    }
}

static void costs_json(const void *result, struct sb_json *json)
{
    const struct sb_costs *const costs = result;

    sb_json_integer(json, "n", costs->n);
    sb_json_integer(json, "deal", costs->deal);
    sb_json_integer(json, "decks", costs->decks);
    sb_json_array(json, "schemes", false);
    for (size_t i = 0; i < costs->count; i++) {
        sb_json_object(json, NULL);
        sb_json_string(json, "scheme", costs->cost[i].name);
        sb_json_string(json, "title", costs->cost[i].title);
        sb_json_members(json, cost_counted, &costs->cost[i]);
        sb_json_record(json, "ns", cost_timed, &costs->cost[i]);
        sb_json_close(json);
    }
    sb_json_close(json);
}

const struct sb_result_type sb_costs_result = {
    .what = "the costs",
    .of = "costs",
    .schema = "shufflebias.bench/1",
    .page = costs_page,
    .title = "shufflebias bench",
    .json = costs_json,
    .csv = costs_csv,
};

enum {
    BENCH_DECKS = 1000000,    /* default number of decks to time */
    BENCH_COUNTED = 1 << 19,  /* approximate number of items in all decks on which operations are counted */
    BENCH_COUNTED_MOST = 500, /* the most decks on which operations are counted */
};

static enum sb_status bench_failed(const char *name, uint64_t seed, enum sb_status status, struct sb_error *error)
{
    if (status == SB_NO_MEMORY)
        return sb_error_memory(error, "the decks of a benchmark");
    if (status == SB_STOPPED)
        return sb_error_set(error, status, "%s: stopped", name);
    if (status == SB_BROKEN)
        return sb_error_stuck(error, SB_INVALID, name, seed);
    return sb_error_set(error, SB_INVALID,
                        "%s: the generator does not work with seed %llu: take another seed or generator", name,
                        (unsigned long long)seed);
}

/* Opens the shuffle, and counts its operations or, if `words` is a number of words per deck, measures its times. */
static enum sb_status bench_run(const struct sb_scheme *scheme, const struct sb_request *options, size_t n, size_t deal,
                                double words, struct sb_cost *cost)
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

    status = isnan(words) ? sb_cost_count(&recipe, decks, &cost->counts)
                          : sb_cost_time(&recipe, (size_t)options->samples, words, &cost->times);
    sb_shuffler_close(&shuffler);
    return status;
}

/* Returns the exponent x of a cost that is proportional to n^x and grew from `one` to `two` when n doubled. */
static double bench_growth(double one, double two)
{
    return one > 0 && two > 0 ? log2(two / one) : NAN;
}

static enum sb_status bench_cost(const struct sb_scheme *scheme, const struct sb_request *options, struct sb_cost *cost)
{
    const size_t n = options->n, twice = 2 * n, deal = options->deal == n ? twice : options->deal;
    const struct sb_cost_counts *const one = &cost->counts;
    struct sb_cost grown = { .counts = { NAN, NAN, NAN, NAN, 0 } };
    enum sb_status status = bench_run(scheme, options, n, options->deal, NAN, cost);

    if (status == SB_OK && twice <= SB_COMPUTED_MOST && sb_scheme_check(scheme, twice, deal, NULL) == SB_OK)
        status = bench_run(scheme, options, twice, deal, NAN, &grown);
    cost->title = scheme->shuffle.type->title;
    cost->draws_growth = bench_growth(one->draws, grown.counts.draws);
    cost->accesses_growth = bench_growth(one->reads + one->writes, grown.counts.reads + grown.counts.writes);
    return status ? status : bench_run(scheme, options, n, options->deal, one->words, cost);
}

static enum sb_status bench_all(const char *const schemes[], size_t count, const struct sb_request *options,
                                struct sb_error *error, struct sb_costs *costs)
{
    for (size_t i = 0; i < costs->count; i++) {
        const char *const name = count > 0 ? schemes[i] : sb_shuffle_types[i]->name;
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

enum sb_status sb_costs_new(const char *const schemes[], size_t count, const struct sb_request *options,
                            struct sb_error *error, struct sb_costs **costs)
{
    struct sb_request settled;
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
