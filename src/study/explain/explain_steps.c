/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes one path of a shuffle, step by step, as a table. */
#include "report/table.h"
#include "study/explain/explain_text.h"
#include "study/report/page/document.h"

#include <inttypes.h>

enum { STEPS_DECK_ROOM = 49 }; /* bytes of a deck in the table; the table is at most 100 columns wide */

/* What a column shows about the draws of a step: the bounds, the answers, or the answers' probabilities. */
enum steps_what { STEPS_BOUND, STEPS_ANSWER, STEPS_SHARE };

static void steps_draws(const struct sb_explain *explain, const struct sb_explain_step *step,
                        enum steps_what what, struct sb_table *table)
{
    char text[2 * SB_EXPLAIN_SHARE_ROOM + 4] = "";
    size_t used = 0;

    for (size_t d = 0; d < step->draws && d < 2; d++) {
        const struct sb_explain_draw *const draw = &explain->walk[step->first + d];
        const char *const comma = d ? ", " : "";

        if (what == STEPS_SHARE)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", comma, draw->share);
        else
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%" PRIu32, comma,
                                     what == STEPS_BOUND ? draw->bound : draw->answer);
    }
    sb_table_add(table, what == STEPS_ANSWER ? SB_INK_STRONG : SB_INK_PLAIN, "%s",
                 step->draws ? text : "\u2013");
}

static void steps_deck(const struct sb_explain *explain, const struct sb_explain_step *step,
                       const sb_item deck[], struct sb_table *table)
{
    struct sb_notation notation;

    if (step && !step->whole) {
        sb_table_add(table, SB_INK_FAINT, "in pieces");
        return;
    }
    sb_permutation_notation(explain->n, explain->n, deck, notation.text, STEPS_DECK_ROOM);
    sb_table_add(table, SB_INK_STRONG, "%s", sb_document_deal(&notation));
}

/* Writes the orders that are still possible; if there are many, writes only their number. */
static void steps_open(const struct sb_explain *explain, const struct sb_explain_step *step,
                       struct sb_table *table)
{
    char text[SB_EXPLAIN_OPEN_MOST * 64] = "";
    size_t used = 0;

    for (size_t i = 0; step->open <= SB_EXPLAIN_OPEN_MOST && i < step->open; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%.48s", i ? " " : "",
                                 sb_explain_order_text(explain, step->ranks[i]).text);
    if (used)
        sb_table_add(table, SB_INK_PLAIN, "%s", text);
    else if (step->open)
        sb_table_add(table, SB_INK_PLAIN, "%zu orders", step->open);
    else
        sb_table_add(table, SB_INK_PLAIN, "\u2013");
}

static void steps_titles(bool swaps, struct sb_table *table)
{
    sb_table_add(table, SB_INK_STRONG, "step");
    sb_table_add(table, SB_INK_STRONG, "draw below");
    sb_table_add(table, SB_INK_STRONG, "answer");
    sb_table_add(table, SB_INK_STRONG, "probability");
    if (swaps)
        sb_table_add(table, SB_INK_STRONG, "swap");
    sb_table_add(table, SB_INK_STRONG, "deck then");
    sb_table_add(table, SB_INK_STRONG, "orders still possible");
}

static void steps_table(const struct sb_explain *explain, struct sb_page *page)
{
    const bool swaps = explain->step[0].swap;
    struct sb_table table;

    sb_table_open(swaps ? "rrrrlll" : "rrrrll", &table);
    steps_titles(swaps, &table);
    for (size_t k = 0; k < explain->steps_count; k++) {
        const struct sb_explain_step *const step = &explain->step[k];

        sb_table_add(&table, SB_INK_PLAIN, "%zu", k + 1);
        steps_draws(explain, step, STEPS_BOUND, &table);
        steps_draws(explain, step, STEPS_ANSWER, &table);
        steps_draws(explain, step, STEPS_SHARE, &table);
        if (swaps && step->at == step->from)
            sb_table_add(&table, SB_INK_PLAIN, "a[%zu] stays", step->at);
        else if (swaps)
            sb_table_add(&table, SB_INK_PLAIN, "a[%zu], a[%zu]", step->at, step->from);
        steps_deck(explain, step, explain->deck + k * explain->n, &table);
        steps_open(explain, step, &table);
    }
    sb_table_print(&table, page);
    sb_table_close(&table);
}

void sb_explain_steps(const struct sb_explain *explain, struct sb_page *page)
{
    struct sb_notation end;

    sb_permutation_notation(explain->n, explain->deal, explain->result, end.text, sizeof end.text);
    sb_page_title(page, 2, "One path, step by step");
    if (explain->steps_count)
        steps_table(explain, page);
    for (size_t k = 0; k < explain->steps_count; k++)
        if (!explain->step[k].whole) {
            sb_page_paragraph(page, SB_INK_PLAIN, NULL,
                              "In pieces: a card is on its way, or part of the deck is in another array.");
            break;
        }
    sb_page_paragraph(page, SB_INK_PLAIN, NULL, "The path ends in %s. Its probability is %s.",
                      sb_document_deal(&end), explain->mass);
    if (explain->paths_count && explain->orders_count) {
        const size_t rank = sb_permutation_cell(explain->n, explain->deal, explain->result);
        const uint64_t paths = explain->order[rank].paths;

        sb_page_paragraph(
            page, SB_INK_PLAIN, NULL,
            "Of the %zu paths %" PRIu64 " %s there; all together that order has the probability %s.",
            explain->paths_count, paths, paths == 1 ? "leads" : "lead", explain->order[rank].mass);
    }
}
