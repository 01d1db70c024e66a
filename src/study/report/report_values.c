/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The values of the sentences in data/pages/report.md. */
#include "core/text.h"
#include "fit/fit.h"
#include "report/template.h"
#include "statistic/statistic.h"
#include "study/report/report_result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void sb_sentence_deals(struct sb_sentence *s, const struct sb_evidence *evidence, const size_t ranks[], size_t count,
                       size_t total)
{
    const size_t shown = total <= SB_SENTENCE_NAMES ? count : 1;

    for (size_t i = 0; i < shown; i++)
        sb_sentence_add(s, "%s%s",
                        i == 0           ? ""
                        : i + 1 == total ? " and "
                                         : ", ",
                        sb_exact_notation(evidence, ranks[i]).text);
    if (shown < total)
        sb_sentence_add(s, " and %s other%s", sb_number_grouped(total - shown).text, total - shown == 1 ? "" : "s");
}

static struct sb_number values_mean(double value)
{
    return value < 10 && fabs(value - round(value)) > 1e-6 ? sb_number_short(value, 2)
                                                           : sb_number_grouped((uint64_t)round(value));
}

/* Whether a test is of the positions of items. In decks with equal items, `card-at` takes the place of `position`. */
static bool values_placed(const struct sb_report *report, const struct sb_finding *finding)
{
    return strcmp(finding->statistic, sb_item_multiset(report->evidence.names) ? "card-at" : "position") == 0 &&
           !finding->increments;
}

/* Returns whether there are enough shuffles to say that items come to all positions equally often. The exact test of a
 * few shuffles would only see a place that stands out. */
static bool values_positions(const struct sb_report *report)
{
    for (size_t i = 0; i < report->findings_count; i++)
        if (values_placed(report, &report->findings[i]))
            return sb_finding_reliable(&report->findings[i]) && !isnan(report->findings[i].dof);
    return false;
}

static const char *values_others(const struct sb_report *report)
{
    size_t others = 0, reliable = 0;

    for (size_t i = 0; i < report->findings_count; i++) {
        others += !values_placed(report, &report->findings[i]);
        reliable += !values_placed(report, &report->findings[i]) && sb_finding_reliable(&report->findings[i]);
    }
    return reliable == 0 ? "none" : reliable == others ? "all" : "some";
}

/* Returns what a report by seeds knows; null: the report is none. */
static json_t *values_seeds(const struct sb_report *report)
{
    const struct sb_evidence *const e = &report->evidence;
    const struct sb_reach *const reach = e->reach;
    const struct sb_effect *const effect = &report->effect;
    struct sb_sentence most = { 0 }, least = { 0 };
    char one_in[32] = "", what[64];
    json_t *values = NULL;

    if (!reach)
        return json_null();
    if (e->deal < e->n)
        snprintf(what, sizeof what, "deals of %zu out of %zu", e->deal, e->n);
    else
        snprintf(what, sizeof what, "orders of %zu items", e->n);
    if (-reach->log10_fraction >= 6)
        sb_decimal_format(one_in, sizeof one_in, "10^%.0f", floor(-reach->log10_fraction));
    else if (e->total && -reach->log10_fraction >= 1)
        snprintf(one_in, sizeof one_in, "%.30s",
                 sb_number_grouped((uint64_t)(mpz_get_d(reach->deals) / (double)e->total)).text);
    if (report->has_effect && effect->most_count) {
        sb_sentence_deals(&most, e, effect->most, 1, effect->most_total);
        sb_sentence_deals(&least, e, effect->least, 1, effect->least_total);
    }
    char *const most_text = sb_sentence_take(&most), *const least_text = sb_sentence_take(&least);
    char *const deals = sb_mpz_text(reach->deals);

    if (most_text && least_text && deals)
        values = json_pack(
            "{s:s, s:I, s:I, s:I, s:I, s:b, s:s, s:s, s:I, s:I, s:s, s:I, s:I, s:s, s:s, s:s, s:b}", "what", what,
            "asked", (json_int_t)(reach->last - reach->first + 1), "tried", (json_int_t)(e->total + reach->refused),
            "refused", (json_int_t)reach->refused, "reached", (json_int_t)reach->reached, "about",
            reach->reached_error > 0, "possible", deals, "one_in", one_in, "most", (json_int_t)reach->most,
            "most_total", (json_int_t)effect->most_total, "most_deals", most_text, "least", (json_int_t)reach->least,
            "least_total", (json_int_t)effect->least_total, "least_deals", least_text, "variation",
            sb_number_short(effect->total_variation, 2).text, "variation_fair",
            sb_number_short(effect->total_variation_fair, 2).text, "follow", report->ln_p < log(report->alpha));
    free(most_text);
    free(least_text);
    free(deals);
    return values;
}

/* Returns what is known of the probability that is not resolved; null: all is. */
static json_t *values_inquiry(const struct sb_inquiry *inquiry)
{
    const double unresolved = inquiry ? mpq_get_d(inquiry->unresolved) : 0;

    return inquiry ? json_pack("{s:s, s:b, s:I, s:I, s:s}", "unresolved", sb_number_p(unresolved, log(unresolved)).text,
                               "complete", inquiry->complete, "cut", (json_int_t)inquiry->cut, "loose",
                               (json_int_t)inquiry->loose, "example", inquiry->example)
                   : json_null();
}

/* Returns what a finding says; null for NULL. */
static json_t *values_finding(const struct sb_report *report, const struct sb_finding *finding)
{
    char least[32], needed[32];

    if (!finding)
        return json_null();
    const struct sb_statistic_type *const type = sb_statistic_find(finding->statistic);
    /* the number of samples that would make the finding reliable; rounding must not add one */
    const double samples = finding->expected_needed * (double)report->evidence.total / finding->expected_least;

    sb_sentence_number(finding->expected_least, least);
    sb_sentence_number(finding->expected_needed, needed);
    return json_pack("{s:s, s:s, s:s, s:s, s:I, s:b, s:b, s:b, s:b, s:b, s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "test",
                     finding->test, "statistic", finding->statistic, "title", type ? type->title : "", "context",
                     finding->context ? finding->context : "", "lag", (json_int_t)finding->lag, "increments",
                     finding->increments, "repeats", sb_statistics_repeats(finding->statistic), "moved",
                     finding->average != finding->average_fair, "more", finding->average > finding->average_fair,
                     "open", finding->open, "average", values_mean(finding->average).text, "average_fair",
                     values_mean(finding->average_fair).text, "stake", sb_number_exp(finding->value).text, "p",
                     sb_number_p(exp(finding->ln_p), finding->ln_p).text, "least", least, "needed", needed, "samples",
                     sb_number_fixed(ceil(samples * (1 - 1e-12)), 0).text);
}

/* Returns what the text of sentences, data/pages/report.md, may say; NULL: no memory. */
static json_t *report_values(const struct sb_report *report, const struct sb_finding *finding)
{
    const struct sb_evidence *const e = &report->evidence;
    const struct sb_number corrected = sb_number_p(report->p, report->ln_p);
    const bool multiset = sb_item_multiset(e->names);
    char p[32];
    size_t without_p = 0;

    sb_decimal_format(p, sizeof p, "%.2g", report->p);
    for (size_t i = 0; i < report->findings_count; i++)
        without_p += isnan(report->findings[i].ln_p) ? 1 : 0;
    return json_pack(
        "{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:s?, s:s, s:s, s:s, s:s, s:s, s:b, s:b, s:b, s:b, s:b, s:b, "
        "s:b, "
        "s:b, s:b, s:b, s:b, s:s, s:b, s:o, s:o, s:o}",
        "n", (json_int_t)e->n, "deal", (json_int_t)e->deal, "cells", (json_int_t)e->cells, "total",
        (json_int_t)e->total, "asked", (json_int_t)e->asked, "findings", (json_int_t)report->findings_count,
        "without_p", (json_int_t)without_p, "repeats", (json_int_t)report->repeats.repeats, "compared",
        (json_int_t)report->repeats.decks, "each", report->each, "alpha", sb_number_given(report->alpha).text, "p",
        report->p >= 1e-4 ? p : corrected.text, "p_given", corrected.text, "part", e->part, "others",
        values_others(report), "open", report->verdict && strcmp(report->verdict, "inconclusive") == 0, "single",
        sb_evidence_rows(e) < 2 || e->deal == 0, "sample", e->by == SB_BY_SAMPLE, "exact", e->by == SB_BY_EXACT,
        "large", e->by == SB_BY_SAMPLE && e->cells == 0 && e->matrix.form == SB_NUMBERS_NONE, "partial",
        sb_evidence_partial(e), "interrupted", e->interrupted, "recorded", e->recorded, "ended", e->ended, "multiset",
        multiset, "sets", sb_item_groups(e->names) != NULL, "order", sb_evidence_called(e, "order"), "positions",
        values_positions(report), "seeds", values_seeds(report), "inquiry", values_inquiry(e->inquiry), "finding",
        values_finding(report, finding ? finding : sb_report_worst(report)));
}

void sb_sentence_say(struct sb_sentence *s, const struct sb_report *report, const struct sb_finding *finding,
                     const char *part)
{
    json_t *const values = report_values(report, finding);

    /* the largest total variation that a law of which part is not resolved may have */
    if (values && report->has_effect)
        json_object_set_new(
            values, "bound",
            json_string(
                sb_number_short_up(report->effect.total_variation + report->effect.total_variation_error, 2).text));
    sb_sentence_fill(s, "report", part, values);
}
