/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of how far a law is from uniform: the effect sizes, exact and sampled side by side, and the most
 * and least likely deals. */
#include "core/text.h"
#include "study/report/report_result.h"

#include <inttypes.h>

/* The values of the sentences in data/pages/report.md. */

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

/* The effect sizes: offsets in struct sb_effect of an effect, and of the same effect for fair shuffles. */
static const struct effect_line {
    const char *title;
    size_t offset, fair;
    bool ratio;
} effect_lines[] = {
    { "total variation from uniform", offsetof(struct sb_effect, total_variation),
      offsetof(struct sb_effect, total_variation_fair), false },
    { "Kullback-Leibler divergence, bits", offsetof(struct sb_effect, kl_bits),
      offsetof(struct sb_effect, kl_bits_fair), false },
    { "chi-square per shuffle", offsetof(struct sb_effect, chi2_per_sample),
      offsetof(struct sb_effect, chi2_per_sample_fair), false },
    { "largest ratio", offsetof(struct sb_effect, max_ratio), offsetof(struct sb_effect, max_ratio_fair), true },
    { "smallest ratio", offsetof(struct sb_effect, min_ratio), offsetof(struct sb_effect, min_ratio_fair), true },
};

/* Adds a total variation: its fraction, unless the fraction has more digits, and a number. "0" needs no number. */
static void variation_add(const struct sb_report *report, size_t digits, const char *number, struct sb_table *table)
{
    const struct sb_number fraction = report->has_effect && report->evidence.by != SB_BY_SAMPLE
                                          ? sb_exact_fraction(report->effect.total_variation_exact, digits)
                                          : (struct sb_number) { "" };

    if (fraction.text[0] && !strchr(fraction.text, '/'))
        sb_table_row(table, "%s", fraction.text);
    else
        sb_table_row(table, "%s%s%s", fraction.text, fraction.text[0] ? " = " : "", number);
}

static void effects_variation(const struct sb_report *report, struct sb_table *table)
{
    const double variation = report->effect.total_variation;
    const double error = report->evidence.by == SB_BY_SAMPLE ? 0 : report->effect.total_variation_error;
    /* enough digits for rounding to add little to the error */
    const double digits = error > 0 && variation > error ? ceil(log10(variation / error)) + 2 : 0;
    const struct sb_number decimal = sb_number_short(variation, (int)fmin(fmax(digits, 5), 17));

    if (error > 0)
        sb_table_row(table, "%s, to within %s", decimal.text,
                     sb_number_short_up(error + fabs(sb_decimal_read(decimal.text) - variation), 2).text);
    else
        variation_add(report, 20, decimal.text, table);
}

static struct sb_number effects_number(const struct sb_report *report, size_t offset, bool ratio)
{
    const double value = *(const double *)((const char *)&report->effect + offset);

    return ratio ? sb_number_ratio(value) : sb_number_short(value, 5);
}

/* Names one of the most or of the least likely deals of a law whose deals have no ranks, and thus no table. */
static void effects_extreme(const struct sb_evidence *evidence, const char *label, const sb_item deal[], size_t total,
                            struct sb_page *page)
{
    char name[SB_NOTATION_ROOM];

    sb_item_notation(evidence->names, evidence->n, evidence->deal, deal, name, sizeof name);
    if (total == SIZE_MAX)
        sb_page_paragraph(page, SB_INK_STRONG, label, "%s and many more", name);
    else if (total > 1)
        sb_page_paragraph(page, SB_INK_STRONG, label, "%s and %s more", name, sb_number_grouped(total - 1).text);
    else
        sb_page_paragraph(page, SB_INK_STRONG, label, "%s", name);
}

static void effects_sight(const struct sb_report *const side[], size_t sides, struct sb_table *table)
{
    if (!(side[0]->effect.shuffles_to_see > 0))
        return;
    sb_table_add(table, SB_INK_PLAIN, "shuffles to see it at alpha = %.12g", side[0]->alpha);
    for (size_t s = 0; s < sides; s++) {
        const double shuffles = ceil(side[s]->effect.shuffles_to_see);

        sb_table_row(table, "%s",
                     !(shuffles > 0)   ? ""
                     : shuffles < 1e15 ? sb_number_grouped((uint64_t)shuffles).text
                                       : sb_number_short(shuffles, 3).text);
    }
}

static void effects_line(const struct sb_report *const side[], size_t sides, const struct effect_line *line,
                         struct sb_table *table)
{
    sb_table_add(table, SB_INK_PLAIN, "%s", line->title);
    for (size_t s = 0; s < sides; s++) {
        if (line == effect_lines)
            effects_variation(side[s], table);
        else
            sb_table_add(table, SB_INK_PLAIN, "%s", effects_number(side[s], line->offset, line->ratio).text);
    }
    if (side[sides - 1]->evidence.by != SB_BY_EXACT)
        sb_table_add(table, SB_INK_PLAIN, "%s", effects_number(side[sides - 1], line->fair, line->ratio).text);
}

void sb_document_effects(const struct sb_pair *pair, struct sb_page *page)
{
    const struct sb_report *side[2];
    struct sb_table table;
    size_t sides = 0;

    if (pair->exact && pair->exact->has_effect)
        side[sides++] = pair->exact;
    if (pair->sampled && pair->sampled->has_effect)
        side[sides++] = pair->sampled;
    if (sides == 0)
        return;
    const bool counted = side[sides - 1]->evidence.by != SB_BY_EXACT;

    sb_table_begin(&table, sides + counted == 3 ? "lrrr" : sides + counted == 2 ? "lrr" : "lr", "how far from fair");
    for (size_t i = 0; i < sides; i++)
        sb_table_add(&table, SB_INK_STRONG, "%s",
                     side[i]->evidence.by == SB_BY_EXACT ? sb_exact_word(&side[i]->evidence)
                     : side[i]->evidence.reach           ? "by seeds"
                                                         : "sampled");
    if (counted)
        sb_table_add(&table, SB_INK_STRONG, "if fair");
    for (size_t i = 0; i < sizeof effect_lines / sizeof effect_lines[0]; i++)
        effects_line(side, sides, &effect_lines[i], &table);
    effects_sight(side, sides, &table);
    if (counted && side[0]->effect.shuffles_to_see > 0)
        sb_table_add(&table, SB_INK_PLAIN, "%s", "");
    sb_table_end(&table, page);
    const struct sb_effect *const effect = &side[0]->effect;

    if (!effect->most_deal || mpq_sgn(effect->total_variation_exact) == 0)
        return;
    effects_extreme(&side[0]->evidence, "Most likely:", effect->most_deal, effect->most_total, page);
    page->tight = true;
    effects_extreme(&side[0]->evidence, "Least likely:", effect->least_deal, effect->least_total, page);
    page->tight = false;
}

static void permutations_exact(const struct sb_pair *pair, const struct sb_row *row, struct sb_table *table)
{
    const struct sb_evidence *const evidence = &pair->exact->evidence;
    const struct sb_number fraction = sb_exact_over(evidence, row->rank);
    const int decimals = sb_number_share_decimals((double)evidence->cells);

    if (evidence->reach)
        sb_table_add(table, SB_INK_PLAIN, "%" PRIu64, evidence->counts.u64[row->rank]);
    else if (fraction.text[0])
        sb_table_add(table, SB_INK_PLAIN, "%s", fraction.text);
    else
        sb_table_add(table, SB_INK_PLAIN, "%s", sb_number_percent(row->share, decimals + 3).text);
    if (!pair->sampled)
        sb_table_add(table, SB_INK_PLAIN, "%s", sb_number_percent(row->share, decimals).text);
    sb_table_add(table, SB_INK_PLAIN, "%s", sb_number_ratio(row->ratio).text);
}

struct sb_number sb_document_interval(double low, double high, double cells)
{
    const int few = cells > 1000 ? 2 : 4, down = low * cells >= 100 ? 0 : few, up = high * cells >= 100 ? 0 : few;

    return sb_number_range(sb_number_fixed_down(low * cells, down), sb_number_fixed_up(high * cells, up));
}

static void permutations_sampled(const struct sb_report *report, size_t rank, struct sb_table *table)
{
    const struct sb_row row = sb_report_row(report, rank);
    const double cells = (double)report->evidence.cells;

    sb_table_row(table, "%" PRIu64 "|%s|%s|%s", report->evidence.counts.u64[rank],
                 sb_number_percent(row.share, sb_number_share_decimals(cells)).text, sb_number_ratio(row.ratio).text,
                 sb_document_interval(row.low, row.high, cells).text);
}

static void permutations_fill(const struct sb_pair *pair, size_t columns, struct sb_table *table)
{
    const struct sb_report *const best = sb_pair_best(pair);
    const size_t shown = best->rows_count, cells = best->evidence.cells;

    for (size_t i = 0; i < shown; i++) {
        const struct sb_row *const row = &best->rows[i];
        const struct sb_notation notation = sb_exact_notation(&best->evidence, row->rank);

        if (i == shown / 2 && shown < cells)
            sb_table_add(table, SB_INK_FAINT, "\u2026 %s more", sb_number_grouped(cells - shown).text);
        for (size_t c = 1; i == shown / 2 && shown < cells && c < columns; c++)
            sb_table_add(table, SB_INK_PLAIN, "%s", "");
        sb_table_add(table, SB_INK_PLAIN, "%s", sb_document_deal(&notation));
        if (pair->exact)
            permutations_exact(pair, row, table);
        if (pair->sampled)
            permutations_sampled(pair->sampled, row->rank, table);
        sb_table_bar(table, row->ratio - 1);
    }
}

void sb_document_permutations(const struct sb_pair *known, struct sb_page *page)
{
    const struct sb_pair counted = sb_pair_counted(known), *const pair = &counted;
    const struct sb_evidence *const evidence = &sb_pair_best(pair)->evidence;
    const char *const columns = !pair->sampled ? "lrrrb" : pair->exact ? "lrrrrrrb" : "lrrrrb";
    const char *const what = sb_evidence_called(evidence, "permutation");
    const char *const exact = evidence->reach ? "seeds" : sb_evidence_partial(evidence) ? "at least" : "exact";
    const double cells = (double)evidence->cells;
    struct sb_table table;

    if (!evidence->cells && known->sampled && known->sampled->counted)
        return;
    if (!evidence->cells) {
        if (sb_item_multiset(evidence->names) && evidence->deal < evidence->n)
            sb_page_paragraph(page, SB_INK_STRONG, "Deals with equal items:",
                              "even a fair shuffle gives some of them more often than others, so only the matrix "
                              "of items by positions is shown.");
        else if (!evidence->reach && evidence->matrix.form != SB_NUMBERS_NONE &&
                 !(known->exact && known->exact->has_effect))
            sb_page_paragraph(page, SB_INK_STRONG, "There is no list,",
                              "because there are too many different %ss. What is known is how often each item is %s.",
                              what,
                              strcmp(what, "set") == 0          ? "drawn"
                              : sb_item_groups(evidence->names) ? "in each hand"
                                                                : "at each position");
        return;
    }
    sb_page_paragraph(page, SB_INK_STRONG,
                      strcmp(what, "set") == 0    ? "Sets."
                      : strcmp(what, "deal") == 0 ? "Deals."
                                                  : "Permutations.",
                      "A fair shuffle gives each %s %s; a ratio is a share over that.", what,
                      sb_number_percent(1 / cells, sb_number_share_decimals(cells)).text);
    if (!pair->sampled)
        sb_table_begin(&table, columns, "%s|%s|share|ratio|", what, exact);
    else
        sb_table_begin(&table, columns, "%s%s%s%s|%s interval|", what, pair->exact ? "|" : "", pair->exact ? exact : "",
                       pair->exact ? "|ratio|count|share|ratio seen" : "|count|share|ratio",
                       sb_number_level(pair->sampled->alpha).text);
    permutations_fill(pair, strlen(columns), &table);
    sb_table_end(&table, page);
}

static const char summary_none[] = "\u2013";

static void summary_worst(const struct sb_report *report, struct sb_table *table)
{
    const struct sb_effect *const effect = &report->effect;
    const bool uniform =
        report->has_effect && report->evidence.by == SB_BY_EXACT && mpq_sgn(effect->total_variation_exact) == 0;
    const bool named = report->has_effect && effect->most_count && effect->least_count;

    if (uniform || (!named && !(report->has_effect && effect->most_deal))) {
        sb_table_row(table, "%s|%s", summary_none, uniform ? "1" : summary_none);
        return;
    }
    /* If two deals are equally far off, the deal that is too frequent is named. */
    const bool under = -effect->min_excess > effect->max_excess + 1e-12;
    const struct sb_notation notation =
        named ? sb_exact_notation(&report->evidence, under ? effect->least[0] : effect->most[0])
              : (struct sb_notation) { "" };

    sb_table_add(table, SB_INK_PLAIN, "%s", named ? sb_document_deal(&notation) : summary_none);
    sb_table_add(table, under ? SB_INK_UNDER : SB_INK_OVER, "%s",
                 sb_number_ratio(under ? effect->min_ratio : effect->max_ratio).text);
}

/* Writes the line of a scheme. If `linked` is true, the name links to the details of the scheme, whose first report is
 * `index`. */
static void summary_line(const struct sb_pair *pair, bool linked, size_t index, struct sb_table *table)
{
    const struct sb_pair counted = sb_pair_counted(pair);
    const bool exact = pair->exact && (pair->exact->has_effect || sb_report_biased(pair->exact));
    const struct sb_report *const best = sb_pair_best(exact ? pair : &counted);
    const struct sb_report *const sampled = pair->sampled;
    const char *const verdict = sb_pair_verdict(pair, best);

    sb_table_add(table, SB_INK_PLAIN, "%s", best->name);
    if (linked)
        sb_table_link(table, SB_DOCUMENT_ANCHOR, index);
    summary_worst(best, table);
    variation_add(best, best->evidence.by == SB_BY_EXACT ? 8 : 0,
                  sb_number_short(best->has_effect ? best->effect.total_variation : NAN, 4).text, table);
    sb_table_row(table, "%s", sampled ? sb_number_p(sampled->p, sampled->ln_p).text : summary_none);
    sb_table_add(table, sb_document_ink(verdict), "%s", verdict);
}

void sb_document_table(const struct sb_reports *reports, struct sb_page *page)
{
    uint64_t least = UINT64_MAX, most = 0; /* shuffles that were sampled of a scheme */
    char how_many[64] = "", sampled[240] = "";
    struct sb_table table;
    struct sb_pair pair;

    sb_table_begin(&table, "llrrrl", "scheme|worst|ratio|total variation|p|verdict");
    for (size_t i = 0, next, biased = 0; i < reports->count; i = next) {
        next = sb_pair_next(reports, i, &pair);
        if (pair.sampled) {
            least = pair.sampled->evidence.total < least ? pair.sampled->evidence.total : least;
            most = pair.sampled->evidence.total > most ? pair.sampled->evidence.total : most;
        }
        summary_line(&pair, sb_pair_detailed(&pair, &biased), i, &table);
    }
    sb_table_end(&table, page);
    if (least == most)
        snprintf(how_many, sizeof how_many, " %.30s time%s", sb_number_grouped(most).text, most == 1 ? "" : "s");
    if (least <= most)
        snprintf(sampled, sizeof sampled,
                 " p: the smallest of all tests, times their number. Each scheme is sampled%s with the same random "
                 "words, of seed %" PRIu64 ", so the lines are not independent.",
                 how_many, reports->seed);
    sb_page_paragraph(
        page, SB_INK_STRONG, "Worst:",
        "the permutation farthest from its fair share, and its ratio to it. Total variation: the share of "
        "shuffles that would have to end otherwise for a fair result. Both are exact where the law is known.%s",
        sampled);
    /* for these shuffles, the verdict "uniform" does not apply to deals of fewer items */
    for (size_t i = 0; i < reports->count;) {
        i = sb_pair_next(reports, i, &pair);
        if (sb_pair_best(&pair)->whole_only)
            sb_page_paragraph(page, SB_INK_STRONG, "Whole decks only:",
                              "%s shuffles all of the deck fairly, as here, but its deals of fewer cards are "
                              "wrong: report it with --deal K.",
                              sb_pair_best(&pair)->name);
    }
}
