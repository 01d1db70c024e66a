/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The verdict and its one plain sentence.
 *
 * An exact law is uniform or it is not; an exact matrix that is uniform proves nothing, unless a theorem
 * does. Sampled evidence is judged by its tests that can be relied on (expected counts of 5 or more), by
 * Bonferroni: biased if the smallest p times their number is below alpha.
 */
#include "core/error.h"
#include "study/study.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { SENTENCE_ROOM = 1024, SENTENCE_NAMES = 4 };

/* Text that grows in a fixed room, cut where it is full. */
struct sentence {
    char text[SENTENCE_ROOM];
    size_t used;
};

__attribute__((format(printf, 2, 3))) static void sentence_add(struct sentence *s, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    const int length = vsnprintf(s->text + s->used, sizeof s->text - s->used, format, arguments);
    va_end(arguments);
    if (length > 0)
        s->used += (size_t)length;
    if (s->used >= sizeof s->text)
        s->used = sizeof s->text - 1;
}

/* "132, 213 and 231", or "1234 and 11 others". */
static void sentence_deals(struct sentence *s, const struct sb_evidence *evidence, const size_t ranks[],
                           size_t count, size_t total)
{
    const size_t shown = total <= SENTENCE_NAMES ? count : 1;
    sb_item *const a = calloc(evidence->deal + 1, sizeof *a);
    char text[SB_NOTATION_ROOM];

    for (size_t i = 0; a && i < shown; i++) {
        sb_permutation_unrank(evidence->n, evidence->deal, ranks[i], a);
        sentence_add(s, "%s%s",
                     i == 0           ? ""
                     : i + 1 == total ? " and "
                                      : ", ",
                     sb_permutation_notation(evidence->n, evidence->deal, a, text, sizeof text));
    }
    if (shown < total)
        sentence_add(s, " and %zu %s", total - shown, total - shown == 1 ? "other" : "others");
    free(a);
}

/* "come up 11% too often", "never come up", "come up 2.4 times as often as they should". */
static void sentence_ratio(struct sentence *s, const char *verb, double ratio, size_t total)
{
    const double percent = 100 * fabs(ratio - 1);
    const int digits = percent >= 9.95 ? 0 : percent >= 0.995 ? 1 : percent >= 0.0995 ? 2 : 4;

    if (ratio == 0)
        sentence_add(s, " never %s", verb);
    else if (ratio >= 2)
        sentence_add(s, " %s %.*f times as often as %s should", verb, ratio < 100 ? 1 : 0, ratio,
                     total == 1 ? "it" : "they");
    else if (percent >= 0.00005)
        sentence_add(s, " %s %.*f%% too %s", verb, digits, percent, ratio > 1 ? "often" : "rarely");
    else
        sentence_add(s, " %s too %s by a share of %.2g", verb, ratio > 1 ? "often" : "rarely", percent / 100);
}

static const char *sentence_verb(size_t total)
{
    return total == 1 ? "comes up" : "come up";
}

static void sentence_extremes(struct sentence *s, const struct sb_report *report)
{
    const struct sb_effect *const effect = &report->effect;

    sentence_deals(s, &report->evidence, effect->most, effect->most_count, effect->most_total);
    sentence_ratio(s, sentence_verb(effect->most_total), effect->max_ratio, effect->most_total);
    sentence_add(s, "; ");
    sentence_deals(s, &report->evidence, effect->least, effect->least_count, effect->least_total);
    sentence_ratio(s, sentence_verb(effect->least_total), effect->min_ratio, effect->least_total);
}

/*
 * Names the deals whose interval lies wholly on one side of the uniform share, and the worst ratio among
 * them; where the table does not show all deals, the worst one alone. Returns how many there are.
 */
static size_t sentence_side(struct sentence *s, const struct sb_report *report, bool over)
{
    const double uniform = 1 / (double)report->evidence.cells;
    size_t ranks[SENTENCE_NAMES] = { 0 }, total = 0, worst = 0;
    double ratio = 1;

    for (size_t i = 0; i < report->rows_count; i++) {
        const struct sb_row *const row = &report->rows[i];

        if (over ? row->low <= uniform : row->high >= uniform)
            continue;
        if (total == 0 || fabs(row->ratio - 1) > fabs(ratio - 1)) {
            ratio = row->ratio;
            worst = row->rank;
        }
        if (total < SENTENCE_NAMES)
            ranks[total] = row->rank;
        total++;
    }
    if (total == 0)
        return 0;
    if (total > SENTENCE_NAMES || report->rows_count < report->evidence.cells) {
        ranks[0] = worst;
        total = 1;
    }
    sentence_deals(s, &report->evidence, ranks, total, total);
    sentence_ratio(s, sentence_verb(total), ratio, total);
    return total;
}

static void sentence_p(struct sentence *s, const struct sb_report *report)
{
    const double ten = report->ln_p / log(10);

    if (report->p >= 1e-4)
        sentence_add(s, "p = %.2g", report->p);
    else
        sentence_add(s, "p = %.1fe%.0f", pow(10, ten - floor(ten)), floor(ten));
}

/* The item and position that are farthest from the uniform share. */
static void sentence_matrix(struct sentence *s, const struct sb_report *report)
{
    const struct sb_evidence *const e = &report->evidence;
    double worst = 1;
    size_t item = 0, position = 0;

    for (size_t i = 0; i < e->n; i++)
        for (size_t j = 0; j < e->deal; j++) {
            const double ratio = sb_evidence_matrix_share(e, i, j) * (double)e->n;

            if (fabs(ratio - 1) <= fabs(worst - 1))
                continue;
            worst = ratio;
            item = i;
            position = j;
        }
    sentence_add(s, "item %zu", item + 1);
    sentence_ratio(s, "lands", worst, 1);
    sentence_add(s, " at position %zu", position + 1);
}

static void sentence_biased(struct sentence *s, const struct sb_report *report)
{
    if (report->evidence.by == SB_BY_EXACT && report->evidence.cells == 0) {
        sentence_matrix(s, report);
        return;
    }
    if (report->evidence.by == SB_BY_EXACT) {
        sentence_extremes(s, report);
        return;
    }
    if (report->evidence.cells == 0) {
        sentence_matrix(s, report);
    } else if (sentence_side(s, report, true)) {
        sentence_add(s, "; ");
        if (sentence_side(s, report, false) == 0)
            s->used -= 2;
    } else if (sentence_side(s, report, false) == 0) {
        sentence_add(s, "the deals are not equally frequent, though none stands out alone");
    }
    sentence_add(s, " (");
    sentence_p(s, report);
    sentence_add(s, ")");
}

static void sentence_fair(struct sentence *s, const struct sb_report *report)
{
    const struct sb_evidence *const e = &report->evidence;

    if (e->by == SB_BY_EXACT && e->cells == 0) {
        sentence_add(s,
                     "every %s is equally likely: this shuffle is proven fair where its draws are, as here",
                     e->deal < e->n ? "deal" : "order");
    } else if (e->by == SB_BY_EXACT && e->cells == 1) {
        sentence_add(s, "there is only one order, so there is nothing to shuffle");
    } else if (e->by == SB_BY_EXACT) {
        sentence_add(s, "each of the %zu %s is equally likely", e->cells,
                     e->deal < e->n ? "deals" : "orders");
    } else if (report->findings_count == 0) {
        sentence_add(s, "there is only one order, so there is nothing to shuffle");
    } else {
        sentence_add(s, "%llu shuffles look like those of a fair one (", (unsigned long long)e->total);
        sentence_p(s, report);
        sentence_add(s, ")");
    }
}

/* Whether every item comes to every position equally often, as far as the numbers tell. */
static bool sentence_even(const struct sb_evidence *e)
{
    const double n = (double)e->n;
    mpq_t ratio;
    bool even = true;

    mpq_init(ratio);
    for (size_t cell = 0; cell < e->n * e->deal && even; cell++) {
        if (e->matrix_share) {
            even = fabs(e->matrix_share[cell] * n - 1) <= 2 * (e->error + 0x1p-52);
            continue;
        }
        sb_evidence_matrix_fraction(e, cell / e->deal, cell % e->deal, ratio);
        even = mpq_cmp_ui(ratio, 1, e->n) == 0;
    }
    mpq_clear(ratio);
    return even;
}

static const char *sentence_exact(const struct sb_report *report)
{
    if (report->evidence.share) { /* beyond what rounding can do, on both sides of 1 */
        const double most = fmax(report->effect.max_ratio - 1, 1 - report->effect.min_ratio);

        return most > 2 * report->evidence.error ? "biased" : "inconclusive";
    }
    if (report->evidence.cells)
        return mpq_sgn(report->effect.total_variation_exact) == 0 ? "uniform" : "biased";
    if (!sentence_even(&report->evidence))
        return "biased";
    return report->proven ? "uniform" : "inconclusive";
}

/* The smallest p after correction, over the tests that can be relied on; how many those are. */
static size_t sentence_judge(struct sb_report *report)
{
    size_t tests = 0;
    double ln_p = INFINITY;

    for (size_t i = 0; i < report->findings_count; i++) {
        if (report->findings[i].expected_least < 5)
            continue;
        tests++;
        ln_p = fmin(ln_p, report->findings[i].ln_p);
    }
    if (tests == 0)
        return 0;
    report->ln_p = fmin(0, ln_p + log((double)tests));
    report->p = exp(report->ln_p);
    return tests;
}

static enum sb_status sentence_warn(struct sb_report *report)
{
    const struct sb_evidence *const e = &report->evidence;
    struct sentence s = { 0 };
    double least = INFINITY;

    for (size_t i = 0; i < report->findings_count; i++)
        least = fmin(least, report->findings[i].expected_least);
    if (e->interrupted)
        sentence_add(&s, "stopped early: %llu shuffles were counted", (unsigned long long)e->total);
    if (least < 5)
        sentence_add(&s,
                     "%sexpected counts go down to %.3g, below 5, so tests on them are not relied on: use "
                     "--samples %.0f or more",
                     s.used ? "; " : "", least, ceil(5 * (double)e->total / least));
    if (s.used == 0)
        return SB_OK;
    report->warning = strdup(s.text);
    return report->warning ? SB_OK : SB_NO_MEMORY;
}

enum sb_status sb_report_judge(struct sb_report *report)
{
    const struct sb_evidence *const e = &report->evidence;
    struct sentence s = { 0 };
    enum sb_status status = SB_OK;

    if (e->by == SB_BY_SEEDS)
        return sb_report_judge_seeds(report);
    if (e->by == SB_BY_EXACT) {
        report->verdict = sentence_exact(report);
    } else {
        const size_t tests = sentence_judge(report);

        if (e->total == 0 || (tests == 0 && report->findings_count))
            report->verdict = "inconclusive";
        else
            report->verdict = tests && report->ln_p < log(report->alpha) ? "biased" : "no bias seen";
        status = sentence_warn(report);
    }
    if (strcmp(report->verdict, "inconclusive") == 0)
        sentence_add(
            &s, e->by == SB_BY_EXACT && e->cells ? "every order is equally likely, as far as doubles can tell"
                : e->by == SB_BY_EXACT ? "every item is equally likely at every position, which does not "
                                         "prove that all orders are: a rotation does as much"
                                       : "too few shuffles to say");
    else if (strcmp(report->verdict, "biased") == 0)
        sentence_biased(&s, report);
    else
        sentence_fair(&s, report);
    sentence_add(&s, ".");
    report->sentence = strdup(s.text);
    return status == SB_OK && report->sentence ? SB_OK : SB_NO_MEMORY;
}
