/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The summary: a line per scheme, with the permutation whose share is farthest from the fair share, above or
 * below. */
#include "study/report/page/document.h"

#include "report/number.h"
#include "report/table.h"

#include <math.h>
#include <string.h>

static const char summary_none[] = "\u2013";

/* Writes the permutation whose share is farthest from the fair share, above or below, and the ratio of the
 * two shares. */
static void summary_worst(const struct sb_report *report, struct sb_table *table)
{
    const struct sb_effect *const effect = &report->effect;
    const bool uniform = report->has_effect && report->evidence.by == SB_BY_EXACT &&
                         mpq_sgn(effect->total_variation_exact) == 0;

    const bool named = report->has_effect && effect->most_count && effect->least_count;

    if (!report->has_effect || uniform || (!named && !effect->most_deal)) {
        sb_table_add(table, SB_INK_PLAIN, "%s", summary_none);
        sb_table_add(table, SB_INK_PLAIN, "%s", uniform ? "1" : summary_none);
        return;
    }
    /* If two deals are equally far off, the deal that is too frequent is named. */
    const bool under = -effect->min_excess > effect->max_excess + 1e-12;
    struct sb_notation notation = { "" };

    if (named)
        notation = sb_exact_notation(&report->evidence, under ? effect->least[0] : effect->most[0]);
    sb_table_add(table, SB_INK_PLAIN, "%s", named ? sb_document_deal(&notation) : summary_none);
    sb_table_add(table, under ? SB_INK_UNDER : SB_INK_OVER, "%s",
                 sb_number_ratio(under ? effect->min_ratio : effect->max_ratio).text);
}

/* Writes the total variation from uniform, such as "1/18 = 0.0556". */
static void summary_variation(const struct sb_report *report, struct sb_table *table)
{
    const double variation = report->has_effect ? report->effect.total_variation : NAN;
    struct sb_fraction fraction = { "" };

    if (report->has_effect && report->evidence.by == SB_BY_EXACT)
        fraction = sb_exact_fraction(report->effect.total_variation_exact, 8);
    if (fraction.text[0] && !strchr(fraction.text, '/')) /* "0" needs no decimal number */
        sb_table_add(table, SB_INK_PLAIN, "%s", fraction.text);
    else
        sb_table_add(table, SB_INK_PLAIN, "%s%s%s", fraction.text, fraction.text[0] ? " = " : "",
                     sb_number_short(variation, 4).text);
}

/* Finds Pearson's test of all permutations or, if there are too many permutations to count, the first
 * test. */
static const struct sb_finding *summary_finding(const struct sb_report *report)
{
    if (!report)
        return NULL;
    for (size_t i = 0; i < report->findings_count; i++)
        if (strcmp(report->findings[i].statistic, "rank") == 0 &&
            strcmp(report->findings[i].test, "pearson") == 0)
            return &report->findings[i];
    return report->findings_count ? &report->findings[0] : NULL;
}

bool sb_document_detailed(const struct sb_reports *reports, size_t index)
{
    size_t before = 0; /* number of schemes whose details come before those of this scheme */
    bool detailed = false, visible = false;

    for (int pass = 0; pass < 2; pass++) /* the first pass finds the scheme, and the second pass counts */
        for (size_t i = 0, next; i < reports->count; i = next) {
            struct sb_pair pair;

            next = sb_pair_next(reports, i, &pair);
            const bool biased = sb_report_biased(pair.exact) || sb_report_biased(pair.sampled);
            const bool seen = !sb_pair_invisible(&pair);

            if (pass == 0 && i == index) {
                detailed = biased;
                visible = seen;
            }
            before += pass == 1 && biased && (seen == visible ? i < index : seen);
        }
    return detailed && before < SB_DOCUMENT_DETAILS_MOST;
}

/* Writes the line of a scheme. If `linked` is true, the name links to the details of the scheme, whose first report
 * is `index`. */
static void summary_line(const struct sb_pair *pair, bool linked, size_t index, struct sb_table *table)
{
    const struct sb_pair counted = sb_pair_counted(pair);
    const bool exact = pair->exact && (pair->exact->has_effect || sb_report_biased(pair->exact));
    const struct sb_report *const best = sb_pair_best(exact ? pair : &counted);
    const struct sb_finding *const finding = summary_finding(pair->sampled);
    const char *const verdict = sb_pair_verdict(pair, best);

    sb_table_add(table, SB_INK_PLAIN, "%s", best->name);
    if (linked)
        sb_table_link(table, SB_DOCUMENT_ANCHOR, index);
    summary_worst(best, table);
    summary_variation(best, table);
    sb_table_add(table, SB_INK_PLAIN, "%s", finding ? sb_number_short(finding->value, 5).text : summary_none);
    sb_table_add(table, SB_INK_PLAIN, "%s",
                 finding ? sb_number_p(finding->p, finding->ln_p).text : summary_none);
    sb_table_add(table, sb_document_ink(verdict), "%s", verdict);
}

/* Names the shuffles that are fair only for whole decks: for such a shuffle, the verdict "uniform" does not
 * apply to deals of fewer items. */
static void summary_whole_only(const struct sb_reports *reports, struct sb_page *page)
{
    const char *last = NULL;

    for (size_t i = 0; i < reports->count; i++) {
        const struct sb_report *const report = &reports->report[i];

        if (!report->whole_only || (last && strcmp(report->name, last) == 0))
            continue; /* the exact and the sampled report are adjacent */
        last = report->name;
        sb_page_paragraph(
            page, SB_INK_STRONG, "Whole decks only:",
            "%s shuffles all of the deck fairly, as here, but its deals of fewer cards are wrong: "
            "report it with --deal K.",
            report->name);
    }
}

void sb_document_table(const struct sb_reports *reports, struct sb_page *page)
{
    static const char *const title[] = { "scheme",     "worst", "ratio",  "total variation",
                                         "chi-square", "p",     "verdict" };
    struct sb_table table;

    sb_table_open("llrrrrl", &table);
    for (size_t c = 0; c < sizeof title / sizeof title[0]; c++)
        sb_table_add(&table, SB_INK_STRONG, "%s", title[c]);
    for (size_t i = 0, next; i < reports->count; i = next) {
        struct sb_pair pair;

        next = sb_pair_next(reports, i, &pair);
        summary_line(&pair, page->html && sb_document_detailed(reports, i), i, &table);
    }
    sb_table_print(&table, page);
    sb_table_close(&table);
    sb_page_paragraph(page, SB_INK_STRONG, "Worst:",
                      "the permutation farthest from its fair share, and its ratio to it. Total variation: "
                      "the share of shuffles "
                      "that would have to end otherwise for a fair result. Chi-square and p: Pearson's test "
                      "alone; the verdict takes "
                      "the smallest p of all tests, times their number. All schemes are sampled with the "
                      "same random words, so "
                      "their lines are not independent.");
    summary_whole_only(reports, page);
}

void sb_document_summary(const struct sb_reports *reports, struct sb_page *page)
{
    size_t schemes, biased;

    sb_pairs_count(reports, &schemes, &biased);
    sb_page_paragraph(page, biased ? SB_INK_BAD : SB_INK_GOOD, "Verdict:", "biased: %zu of %zu shuffles.",
                      biased, schemes);
    sb_document_table(reports, page);
}
