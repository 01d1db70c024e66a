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

/* The items of a deck, or of a step, which have no names. */
static char *odd_items(const struct sb_outlier *worst, const struct sb_item_names *names, bool step)
{
    const char *const between = names && names->separator ? " | " : " ";
    struct sb_sentence s = { 0 };
    char text[SB_ITEM_ROOM];

    for (size_t j = 0; j < worst->deal && j < OUTLIER_ITEMS; j++)
        sb_sentence_add(&s, "%s%s", j ? between : "",
                        step ? sb_number_grouped(worst->items[j] + 1).text
                             : sb_item_name(names, worst->items[j], text));
    if (worst->deal > OUTLIER_ITEMS)
        sb_sentence_add(&s, " ...");
    return sb_sentence_take(&s);
}

enum sb_status sb_odd_of(const struct sb_outlier *worst, const struct sb_item_names *names, bool steps,
                         struct sb_odd *odd)
{
    const bool high = sb_outlier_tail(worst) == SB_TAIL_HIGH;

    *odd = (struct sb_odd) {
        .deck = worst->number,
        .lag = worst->lag,
        .steps = steps,
        .title = worst->title,
        .value = worst->law->low + worst->cell,
        .high = high,
        .beyond =
            high ? worst->law->above && worst->cell + 1 == worst->law->cells : worst->law->below && worst->cell == 0,
        .ln_p = worst->least,
        .alike = sb_outlier_alike(worst),
        .items = sb_item_groups(names) ? NULL : odd_items(worst, names, steps),
    };
    return odd->items || sb_item_groups(names) ? SB_OK : SB_NO_MEMORY;
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
    return sb_odd_of(worst, gate->names, gate->chained, &gate->outlier);
}

void sb_sentence_odd(struct sb_sentence *s, const struct sb_odd *odd)
{
    const char *const what = odd->steps ? "step" : "deck", *const more = odd->high ? " or more" : " or less";

    if (!odd->deck)
        return;
    sb_sentence_add(s, "in %s %s", what, sb_number_grouped(odd->deck).text);
    if (odd->where[0])
        sb_sentence_add(s, " (%s)", odd->where);
    if (odd->lag)
        sb_sentence_add(s, ", compared with %s %s,", what, sb_number_grouped(odd->deck - odd->lag).text);
    sb_sentence_add(s, " \"%s\" is %s%s; a fair %s has %s%s with probability %s", odd->title,
                    sb_number_grouped(odd->value).text, odd->beyond ? more : "", what,
                    sb_number_grouped(odd->value).text, more, sb_number_p(exp(odd->ln_p), odd->ln_p).text);
}

void sb_sentence_odd_alike(struct sb_sentence *s, const struct sb_odd *odd, uint64_t total)
{
    if (odd->alike > 1)
        sb_sentence_add(s, "About %s %ss of %s are as odd. ", sb_number_grouped(odd->alike).text,
                        odd->steps ? "step" : "deck", sb_number_grouped(total).text);
}

void sb_odd_page(const struct sb_odd *odd, struct sb_page *page)
{
    char label[sizeof(struct sb_number) + 16];

    if (!odd->items)
        return;
    snprintf(label, sizeof label, "%s %s:", odd->steps ? "Step" : "Deck", sb_number_grouped(odd->deck).text);
    sb_page_paragraph(page, SB_INK_STRONG, label, "%s", odd->items);
}

void sb_odd_json(struct sb_json *json, const struct sb_odd *odd)
{
    if (!odd->deck)
        return;
    sb_json_object(json, "outlier");
    sb_json_integer(json, "deck", odd->deck);
    sb_json_integer(json, "lag", odd->lag);
    sb_json_string(json, "what", odd->title);
    sb_json_integer(json, "value", odd->value);
    sb_json_string(json, "tail", odd->high ? "high" : "low");
    sb_json_real(json, "ln_p", odd->ln_p);
    sb_json_integer(json, "alike", odd->alike);
    sb_json_string(json, "items", odd->items);
    if (odd->where[0])
        sb_json_string(json, "where", odd->where);
    sb_json_close(json);
}
