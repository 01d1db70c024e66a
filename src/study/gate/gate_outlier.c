/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The single deck, or step between decks, that is the least likely, if nothing else explains a fail. */
#include "study/gate/gate_page.h"
#include "study/gate/gate_run.h"

#include <stdlib.h>
#include <string.h>

enum {
    OUTLIER_ITEMS = 60, /* the most items that are listed */
};

bool sb_gate_outlier_waits(const struct sb_gate *gate)
{
    return gate->total < SB_GATE_OUTLIER_WAIT && sb_gate_shows_only_outliers(gate);
}

static enum sb_status outlier_write(const struct sb_outlier *worst, struct sb_gate *gate)
{
    const char *const between = gate->names && gate->names->separator ? " | " : " ";
    struct sb_sentence s = { 0 };
    char text[SB_ITEM_ROOM];

    for (size_t j = 0; j < worst->deal && j < OUTLIER_ITEMS; j++)
        sb_sentence_add(&s, "%s%s", j ? between : "",
                        gate->chained ? sb_number_grouped(worst->items[j] + 1).text
                                      : sb_item_name(gate->names, worst->items[j], text));
    if (worst->deal > OUTLIER_ITEMS)
        sb_sentence_add(&s, " ...");
    gate->outlier.items = sb_sentence_take(&s);
    return gate->outlier.items ? SB_OK : SB_NO_MEMORY;
}

enum sb_status sb_gate_outlier_find(const struct sb_tallies *tallies, uint64_t since, struct sb_gate *gate)
{
    const struct sb_outlier *worst = NULL;

    for (size_t i = 0; i < gate->lines_count; i++) {
        const struct sb_gate_line *const line = &gate->line[i];

        if (line->rejected && !line->outliers)
            return SB_OK;
        if (!line->rejected)
            continue;
        const struct sb_outlier *const one = sb_outliers_worst(
            strcmp(line->statistic, sb_outliers_decks) == 0 ? tallies->outliers : tallies->step_outliers);

        worst = one && (!worst || one->least < worst->least) ? one : worst;
    }
    if (!worst || worst->number <= since)
        return SB_OK;
    gate->outlier = (struct sb_gate_outlier) {
        .deck = worst->number,
        .lag = worst->lag,
        .title = worst->title,
        .value = worst->law->low + worst->cell,
        .high = sb_outlier_tail(worst) == SB_TAIL_HIGH,
        .beyond = sb_outlier_tail(worst) == SB_TAIL_HIGH ? worst->law->above && worst->cell + 1 == worst->law->cells
                                                         : worst->law->below && worst->cell == 0,
        .ln_p = worst->least,
        .alike = sb_outlier_alike(worst, gate->total),
    };
    return sb_item_groups(gate->names) ? SB_OK : outlier_write(worst, gate);
}

void sb_sentence_outlier(struct sb_sentence *s, const struct sb_gate *gate)
{
    const struct sb_gate_outlier *const outlier = &gate->outlier;
    const char *const what = gate->chained ? "step" : "deck", *const more = outlier->high ? " or more" : " or less";

    if (!outlier->deck)
        return;
    sb_sentence_add(s, "in %s %s", what, sb_number_grouped(outlier->deck).text);
    if (outlier->where[0])
        sb_sentence_add(s, " (%s)", outlier->where);
    if (outlier->lag)
        sb_sentence_add(s, ", compared with %s %s,", what, sb_number_grouped(outlier->deck - outlier->lag).text);
    sb_sentence_add(s, " \"%s\" is %s%s; a fair %s has %s%s with probability %s", outlier->title,
                    sb_number_grouped(outlier->value).text, outlier->beyond ? more : "", what,
                    sb_number_grouped(outlier->value).text, more, sb_number_p(exp(outlier->ln_p), outlier->ln_p).text);
}

void sb_sentence_outlier_alike(struct sb_sentence *s, const struct sb_gate *gate)
{
    const struct sb_gate_outlier *const outlier = &gate->outlier;

    if (outlier->alike > 1)
        sb_sentence_add(s, "About %s %ss of %s are as odd. ", sb_number_grouped(outlier->alike).text,
                        gate->chained ? "step" : "deck", sb_number_grouped(gate->total).text);
}

void sb_gate_outlier_page(const struct sb_gate *gate, struct sb_page *page)
{
    char label[sizeof(struct sb_number) + 16];

    if (!gate->outlier.items)
        return;
    snprintf(label, sizeof label, "%s %s:", gate->chained ? "Step" : "Deck",
             sb_number_grouped(gate->outlier.deck).text);
    sb_page_paragraph(page, SB_INK_STRONG, label, "%s", gate->outlier.items);
}

void sb_gate_outlier_json(struct sb_json *json, const struct sb_gate *gate)
{
    const struct sb_gate_outlier *const outlier = &gate->outlier;

    if (!outlier->deck)
        return;
    sb_json_object(json, "outlier");
    sb_json_integer(json, "deck", outlier->deck);
    sb_json_integer(json, "lag", outlier->lag);
    sb_json_string(json, "what", outlier->title);
    sb_json_integer(json, "value", outlier->value);
    sb_json_string(json, "tail", outlier->high ? "high" : "low");
    sb_json_real(json, "ln_p", outlier->ln_p);
    sb_json_integer(json, "alike", outlier->alike);
    sb_json_string(json, "items", outlier->items);
    if (outlier->where[0])
        sb_json_string(json, "where", outlier->where);
    sb_json_close(json);
}
