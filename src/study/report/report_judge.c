/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The verdict of a report in words, except for what shows a bias (report_sentence.c). */
#include "fit/fit.h"
#include "study/report/report_parts.h"

#include <math.h>
#include <string.h>

/* Whether a test is of the positions of items. In decks with equal items, `card-at` takes the place of `position`. */
static bool sentence_places(const struct sb_report *report, const struct sb_finding *finding)
{
    return strcmp(finding->statistic, sb_item_multiset(report->evidence.names) ? "card-at" : "position") == 0 &&
           !finding->increments;
}

/* Returns whether there are enough shuffles to say that items come to all positions equally often. The exact test of a
 * few shuffles would only see a place that stands out. */
static bool sentence_positions(const struct sb_report *report)
{
    for (size_t i = 0; i < report->findings_count; i++)
        if (sentence_places(report, &report->findings[i]))
            return sb_finding_reliable(&report->findings[i]) && !isnan(report->findings[i].dof);
    return false;
}

static const char *sentence_others(const struct sb_report *report)
{
    size_t others = 0, reliable = 0;

    for (size_t i = 0; i < report->findings_count; i++) {
        others += !sentence_places(report, &report->findings[i]);
        reliable += !sentence_places(report, &report->findings[i]) && sb_finding_reliable(&report->findings[i]);
    }
    return reliable == 0        ? ""
           : reliable == others ? ", and the other statistics are as expected"
                                : ", and the other reliable statistics are as expected";
}

/* Returns the largest total variation that a law of which part is not resolved may have, rounded up. */
static struct sb_number sentence_bound(const struct sb_report *report)
{
    return sb_number_short_up(report->effect.total_variation + report->effect.total_variation_error, 2);
}

static void sentence_fair(struct sb_sentence *s, const struct sb_report *report)
{
    const struct sb_evidence *const e = &report->evidence;
    const struct sb_number total = sb_number_grouped(e->total);

    if (sb_evidence_rows(e) < 2 || e->deal == 0) {
        sb_sentence_add(s, "there is only one order, so there is nothing to shuffle");
    } else if (e->by == SB_BY_EXACT && e->cells == 0) {
        const bool alike = e->deal == e->n || !sb_item_multiset(e->names); /* fair deals are equally likely */

        sb_sentence_add(s, "every %s is %s: this shuffle is proven fair where its draws are, as here",
                        e->deal < e->n ? "deal" : "order", alike ? "equally likely" : "as likely as it should be");
    } else if (e->by == SB_BY_EXACT) {
        sb_sentence_add(s, "each of the %s %s is equally likely", sb_number_grouped(e->cells).text,
                        e->deal < e->n ? "deals" : "orders");
        if (sb_evidence_partial(e))
            sb_sentence_add(s, ", to within %s: the series of answers that are not resolved have no larger probability",
                            sentence_bound(report).text);
    } else if (sb_sentence_large(e)) {
        sb_sentence_add(s, "%s permutation%s of %s items %s as after a fair shuffle in %zu statistics (", total.text,
                        e->total == 1 ? "" : "s", sb_number_grouped(e->n).text, e->total == 1 ? "is" : "are",
                        report->findings_count);
        sb_sentence_p(s, report);
        sb_sentence_add(s, ")");
    } else if (e->cells == 0 && !sentence_positions(report)) {
        sb_sentence_add(s, "the reliable statistics are as expected in %s shuffle%s (", total.text,
                        e->total == 1 ? "" : "s");
        sb_sentence_p(s, report);
        sb_sentence_add(s, "); %s shuffle%s too few to compare all positions, or the orders themselves", total.text,
                        e->total == 1 ? " is" : "s are");
    } else if (e->cells == 0) {
        sb_sentence_add(s, "%s shuffles bring every %s%s (", total.text,
                        sb_item_multiset(e->names) ? "card to every position about as often as they should"
                                                   : "item to every position about equally often",
                        sentence_others(report));
        sb_sentence_p(s, report);
        sb_sentence_add(s, "); the orders themselves were not tested");
    } else {
        sb_sentence_add(s, "%s shuffles do not tell it from a fair one at alpha = %s (", total.text,
                        sb_number_given(report->alpha).text);
        sb_sentence_p(s, report);
        sb_sentence_add(s, ")");
    }
}

static void sentence_few(struct sb_sentence *s, const struct sb_report *report)
{
    const uint64_t total = report->evidence.total;
    const double enough = report->evidence.total ? sb_report_enough(report) : NAN;

    sb_sentence_add(s, "too few shuffles to say");
    if (total)
        sb_sentence_add(s, ": no outcome of %s could reach alpha = %s", sb_number_grouped(total).text,
                        sb_number_given(report->alpha).text);
    if (!isnan(enough))
        sb_sentence_add(s, ", but an outcome of %s could", sb_number_grouped((uint64_t)enough).text);
}

static void sentence_open_end(struct sb_sentence *s, const struct sb_report *report)
{
    const struct sb_evidence *const e = &report->evidence;

    if (sb_evidence_partial(e))
        sb_sentence_add(s,
                        "nothing shows a bias yet, but part of the probability is not resolved: the bias is at most "
                        "%s in total variation",
                        sentence_bound(report).text);
    else if (e->by == SB_BY_SAMPLE)
        sb_sentence_add(s, e->recorded ? "nothing was tested, since all cards are equal"
                                       : "nothing was tested: ask for `statistics`");
    else
        sb_sentence_add(s, e->cells ? "every order is equally likely, as far as doubles can tell"
                                    : "every item is equally likely at every position, which does not prove that all "
                                      "orders are: a rotation does as much");
}

static void sentence_alone(struct sb_sentence *s, const struct sb_report *report)
{
    const struct sb_finding *const worst = sb_report_worst(report);

    if (report->evidence.by == SB_BY_SAMPLE && worst && worst->ln_p < log(report->alpha))
        sb_sentence_add(s, ". The p of %s%s, %s, is below alpha only until it is corrected for the other tests",
                        worst->increments ? "increments: " : "", worst->statistic,
                        sb_number_p(exp(worst->ln_p), worst->ln_p).text);
}

void sb_sentence_judge(struct sb_sentence *s, const struct sb_report *report)
{
    const bool open = strcmp(report->verdict, "inconclusive") == 0;

    if (open && report->evidence.by == SB_BY_SAMPLE && (!report->evidence.total || report->findings_count))
        sentence_few(s, report);
    else if (open)
        sentence_open_end(s, report);
    else if (strcmp(report->verdict, "biased") == 0)
        sb_sentence_biased(s, report);
    else
        sentence_fair(s, report);
    if (strcmp(report->verdict, "no bias seen") == 0)
        sentence_alone(s, report);
    if (!open && report->evidence.inquiry && report->evidence.inquiry->cells)
        sb_sentence_add(s,
                        ". It is assumed that a number in [0, 1) matters only by which of %u equal cells it "
                        "lies in, as it did at three places of each cell",
                        report->evidence.inquiry->cells);
    sb_sentence_add(s, ".");
}
