/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The gate's findings on several subjects as text: the overall result, a table with a line for each subject,
 * and then the findings on the subjects that did not pass. For a single subject, the page of sb_gate_page()
 * is written instead.
 */
#include "report/number.h"
#include "report/table.h"
#include "study/figure/figure.h"
#include "study/gate/gate_text.h"
#include "study/results.h"

#include <math.h>

enum { SUITE_VERDICTS = SB_VERDICT_BROKEN + 1 };

/* For each verdict, its colour and label, and the words that follow the number of subjects with this
 * verdict. */
static const struct {
    enum sb_ink ink;
    const char *label, *counted;
} suite_shown[SUITE_VERDICTS] = {
    [SB_VERDICT_PASS] = { SB_INK_GOOD, "PASS", "passed" },
    [SB_VERDICT_FAIL] = { SB_INK_BAD, "FAIL", "failed" },
    [SB_VERDICT_INCONCLUSIVE] = { SB_INK_DOUBT, "INCONCLUSIVE", "left it open" },
    [SB_VERDICT_BROKEN] = { SB_INK_BAD, "BROKEN", "broke" },
};

/* Writes the overall result, such as "FAIL: of 3 subjects 2 passed, 1 failed." */
static void suite_sentence(const struct sb_suite *suite, struct sb_page *page)
{
    static const enum sb_verdict order[] = { SB_VERDICT_PASS, SB_VERDICT_FAIL, SB_VERDICT_INCONCLUSIVE,
                                             SB_VERDICT_BROKEN };
    const enum sb_verdict worst = sb_suite_verdict(suite);
    const double most = sb_suite_alpha(suite);
    size_t counted[SUITE_VERDICTS] = { 0 };
    char text[256] = "", label[32];
    char alpha[96] = "";
    int used = 0;

    for (size_t i = 0; i < suite->count; i++)
        counted[sb_suite_item_verdict(&suite->item[i])]++;
    if (!isnan(most))
        snprintf(alpha, sizeof alpha, ". Where all are fair, one fails with probability %.30s at most",
                 sb_number_general_up(most, 3).text);
    for (size_t k = 0; k < sizeof order / sizeof order[0]; k++)
        if (counted[order[k]])
            used += snprintf(text + used, sizeof text - (size_t)used, "%s%zu %s", used ? ", " : "",
                             counted[order[k]], suite_shown[order[k]].counted);
    snprintf(label, sizeof label, "%s:", suite_shown[worst].label);
    sb_page_paragraph(page, suite_shown[worst].ink, label, "of %zu subject%s %s%s.", suite->count,
                      suite->count == 1 ? "" : "s", text, alpha);
}

/* Writes the row of subject `index`. On a page in HTML, its name links to the findings or, after a pass, to the
 * figures. */
static void suite_row(const struct sb_suite_item *item, size_t index, bool html, struct sb_table *table)
{
    static const char none[] = "\xE2\x80\x93"; /* an en dash */
    const enum sb_verdict verdict = sb_suite_item_verdict(item);
    const struct sb_gate *const gate = item->gate;

    sb_table_add(table, SB_INK_PLAIN, "%s", item->name);
    if (html)
        sb_table_link(table, verdict == SB_VERDICT_PASS ? SB_SUITE_FIGURES : SB_SUITE_FINDINGS, index);
    sb_table_add(table, suite_shown[verdict].ink, "%s", suite_shown[verdict].label);
    if (!gate) {
        for (int column = 0; column < 5; column++)
            sb_table_add(table, SB_INK_PLAIN, "%s", none);
        return;
    }
    sb_table_add(table, SB_INK_PLAIN, "%zu", gate->n);
    sb_table_add(table, SB_INK_PLAIN, "%s", sb_number_grouped(gate->total).text);
    sb_table_add(table, SB_INK_PLAIN, "%s", sb_number_exp(gate->ln_e).text);
    sb_table_add(table, SB_INK_PLAIN, "%s",
                 html ? sb_gate_bounds(gate, gate->tv_low, gate->tv_high).text
                      : sb_gate_bounds_range(gate->tv_low, gate->tv_high).text);
    sb_table_add(table, SB_INK_PLAIN, "%s", sb_number_given(gate->terms.exclude).text);
}

static void suite_table(const struct sb_suite *suite, struct sb_page *page)
{
    static const char *const title[] = { "subject", "verdict", "n", "permutations", "E", "TV", "below" };
    struct sb_table table;

    sb_table_open("llrrrrr", &table);
    for (size_t c = 0; c < sizeof title / sizeof title[0]; c++)
        sb_table_add(&table, SB_INK_STRONG, "%s", title[c]);
    for (size_t i = 0; i < suite->count; i++)
        suite_row(&suite->item[i], i, page->html, &table);
    sb_table_print(&table, page);
    sb_table_close(&table);
}

/* Writes everything about one subject. */
static void suite_item(const struct sb_suite_item *item, struct sb_page *page)
{
    if (item->gate)
        sb_gate_page(item->gate, page);
    else
        sb_page_paragraph(page, SB_INK_BAD, "BROKEN:", "%s.", item->error.text);
}

void sb_suite_page(const void *result, struct sb_page *page)
{
    const struct sb_suite *const suite = result;

    if (suite->count == 1) {
        suite_item(&suite->item[0], page);
        return;
    }
    suite_sentence(suite, page);
    suite_table(suite, page);
    for (size_t i = 0; i < suite->count; i++)
        if (sb_suite_item_verdict(&suite->item[i]) != SB_VERDICT_PASS) {
            sb_page_anchor(page, SB_SUITE_FINDINGS, i);
            sb_page_title(page, 2, "%s", suite->item[i].name);
            suite_item(&suite->item[i], page);
        }
}

/* Writes the table for the summary of a job on GitHub. */
static void suite_summary(const struct sb_suite *suite, struct sb_page *page)
{
    sb_page_title(page, 2, "shufflebias gate");
    suite_sentence(suite, page);
    suite_table(suite, page);
    for (size_t i = 0; i < suite->count; i++) {
        const struct sb_suite_item *const item = &suite->item[i];

        if (sb_suite_item_verdict(item) != SB_VERDICT_PASS)
            sb_page_paragraph(page, SB_INK_STRONG, item->name, "%s",
                              item->gate ? item->gate->sentence : item->error.text);
    }
}

static enum sb_status suite_github_summary(const void *result, FILE *stream)
{
    struct sb_page page = { .stream = stream, .markdown = true, .look = { .unicode = true } };

    suite_summary(result, &page);
    return page.status;
}

static const struct sb_result_format suite_own[] = {
    { .name = "github", .write = sb_suite_github },
    { .name = "github-summary", .write = suite_github_summary },
};

const struct sb_result_type sb_suite_result = {
    .what = "the verdict",
    .of = "a verdict",
    .schema = "shufflebias.gate/2",
    .page = sb_suite_page,
    .html = sb_suite_html,
    .json = sb_suite_json,
    .cases = sb_cases_suite,
    .svg = sb_suite_svg,
    .figure = sb_suite_figure,
    .own = suite_own,
    .own_count = sizeof suite_own / sizeof suite_own[0],
};

enum sb_status sb_suite_write(const struct sb_suite *suite, const char *format, const struct sb_look *look,
                              struct sb_error *error, FILE *stream)
{
    return sb_result_write(&sb_suite_result, suite, format, look, error, stream);
}

enum sb_status sb_suite_text(const struct sb_suite *suite, const char *format, const struct sb_look *look,
                             struct sb_error *error, char **text, size_t *length)
{
    return sb_result_text(&sb_suite_result, suite, format, look, error, text, length);
}

/* Returns the only item of a suite of one gate, which may be NULL. The cast removes const only: the gate is read, never
 * changed. */
static struct sb_suite_item suite_only(const struct sb_gate *gate)
{
    return (struct sb_suite_item) { .name = gate ? (char *)sb_gate_title(gate) : NULL,
                                    .gate = (struct sb_gate *)gate };
}

enum sb_status sb_gate_write(const struct sb_gate *gate, const char *format, const struct sb_look *look,
                             struct sb_error *error, FILE *stream)
{
    struct sb_suite_item item = suite_only(gate);
    const struct sb_suite suite = { .count = 1, .item = &item };

    return sb_suite_write(gate ? &suite : NULL, format, look, error, stream);
}

enum sb_status sb_gate_text(const struct sb_gate *gate, const char *format, const struct sb_look *look,
                            struct sb_error *error, char **text, size_t *length)
{
    struct sb_suite_item item = suite_only(gate);
    const struct sb_suite suite = { .count = 1, .item = &item };

    return sb_suite_text(gate ? &suite : NULL, format, look, error, text, length);
}

void sb_gate_summary_get(const struct sb_gate *gate, struct sb_gate_summary *summary)
{
    *summary = (struct sb_gate_summary) {
        .verdict = sb_verdict_name(gate->verdict),
        .sentence = gate->sentence,
        .total = gate->total,
        .ln_e = gate->ln_e,
        .tv_low = gate->tv_low,
        .tv_high = gate->tv_high,
        .interrupted = gate->interrupted,
        .alpha = gate->terms.alpha,
        .delta = gate->terms.delta,
        .seeds_low = gate->seeds_low,
        .run = gate->budget.run,
        .share = gate->budget.share,
    };
}
