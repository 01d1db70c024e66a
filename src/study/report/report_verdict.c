/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The verdict.
 *
 * The verdict on an exact law is "uniform", "biased" or, if neither is certain, "inconclusive". Sampled
 * evidence is judged by the reliable tests, with Bonferroni's correction. Each test says how large expected
 * counts must be for a reliable p. The verdict is "biased" if the smallest p times the number of tests is
 * below alpha. Otherwise the verdict is "inconclusive" if there are no samples, if no outcome of so many samples could
 * have made it "biased", and if no test was made of a deck with equal items. In all other cases the verdict is "no
 * bias seen".
 *
 * No interval says more than the verdict. Unless the verdict on a sample is "biased", each interval is extended to
 * include the fair share, or the effect 0. An interval that is extended holds as often as before, or more often.
 */
#include "core/numbers.h"
#include "report/number.h"
#include "study/report/report_parts.h"
#include "study/sentence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether every item reaches every position equally often, up to rounding. */
static bool verdict_even(const struct sb_evidence *e)
{
    mpq_t ratio;
    bool even = true;

    mpq_init(ratio);
    for (size_t cell = 0; cell < sb_evidence_rows(e) * e->deal && even; cell++) {
        const size_t row = cell / e->deal;

        if (e->matrix.form == SB_NUMBERS_SHARE) {
            even = fabs(sb_evidence_ratio(e, row, e->matrix.share[cell]) - 1) <= 2 * (e->error + 0x1p-52);
            continue;
        }
        sb_evidence_matrix_fraction(e, row, cell % e->deal, ratio);
        even = mpq_cmp_ui(ratio, sb_evidence_copies(e, row), e->n) == 0;
    }
    mpq_clear(ratio);
    return even;
}

static const char *verdict_exact(const struct sb_report *report)
{
    if (sb_effect_rounded(&report->evidence, &report->effect)) {
        /* biased if a ratio differs from 1 by more than rounding can cause */
        const double most = fmax(report->effect.max_excess, -report->effect.min_excess);

        return most > 2 * report->evidence.error ? "biased" : "inconclusive";
    }
    /* the unresolved probability cannot reduce a count that is too large */
    if (sb_evidence_partial(&report->evidence))
        return report->effect.max_excess > 0 ? "biased" : "inconclusive";
    if (report->has_effect)
        return mpq_sgn(report->effect.total_variation_exact) == 0 ? "uniform" : "biased";
    if (!verdict_even(&report->evidence))
        return "biased";
    return report->proven || sb_evidence_rows(&report->evidence) < 2 ? "uniform" : "inconclusive";
}

/* Takes away the intervals, which need independent permutations. */
static void verdict_withhold(struct sb_report *report)
{
    for (size_t i = 0; i < report->rows_count; i++)
        report->rows[i].low = report->rows[i].high = NAN;
    for (size_t i = 0; i < report->findings_count; i++)
        report->findings[i].effect_low = report->findings[i].effect_high = NAN;
    report->places = (struct sb_places) { .cells = 0 };
}

static const char *verdict_sampled(struct sb_report *report)
{
    const bool able = sb_report_correct(report);

    if (sb_report_dependence(report))
        verdict_withhold(report);
    if (report->ln_p < log(report->alpha)) /* false if ln_p is NaN, which means that no test is reliable */
        return "biased";
    /* decks with equal items may have tests of nothing: `card-at` and `rank` are then counted only on request */
    const bool tested = able || (!report->findings_count && !sb_item_multiset(report->evidence.names));

    return report->evidence.total && tested ? "no bias seen" : "inconclusive";
}

/* Returns the number of samples that would make a finding reliable. Rounding must not add one. */
static double verdict_needs(const struct sb_report *report, const struct sb_finding *finding)
{
    const double samples =
        finding->expected_needed * (double)report->evidence.total / finding->expected_least;

    return ceil(samples * (1 - 1e-12));
}

/* Says how to get enough samples. No option makes a subject longer that has ended. */
static void verdict_advise(const struct sb_evidence *evidence, double samples, struct sb_sentence *s)
{
    sb_sentence_add(s,
                    evidence->recorded ? "record %.0f or more"
                    : evidence->ended  ? "it takes %.0f or more"
                                       : "use `samples` %.0f or more",
                    samples);
}

/* Warns of a test whose p-value is unreliable. */
static void verdict_warn_test(const struct sb_report *report, const struct sb_finding *finding,
                              struct sb_sentence *s)
{
    char least[32], needed[32];

    sb_sentence_number(finding->expected_least, least);
    sb_sentence_number(finding->expected_needed, needed);
    sb_sentence_add(s, "%s%s of %s%s is not reliable: expected counts go down to %s and should be %s, so ",
                    s->used ? "; " : "", finding->test, finding->increments ? "increments: " : "",
                    finding->statistic, least, needed);
    verdict_advise(&report->evidence, verdict_needs(report, finding), s);
}

/* Warns of all tests without a p-value in one sentence, because there may be a dozen such tests. */
static void verdict_warn_none(const struct sb_report *report, struct sb_sentence *s)
{
    const uint64_t total = report->evidence.total;
    size_t none = 0;

    for (size_t i = 0; i < report->findings_count; i++)
        none += isnan(report->findings[i].ln_p) ? 1 : 0;
    if (none && total)
        sb_sentence_add(s,
                        "%s%zu test%s no p-value, since no outcome of %s shuffle%s could reach alpha in %s",
                        s->used ? "; " : "", none, none == 1 ? " has" : "s have",
                        sb_number_grouped(total).text, total == 1 ? "" : "s", none == 1 ? "it" : "them");
}

/* Writes what is unreliable, and how many samples would make it reliable. */
static void verdict_warn(const struct sb_report *report, struct sb_sentence *s)
{
    if (report->evidence.part[0])
        sb_sentence_add(s, "only %s, not the whole run%s", report->evidence.part,
                        report->evidence.interrupted ? "; " : "");
    if (report->evidence.interrupted && report->evidence.asked)
        sb_sentence_add(s, "stopped early: %s of %s shuffles were counted",
                        sb_number_grouped(report->evidence.total).text,
                        sb_number_grouped(report->evidence.asked).text);
    else if (report->evidence.interrupted)
        sb_sentence_add(s, "stopped early: %s shuffle%s counted",
                        sb_number_grouped(report->evidence.total).text,
                        report->evidence.total == 1 ? " was" : "s were");
    for (size_t i = 0; i < report->findings_count; i++)
        if (!sb_finding_reliable(&report->findings[i]) && !isnan(report->findings[i].ln_p))
            verdict_warn_test(report, &report->findings[i], s);
    verdict_warn_none(report, s);
}

/* Writes why part of the probability is not resolved, and how to resolve it. */
static void verdict_warn_partial(const struct sb_evidence *evidence, struct sb_sentence *s)
{
    const struct sb_inquiry *const inquiry = evidence->inquiry;

    /* a double may be 0 where this probability is not */
    const double ln_unresolved =
        sb_mpz_ln_ratio(mpq_numref(inquiry->unresolved), mpq_denref(inquiry->unresolved));

    sb_sentence_add(s, "%s of the probability is not resolved, and shares are at least what they seem: ",
                    sb_number_p(exp(ln_unresolved), ln_unresolved).text);
    if (evidence->interrupted)
        sb_sentence_add(s, "stopped early; ");
    else if (!inquiry->complete)
        sb_sentence_add(s, "there are more series of answers than `paths`; ");
    if (inquiry->cut)
        sb_sentence_add(s, "%s series of answers %s cut at `draws`; ", sb_number_grouped(inquiry->cut).text,
                        inquiry->cut == 1 ? "was" : "were");
    if (inquiry->loose)
        sb_sentence_add(
            s,
            "%s series have decks that depend on where in its cell a number lies, so the law of "
            "the cells is not that of the numbers (%s): try `cells` with a multiple, or draws below "
            "a bound; ",
            sb_number_grouped(inquiry->loose).text, inquiry->example);
    if (s->used >= 2)
        s->text[s->used -= 2] = '\0'; /* removes the last "; " */
}

/* Extends the intervals of a sample that was not called biased, so that they say no more than the verdict. */
static void verdict_extend(struct sb_report *report)
{
    for (size_t i = 0; i < report->rows_count; i++) {
        report->rows[i].low = fmin(report->rows[i].low, 1 / (double)report->evidence.cells);
        report->rows[i].high = fmax(report->rows[i].high, 1 / (double)report->evidence.cells);
    }
    report->places.beyond = report->places.count = 0;
    for (size_t i = 0; i < report->findings_count; i++)
        if (!isnan(report->findings[i].effect_low))
            report->findings[i].effect_low = 0;
}

enum sb_status sb_report_judge(struct sb_report *report)
{
    struct sb_sentence warning = { 0 }, sentence = { 0 };

    if (report->evidence.by == SB_BY_SEEDS)
        return sb_report_judge_seeds(report);
    if (report->evidence.by == SB_BY_EXACT) {
        report->verdict = verdict_exact(report);
        if (sb_evidence_partial(&report->evidence))
            verdict_warn_partial(&report->evidence, &warning);
    } else {
        report->verdict = verdict_sampled(report);
        if (strcmp(report->verdict, "biased") != 0)
            verdict_extend(report);
        verdict_warn(report, &warning);
    }
    sb_sentence_judge(&sentence, report);
    const bool warned = warning.used || warning.lost;

    report->sentence = sb_sentence_take(&sentence);
    report->warning = warned ? sb_sentence_take(&warning) : NULL;
    return report->sentence && (report->warning || !warned) ? SB_OK : SB_NO_MEMORY;
}
