/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes an explanation as text: the algorithm, the tree of draws, the orders at the leaves of the tree, and
 * the argument. */
#include "study/explain/explain.h"
#include "study/report/report_result.h"

#include <inttypes.h>
#include <string.h>

enum { TREE_LABEL_ROOM = SB_EXPLAIN_SHARE_ROOM + 16 };

/* The pieces of lines, in ASCII and in Unicode. */
enum tree_piece { TREE_FIRST, TREE_ONLY, TREE_NEXT, TREE_LAST, TREE_PAST, TREE_DASH, TREE_PIECES };
static const char *const tree_lines[2][TREE_PIECES] = {
    { "+-", "--", "+-", "`-", "| ", "-" },
    { "\u252C\u2500", "\u2500\u2500", "\u251C\u2500", "\u2514\u2500", "\u2502 ", "\u2500" },
};

/* Returns whether a later path branches off from the given path at this depth. */
static bool tree_more(const struct sb_explain *explain, size_t path, size_t depth)
{
    for (size_t next = path + 1; next < explain->paths_count; next++) {
        const size_t common = sb_path_common(explain, path, next);

        if (common <= depth)
            return common == depth;
    }
    return false;
}

static size_t tree_label(const struct sb_explain_draw *draw, char text[TREE_LABEL_ROOM])
{
    if (draw->even)
        return (size_t)snprintf(text, TREE_LABEL_ROOM, "%" PRIu32, draw->answer);
    return (size_t)snprintf(text, TREE_LABEL_ROOM, "%" PRIu32 " (%s)", draw->answer, draw->share);
}

static size_t tree_width(const struct sb_explain *explain, size_t depth)
{
    char text[TREE_LABEL_ROOM];
    size_t width = 0;

    for (size_t i = 0; i < explain->paths_count; i++) {
        const size_t one = depth < explain->path[i].length ? tree_label(sb_path_draw(explain, i, depth), text) : 0;

        width = one > width ? one : width;
    }
    return width;
}

static void tree_repeat(const char *piece, size_t count, FILE *stream)
{
    for (; count > 0; count--)
        fputs(piece, stream);
}

/* Writes one draw of a row; `common` is the number of draws that the row shares with the row above. */
static void tree_piece(const struct sb_explain *explain, size_t path, size_t depth, size_t common, bool first,
                       const char *const lines[], FILE *stream)
{
    const size_t width = tree_width(explain, depth);
    char text[TREE_LABEL_ROOM];

    if (depth >= explain->path[path].length) {
        tree_repeat(" ", 3 + width, stream);
        return;
    }
    const bool more = tree_more(explain, path, depth);

    if (!first && depth < common) {
        fputs(more ? lines[TREE_PAST] : "  ", stream);
        tree_repeat(" ", width + 1, stream);
        return;
    }
    if (!first && depth == common)
        fputs(more ? lines[TREE_NEXT] : lines[TREE_LAST], stream);
    else
        fputs(more ? lines[TREE_FIRST] : lines[TREE_ONLY], stream);
    const size_t used = tree_label(sb_path_draw(explain, path, depth), text);

    fputs(text, stream);
    tree_repeat(depth + 1 < explain->path[path].length ? lines[TREE_DASH] : " ", width + 1 - used, stream);
}

static void tree_rows(const struct sb_explain *explain, struct sb_page *page)
{
    const char *const *const lines = tree_lines[page->look.unicode];
    const size_t depth = sb_path_depth(explain);

    sb_page_code_begin(page);
    for (size_t i = 0; i < explain->paths_count; i++) {
        const struct sb_explain_path *const path = &explain->path[i];
        const size_t common = i ? sb_path_common(explain, i - 1, i) : 0;

        fputs("    ", page->stream);
        for (size_t d = 0; d < depth; d++)
            tree_piece(explain, i, d, common, i == 0, lines, page->stream);
        const enum sb_ink ink = explain->orders_count ? sb_explain_ink(&explain->order[path->rank]) : SB_INK_PLAIN;

        sb_page_ink(page, ink);
        fprintf(page->stream, " %s", sb_explain_order_text(explain, path->rank).text);
        sb_page_ink_off(page, ink);
        fprintf(page->stream, explain->even ? "\n" : "  %s\n", path->mass);
    }
    sb_page_code_end(page);
}

enum { STEPS_DECK_ROOM = 49 }; /* bytes of a deck in the table; the table is at most 100 columns wide */

/* What a column shows about the draws of a step: the bounds, the answers, or the answers' probabilities. */
enum steps_what { STEPS_BOUND, STEPS_ANSWER, STEPS_SHARE };

static void steps_draws(const struct sb_explain *explain, const struct sb_explain_step *step, enum steps_what what,
                        struct sb_table *table)
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
    sb_table_add(table, what == STEPS_ANSWER ? SB_INK_STRONG : SB_INK_PLAIN, "%s", step->draws ? text : "\u2013");
}

static void steps_deck(const struct sb_explain *explain, const struct sb_explain_step *step, const sb_item deck[],
                       struct sb_table *table)
{
    struct sb_notation notation;

    if (step && !step->whole) {
        sb_table_add(table, SB_INK_FAINT, "in pieces");
        return;
    }
    sb_permutation_notation(explain->n, explain->n, deck, notation.text, STEPS_DECK_ROOM);
    sb_table_add(table, SB_INK_STRONG, "%s", sb_document_deal(&notation));
}

static void steps_open(const struct sb_explain *explain, const struct sb_explain_step *step, struct sb_table *table)
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

static void steps_table(const struct sb_explain *explain, struct sb_page *page)
{
    const bool swaps = explain->step[0].swap;
    struct sb_table table;

    sb_table_begin(&table, swaps ? "rrrrlll" : "rrrrll",
                   "step|draw below|answer|probability%s|deck then|orders still possible", swaps ? "|swap" : "");
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
    sb_table_end(&table, page);
}

enum {
    EXPLAIN_LIST_WIDTH = 56,  /* columns for the paths that lead to an order */
    EXPLAIN_GROUPS_MOST = 24, /* if there are more groups, the middle groups are left out */
    EXPLAIN_GROUPS_END = 10,
};

/* Returns a probability as text: a fraction if the fraction is short, otherwise a decimal number. The text
 * may be stored in `room`. */
static const char *explain_mass(const struct sb_explain_order *order, struct sb_number *room)
{
    *room = sb_number_short(order->share, 6);
    return strlen(order->mass) <= SB_EXPLAIN_MASS_MOST ? order->mass : room->text;
}

/* Writes the path's answers, such as "0,2,1", as far as the answers fit. Like snprintf(), returns the length
 * of the whole text. */
static size_t path_answers(const struct sb_explain *explain, size_t path, char text[], size_t room)
{
    size_t length = 0;

    text[0] = '\0';
    for (size_t d = 0; d < explain->path[path].length && length < room; d++)
        length += (size_t)snprintf(text + length, room - length, "%s%" PRIu32, d ? "," : "",
                                   sb_path_draw(explain, path, d)->answer);
    return length;
}

static void explain_list(const struct sb_explain *explain, size_t rank, char text[4 * EXPLAIN_LIST_WIDTH])
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < explain->paths_count; i++) {
        char one[EXPLAIN_LIST_WIDTH];

        if (explain->path[i].rank != rank)
            continue;
        const size_t length = path_answers(explain, i, one, sizeof one);

        if (used + length + 2 > EXPLAIN_LIST_WIDTH) {
            strcpy(text + used, used ? " \u2026" : "\u2026");
            return;
        }
        used += (size_t)sprintf(text + used, "%s%s", used ? "  " : "", one);
    }
}

/* Adds how many paths lead to an order, and its probability. */
static void explain_odds(const struct sb_explain *explain, const struct sb_explain_order *order, struct sb_table *table)
{
    struct sb_number room;

    sb_table_add(table, sb_explain_ink(order), "%s",
                 explain->paths_known ? sb_number_grouped(order->paths).text : "\u2013");
    sb_table_row(table, "%s|%s", explain_mass(order, &room), sb_number_ratio(order->ratio).text);
}

static void explain_orders(const struct sb_explain *explain, struct sb_page *page)
{
    const bool drawn = explain->draws_count > 0 && explain->paths_count <= SB_EXPLAIN_DRAWN_MOST;
    struct sb_table table;

    sb_table_begin(&table, drawn ? "lrrrl" : "lrrr", "order|paths|probability|ratio%s", drawn ? "|which paths" : "");
    for (size_t r = 0; r < explain->orders_count; r++) {
        const struct sb_explain_order *const order = &explain->order[r];
        char list[4 * EXPLAIN_LIST_WIDTH];

        sb_table_add(&table, sb_explain_ink(order), "%s", sb_explain_order_text(explain, r).text);
        explain_odds(explain, order, &table);
        if (drawn) {
            explain_list(explain, r, list);
            sb_table_add(&table, SB_INK_FAINT, "%s", list);
        }
    }
    sb_table_end(&table, page);
}

enum {
    EXPLAIN_CODE_ROOM = 128, /* lines of pseudocode have fewer bytes */
    EXPLAIN_DEAL_ROOM = 64,
};

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
    sb_page_paragraph(page, SB_INK_PLAIN, NULL,
                      "draw(k) is a random integer from 0 to k-1, and positions are counted from 0. Orders "
                      "are written from 1: 231 has item 2 in front, then 3, then 1.%s",
                      explain->deal < explain->n ? dealt : "");
}

static void explain_groups(const struct sb_explain *explain, struct sb_page *page)
{
    const size_t count = explain->groups_count;
    struct sb_table table;

    sb_table_begin(&table, "rrrrl", "orders|paths to each|probability of each|ratio|the first of them");
    for (size_t i = 0; i < count; i++) {
        if (count > EXPLAIN_GROUPS_MOST && i == EXPLAIN_GROUPS_END)
            i = count - EXPLAIN_GROUPS_END;
        const struct sb_explain_group *const group = &explain->group[i];

        sb_table_add(&table, sb_explain_ink(group->order), "%s", sb_number_grouped(group->orders).text);
        explain_odds(explain, group->order, &table);
        sb_table_add(&table, SB_INK_FAINT, "%s", sb_explain_order_text(explain, group->first).text);
    }
    sb_table_end(&table, page);
    if (count > EXPLAIN_GROUPS_MOST)
        sb_page_paragraph(page, SB_INK_PLAIN, NULL,
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
                          explain->scheme.name, explain->n, deal);
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

static void explain_tree_part(const struct sb_explain *explain, struct sb_page *page)
{
    const size_t count = explain->paths_count;

    sb_page_title(page, 2, "Its tree of draws");
    if (count == 0) {
        sb_page_paragraph(page, SB_INK_PLAIN, NULL,
                          "There are more than %d paths, or more than %d orders: too many to follow them one by one.",
                          SB_EXPLAIN_PATHS_MOST, SB_EXPLAIN_ORDERS_MOST);
    } else if (explain->draws_count == 0) {
        sb_page_paragraph(page, SB_INK_PLAIN, NULL, "There is no draw, and so a single path, to %s.",
                          sb_explain_order_text(explain, explain->path[0].rank).text);
    } else if (count > SB_EXPLAIN_DRAWN_MOST) {
        sb_page_paragraph(page, SB_INK_PLAIN, NULL,
                          "The tree has %zu paths, too many to draw it here; a smaller n has fewer.", count);
    } else {
        sb_page_paragraph(page, SB_INK_PLAIN, NULL,
                          "A row is a path, %zu in all: the answers of its draws from left to right, then "
                          "the order that they lead to%s%s.",
                          count, explain->even ? ". Each has the probability " : ", and the path's probability",
                          explain->even ? explain->path[0].mass : "");
        tree_rows(explain, page);
    }
}

static void explain_walked(const struct sb_explain *explain, struct sb_page *page)
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
    sb_page_paragraph(page, SB_INK_PLAIN, NULL, "The path ends in %s. Its probability is %s.", sb_document_deal(&end),
                      explain->mass);
    if (explain->paths_count && explain->orders_count) {
        const size_t rank = sb_permutation_cell(explain->n, explain->deal, explain->result);
        const uint64_t paths = explain->order[rank].paths;

        sb_page_paragraph(page, SB_INK_PLAIN, NULL,
                          "Of the %zu paths %" PRIu64 " %s there; all together that order has the probability %s.",
                          explain->paths_count, paths, paths == 1 ? "leads" : "lead", explain->order[rank].mass);
    }
}

static void explain_page(const void *result, struct sb_page *page)
{
    const struct sb_explain *const explain = result;

    if (explain->deal < explain->n)
        sb_page_title(page, 1, "%s explained, n = %zu, deals of %zu", explain->scheme.name, explain->n, explain->deal);
    else
        sb_page_title(page, 1, "%s explained, n = %zu", explain->scheme.name, explain->n);
    page->tight = true;
    sb_page_paragraph(page, SB_INK_STRONG, "Shuffle:", "%s.", explain->title);
    if (explain->cite)
        sb_page_paragraph(page, SB_INK_STRONG, "Source:", "%s", explain->cite);
    page->tight = false;
    explain_pseudocode(explain, page);
    if (explain->walked) {
        explain_walked(explain, page);
    } else {
        explain_tree_part(explain, page);
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

enum {
    PATHS_ROOM = 256,     /* bytes for the answers of a path; more than the longest path of a figure needs */
    PATHS_DEAL_MOST = 16, /* more items than a deal with at most 8! orders can have */
};

const struct sb_explain_draw *sb_path_draw(const struct sb_explain *explain, size_t path, size_t depth)
{
    return &explain->drawn[explain->path[path].first + depth];
}

size_t sb_path_common(const struct sb_explain *explain, size_t one, size_t other)
{
    size_t same = 0;

    while (same < explain->path[one].length && same < explain->path[other].length &&
           sb_path_draw(explain, one, same)->answer == sb_path_draw(explain, other, same)->answer)
        same++;
    return same;
}

size_t sb_path_depth(const struct sb_explain *explain)
{
    size_t depth = 0;

    for (size_t i = 0; i < explain->paths_count; i++)
        depth = explain->path[i].length > depth ? explain->path[i].length : depth;
    return depth;
}

void sb_path_list(const struct sb_explain *explain, size_t rank, struct sb_sentence *s)
{
    char text[PATHS_ROOM];

    for (size_t i = 0; i < explain->paths_count; i++)
        if (explain->path[i].rank == rank) {
            path_answers(explain, i, text, sizeof text);
            sb_sentence_add(s, " %s", text);
        }
}

struct sb_notation sb_explain_order_text(const struct sb_explain *explain, size_t rank)
{
    sb_item a[PATHS_DEAL_MOST];
    struct sb_notation notation;

    sb_permutation_unrank(explain->n, explain->deal, rank, a);
    sb_permutation_notation(explain->n, explain->deal, a, notation.text, sizeof notation.text);
    if (notation.text[0] == '\0')
        strcpy(notation.text, sb_document_deal(&notation));
    return notation;
}

enum sb_ink sb_explain_ink(const struct sb_explain_order *order)
{
    return order->ratio > 1 + 1e-12 ? SB_INK_OVER : order->ratio < 1 - 1e-12 ? SB_INK_UNDER : SB_INK_PLAIN;
}
