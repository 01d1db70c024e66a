/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands out in a gate's permutations, in words: the cells of statistics that came up too often or too rarely;
 * and the single deck, or step between decks, that is the least likely, if nothing else explains a fail. */
#include "study/gate/gate_page.h"
#include "study/gate/gate_run.h"

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

/* Returns the names of the items in a line's cells. Lags compare decks whose equal items were numbered, so a deck's
 * names do not fit: they would give two items one name. NULL means numbers. */
static const struct sb_item_names *gate_cells_names(const struct sb_gate *gate, const struct sb_gate_line *line)
{
    return line->dependence && sb_item_multiset(gate->names) ? NULL : gate->names;
}

static void gate_cells_label(const struct sb_gate *gate, const struct sb_tally *tally, const struct sb_gate_cell *cell,
                             char text[SB_LABEL_ROOM])
{
    const struct sb_gate_line *const line = &gate->line[cell->line];
    const struct sb_item_names *const names = gate_cells_names(gate, line);
    const struct sb_statistic_type *const type = sb_statistic_find(tally->statistic);
    const size_t first = tally->first ? tally->first[cell->cell] : cell->cell;
    const size_t last = tally->first ? tally->last[cell->cell] : cell->cell;
    char from[SB_LABEL_ROOM], to[SB_LABEL_ROOM];

    if (type->window && !type->label) {
        const struct sb_window window = type->window(gate->n, gate->deal);

        sb_window_label(&window, first, last, text);
        return;
    }
    sb_statistic_label(type, names, gate->n, gate->deal, line->member, first, first < last ? from : text);
    if (first == last)
        return;
    sb_statistic_label(type, names, gate->n, gate->deal, line->member, last, to);
    snprintf(text, SB_LABEL_ROOM, "%.150s to %.150s", from, to);
}

/* Says how many items of a line are those of an earlier line, in cell->where. */
static void gate_cells_overlap(const struct sb_gate *gate, const struct sb_gate_line *line, const char *label,
                               struct sb_gate_cell *cell)
{
    char before[40] = "before";

    if (line->lag > 1)
        snprintf(before, sizeof before, "%zu before", line->lag);
    if (gate->deal == 1)
        snprintf(cell->where, sizeof cell->where, "%s item %s the one %s",
                 strcmp(label, "1") == 0 ? "the same" : "another", strcmp(label, "1") == 0 ? "as" : "than", before);
    else
        snprintf(cell->where, sizeof cell->where, "%s item%s in common with the line %s", label,
                 strcmp(label, "1") == 0 ? "" : "s", before);
}

/* Names the two positions that a cell compares: "the last two items". Returns whether it compares two, as a run of one
 * item does. */
static bool gate_cells_pair(const struct sb_gate *gate, const struct sb_gate_cell *cell, char text[SB_GATE_WHAT])
{
    const struct sb_gate_line *const line = &gate->line[cell->line];
    const bool start = strcmp(line->statistic, "first-run") == 0, end = strcmp(line->statistic, "last-run") == 0;
    const bool next = strcmp(line->statistic, "descent-at") == 0 || ((start || end) && cell->cell == 0);
    const size_t first = end ? gate->deal - 1 : line->member + 1;

    if (!next && strcmp(line->statistic, "descent-at-2") != 0)
        return false;
    if (next && (first == 1 || first + 1 == gate->deal))
        snprintf(text, SB_GATE_WHAT, "the %s two items", first == 1 ? "first" : "last");
    else
        snprintf(text, SB_GATE_WHAT, "the items at positions %zu and %zu", first, first + (next ? 1 : 2));
    return true;
}

/* Says how often two items are in order. Returns whether the cell is said in this way. */
static bool gate_cells_order(struct sb_sentence *s, const struct sb_gate *gate, const struct sb_gate_cell *cell)
{
    const struct sb_gate_line *const line = &gate->line[cell->line];
    const double seen = 0.5 * (double)cell->count / cell->expected; /* a fair shuffle has either order in half of all */
    char pair[SB_GATE_WHAT];

    if (gate->fair || !gate_cells_pair(gate, cell, pair))
        return false;
    sb_sentence_add(s, "%s%s are in order %s%% of the time instead of 50%%",
                    line->lag ? "in the step to the next, " : "", pair,
                    sb_number_short(100 * (line->cells == 2 && cell->cell == 0 ? seen : 1 - seen), 2).text);
    return true;
}

/* Of sets and hands. Returns whether the cell is said in this way. */
static bool gate_cells_group(const struct sb_gate *gate, const struct sb_gate_line *line, size_t kind,
                             const char *label, struct sb_gate_cell *cell)
{
    const struct sb_multiset *const groups = sb_item_groups(gate->names);
    const size_t room = sizeof cell->where;
    char member[2 * SB_ITEM_ROOM];

    if (!groups)
        return false;
    if (line->members > 1)
        sb_groups_member(gate->names, line->each, line->member, member);
    if (strcmp(line->statistic, "together") == 0)
        snprintf(cell->where, room, "%.160s %.20s", member, label);
    else if (strcmp(line->statistic, "card-at") == 0)
        snprintf(cell->where, room, "%.160s%s%.40s", member,
                 kind == groups->groups ? " "
                 : groups->groups > 1   ? " in "
                                        : "",
                 groups->groups > 1 || kind ? label : "");
    else
        return false;
    return true;
}

static void gate_cells_where(const struct sb_gate *gate, const struct sb_tally *tally, struct sb_gate_cell *cell)
{
    const struct sb_gate_line *const line = &gate->line[cell->line];
    const struct sb_statistic_type *const type = sb_statistic_find(line->statistic);
    const size_t member = line->member + 1;
    size_t at = 0;
    char label[SB_LABEL_ROOM], item[SB_ITEM_ROOM], pair[SB_GATE_WHAT];

    gate_cells_label(gate, tally, cell, label);
    if (strcmp(line->statistic, "overlap") == 0 && line->lag) {
        gate_cells_overlap(gate, line, label, cell);
        return;
    }
    if (sb_kind_count_kind(line->statistic) < SB_KIND_COUNTS) {
        char words[3 * SB_ITEM_ROOM];

        snprintf(cell->where, sizeof cell->where, "%s",
                 sb_kinds_words(gate->names, sb_kind_count_kind(line->statistic), line->member, label, words));
        return;
    }
    if (gate_cells_group(gate, line, tally->first ? tally->first[cell->cell] : cell->cell, label, cell))
        return;
    if (line->dependence && line->lag > 1)
        at = (size_t)snprintf(cell->where, sizeof cell->where, "in the step to the one %zu later, ", line->lag);
    else if (line->lag)
        at = (size_t)snprintf(cell->where, sizeof cell->where, "in the step to the next, ");
    char *const where = cell->where + at;
    const size_t room = sizeof cell->where - at;

    if (type == &sb_statistic_rank)
        snprintf(where, room, "%s", label);
    else if (line->cells == 2 && gate_cells_pair(gate, cell, pair))
        snprintf(where, room, "%s %s", pair, label);
    else if (type == &sb_statistic_position && (gate->chained || line->lag))
        snprintf(where, room, "from position %zu to position %s", member, label);
    else if (type == &sb_statistic_position)
        snprintf(where, room, "%s %s%s", sb_item_words(gate->names, line->member, item),
                 cell->cell < gate->deal ? "at position " : "", label);
    else if (line->members > 1 && !line->each)
        snprintf(where, room, "%.80s, %s: %s", type->title,
                 sb_item_words(gate_cells_names(gate, line), line->member, item), label);
    else if (line->members > 1)
        snprintf(where, room, "%.80s, %.20s %zu: %s", type->title, line->each, member, label);
    else
        snprintf(where, room, "%.80s: %s", type->title, label);
}

void sb_gate_label_cells(const struct sb_tally tally[], size_t count, struct sb_gate *gate)
{
    for (size_t i = 0; i < gate->cells_count; i++) {
        const struct sb_gate_line *const line = &gate->line[gate->cell[i].line];

        for (size_t j = 0; j < count; j++)
            if (strcmp(tally[j].statistic, line->statistic) == 0 && tally[j].lag == line->lag)
                gate_cells_where(gate, &tally[j], &gate->cell[i]);
    }
}

static void gate_cells_cell(struct sb_sentence *s, const struct sb_gate *gate, const struct sb_gate_cell *cell)
{
    const char *const quote = strchr(cell->where, ':') ? "\"" : "";
    const struct sb_gate_line *const line = &gate->line[cell->line];
    char item[SB_ITEM_ROOM];

    if (gate_cells_order(s, gate, cell))
        return;
    if (gate->fair && cell->expected <= 0) {
        if (strcmp(line->statistic, "position") == 0 && line->member == cell->cell)
            sb_sentence_add(s, "%s stayed at its place", sb_item_words(gate->names, line->member, item));
        else if (strcmp(line->statistic, "successor") == 0)
            sb_sentence_add(s, "%s was followed by%s", sb_item_words(gate->names, line->member, item),
                            strrchr(cell->where, ':') + 1);
        else
            sb_sentence_add(s, "%s%s%s came up", quote, cell->where, quote);
        sb_sentence_add(s, ", which %s never does", gate->fair);
        return;
    }
    sb_sentence_add(s, "%s%s%s came up %s time%s instead of %s", quote, cell->where, quote,
                    sb_number_grouped(cell->count).text, cell->count == 1 ? "" : "s",
                    cell->expected < 10 ? sb_number_short(cell->expected, 2).text
                                        : sb_number_grouped((uint64_t)round(cell->expected)).text);
}

/* Returns the first cell or, if that is one of two, the one that is expected more rarely: "came up", not "stayed out".
 * */
static const struct sb_gate_cell *gate_cells_rarer(const struct sb_gate *gate)
{
    const struct sb_gate_cell *const first = gate->cell, *rarer = first;

    for (size_t i = 1; i < gate->cells_count && gate->line[first->line].cells == 2; i++)
        if (gate->cell[i].line == first->line && gate->cell[i].expected < rarer->expected)
            rarer = &gate->cell[i];
    return rarer;
}

void sb_sentence_cells(struct sb_sentence *s, const struct sb_gate *gate)
{
    char pair[SB_GATE_WHAT];

    if (gate->cells_count == 0)
        return;
    gate_cells_cell(s, gate, gate_cells_rarer(gate));
    if (gate_cells_pair(gate, gate->cell, pair)) /* that says all */
        return;
    for (size_t i = 1; i < gate->cells_count && fabs(gate->cell[i].z) >= 3; i++)
        /* of two cells, one says all */
        if ((gate->cell[i].line != gate->cell[0].line || gate->line[gate->cell[i].line].cells > 2) &&
            (gate->cell[i].z > 0) != (gate->cell[0].z > 0)) {
            sb_sentence_add(s, ", and ");
            gate_cells_cell(s, gate, &gate->cell[i]);
            break;
        }
}
