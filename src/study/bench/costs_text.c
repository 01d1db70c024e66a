/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the costs of shuffles as text, as CSV (RFC 4180) and as JSON (RFC 8259; data/schema/bench-1.json).
 */
#include "study/bench/costs.h"

#include "report/json_writer.h"
#include "report/number.h"
#include "report/page.h"
#include "report/table.h"
#include "study/results.h"

#include <math.h>

static void costs_number(struct sb_table *table, double x, int decimals)
{
    sb_table_add(table, SB_INK_PLAIN, "%s", isnan(x) ? "" : sb_number_fixed(x, decimals).text);
}

static void costs_table(const struct sb_costs *costs, struct sb_page *page)
{
    static const char *const titles[] = { "scheme",    "draws",    "words",       "accesses",
                                          "bytes",     "draws n^", "accesses n^", "ns",
                                          "its words", "fill",     "copy",        "side by side" };
    struct sb_table table;

    sb_table_open("lrrrrrrrrrrr", &table);
    for (size_t k = 0; k < sizeof titles / sizeof titles[0]; k++)
        sb_table_add(&table, SB_INK_STRONG, "%s", titles[k]);
    for (size_t i = 0; i < costs->count; i++) {
        const struct sb_cost *const cost = &costs->cost[i];

        sb_table_add(&table, SB_INK_PLAIN, "%s", cost->name);
        costs_number(&table, cost->draws, 1);
        costs_number(&table, cost->words, 1);
        costs_number(&table, cost->reads + cost->writes, 1);
        sb_table_add(&table, SB_INK_PLAIN, "%zu", cost->bytes);
        costs_number(&table, cost->draws_growth, 2);
        costs_number(&table, cost->accesses_growth, 2);
        costs_number(&table, cost->plain, 1);
        costs_number(&table, cost->generator, 1);
        costs_number(&table, cost->fill, 1);
        costs_number(&table, cost->copy, 1);
        costs_number(&table, cost->side_by_side, 1);
    }
    sb_table_print(&table, page);
    if (table.status)
        page->status = table.status;
    sb_table_close(&table);
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
        "for a deck, on average: draws; words of the generator; reads and writes of items and keys, "
        "without the fill; bytes of the arrays touched; and how draws and accesses grow from n to 2n.");
    sb_page_paragraph(page, SB_INK_STRONG, "Timed:",
                      "nanoseconds of processor time for a deck, in one thread, medians over %s deck%s. ns: "
                      "the shuffle in plain C; "
                      "its words: only generating its words; fill: only writing 0..n-1 into the deck; copy: "
                      "only copying such a "
                      "deck; side by side: several decks at once, with their tally.",
                      sb_number_grouped(costs->decks).text, costs->decks == 1 ? "" : "s");
    page->tight = false;
    costs_table(costs, page);
}

/* Writes a column of CSV. The column is empty if x is NaN. */
static void costs_column(FILE *stream, double x)
{
    fprintf(stream, ",%s", isnan(x) ? "" : sb_number_full(x).text);
}

static void costs_csv(const void *result, FILE *stream)
{
    const struct sb_costs *const costs = result;

    fputs("scheme,n,deal,decks,draws,words,reads,writes,bytes,draws_growth,accesses_growth,plain_ns,"
          "generator_ns,"
          "fill_ns,copy_ns,side_by_side_ns\n",
          stream);
    for (size_t i = 0; i < costs->count; i++) {
        const struct sb_cost *const cost = &costs->cost[i];

        fprintf(stream, "%s,%zu,%zu,%llu", cost->name, costs->n, costs->deal,
                (unsigned long long)costs->decks);
        costs_column(stream, cost->draws);
        costs_column(stream, cost->words);
        costs_column(stream, cost->reads);
        costs_column(stream, cost->writes);
        fprintf(stream, ",%zu", cost->bytes);
        costs_column(stream, cost->draws_growth);
        costs_column(stream, cost->accesses_growth);
        costs_column(stream, cost->plain);
        costs_column(stream, cost->generator);
        costs_column(stream, cost->fill);
        costs_column(stream, cost->copy);
        costs_column(stream, cost->side_by_side);
        fputc('\n', stream);
    }
}

static void costs_json_one(const struct sb_cost *cost, struct sb_json *json)
{
    sb_json_object(json, NULL);
    sb_json_string(json, "scheme", cost->name);
    sb_json_string(json, "title", cost->title);
    sb_json_real(json, "draws", cost->draws);
    sb_json_real(json, "words", cost->words);
    sb_json_real(json, "reads", cost->reads);
    sb_json_real(json, "writes", cost->writes);
    sb_json_integer(json, "bytes", cost->bytes);
    sb_json_real(json, "draws_growth", cost->draws_growth);
    sb_json_real(json, "accesses_growth", cost->accesses_growth);
    sb_json_object(json, "ns");
    sb_json_real(json, "plain", cost->plain);
    sb_json_real(json, "generator", cost->generator);
    sb_json_real(json, "fill", cost->fill);
    sb_json_real(json, "copy", cost->copy);
    sb_json_real(json, "side_by_side", cost->side_by_side);
    sb_json_close(json);
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

enum sb_status sb_costs_write(const struct sb_costs *costs, const char *format, const struct sb_look *look,
                              struct sb_error *error, FILE *stream)
{
    return sb_result_write(&sb_costs_result, costs, format, look, error, stream);
}

enum sb_status sb_costs_text(const struct sb_costs *costs, const char *format, const struct sb_look *look,
                             struct sb_error *error, char **text, size_t *length)
{
    return sb_result_text(&sb_costs_result, costs, format, look, error, text, length);
}
