/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One path of a shuffle, step by step: a table with a row per draw, which lesson.js turns into moving cards. */
#include "lesson/lesson.h"

#include "report/page.h"
#include "study/explain/explain.h"

#include <inttypes.h>

static void walk_numbers(FILE *stream, const char *attribute, const sb_item items[], size_t count)
{
    fprintf(stream, " data-%s=\"", attribute);
    for (size_t i = 0; i < count; i++)
        fprintf(stream, "%s%u", i ? " " : "", (unsigned)items[i] + 1);
    fputs("\"", stream);
}

/* Writes the answers of all draws up to the end of a step. */
static void walk_path(FILE *stream, const struct sb_explain *explain, const struct sb_explain_step *step)
{
    fputs(" data-path=\"", stream);
    for (size_t d = 0; d < step->first + step->draws; d++)
        fprintf(stream, "%s%" PRIu32, d ? " " : "", explain->walk[d].answer);
    fputs("\"", stream);
}

/* Writes the places, from 0, of the cards that this step moved. */
static void walk_moved(FILE *stream, const sb_item before[], const sb_item after[], size_t n)
{
    const char *blank = "";

    fputs(" data-moved=\"", stream);
    for (size_t i = 0; i < n; i++)
        if (before[i] != after[i]) {
            fprintf(stream, "%s%zu", blank, i);
            blank = " ";
        }
    fputs("\"", stream);
}

/* Writes what a step does: "draw(3) gives 2: swap a[0] and a[2]". */
static void walk_words(FILE *stream, const struct sb_explain *explain, const struct sb_explain_step *step)
{
    for (size_t d = 0; d < step->draws; d++)
        fprintf(stream, "%sdraw(%" PRIu32 ") gives %" PRIu32, d ? ", " : "",
                explain->walk[step->first + d].bound, explain->walk[step->first + d].answer);
    if (step->swap && step->at == step->from)
        fprintf(stream, "%sa[%zu] stays", step->draws ? ": " : "", step->at);
    else if (step->swap)
        fprintf(stream, "%sswap a[%zu] and a[%zu]", step->draws ? ": " : "", step->at, step->from);
}

/* The number of orders to which at least one path leads. */
static size_t walk_possible(const struct sb_explain *explain)
{
    size_t possible = 0;

    for (size_t rank = 0; rank < explain->orders_count; rank++)
        possible += explain->order[rank].ratio > 0;
    return possible;
}

/* Writes the end of a row: the deck, and the orders that are still possible, or their number if there are
 * many. */
static void walk_rest(FILE *stream, const struct sb_explain *explain, const struct sb_explain_step *step,
                      const sb_item deck[])
{
    char notation[SB_NOTATION_ROOM];

    sb_permutation_notation(explain->n, explain->n, deck, notation, sizeof notation);
    fprintf(stream, "</td><td>%s</td><td class=\"l\">", !step || step->whole ? notation : "in pieces");
    if (!step || step->open > SB_EXPLAIN_OPEN_MOST)
        fprintf(stream, "%zu orders", step ? step->open : walk_possible(explain));
    for (size_t i = 0; step && step->open <= SB_EXPLAIN_OPEN_MOST && i < step->open; i++)
        fprintf(stream, "%s%s", i ? " " : "", sb_explain_order_text(explain, step->ranks[i]).text);
    fputs("</td></tr>\n", stream);
}

static void walk_rows(FILE *stream, const struct sb_explain *explain)
{
    sb_item start[SB_LESSON_WALK_MOST];
    const sb_item *before = start;

    for (size_t i = 0; i < explain->n; i++)
        start[i] = (sb_item)i;
    fputs("<tr", stream);
    walk_numbers(stream, "items", start, explain->n);
    fputs(" data-moved=\"\" data-path=\"\"><td class=\"l\">before the first draw", stream);
    walk_rest(stream, explain, NULL, start);
    for (size_t k = 0; k < explain->steps_count; k++) {
        const struct sb_explain_step *const step = &explain->step[k];
        const sb_item *const deck = explain->deck + k * explain->n;

        fputs("<tr", stream);
        walk_numbers(stream, "items", deck, explain->n);
        walk_moved(stream, before, deck, explain->n);
        walk_path(stream, explain, step);
        fputs("><td class=\"l\">", stream);
        walk_words(stream, explain, step);
        walk_rest(stream, explain, step, deck);
        before = deck;
    }
}

void sb_lesson_walk(struct sb_lesson *lesson, const char *scheme, size_t n, const char *path)
{
    const struct sb_explain *const explain = sb_lesson_path(lesson, scheme, n, path);
    FILE *const stream = lesson->html.stream;

    if (!explain)
        return;
    fputs("<div class=\"walk\" data-scheme=\"", stream);
    sb_markup_text(stream, explain->name);
    fprintf(
        stream,
        "\" data-n=\"%zu\">\n<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"One path, step "
        "by step\"><table>\n<thead><tr><th scope=\"col\">step</th><th scope=\"col\" class=\"r\">deck</th>"
        "<th scope=\"col\">orders still possible</th></tr></thead>\n<tbody>\n",
        explain->n);
    walk_rows(stream, explain);
    fputs("</tbody></table></div>\n</div>\n", stream);
}
