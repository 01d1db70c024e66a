/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A verdict in words. For an exact law, the sentence states the exact values. For a sample, the sentence
 * states only what the intervals allow. For a cell of the matrix, the sentence states the end of the interval
 * that is nearer to the fair share ("at least 12% too often"); likewise for deals, unless all are listed.
 */
#include "study/sentence.h"

#include "core/text/decimal.h"
#include "fit/numeric/binomial.h"
#include "report/number.h"
#include "tally/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* at most this many deals are named; the sentence says how many other deals there are */
enum { SENTENCE_NAMES = 4 };

/* Adds a list of deals: "132, 213 and 231", or "1234 and 11 others". */
static void sentence_deals(struct sb_sentence *s, const struct sb_evidence *evidence, const size_t ranks[],
                           size_t count, size_t total)
{
    const size_t shown = total <= SENTENCE_NAMES ? count : 1;
    sb_item *const a = calloc(evidence->deal + 1, sizeof *a);
    char text[SB_NOTATION_ROOM];

    s->lost = s->lost || !a;
    for (size_t i = 0; a && i < shown; i++) {
        const char *const before = i == 0 ? "" : i + 1 == total ? " and " : ", ";

        sb_evidence_unrank(evidence, ranks[i], a);
        sb_sentence_add(s, "%s%s", before,
                        sb_item_notation(evidence->names, evidence->n, evidence->deal, a, text, sizeof text));
    }
    if (shown < total)
        sb_sentence_add(s, " and %zu %s", total - shown, total - shown == 1 ? "other" : "others");
    free(a);
}

/* A probability beside its fair share: the excess is accurate near 0, and the ratio is accurate if it is small. */
struct sentence_size {
    double excess, ratio;
};

static struct sentence_size sentence_excess(double excess)
{
    return (struct sentence_size) { excess, 1 + excess };
}

/* The number that stands for a size: how many times as often or as rarely, or a percentage. */
static double sentence_shown(struct sentence_size size, bool times)
{
    return !times ? 100 * fabs(size.excess) : size.excess > 0 ? size.ratio : 1 / size.ratio;
}

/* Adds an amount of `total` deals: " 11% too often", " 2.25 times as often as they should". If `bound` is true, " at least"
 * comes first, and the number is rounded towards the fair share. Otherwise adds " 11% to 50% too rarely" if `near`, the size
 * nearest to the fair share, and `far`, the farthest on the same side, differ. */
static void sentence_amount(struct sb_sentence *s, struct sentence_size near, struct sentence_size far,
                            size_t total, bool bound)
{
    const bool often = far.excess > 0;
    const bool times = far.excess >= 1 || (far.excess < -0.9 && near.ratio > 0 && far.ratio > 0);
    void (*const write)(double, char[32]) = times ? sb_sentence_number : sb_sentence_percent;
    char from[32], to[32];

    write(sentence_shown(near, times), from);
    write(sentence_shown(far, times), to);
    if (bound)
        sb_sentence_round_down(write, sentence_shown(near, times), from);
    sb_sentence_add(s, bound ? " at least %s" : " %s", from);
    if (!bound && strcmp(from, to) != 0)
        sb_sentence_add(s, " to %s", to);
    if (times)
        sb_sentence_add(s, often ? " times as often as %s should" : " times as rarely as %s should",
                        total == 1 ? "it" : "they");
    else
        sb_sentence_add(s, " too %s", often ? "often" : "rarely");
}

/* Adds how often the law's most or least likely deals come up. */
static void sentence_law(struct sb_sentence *s, double excess, double ratio, size_t total)
{
    const char *const up = total == 1 ? "comes up" : "come up";
    const struct sentence_size size = { excess, ratio };

    if (ratio <= 0) {
        sb_sentence_add(s, " never %s", up);
    } else if (!isfinite(excess)) { /* the excess is beyond the range of double */
        sb_sentence_add(s, " %s far too often", up);
    } else {
        sb_sentence_add(s, " %s", up);
        sentence_amount(s, size, size, total, false);
    }
}

/* Adds "the most likely order comes up 2% too often", for a law in closed form, which lists no deals. */
static void sentence_kind(struct sb_sentence *s, const struct sb_report *report, const char *kind,
                          double excess, double ratio, size_t total)
{
    const char *const deal = report->evidence.deal < report->evidence.n ? "deal" : "order";

    sb_sentence_add(s, "the %s %s%s", kind, deal, total == 1 ? "" : "s");
    sentence_law(s, excess, ratio, total);
}

/* Adds what is certain if part of the law is not resolved: one deal already has more than the fair share. */
static void sentence_partial(struct sb_sentence *s, const struct sb_report *report)
{
    const struct sentence_size least = sentence_excess(report->effect.max_excess);
    const struct sb_row *most = &report->rows[0];

    for (size_t i = 1; i < report->rows_count; i++)
        if (report->rows[i].ratio > most->ratio)
            most = &report->rows[i];
    sentence_deals(s, &report->evidence, &most->rank, 1, 1);
    sb_sentence_add(s, " comes up");
    sentence_amount(s, least, least, 1, true);
    sb_sentence_add(s, ", whatever the rest of the probability does");
}

static void sentence_extremes(struct sb_sentence *s, const struct sb_report *report)
{
    const struct sb_effect *const effect = &report->effect;

    if (report->evidence.cells == 0) {
        sentence_kind(s, report, "most likely", effect->max_excess, effect->max_ratio, effect->most_total);
        sb_sentence_add(s, "; ");
        sentence_kind(s, report, "least likely", effect->min_excess, effect->min_ratio, effect->least_total);
        return;
    }
    sentence_deals(s, &report->evidence, effect->most, effect->most_count, effect->most_total);
    sentence_law(s, effect->max_excess, effect->max_ratio, effect->most_total);
    sb_sentence_add(s, "; ");
    sentence_deals(s, &report->evidence, effect->least, effect->least_count, effect->least_total);
    sentence_law(s, effect->min_excess, effect->min_ratio, effect->least_total);
}

/* Those deals of a table for which the interval lies entirely on one side of the fair share. */
struct sentence_side {
    size_t rank[SENTENCE_NAMES], total;
    double near, far; /* the excess with the smallest and the excess with the largest absolute value */
    const struct sb_row *surest; /* the deal whose interval is farthest from the fair share */
};

static struct sentence_side sentence_collect(const struct sb_report *report, bool over)
{
    const double cells = (double)report->evidence.cells;
    struct sentence_side side = { .total = 0 };
    double surest = 0;

    for (size_t i = 0; i < report->rows_count; i++) {
        const struct sb_row *const row = &report->rows[i];
        const double excess = row->ratio - 1;
        const double sure = over ? row->low * cells - 1 : 1 - row->high * cells;

        if (!(sure > 0))
            continue;
        if (side.total == 0 || fabs(excess) < fabs(side.near))
            side.near = excess;
        if (side.total == 0 || fabs(excess) > fabs(side.far))
            side.far = excess;
        if (sure > surest) {
            surest = sure;
            side.surest = row;
        }
        if (side.total < SENTENCE_NAMES)
            side.rank[side.total] = row->rank;
        side.total++;
    }
    return side;
}

/* Adds what the sample shows about the deals on one side. Returns false if the sample shows nothing. */
static bool sentence_side(struct sb_sentence *s, const struct sb_report *report, bool over)
{
    const struct sb_evidence *const e = &report->evidence;
    struct sentence_side side = sentence_collect(report, over);

    if (!side.surest)
        return false;
    const bool part = report->rows_count < e->cells;
    if (part) {
        side.rank[0] = side.surest->rank;
        side.total = 1;
        side.near = side.far = (over ? side.surest->low : side.surest->high) * (double)e->cells - 1;
    }
    sentence_deals(s, e, side.rank, side.total, side.total);
    if (side.near <= -1 || (part && !over && side.surest->ratio == 0)) {
        sb_sentence_add(s, " did not come up");
        return true;
    }
    sb_sentence_add(s, side.total == 1 ? " comes up" : " come up");
    sentence_amount(s, sentence_excess(side.near), sentence_excess(side.far), side.total, part);
    return true;
}

static void sentence_p(struct sb_sentence *s, const struct sb_report *report)
{
    if (report->p >= 1e-4)
        sb_sentence_add(s, "corrected p = %.2g", report->p);
    else
        sb_sentence_add(s, "corrected p = %s", sb_number_p(report->p, report->ln_p).text);
}

/* Adds which statistic detected the bias, if no cell stands out. */
static void sentence_statistic(struct sb_sentence *s, const struct sb_report *report, const char *usual)
{
    const struct sb_finding *const worst = sb_report_worst(report);

    if (worst && sb_statistics_repeats(worst->statistic))
        sb_sentence_add(s,
                        "whole decks came up again, %llu of %llu, far more than after a fair shuffle, as "
                        "with a short seed",
                        (unsigned long long)report->repeats.repeats,
                        (unsigned long long)report->repeats.decks);
    else if (worst && worst->context)
        sb_sentence_add(
            s, "the next card can be predicted from %s: bets on such predictions multiplied a stake by %s",
            worst->context, sb_number_exp(worst->value).text);
    else if (worst && worst->increments)
        sb_sentence_add(s, "%s of the steps from one permutation to the next: not as after a fair shuffle",
                        worst->statistic);
    else if (!worst || strcmp(worst->statistic, "rank") == 0 || strcmp(worst->statistic, "position") == 0)
        sb_sentence_add(s, "%s", usual);
    else
        sb_sentence_add(s, "%s: not as after a fair shuffle", worst->statistic);
}

static const char sentence_no_place[] =
    "items do not come to all positions equally often, though no place stands out alone";

static void sentence_matrix(struct sb_sentence *s, const struct sb_report *report)
{
    const struct sb_evidence *const e = &report->evidence;
    const size_t cell = sb_evidence_farthest(e), row = cell / e->deal;
    const double cells = (double)(sb_evidence_rows(e) * e->deal);
    double excess = sb_evidence_ratio(e, row, sb_evidence_matrix_share(e, row, cell % e->deal)) - 1, low,
           high;
    char item[SB_ITEM_ROOM];

    if (e->by == SB_BY_SAMPLE) {
        sb_binomial_interval(e->matrix.u64[cell], e->total, report->alpha / cells, &low, &high);
        low = sb_evidence_ratio(e, row, low);
        high = sb_evidence_ratio(e, row, high);
        if (low <= 1 && high >= 1) {
            sentence_statistic(s, report, sentence_no_place);
            return;
        }
        excess = (excess > 0 ? low : high) - 1;
    }
    sb_sentence_add(s, "%s", sb_item_words(e->names, sb_evidence_item(e, row), item));
    const bool faint = fabs(excess) < SB_RATIO_FAINT;

    if (excess <= -1) {
        sb_sentence_add(s, " never lands");
    } else if (faint) {
        sb_sentence_add(s, " lands as often as it should, up to one part in 10^12,");
    } else {
        sb_sentence_add(s, " lands");
        sentence_amount(s, sentence_excess(excess), sentence_excess(excess), 1, e->by == SB_BY_SAMPLE);
    }
    sb_sentence_add(s, " at position %zu%s", cell % e->deal + 1,
                    faint ? ", which no sample of a feasible size would tell from fair" : "");
}

/* If no sample of a feasible size would show the bias, adds how many shuffles would. */
static void sentence_invisible(struct sb_sentence *s, const struct sb_report *report)
{
    if (report->has_effect && sb_effect_invisible(&report->effect))
        sb_sentence_add(s, "; no sample of a feasible size would show it: that takes about %s shuffles",
                        sb_number_short(report->effect.shuffles_to_see, 2).text);
}

/* Returns whether the report is on permutations so large that their positions were not tallied. */
static bool sentence_large(const struct sb_evidence *evidence)
{
    return evidence->by == SB_BY_SAMPLE && evidence->cells == 0 && evidence->matrix.form == SB_NUMBERS_NONE;
}

static void sentence_biased(struct sb_sentence *s, const struct sb_report *report)
{
    if (sentence_large(&report->evidence))
        sentence_statistic(s, report, NULL);
    else if (report->evidence.cells == 0 && !report->has_effect)
        sentence_matrix(s, report);
    else if (sb_evidence_partial(&report->evidence))
        sentence_partial(s, report);
    else if (report->evidence.by == SB_BY_EXACT)
        sentence_extremes(s, report);
    else if (sentence_side(s, report, true)) {
        sb_sentence_add(s, "; ");
        if (!sentence_side(s, report, false))
            s->used -= 2;
    } else if (!sentence_side(s, report, false)) {
        sentence_statistic(s, report, "the deals are not equally frequent, though none stands out alone");
    }
    if (report->evidence.by == SB_BY_EXACT) {
        sentence_invisible(s, report);
        return;
    }
    sb_sentence_add(s, " (");
    sentence_p(s, report);
    sb_sentence_add(s, ")");
}

/* Returns whether there are enough shuffles to test the positions of items, or of kinds of equal items. */
static bool sentence_positions(const struct sb_report *report)
{
    const bool equal = sb_item_multiset(report->evidence.names);

    for (size_t i = 0; i < report->findings_count; i++)
        if (strcmp(report->findings[i].statistic, equal ? "card-at" : "position") == 0)
            return sb_finding_reliable(&report->findings[i]);
    return false;
}

static void sentence_fair(struct sb_sentence *s, const struct sb_report *report)
{
    const struct sb_evidence *const e = &report->evidence;
    const struct sb_number total = sb_number_grouped(e->total);

    if (e->n < 2 || e->deal == 0) {
        sb_sentence_add(s, "there is only one order, so there is nothing to shuffle");
    } else if (e->by == SB_BY_EXACT && e->cells == 0) {
        sb_sentence_add(
            s, "every %s is equally likely: this shuffle is proven fair where its draws are, as here",
            e->deal < e->n ? "deal" : "order");
    } else if (e->by == SB_BY_EXACT) {
        sb_sentence_add(s, "each of the %zu %s is equally likely", e->cells,
                        e->deal < e->n ? "deals" : "orders");
    } else if (sentence_large(e)) {
        sb_sentence_add(s, "%s permutation%s of %s items %s as after a fair shuffle in %zu statistics (",
                        total.text, e->total == 1 ? "" : "s", sb_number_grouped(e->n).text,
                        e->total == 1 ? "is" : "are", report->findings_count);
        sentence_p(s, report);
        sb_sentence_add(s, ")");
    } else if (e->cells == 0 && !sentence_positions(report)) {
        sb_sentence_add(s, "the statistics that can be relied on are as expected in %s shuffles (",
                        total.text);
        sentence_p(s, report);
        sb_sentence_add(s, "); neither positions nor the orders themselves were tested");
    } else if (e->cells == 0) {
        sb_sentence_add(s, "%s shuffles bring every item to every position about equally often%s (",
                        total.text,
                        report->findings_count > 1 ? ", and the other statistics are as expected" : "");
        sentence_p(s, report);
        sb_sentence_add(s, "); the orders themselves were not tested");
    } else {
        sb_sentence_add(s, "%s shuffles do not tell it from a fair one at alpha = %g (", total.text,
                        report->alpha);
        sentence_p(s, report);
        sb_sentence_add(s, ")");
    }
}

static const char *sentence_open_end(const struct sb_report *report)
{
    const struct sb_evidence *const e = &report->evidence;

    if (sb_evidence_partial(e))
        return "nothing shows a bias yet, but part of the probability is not resolved";
    if (e->by == SB_BY_SAMPLE)
        return !e->total || report->findings_count ? "too few shuffles to say"
               : e->recorded                       ? "nothing was tested, since all cards are equal"
                                                   : "nothing was tested: ask for `statistics`";
    return e->cells ? "every order is equally likely, as far as doubles can tell"
                    : "every item is equally likely at every position, which does not prove that all orders "
                      "are: a rotation does as much";
}

void sb_sentence_judge(struct sb_sentence *s, const struct sb_report *report)
{
    const bool open = strcmp(report->verdict, "inconclusive") == 0;

    if (open)
        sb_sentence_add(s, "%s", sentence_open_end(report));
    else if (strcmp(report->verdict, "biased") == 0)
        sentence_biased(s, report);
    else
        sentence_fair(s, report);
    /* a proof that asked for numbers in [0, 1) has tried three numbers of each cell, not all */
    if (!open && report->evidence.inquiry && report->evidence.inquiry->cells)
        sb_sentence_add(s,
                        ". It is assumed that a number in [0, 1) matters only by which of %u equal cells it "
                        "lies in, as it did at three places of each cell",
                        report->evidence.inquiry->cells);
    sb_sentence_add(s, ".");
}
