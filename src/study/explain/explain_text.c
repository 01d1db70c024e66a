/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes an explanation as text: the algorithm, the tree of draws, the orders at the leaves of the tree, and
 * the argument. */
#include "study/explain/explain_text.h"

#include "report/number.h"
#include "report/table.h"
#include "study/explain/explain_paths_text.h"
#include "study/report/page/document.h"
#include "study/results.h"

#include <inttypes.h>
#include <string.h>

enum {
    EXPLAIN_LIST_WIDTH = 56,  /* columns for the paths that lead to an order */
    EXPLAIN_GROUPS_MOST = 24, /* if there are more groups, the middle groups are left out */
    EXPLAIN_GROUPS_END = 10,
};

enum {
    EXPLAIN_CODE_ROOM = 128, /* lines of pseudocode have fewer bytes */
    EXPLAIN_DEAL_ROOM = 64,
};

/* Writes the algorithm. */
static void explain_pseudocode(const struct sb_explain *explain, struct sb_page *page)
{
    char dealt[EXPLAIN_DEAL_ROOM + 32];

    sb_page_title(page, 2, "What it does");
    sb_page_code_begin(page);
    for (const char *line = explain->pseudocode; *line;) {
        const size_t length = strcspn(line, "\n");
        char text[EXPLAIN_CODE_ROOM];

        snprintf(text, sizeof text, "    %.*s\n", (int)length, line);
        sb_page_code(page, text);
        line += length + (line[length] == '\n');
    }
    sb_page_code_end(page);
    snprintf(dealt, sizeof dealt, " Here, an order is that of the %zu items that are dealt.", explain->deal);
    sb_page_paragraph(
        page, SB_INK_PLAIN, NULL,
        "draw(k) is a random integer from 0 to k-1, and positions are counted from 0. Orders are "
        "written from 1: 231 has item 2 in front, then 3, then 1.%s",
        explain->deal < explain->n ? dealt : "");
}

/* Returns a probability as text: a fraction if the fraction is short, otherwise a decimal number. The text
 * may be stored in `room`. */
static const char *explain_mass(const struct sb_explain_order *order, struct sb_number *room)
{
    *room = sb_number_short(order->share, 6);
    return strlen(order->mass) <= SB_EXPLAIN_MASS_MOST ? order->mass : room->text;
}

/* Writes the paths that lead to an order, such as "0,0,1 0,1,0", as far as the paths fit. */
static void explain_list(const struct sb_explain *explain, size_t rank, char text[4 * EXPLAIN_LIST_WIDTH])
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < explain->paths_count; i++) {
        char one[EXPLAIN_LIST_WIDTH];

        if (explain->path[i].rank != rank)
            continue;
        const size_t length = sb_path_answers(explain, i, one, sizeof one);

        if (used + length + 2 > EXPLAIN_LIST_WIDTH) {
            strcpy(text + used, used ? " \u2026" : "\u2026");
            return;
        }
        used += (size_t)sprintf(text + used, "%s%s", used ? "  " : "", one);
    }
}

/* Writes a table with a row per order. */
static void explain_orders(const struct sb_explain *explain, struct sb_page *page)
{
    const bool drawn = explain->draws_count > 0 && explain->paths_count <= SB_EXPLAIN_DRAWN_MOST;
    struct sb_table table;
    struct sb_number room;

    sb_table_open(drawn ? "lrrrl" : "lrrr", &table);
    sb_table_add(&table, SB_INK_STRONG, "order");
    sb_table_add(&table, SB_INK_STRONG, "paths");
    sb_table_add(&table, SB_INK_STRONG, "probability");
    sb_table_add(&table, SB_INK_STRONG, "ratio");
    if (drawn)
        sb_table_add(&table, SB_INK_STRONG, "which paths");
    for (size_t r = 0; r < explain->orders_count; r++) {
        const struct sb_explain_order *const order = &explain->order[r];
        char list[4 * EXPLAIN_LIST_WIDTH];

        sb_table_add(&table, sb_explain_ink(order), "%s", sb_explain_order_text(explain, r).text);
        sb_table_add(&table, sb_explain_ink(order), "%s",
                     explain->paths_known ? sb_number_grouped(order->paths).text : "\u2013");
        sb_table_add(&table, SB_INK_PLAIN, "%s", explain_mass(order, &room));
        sb_table_add(&table, SB_INK_PLAIN, "%s", sb_number_ratio(order->ratio).text);
        if (drawn) {
            explain_list(explain, r, list);
            sb_table_add(&table, SB_INK_FAINT, "%s", list);
        }
    }
    sb_table_print(&table, page);
    sb_table_close(&table);
}

/* Writes a table with a row per group of orders. */
static void explain_groups(const struct sb_explain *explain, struct sb_page *page)
{
    const size_t count = explain->groups_count;
    struct sb_table table;
    struct sb_number room;

    sb_table_open("rrrrl", &table);
    sb_table_add(&table, SB_INK_STRONG, "orders");
    sb_table_add(&table, SB_INK_STRONG, "paths to each");
    sb_table_add(&table, SB_INK_STRONG, "probability of each");
    sb_table_add(&table, SB_INK_STRONG, "ratio");
    sb_table_add(&table, SB_INK_STRONG, "the first of them");
    for (size_t i = 0; i < count; i++) {
        if (count > EXPLAIN_GROUPS_MOST && i == EXPLAIN_GROUPS_END)
            i = count - EXPLAIN_GROUPS_END;
        const struct sb_explain_group *const group = &explain->group[i];

        sb_table_add(&table, sb_explain_ink(group->order), "%s", sb_number_grouped(group->orders).text);
        sb_table_add(&table, sb_explain_ink(group->order), "%s",
                     explain->paths_known ? sb_number_grouped(group->order->paths).text : "\u2013");
        sb_table_add(&table, SB_INK_PLAIN, "%s", explain_mass(group->order, &room));
        sb_table_add(&table, SB_INK_PLAIN, "%s", sb_number_ratio(group->order->ratio).text);
        sb_table_add(&table, SB_INK_FAINT, "%s", sb_explain_order_text(explain, group->first).text);
    }
    sb_table_print(&table, page);
    sb_table_close(&table);
    if (count > EXPLAIN_GROUPS_MOST)
        sb_page_paragraph(
            page, SB_INK_PLAIN, NULL,
            "The orders have %s different probabilities; the %d highest and the %d lowest are listed.",
            sb_number_grouped(count).text, EXPLAIN_GROUPS_END, EXPLAIN_GROUPS_END);
}

static void explain_outcomes(const struct sb_explain *explain, struct sb_page *page)
{
    char deal[EXPLAIN_DEAL_ROOM] = "";

    if (explain->deal < explain->n)
        snprintf(deal, sizeof deal, " --deal %zu", explain->deal);
    sb_page_title(page, 2, "What it leads to");
    if (explain->orders_count == 0)
        sb_page_paragraph(page, SB_INK_PLAIN, NULL,
                          "There are too many orders, or too many paths to them, to list them here. "
                          "'shufflebias report %s -n %zu%s' says what can be known of them.",
                          explain->name, explain->n, deal);
    else if (explain->orders_count <= SB_ROWS_ALL)
        explain_orders(explain, page);
    else
        explain_groups(explain, page);
}

static void explain_argument(const struct sb_explain *explain, struct sb_page *page)
{
    static const char *const labels[][2] = {
        { "shuffle", "The shuffle." },
        { "counting", "Counting." },
        { "draw", "The draw." },
        { "seed", "The seed." },
    };

    sb_page_title(page, 2, "Why");
    for (size_t i = 0; i < explain->notes_count; i++)
        for (size_t k = 0; k < sizeof labels / sizeof labels[0]; k++)
            if (strcmp(labels[k][0], explain->note[i].about) == 0)
                sb_page_paragraph(page, SB_INK_STRONG, labels[k][1], "%s", explain->note[i].text);
}

static void explain_page(const void *result, struct sb_page *page)
{
    const struct sb_explain *const explain = result;

    if (explain->deal < explain->n)
        sb_page_title(page, 1, "%s explained, n = %zu, deals of %zu", explain->name, explain->n,
                      explain->deal);
    else
        sb_page_title(page, 1, "%s explained, n = %zu", explain->name, explain->n);
    page->tight = true;
    sb_page_paragraph(page, SB_INK_STRONG, "Shuffle:", "%s.", explain->title);
    if (explain->cite)
        sb_page_paragraph(page, SB_INK_STRONG, "Source:", "%s", explain->cite);
    page->tight = false;
    explain_pseudocode(explain, page);
    if (explain->walked) {
        sb_explain_steps(explain, page);
    } else {
        sb_explain_tree(explain, page);
        explain_outcomes(explain, page);
        explain_argument(explain, page);
    }
}

const struct sb_result_type sb_explain_result = {
    .what = "the explanation",
    .of = "an explanation",
    .schema = "shufflebias.explain/1",
    .page = explain_page,
    .title = "shufflebias explain",
    .json = sb_explain_json,
};

enum sb_status sb_explain_write(const struct sb_explain *explain, const char *format,
                                const struct sb_look *look, struct sb_error *error, FILE *stream)
{
    return sb_result_write(&sb_explain_result, explain, format, look, error, stream);
}

enum sb_status sb_explain_text(const struct sb_explain *explain, const char *format,
                               const struct sb_look *look, struct sb_error *error, char **text,
                               size_t *length)
{
    return sb_result_text(&sb_explain_result, explain, format, look, error, text, length);
}
