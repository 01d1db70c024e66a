/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures the costs of shuffles. Operations are counted on at most 500 decks of n items, and on at most 500
 * decks of 2n items. Time is measured on many decks. */
#include "core/core.h"
#include "report/page.h"
#include "sample/sample.h"
#include "study/results.h"
#include "subject/subject.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct sb_number costs_number(double x, int decimals)
{
    if (isnan(x))
        return (struct sb_number) { "" };
    return sb_number_fixed(x, decimals);
}

/* The cost of one scheme: averages per deck. */
struct sb_cost {
    char *name;                           /* name of the scheme; owned */
    const char *title;                    /* title of the shuffle; static */
    double draws, words;                  /* draws per deck, and random words that the draws take per deck */
    double reads, writes;                 /* accesses to items and keys */
    size_t bytes;                         /* bytes of the arrays that the shuffle accesses */
    double draws_growth, accesses_growth; /* exponents of n: log2 of (cost at 2n / cost at n) */
    /* The next five costs are in nanoseconds of processor time per deck, in one thread. */
    double plain, side_by_side;   /* shuffling in plain C; shuffling several decks at once and tallying */
    double generator, fill, copy; /* generating only the words; writing 0..n-1; copying 0..n-1 */
};

/* The opaque handle of shufflebias.h points to this struct. */
struct sb_costs {
    size_t n, deal;
    uint64_t decks; /* number of decks timed for each scheme */
    size_t count;
    struct sb_cost *cost; /* [count]; owned */
};

static void costs_table(const struct sb_costs *costs, struct sb_page *page)
{
    struct sb_table table;

    sb_table_begin(
        &table, "lrrrrrrrrrrr",
        "scheme|draws|words|accesses|bytes|draws n^|accesses n^|ns|its words|fill|copy|side by side");
    for (size_t i = 0; i < costs->count; i++) {
        const struct sb_cost *const cost = &costs->cost[i];

        sb_table_row(&table, "%s|%s|%s|%s|%zu", cost->name, costs_number(cost->draws, 1).text,
                     costs_number(cost->words, 1).text, costs_number(cost->reads + cost->writes, 1).text,
                     cost->bytes);
        sb_table_row(&table, "%s|%s|%s|%s|%s|%s|%s", costs_number(cost->draws_growth, 2).text,
                     costs_number(cost->accesses_growth, 2).text, costs_number(cost->plain, 1).text,
                     costs_number(cost->generator, 1).text, costs_number(cost->fill, 1).text,
                     costs_number(cost->copy, 1).text, costs_number(cost->side_by_side, 1).text);
    }
    sb_table_end(&table, page);
}

static void costs_page(const void *result, struct sb_page *page)
{
    const struct sb_costs *const costs = result;

    if (costs->deal < costs->n)
        sb_page_title(page, 1, "Costs: n = %zu, deals of %zu", costs->n, costs->deal);
    else
        sb_page_title(page, 1, "Costs: n = %zu", costs->n);
    page->tight = true;
    sb_page_paragraph(
        page, SB_INK_STRONG, "Counted:",
        "for a deck, on average: draws; words of the generator; reads and writes of items and keys, without "
        "the fill; bytes of the arrays touched; and how draws and accesses grow from n to 2n.");
    sb_page_paragraph(
        page, SB_INK_STRONG, "Timed:",
        "nanoseconds of processor time for a deck, in one thread, medians over %s deck%s. ns: the shuffle in "
        "plain C; its words: only generating its words; fill: only writing 0..n-1 into the deck; copy: only "
        "copying such a deck; side by side: several decks at once, with their tally.",
        sb_number_grouped(costs->decks).text, costs->decks == 1 ? "" : "s");
    page->tight = false;
    costs_table(costs, page);
}

#define C(field) SB_MEMBER(struct sb_cost, field)

static const struct sb_member cost_counted[] = {
    C(draws), C(words), C(reads), C(writes), C(bytes), C(draws_growth), C(accesses_growth), { .name = NULL },
};
static const struct sb_member cost_timed[] = { C(plain), C(generator),    C(fill),
                                               C(copy),  C(side_by_side), { .name = NULL } };

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

static void costs_json_one(const struct sb_cost *cost, struct sb_json *json)
{
    sb_json_object(json, NULL);
    sb_json_string(json, "scheme", cost->name);
    sb_json_string(json, "title", cost->title);
    sb_json_members(json, cost_counted, cost);
    sb_json_record(json, "ns", cost_timed, cost);
    sb_json_close(json);
}

static void costs_json(const void *result, struct sb_json *json)
{
    const struct sb_costs *const costs = result;

    sb_json_integer(json, "n", costs->n);
    sb_json_integer(json, "deal", costs->deal);
    sb_json_integer(json, "decks", costs->decks);
    sb_json_array(json, "schemes", false);
    for (size_t i = 0; i < costs->count; i++)
        costs_json_one(&costs->cost[i], json);
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

SB_RESULT_FUNCTIONS(sb_costs, sb_costs, sb_costs_result)

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

static enum sb_status bench_count(const struct sb_scheme *scheme, const struct sb_request *options, size_t n,
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

static enum sb_status bench_time(const struct sb_scheme *scheme, const struct sb_request *options,
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

static enum sb_status bench_cost(const struct sb_scheme *scheme, const struct sb_request *options,
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

static enum sb_status bench_all(const char *const schemes[], size_t count, const struct sb_request *options,
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
