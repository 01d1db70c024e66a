/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An explanation in JSON, for programs: one object (RFC 8259; data/schema/explain-1.json). */
#include "study/explain/explain.h"
#include "study/report/report_result.h"

#include <string.h>

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

void sb_explain_json_head(const struct sb_explain *explain, struct sb_json *json)
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

void sb_explain_json(const void *result, struct sb_json *json)
{
    const struct sb_explain *const explain = result;

    sb_explain_json_head(explain, json);
    explain_json_tree(explain, json);
    explain_json_orders(explain, json);
    explain_json_walk(explain, json);
}
