/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes an explanation as JSON and as text: the algorithm, the tree of draws, the orders at the leaves of the tree,
 * and the argument. */
#include "core/text.h"
#include "study/explain/explain.h"
#include "study/figure/figure.h"

#include <inttypes.h>

/* An explanation in JSON, for programs: one object (RFC 8259; data/schema/explain-1.json). */

enum { PATHS_DEAL_MOST = 16 }; /* more items than a deal with at most 8! orders can have */

struct sb_notation sb_explain_order_text(const struct sb_explain *explain, size_t rank)
{
    sb_item a[PATHS_DEAL_MOST];
    struct sb_notation notation;

    sb_permutation_unrank(explain->n, explain->deal, rank, a);
    sb_item_notation(NULL, explain->n, explain->deal, a, notation.text, sizeof notation.text);
    if (notation.text[0] == '\0')
        strcpy(notation.text, sb_document_deal(&notation));
    return notation;
}

static void explain_json_lines(const char *text, struct sb_json *json)
{
    sb_json_array(json, "pseudocode", false);
    while (*text) {
        const size_t length = strcspn(text, "\n");
        char line[128];

        snprintf(line, sizeof line, "%.*s", (int)length, text);
        sb_json_string(json, NULL, line);
        text += length + (text[length] == '\n');
    }
    sb_json_close(json);
}

static void explain_json_draws(const struct sb_explain_draw draw[], size_t count, struct sb_json *json)
{
    sb_json_array(json, "bounds", true);
    for (size_t d = 0; d < count; d++)
        sb_json_integer(json, NULL, draw[d].bound);
    sb_json_close(json);
    sb_json_array(json, "answers", true);
    for (size_t d = 0; d < count; d++)
        sb_json_integer(json, NULL, draw[d].answer);
    sb_json_close(json);
    sb_json_array(json, "shares", true);
    for (size_t d = 0; d < count; d++)
        sb_json_string(json, NULL, draw[d].share);
    sb_json_close(json);
}

static void explain_json_tree(const struct sb_explain *explain, struct sb_json *json)
{
    if (explain->paths_count == 0) {
        sb_json_null(json, "paths");
        return;
    }
    sb_json_array(json, "paths", false);
    for (size_t i = 0; i < explain->paths_count; i++) {
        const struct sb_explain_path *const path = &explain->path[i];

        sb_json_object(json, NULL);
        explain_json_draws(explain->drawn + path->first, path->length, json);
        sb_json_string(json, "order", sb_explain_order_text(explain, path->rank).text);
        sb_json_string(json, "probability", path->mass);
        sb_json_close(json);
    }
    sb_json_close(json);
}

static void explain_json_order(const struct sb_explain *explain, const struct sb_explain_order *order,
                               struct sb_json *json)
{
    sb_json_known(json, "paths", explain->paths_known, order->paths);
    sb_json_string(json, "probability", order->mass);
    sb_json_real(json, "ratio", order->ratio);
    sb_json_close(json);
}

static void explain_json_orders(const struct sb_explain *explain, struct sb_json *json)
{
    if (explain->orders_count == 0) {
        sb_json_null(json, "orders");
        sb_json_null(json, "groups");
        return;
    }
    sb_json_array(json, "orders", false);
    for (size_t r = 0; r < explain->orders_count; r++) {
        sb_json_object(json, NULL);
        sb_json_string(json, "order", sb_explain_order_text(explain, r).text);
        explain_json_order(explain, &explain->order[r], json);
    }
    sb_json_close(json);
    sb_json_array(json, "groups", false);
    for (size_t i = 0; i < explain->groups_count; i++) {
        const struct sb_explain_group *const group = &explain->group[i];

        sb_json_object(json, NULL);
        sb_json_integer(json, "orders", group->orders);
        sb_json_string(json, "first", sb_explain_order_text(explain, group->first).text);
        explain_json_order(explain, group->order, json);
    }
    sb_json_close(json);
}

static void explain_json_deck(const char *key, const sb_item deck[], size_t count, struct sb_json *json)
{
    sb_json_array(json, key, true);
    for (size_t j = 0; j < count; j++)
        sb_json_integer(json, NULL, (uint64_t)deck[j] + 1);
    sb_json_close(json);
}

static void explain_json_walk(const struct sb_explain *explain, struct sb_json *json)
{
    if (!explain->walked) {
        sb_json_null(json, "walk");
        return;
    }
    sb_json_object(json, "walk");
    explain_json_draws(explain->walk, explain->walk_count, json);
    explain_json_deck("deal", explain->result, explain->deal, json);
    sb_json_string(json, "probability", explain->mass);
    sb_json_array(json, "steps", false);
    for (size_t k = 0; k < explain->steps_count; k++) {
        const struct sb_explain_step *const step = &explain->step[k];

        sb_json_object(json, NULL);
        sb_json_integer(json, "draws", step->draws);
        if (step->swap) {
            sb_json_array(json, "swap", true);
            sb_json_integer(json, NULL, step->at);
            sb_json_integer(json, NULL, step->from);
            sb_json_close(json);
        } else {
            sb_json_null(json, "swap");
        }
        if (step->whole)
            explain_json_deck("deck", explain->deck + k * explain->n, explain->n, json);
        else
            sb_json_null(json, "deck");
        sb_json_known(json, "open", step->open, step->open);
        sb_json_close(json);
    }
    sb_json_close(json);
    sb_json_close(json);
}

#define E(field) SB_MEMBER(struct sb_explain, field)
#define N(field) SB_MEMBER(struct sb_explain_note, field)

static void explain_json_head(const struct sb_explain *explain, struct sb_json *json)
{
    static const struct sb_member sizes[] = { E(n), E(deal), { .name = NULL } };
    static const struct sb_member note[] = { N(about), N(text), { .name = NULL } };
    static const struct sb_member numbers[] = { E(total), E(series), { .name = NULL } };

    sb_scheme_json(json, &explain->scheme, true);
    sb_json_members(json, sizes, explain);
    explain_json_lines(explain->scheme.shuffle.type->pseudocode, json);
    sb_json_array(json, "argument", false);
    for (size_t i = 0; i < explain->notes_count; i++)
        sb_json_record(json, NULL, note, &explain->note[i]);
    sb_json_close(json);
    sb_json_members(json, numbers, explain);
}

/* Writes the members of the explanation's JSON object, data/schema/explain-1.json: all, or only those before the
 * tree. */
static void explain_json(const void *result, struct sb_json *json)
{
    const struct sb_explain *const explain = result;

    explain_json_head(explain, json);
    explain_json_tree(explain, json);
    explain_json_orders(explain, json);
    explain_json_walk(explain, json);
}

static const char explain_none[] = "\u2013";

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
}

enum {
    STEPS_DECK_ROOM = 49, /* bytes of a deck in the table; the table is at most 100 columns wide */
    STEPS_DRAWS_ROOM = 2 * SB_EXPLAIN_SHARE_ROOM + 4,
};

/* Writes what a column shows about the draws of a step: the bounds, the answers, and the answers' probabilities. */
static void steps_draws(const struct sb_explain *explain, const struct sb_explain_step *step, struct sb_json *json)
{
    char below[STEPS_DRAWS_ROOM] = "", answer[STEPS_DRAWS_ROOM] = "", share[STEPS_DRAWS_ROOM] = "";

    for (size_t d = 0; d < step->draws && d < 2; d++) {
        const struct sb_explain_draw *const draw = &explain->walk[step->first + d];
        const char *const comma = d ? ", " : "";

        snprintf(below + strlen(below), sizeof below - strlen(below), "%s%" PRIu32, comma, draw->bound);
        snprintf(answer + strlen(answer), sizeof answer - strlen(answer), "%s%" PRIu32, comma, draw->answer);
        snprintf(share + strlen(share), sizeof share - strlen(share), "%s%s", comma, draw->share);
    }
    sb_json_string(json, "below", step->draws ? below : explain_none);
    sb_json_string(json, "answer", step->draws ? answer : explain_none);
    sb_json_string(json, "share", step->draws ? share : explain_none);
}

static void steps_open(const struct sb_explain *explain, const struct sb_explain_step *step, struct sb_json *json)
{
    char text[SB_EXPLAIN_OPEN_MOST * 64] = "";
    size_t used = 0;

    for (size_t i = 0; step->open <= SB_EXPLAIN_OPEN_MOST && i < step->open; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%.48s", i ? " " : "",
                                 sb_explain_order_text(explain, step->ranks[i]).text);
    if (step->open > SB_EXPLAIN_OPEN_MOST)
        snprintf(text, sizeof text, "%zu orders", step->open);
    sb_json_string(json, "open", text[0] ? text : explain_none);
}

/* Writes the walk, for its table; returns whether the deck is in pieces after some step. */
static bool steps_write(const struct sb_explain *explain, struct sb_json *json)
{
    bool pieces = false;

    sb_json_array(json, "steps", false);
    for (size_t k = 0; k < explain->steps_count; k++) {
        const struct sb_explain_step *const step = &explain->step[k];
        struct sb_notation deck;

        sb_item_notation(NULL, explain->n, explain->n, explain->deck + k * explain->n, deck.text, STEPS_DECK_ROOM);
        sb_json_object(json, NULL);
        sb_json_integer(json, "number", k + 1);
        steps_draws(explain, step, json);
        sb_json_integer(json, "at", step->at);
        sb_json_integer(json, "from", step->from);
        sb_json_string(json, "deck", step->whole ? sb_document_deal(&deck) : NULL);
        steps_open(explain, step, json);
        sb_json_close(json);
        pieces = pieces || !step->whole;
    }
    sb_json_close(json);
    return pieces;
}

enum {
    EXPLAIN_LIST_WIDTH = 56,  /* columns for the paths that lead to an order */
    EXPLAIN_GROUPS_MOST = 24, /* if there are more groups, the middle groups are left out */
    EXPLAIN_GROUPS_END = 10,
};

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

/* Writes what a row of a table says of an order, or of all orders of a group. */
static void explain_row(const struct sb_explain *explain, const struct sb_explain_order *order, size_t rank,
                        struct sb_json *json)
{
    static const char *const inks[] = { [SB_INK_PLAIN] = "", [SB_INK_OVER] = "{over}", [SB_INK_UNDER] = "{under}" };
    const bool brief = strlen(order->mass) <= SB_EXPLAIN_MASS_MOST; /* a longer fraction is hard to read */

    sb_json_string(json, "ink", inks[sb_explain_ink(order)]);
    sb_json_string(json, "order", sb_explain_order_text(explain, rank).text);
    sb_json_string(json, "paths", explain->paths_known ? sb_number_grouped(order->paths).text : explain_none);
    sb_json_string(json, "probability", brief ? order->mass : sb_number_short(order->share, 6).text);
    sb_json_real(json, "ratio", order->ratio);
}

static bool explain_draws(const struct sb_explain *explain)
{
    return explain->draws_count > 0 && explain->paths_count <= SB_EXPLAIN_DRAWN_MOST;
}

static void explain_orders(const struct sb_explain *explain, struct sb_json *json)
{
    const size_t count = explain->orders_count <= SB_ROWS_ALL ? explain->orders_count : 0;
    char list[4 * EXPLAIN_LIST_WIDTH] = "";

    sb_json_array(json, "orders", false);
    for (size_t r = 0; r < count; r++) {
        if (explain_draws(explain))
            explain_list(explain, r, list);
        sb_json_object(json, NULL);
        explain_row(explain, &explain->order[r], r, json);
        sb_json_string(json, "list", list);
        sb_json_close(json);
    }
    sb_json_close(json);
}

static void explain_groups(const struct sb_explain *explain, struct sb_json *json)
{
    const size_t count = explain->groups_count;

    sb_json_array(json, "groups", false);
    for (size_t i = 0; i < count; i++) {
        if (count > EXPLAIN_GROUPS_MOST && i == EXPLAIN_GROUPS_END)
            i = count - EXPLAIN_GROUPS_END;
        const struct sb_explain_group *const group = &explain->group[i];

        sb_json_object(json, NULL);
        sb_json_integer(json, "orders", group->orders);
        explain_row(explain, group->order, group->first, json);
        sb_json_close(json);
    }
    sb_json_close(json);
    sb_json_integer(json, "groups_count", count);
    sb_json_integer(json, "groups_end", EXPLAIN_GROUPS_END);
    sb_json_bool(json, "left_out", count > EXPLAIN_GROUPS_MOST);
}

static void explain_walked(const struct sb_explain *explain, struct sb_json *json)
{
    struct sb_notation end;

    if (!explain->walked) {
        sb_json_null(json, "walk");
        return;
    }
    sb_item_notation(NULL, explain->n, explain->deal, explain->result, end.text, sizeof end.text);
    sb_json_object(json, "walk");
    sb_json_bool(json, "pieces", steps_write(explain, json));
    sb_json_bool(json, "swaps", explain->steps_count && explain->step[0].swap);
    sb_json_string(json, "deal", sb_document_deal(&end));
    sb_json_string(json, "probability", explain->mass);
    if (explain->paths_count && explain->orders_count) {
        const struct sb_explain_order *const order =
            &explain->order[sb_permutation_cell(explain->n, explain->deal, explain->result)];

        sb_json_object(json, "order");
        sb_json_integer(json, "paths", order->paths);
        sb_json_string(json, "probability", order->mass);
        sb_json_close(json);
    } else {
        sb_json_null(json, "order");
    }
    sb_json_close(json);
}

/* Writes the values of the page, data/pages/explain.md. */
static void explain_values(const void *result, struct sb_json *json)
{
    const struct sb_explain *const explain = result;
    const size_t count = explain->paths_count;

    explain_json_head(explain, json);
    sb_json_object(json, "tree");
    sb_json_integer(json, "paths", count);
    sb_json_integer(json, "draws", explain->draws_count);
    sb_json_integer(json, "paths_most", SB_EXPLAIN_PATHS_MOST);
    sb_json_integer(json, "orders_most", SB_EXPLAIN_ORDERS_MOST);
    sb_json_bool(json, "drawn", explain_draws(explain));
    sb_json_bool(json, "figure", explain->draws_count > 0 && explain->orders_count <= SB_EXPLAIN_FIGURE_ORDERS);
    sb_json_bool(json, "even", explain->even);
    sb_json_string(json, "mass", count ? explain->path[0].mass : NULL);
    sb_json_string(json, "first", count ? sb_explain_order_text(explain, explain->path[0].rank).text : NULL);
    sb_json_close(json);
    explain_orders(explain, json);
    explain_groups(explain, json);
    explain_walked(explain, json);
}

/* Writes the block "tree" of a page in HTML. */
static void explain_figure(struct sb_template *template, const char *name, char *block)
{
    struct sb_explain explain = *(const struct sb_explain *)template->result;
    const struct sb_report report = { .name = explain.scheme.name, .tree = &explain };
    const struct sb_scene scene = { .pair.exact = &report };
    struct sb_html html = { .stream = template->page->stream, .page = *template->page };

    sb_html_figure(&sb_figure_tree, &scene, &html);
    *template->page = html.page;
}

/* Adds the rows of the tree, which depend on the page. */
static bool explain_more(struct sb_template *template, const void *result)
{
    const struct sb_explain *const explain = result;
    struct sb_page own = *template->page;
    char *text = NULL;
    size_t length;

    template->block = explain_figure;
    if (own.html || !explain_draws(explain) || explain->walked)
        return true;
    own.stream = sb_memory_stream_open(&text, &length);
    if (own.stream)
        tree_rows(explain, &own);
    const bool well = sb_memory_stream_close(own.stream, &text) &&
                      json_object_set_new(template->names, "rows_of_the_tree", json_string(text)) == 0;

    free(text);
    return well;
}

static void explain_page(const void *result, struct sb_page *page)
{
    static const struct sb_result_type values = { .json = explain_values };

    sb_template_page("explain", &values, result, explain_more, page);
}

const struct sb_result_type sb_explain_result = {
    .what = "the explanation",
    .of = "an explanation",
    .schema = "shufflebias.explain/1",
    .page = explain_page,
    .title = "shufflebias explain",
    .json = explain_json,
};

enum { PATHS_ROOM = 256 }; /* bytes for the answers of a path; more than the longest path of a figure needs */

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

enum sb_ink sb_explain_ink(const struct sb_explain_order *order)
{
    return order->ratio > 1 + 1e-12 ? SB_INK_OVER : order->ratio < 1 - 1e-12 ? SB_INK_UNDER : SB_INK_PLAIN;
}
