/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the odds of given permutations as text, as CSV (RFC 4180) and as JSON (RFC 8259;
 * data/schema/odds-1.json). */
#include "study/odds/odds_result.h"

#include "report/json_writer.h"
#include "report/number.h"
#include "report/page.h"
#include "report/table.h"
#include "study/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ODDS_DIGITS_MOST = 40 }; /* the most digits of an integer in the table */

static void odds_table(const struct sb_odds *odds, struct sb_page *page)
{
    struct sb_table table;

    sb_table_open("lrrr", &table);
    sb_table_add(&table, SB_INK_STRONG, "permutation");
    sb_table_add(&table, SB_INK_STRONG, "count");
    sb_table_add(&table, SB_INK_STRONG, "probability");
    sb_table_add(&table, SB_INK_STRONG, "ratio");
    for (size_t i = 0; i < odds->count; i++) {
        const struct sb_odds_line *const line = &odds->line[i];

        sb_table_add(&table, SB_INK_PLAIN, "%s", line->permutation);
        sb_table_add(&table, SB_INK_PLAIN, "%s",
                     strlen(line->count) <= ODDS_DIGITS_MOST ? line->count : "\u2026");
        sb_table_add(&table, SB_INK_PLAIN, "%s", sb_number_short(line->share, 6).text);
        sb_table_add(&table, SB_INK_PLAIN, "%s", sb_number_ratio(line->ratio).text);
    }
    sb_table_print(&table, page);
    sb_table_close(&table);
}

static void odds_page(const void *result, struct sb_page *page)
{
    const struct sb_odds *const odds = result;
    const size_t digits = strlen(odds->denominator);

    sb_page_title(page, 1, "Odds: %s, n = %zu", odds->name, odds->n);
    page->tight = true;
    sb_page_paragraph(page, SB_INK_STRONG, "Shuffle:", "%s.", odds->title);
    if (odds->cite)
        sb_page_paragraph(page, SB_INK_STRONG, "Source:", "%s", odds->cite);
    if (digits <= ODDS_DIGITS_MOST)
        sb_page_paragraph(page, SB_INK_STRONG, "Exact:", "engine %s, counts of %s.", odds->engine,
                          digits < 20 /* fits 64 bits */
                              ? sb_number_grouped(strtoull(odds->denominator, NULL, 10)).text
                              : odds->denominator);
    else
        sb_page_paragraph(page, SB_INK_STRONG, "Exact:", "engine %s, counts of a number of %zu digits.",
                          odds->engine, digits);
    page->tight = false;
    odds_table(odds, page);
    sb_page_paragraph(page, SB_INK_STRONG, "Ratio:", "to a fair share of 1/%zu!.", odds->n);
}

static void odds_json(const void *result, struct sb_json *json)
{
    const struct sb_odds *const odds = result;

    sb_json_object(json, "subject");
    sb_json_string(json, "name", odds->name);
    sb_json_string(json, "title", odds->title);
    sb_json_string(json, "shuffle", odds->shuffle);
    sb_json_string(json, "draw", odds->draw);
    sb_json_close(json);
    sb_json_integer(json, "n", odds->n);
    sb_json_string(json, "engine", odds->engine);
    sb_json_string(json, "denominator", odds->denominator);
    sb_json_array(json, "permutations", false);
    for (size_t i = 0; i < odds->count; i++) {
        const struct sb_odds_line *const line = &odds->line[i];

        sb_json_object(json, NULL);
        sb_json_string(json, "permutation", line->permutation);
        sb_json_string(json, "count", line->count);
        sb_json_string(json, "probability", line->probability);
        sb_json_real(json, "share", line->share);
        sb_json_real(json, "ratio", line->ratio);
        sb_json_close(json);
    }
    sb_json_close(json);
}

static void odds_csv(const void *result, FILE *stream)
{
    const struct sb_odds *const odds = result;

    fputs("scheme,n,permutation,count,denominator,probability,ratio\n", stream);
    for (size_t i = 0; i < odds->count; i++) {
        const struct sb_odds_line *const line = &odds->line[i];

        fprintf(stream, "%s,%zu,%s,%s,%s,%s", odds->name, odds->n, line->permutation, line->count,
                odds->denominator, sb_number_full(line->share).text);
        fprintf(stream, ",%s\n", sb_number_full(line->ratio).text);
    }
}

const struct sb_result_type sb_odds_result = {
    .what = "the odds",
    .of = "odds",
    .schema = "shufflebias.odds/1",
    .page = odds_page,
    .title = "shufflebias odds",
    .json = odds_json,
    .csv = odds_csv,
};

enum sb_status sb_odds_write(const struct sb_odds *odds, const char *format, const struct sb_look *look,
                             struct sb_error *error, FILE *stream)
{
    return sb_result_write(&sb_odds_result, odds, format, look, error, stream);
}

enum sb_status sb_odds_text(const struct sb_odds *odds, const char *format, const struct sb_look *look,
                            struct sb_error *error, char **text, size_t *length)
{
    return sb_result_text(&sb_odds_result, odds, format, look, error, text, length);
}
