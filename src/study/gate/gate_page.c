/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The gate's findings as text: the verdict, the subject, the evidence by statistic and, after a failure, the most
 * deviant cells. */
#include "study/gate/gate_page.h"
#include "study/catalogue/look.h"

enum {
    GATE_MEMBERS_ALL = 8,   /* a statistic with at most this many members has a row for each member */
    GATE_MEMBERS_MOST = 12, /* otherwise at most this many members named as biased have a row */
};

const char *sb_verdict_name(enum sb_verdict verdict)
{
    static const char *const name[] = {
        [SB_VERDICT_INCONCLUSIVE] = "inconclusive",
        [SB_VERDICT_PASS] = "pass",
        [SB_VERDICT_FAIL] = "fail",
        [SB_VERDICT_BROKEN] = "broken",
    };

    return name[verdict];
}

/* Writes the verdict's line, "PASS  bias ...", whose first word is shown as a label, and the details, a paragraph for
 * each of their lines. */
void sb_gate_sentence(const struct sb_gate *gate, struct sb_page *page)
{
    static const enum sb_ink ink[] = {
        [SB_VERDICT_INCONCLUSIVE] = SB_INK_DOUBT,
        [SB_VERDICT_PASS] = SB_INK_GOOD,
        [SB_VERDICT_FAIL] = SB_INK_BAD,
    };
    const int word = (int)strcspn(gate->sentence, " ");
    const bool tight = page->tight;
    char label[16];

    snprintf(label, sizeof label, "%.*s%s", word, gate->sentence, page->html || page->markdown ? "" : " ");
    sb_page_paragraph(page, ink[gate->verdict], label, "%s.", gate->sentence + word + 2);
    for (const char *at = gate->details; *at; page->tight = true) {
        const int length = (int)strcspn(at, "\n");

        sb_page_paragraph(page, SB_INK_STRONG,
                          at == gate->details && gate->verdict == SB_VERDICT_PASS ? "What this covers:" : NULL, "%.*s",
                          length, at);
        at += length + (at[length] == '\n');
    }
    page->tight = tight;
}

static void gate_ledger(const struct sb_gate *gate, struct sb_page *page)
{
    const struct sb_gate_budget *const budget = &gate->budget;
    char carried[1024] = "", decks[512] = "";

    if (!budget->ledger)
        return;
    if (budget->decks)
        snprintf(decks, sizeof decks, ", and %s of their decks to compare with", sb_number_grouped(budget->decks).text);
    if (budget->carried)
        snprintf(carried, sizeof carried, "; the evidence has %s permutation%s of earlier runs%s",
                 sb_number_grouped(budget->carried).text, budget->carried == 1 ? "" : "s", decks);
    sb_page_paragraph(page, SB_INK_STRONG,
                      "Ledger:", "run %s on %s, with share %s of the budget: %s of alpha = %s, and %s of delta = %s%s.",
                      sb_number_grouped(budget->run).text, budget->ledger, sb_number_grouped(budget->share).text,
                      sb_number_short(gate->terms.alpha, 3).text, sb_number_given(budget->alpha).text,
                      sb_number_short(gate->terms.delta, 3).text, sb_number_given(budget->delta).text, carried);
}

static void gate_uncounted(const struct sb_gate *gate, struct sb_page *page)
{
    if (gate->uncounted)
        sb_page_paragraph(page, SB_INK_STRONG, "Not counted:",
                          "%s permutation%s. The first 64 of each run that adds to earlier evidence only "
                          "serve to recognise a repeated run; a run that ends within them adds nothing.",
                          sb_number_grouped(gate->uncounted).text, gate->uncounted == 1 ? "" : "s");
}

/* Lists the statistics that are left out, after `before`. */
static void gate_left_out(const struct sb_gate *gate, const char *before, char text[512])
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < gate->left_out_count && used < 512; i++)
        used += (size_t)snprintf(text + used, 512 - used, "%s%s", i ? ", " : before, gate->left_out[i]);
}

static void gate_reported(const struct sb_gate *gate, struct sb_page *page)
{
    char missing[512];

    gate_left_out(gate, ", without what it does not record: ", missing);
    if (gate->reported)
        sb_page_paragraph(page, SB_INK_STRONG, "Counted by:", "a report%s%s; looked at once%s.",
                          gate->evidence.part[0] ? ", " : "", gate->evidence.part, missing);
}

static void gate_variation(const struct sb_gate *gate, struct sb_page *page)
{
    const struct sb_gate_terms *const terms = &gate->terms;
    const struct sb_gate_line *const line = gate->telling;
    char tolerate[64] = "", asked[160] = "", of[SB_GATE_WHAT] = "the whole law";

    if (terms->tolerate > 0)
        snprintf(tolerate, sizeof tolerate, ", up to %.30s is tolerated", sb_number_given(terms->tolerate).text);
    if (!isnan(terms->exclude))
        snprintf(asked, sizeof asked, "; asked for: below %.30s%s", sb_number_given(terms->exclude).text, tolerate);
    sb_page_paragraph(
        page, SB_INK_STRONG, "Total variation from fair:", "%s, %s%s.%s",
        page->html ? sb_gate_bounds(gate, gate->tv_low, gate->tv_high).text
                   : sb_gate_bounds_range(gate->tv_low, gate->tv_high).text,
        gate->whole    ? "of the whole law"
        : gate->merged ? "of the statistics below as they were counted"
                       : "of the statistics below",
        asked, gate->verdict == SB_VERDICT_FAIL && gate->tv_low <= 0 ? " A fail goes by E, not by these bounds." : "");
    if (!line)
        return;
    if (!gate->whole || line->lag)
        sb_gate_what(gate, line, of);
    sb_page_paragraph(page, SB_INK_STRONG,
                      "As these permutations show it:", "%s, of %s; as many of a fair shuffle show %s on average.",
                      sb_number_fixed(line->tv_seen, 4).text, of, sb_number_fixed(line->tv_fair, 4).text);
}

static void gate_head(const struct sb_gate *gate, struct sb_page *page)
{
    const struct sb_gate_terms *const terms = &gate->terms;
    const struct sb_multiset *const groups = sb_item_groups(gate->names);
    char deal[64] = "";

    if (groups)
        snprintf(deal, sizeof deal, groups->groups == 1 ? ", sets of %zu" : ", hands of %zu items in all",
                 (size_t)groups->begin[groups->groups]);
    else if (gate->deal < gate->n)
        snprintf(deal, sizeof deal, ", %zu of them dealt", gate->deal);
    sb_page_paragraph(page, SB_INK_STRONG, "Subject:", "%s, n = %zu%s%s", gate->name, gate->n, deal,
                      gate->chained ? "; each shuffles the one before, and the steps between are tested" : "");
    page->tight = true;
    if (gate->fair)
        sb_page_paragraph(page, SB_INK_STRONG, "Fair means:", "%s.", gate->fair);
    sb_page_paragraph(
        page, SB_INK_STRONG,
        "Evidence against a fair shuffle:", "E = %s; a fair one's ever reaches %s with probability %s at most.",
        sb_number_exp(gate->ln_e).text, sb_number_goal(terms->alpha).text, sb_number_general_up(terms->alpha, 3).text);
    gate_variation(gate, page);
    page->tight = false;
}

void sb_gate_what(const struct sb_gate *gate, const struct sb_gate_line *line, char text[SB_GATE_WHAT])
{
    char member[2 * SB_ITEM_ROOM], of[32] = "", item[SB_ITEM_ROOM];

    if (line->dependence)
        snprintf(of, sizeof of, "lag %zu: ", line->lag);
    else if (line->lag)
        snprintf(of, sizeof of, "increments: ");
    if (line->context && line->rejected)
        snprintf(text, SB_GATE_WHAT, "%.40s: %.60s", line->statistic, line->context);
    else if (line->members > 1 && sb_item_groups(gate->names))
        snprintf(text, SB_GATE_WHAT, "%s%.40s of %s", of, line->statistic,
                 sb_groups_member(gate->names, line->each, line->member, member));
    else if (line->members > 1 && (line->each || gate->chained || line->lag))
        snprintf(text, SB_GATE_WHAT, "%s%.40s of %.20s %zu", of, line->statistic,
                 line->each ? line->each : "what was at", line->member + 1);
    else if (line->members > 1)
        snprintf(text, SB_GATE_WHAT, "%s%.40s of %s", of, line->statistic,
                 sb_item_words(gate->names, line->member, item));
    else
        snprintf(text, SB_GATE_WHAT, "%s%.40s", of, line->statistic);
}

size_t sb_gate_family_end(const struct sb_gate *gate, size_t i)
{
    const struct sb_gate_line *const first = &gate->line[i];

    while (i < gate->lines_count && gate->line[i].dependence == first->dependence &&
           ((first->dependence && first->members == 1 && gate->line[i].members == 1) ||
            (strcmp(gate->line[i].statistic, first->statistic) == 0 && gate->line[i].lag == first->lag)))
        i++;
    return i;
}

static void gate_row(const char *what, const struct sb_gate_line *line, bool rejected, bool html,
                     struct sb_table *table)
{
    const enum sb_ink ink = rejected ? SB_INK_BAD : SB_INK_PLAIN;

    sb_table_add(table, ink, "%s", what);
    if (line->cells)
        sb_table_row(table, "%zu%s", line->cells, line->merged ? " groups" : "");
    else
        sb_table_row(table, "%s", line->context ? "predictions" : "whole decks");
    sb_table_row(table, "%s", sb_number_short(line->weight, 3).text);
    sb_table_add(table, ink, "%s", sb_number_exp(line->ln_e).text);
    sb_table_row(table, "%s|%s", html && line->tv_low <= 0 ? "\u2013" : sb_number_fixed_down(line->tv_low, 4).text,
                 sb_number_fixed_up(line->tv_high, 4).text);
    sb_table_add(table, ink, "%s", rejected ? "named" : "");
}

static void gate_others(const struct sb_gate_line line[], size_t count, size_t shown, char text[SB_GATE_WHAT])
{
    char family[64];

    if (line->dependence && line->members > 1)
        snprintf(family, sizeof family, "lag %zu: %.40s", line->lag, line->statistic);
    else if (line->dependence)
        snprintf(family, sizeof family, "lags %zu to %zu", line->lag, line[count - 1].lag);
    else
        snprintf(family, sizeof family, "%s%.40s", line->lag ? "increments: " : "", line->statistic);
    snprintf(text, SB_GATE_WHAT, "%s: %s%zu, the largest of each", family, shown ? "the other " : "", count - shown);
}

/* Writes the members of one statistic, or of all lags: line[0..count-1]. If there are few members, each has a
 * row. Otherwise up to GATE_MEMBERS_MOST members that are named as biased have a row each, and all other
 * members share a row. */
static void gate_family(const struct sb_gate *gate, const struct sb_gate_line line[], size_t count, bool html,
                        struct sb_table *table)
{
    struct sb_gate_line others = {
        .cells = line->cells,
        .merged = line->merged,
        .ln_e = -INFINITY,
        .tv_high = line->dependence ? NAN : 0,
    };
    const bool all = count <= GATE_MEMBERS_ALL && !line->dependence;
    size_t shown = 0;
    char what[SB_GATE_WHAT];

    for (size_t i = 0; i < count; i++) {
        if (all || (line[i].rejected && shown < GATE_MEMBERS_MOST)) {
            sb_gate_what(gate, &line[i], what);
            gate_row(what, &line[i], line[i].rejected, html, table);
            shown++;
            continue;
        }
        others.weight += line[i].weight;
        others.ln_e = fmax(others.ln_e, line[i].ln_e);
        others.tv_low = fmax(others.tv_low, line[i].tv_low);
        others.tv_high = fmax(others.tv_high, line[i].tv_high);
    }
    if (shown == count)
        return;
    gate_others(line, count, shown, what);
    gate_row(what, &others, false, html, table);
}

static void gate_lines(const struct sb_gate *gate, struct sb_page *page)
{
    struct sb_table table;

    sb_table_begin(&table, "lrrrrrl", "statistic|cells|weight|E|TV at least|TV at most|");
    for (size_t i = 0, next; i < gate->lines_count; i = next) {
        next = sb_gate_family_end(gate, i);
        gate_family(gate, &gate->line[i], next - i, page->html, &table);
    }
    sb_table_end(&table, page);
}

static void gate_cells(const struct sb_gate *gate, struct sb_page *page)
{
    struct sb_table table;

    if (gate->cells_count == 0)
        return;
    sb_page_paragraph(page, SB_INK_STRONG, "What stands out",
                      "in these permutations; this part is a description, without a claim of confidence.");
    sb_table_begin(&table, "lrrrr", "where|count|expected|ratio|standard deviations");
    for (size_t i = 0; i < gate->cells_count; i++) {
        const struct sb_gate_cell *const cell = &gate->cell[i];
        const double ratio = (double)cell->count / cell->expected;

        sb_table_add(&table, SB_INK_PLAIN, "%s", cell->where);
        sb_table_row(&table, "%s|%s", sb_number_grouped(cell->count).text, sb_number_fixed(cell->expected, 1).text);
        sb_table_add(&table, ratio > 1 ? SB_INK_OVER : SB_INK_UNDER, "%s", sb_number_ratio(ratio).text);
        sb_table_add(&table, SB_INK_PLAIN, "%s%s", cell->z > 0 && isfinite(cell->z) ? "+" : "",
                     sb_number_fixed(cell->z, 1).text);
    }
    sb_table_end(&table, page);
}

void sb_gate_left_out(const struct sb_gate *gate, struct sb_page *page)
{
    char names[512];

    gate_left_out(gate, "", names);
    if (!gate->reported && gate->left_out_count)
        sb_page_paragraph(page, SB_INK_STRONG, "Left out:", "%s. %s", names,
                          gate->fair
                              ? "Their law is known only if all orders are equally likely."
                              : "Of this many items their law or their counts would take too much time or memory.");
}

void sb_gate_detail(const struct sb_gate *gate, struct sb_page *page)
{
    sb_odd_page(&gate->outlier, page);
    gate_reported(gate, page);
    gate_ledger(gate, page);
    gate_uncounted(gate, page);
    sb_gate_left_out(gate, page);
    if (!page->html && !page->look.details) {
        sb_looks_like_page(&gate->looks_like, page);
        return;
    }
    gate_head(gate, page);
    gate_lines(gate, page);
    if (gate->merged)
        sb_page_paragraph(page, SB_INK_STRONG, "Groups:",
                          "of these statistics neighbouring values were counted as one, by the law under a "
                          "fair shuffle alone, in at most 64 groups of about equal probability; E and the "
                          "bounds are those of the groups.");
    if (gate->verdict == SB_VERDICT_FAIL && gate->jointly)
        sb_page_paragraph(page, SB_INK_PLAIN, NULL,
                          "No single one is shown to be biased, but at least one of those that are named is.");
    gate_cells(gate, page);
    sb_looks_like_page(&gate->looks_like, page);
}

void sb_gate_page(const struct sb_gate *gate, struct sb_page *page)
{
    if (gate->title)
        sb_page_title(page, 1, "%s", gate->title);
    sb_gate_sentence(gate, page);
    sb_gate_detail(gate, page);
}

/* The gate's findings on one or several subjects, for programs: one JSON object, data/schema/gate-2.json. The names
 * and types of the object's fields stay the same in later versions. If ln_e is null, ln E is infinite, because an
 * impossible cell has occurred. RFC 8259. */

#define G(field) SB_MEMBER(struct sb_gate, field)
#define B(field) SB_MEMBER(struct sb_gate_budget, field)
#define L(field) SB_MEMBER(struct sb_gate_line, field)
#define C(field) SB_MEMBER(struct sb_gate_cell, field)

static const struct sb_member gate_subject[] = { G(name), G(kind), G(chained), { .name = NULL } };
static const struct sb_member gate_counted[] = {
    G(total), G(uncounted), G(ln_e), G(tv_low), G(tv_high), { .name = NULL },
};
static const struct sb_member gate_flags[] = { G(whole), G(merged), G(jointly), G(needed), { .name = NULL } };
static const struct sb_member gate_budget[] = {
    SB_MEMBER_OF(struct sb_gate_budget, ledger, "file"),
    B(run),
    B(share),
    B(alpha),
    B(delta),
    B(carried),
    B(decks),
    { .name = NULL },
};
static const struct sb_member gate_line_members[] = {
    L(cells),         L(merged),  L(weight),  L(ln_e),    L(tv_low),
    L(tv_high),       L(tv_seen), L(tv_fair), L(context), SB_MEMBER_OF(struct sb_gate_line, rejected, "named"),
    { .name = NULL },
};
const struct sb_member sb_gate_cell_members[] = { C(where), C(count), C(expected), C(z), { .name = NULL } };

void sb_gate_subject_json(struct sb_json *json, const struct sb_gate *gate)
{
    sb_json_record(json, "subject", gate_subject, gate);
    sb_json_integer(json, "n", gate->n);
    sb_json_integer(json, "deal", sb_items_dealt(gate->names, gate->deal));
    if (gate->fair)
        sb_json_string(json, "fair", gate->fair);
    if (gate->title)
        sb_json_string(json, "title", gate->title);
}

static const struct sb_store_field gate_terms_fields[] = {
    { "alpha", SB_STORE_REAL, .at = offsetof(struct sb_gate_terms, alpha) },
    { "delta", SB_STORE_REAL, .at = offsetof(struct sb_gate_terms, delta) },
    { "max_bias", SB_STORE_REAL, .at = offsetof(struct sb_gate_terms, exclude) },
    { "tolerate", SB_STORE_REAL, .at = offsetof(struct sb_gate_terms, tolerate) },
    { "limit", SB_STORE_INTEGER, .at = offsetof(struct sb_gate_terms, limit) },
    { "seeds", SB_STORE_INTEGER, .at = offsetof(struct sb_gate_terms, seeds), .null = true },
    { .name = NULL },
};

static void gate_json_head(struct sb_json *json, const struct sb_gate *gate)
{
    sb_gate_subject_json(json, gate);
    sb_json_item_names(json, gate->names);
    sb_store_write_object(json, "terms", gate_terms_fields, &gate->terms);
    sb_json_string(json, "sentence", gate->sentence);
    sb_json_string(json, "details", gate->details);
    sb_looks_like_json(json, &gate->looks_like);
    sb_json_bool(json, "interrupted", gate->interrupted);
    sb_json_members(json, gate_counted, gate);
    sb_json_real(json, "tv_seen", gate->telling ? gate->telling->tv_seen : NAN);
    sb_json_real(json, "tv_fair", gate->telling ? gate->telling->tv_fair : NAN);
    sb_json_members(json, gate_flags, gate);
    sb_json_known(json, "repeats", gate->watched, gate->repeats);
    sb_json_real(json, "seeds_low", gate->seeds_low > 0 ? gate->seeds_low : NAN);
}

static void gate_json_report(struct sb_json *json, const struct sb_gate *gate)
{
    if (!gate->reported) {
        sb_json_null(json, "report");
        return;
    }
    sb_json_object(json, "report");
    sb_json_string(json, "part", gate->evidence.part[0] ? gate->evidence.part : NULL);
    sb_json_strings(json, "left_out", gate->left_out, gate->left_out_count);
    sb_json_close(json);
}

void sb_gate_left_out_json(struct sb_json *json, const struct sb_gate *gate)
{
    if (!gate->reported && gate->left_out_count)
        sb_json_strings(json, "left_out", gate->left_out, gate->left_out_count);
}

static void gate_json_line(struct sb_json *json, const struct sb_gate_line *line)
{
    sb_json_object(json, NULL);
    sb_json_string(json, "statistic", line->statistic);
    sb_json_integer(json, "member", line->member + 1);
    sb_json_bool(json, "increments", line->lag && !line->dependence);
    sb_json_integer(json, "lag", line->lag);
    sb_json_members(json, gate_line_members, line);
    sb_json_close(json);
}

static void gate_json_cell(struct sb_json *json, const struct sb_gate *gate, const struct sb_gate_cell *cell)
{
    const struct sb_gate_line *const line = &gate->line[cell->line];

    sb_json_object(json, NULL);
    sb_json_string(json, "statistic", line->statistic);
    sb_json_integer(json, "member", line->member + 1);
    sb_json_integer(json, "cell", cell->cell);
    sb_json_members(json, sb_gate_cell_members, cell);
    sb_json_close(json);
}

static void gate_json_counts(struct sb_json *json, const struct sb_evidence *evidence)
{
    if (sb_numbers_whole(&evidence->counts))
        sb_json_integers(json, "counts", evidence->counts.u64, evidence->cells);
    else
        sb_json_null(json, "counts");
    if (!sb_numbers_whole(&evidence->matrix)) {
        sb_json_null(json, "matrix");
        return;
    }
    sb_json_array(json, "matrix", false);
    for (size_t item = 0; item < sb_evidence_rows(evidence) && !ferror(json->stream); item++)
        sb_json_integers(json, NULL, evidence->matrix.u64 + item * evidence->deal, evidence->deal);
    sb_json_close(json);
}

static void gate_json_gate(struct sb_json *json, const struct sb_gate *gate)
{
    gate_json_head(json, gate);
    sb_json_record(json, "ledger", gate_budget, gate->budget.ledger ? &gate->budget : NULL);
    gate_json_report(json, gate);
    sb_gate_left_out_json(json, gate);
    sb_json_array(json, "statistics", false);
    for (size_t i = 0; i < gate->lines_count && !ferror(json->stream); i++)
        gate_json_line(json, &gate->line[i]);
    sb_json_close(json);
    sb_json_array(json, "cells", false);
    for (size_t i = 0; i < gate->cells_count; i++)
        gate_json_cell(json, gate, &gate->cell[i]);
    sb_json_close(json);
    sb_odd_json(json, &gate->outlier);
    sb_gate_looks_write(json, gate->point, gate->points_count);
    gate_json_counts(json, &gate->evidence);
}

void sb_suite_json(const void *result, struct sb_json *json)
{
    const struct sb_suite *const suite = result;

    sb_json_string(json, "verdict", sb_verdict_name(sb_suite_verdict(suite)));
    sb_json_bool(json, "interrupted", sb_suite_interrupted(suite));
    sb_json_array(json, "gates", false);
    for (size_t i = 0; i < suite->count && !ferror(json->stream); i++) {
        const struct sb_suite_item *const item = &suite->item[i];

        sb_json_object(json, NULL);
        sb_json_string(json, "name", item->name);
        sb_json_string(json, "verdict", sb_verdict_name(sb_suite_item_verdict(item)));
        if (item->gate)
            gate_json_gate(json, item->gate);
        else
            sb_json_string(json, "error", item->error.text);
        sb_json_close(json);
    }
    sb_json_close(json);
}
