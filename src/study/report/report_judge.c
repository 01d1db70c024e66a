/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The verdict of a report, and what is unreliable about it. */
#include "core/text.h"
#include "study/report/report_result.h"

/* The p-value of a report: Bonferroni's correction over its reliable tests. Also, which outcomes could have reached
 * alpha: the null laws and the number of samples decide how small each p can be, and the smallest such p, times the
 * number of tests, must be below alpha. */

/* Returns whether an outcome of a number of samples could make the report say "biased", if `tests` tests share alpha.
 * How small the p of a bettor or of lags can be is unknown. */
static bool correct_able(const struct sb_report *report, double samples, double tests)
{
    for (size_t i = 0; i < report->findings_count; i++) {
        const struct sb_finding *const finding = &report->findings[i];

        if (!finding->context && !finding->lag && !finding->outliers && sb_finding_expects(finding) &&
            sb_finding_least(finding, samples, report->alpha) + log(tests) < log(report->alpha))
            return true;
    }
    return false;
}

static double correct_tests(const struct sb_report *report, double samples)
{
    double tests = 0;

    for (size_t i = 0; i < report->findings_count; i++)
        tests += sb_finding_least(&report->findings[i], samples, report->alpha) < log(report->alpha);
    return tests;
}

/* Sets the report's p to the smallest p times the number of reliable tests. Returns whether any outcome of so many
 * samples could have made this p smaller than alpha; the bettor alone does not count. */
static bool report_correct(struct sb_report *report)
{
    double tests = 0, ln_p = INFINITY;

    for (size_t i = 0; i < report->findings_count; i++) {
        if (!sb_finding_reliable(&report->findings[i]))
            continue;
        tests++;
        ln_p = fmin(ln_p, report->findings[i].ln_p);
    }
    if (tests == 0)
        return false;
    report->tests = (size_t)tests;
    report->ln_p = fmin(0, ln_p + log(tests));
    report->p = exp(report->ln_p);
    return correct_able(report, (double)report->evidence.total, tests);
}

/* Returns the smallest larger number of samples of which an outcome can make p smaller than alpha; NaN if there is
 * none, or it is very large. */
static double report_enough(const struct sb_report *report)
{
    enum { ENOUGH_MOST = 100000 };
    double samples = (double)report->evidence.total + 1;

    for (int i = 0; i < ENOUGH_MOST; i++, samples++)
        if (correct_able(report, samples, fmax(1, correct_tests(report, samples))))
            return samples;
    return NAN;
}

/*
 * The verdict.
 *
 * The verdict on an exact law is "uniform", "biased" or, if neither is certain, "inconclusive". Sampled evidence is
 * judged by the reliable tests, with Bonferroni's correction. Each test says how large expected counts must be for a
 * reliable p. The verdict is "biased" if the smallest p times the number of tests is below alpha. Otherwise the
 * verdict is "inconclusive" if there are no samples, if no outcome of so many samples could have made it "biased", and
 * if no test was made of a deck with equal items. In all other cases the verdict is "no bias seen".
 *
 * No interval says more than the verdict. Unless the verdict on a sample is "biased", each interval is extended to
 * include the fair share, or the effect 0. An interval that is extended holds as often as before, or more often.
 */

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
    /* The unresolved probability cannot reduce a count that is too large. If none is too large, it bounds the bias. */
    if (sb_evidence_partial(&report->evidence))
        return report->effect.max_excess > 0                                      ? "biased"
               : mpq_get_d(report->evidence.inquiry->unresolved) < SB_RATIO_FAINT ? "uniform"
                                                                                  : "inconclusive";
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
    for (size_t i = 0; report->counted && i < report->counted->count; i++)
        report->counted->cell[i].low = report->counted->cell[i].high = report->counted->cell[i].ln_p = NAN;
}

static const char *verdict_sampled(struct sb_report *report)
{
    const bool able = report_correct(report);

    if (sb_report_dependence(report))
        verdict_withhold(report);
    if (report->ln_p < log(report->alpha)) /* false if ln_p is NaN, which means that no test is reliable */
        return "biased";
    /* decks with equal items may have tests of nothing: `card-at` and `rank` are then counted only on request */
    const bool tested = able || (!report->findings_count && !sb_item_multiset(report->evidence.names));

    return report->evidence.total && tested ? "no bias seen" : "inconclusive";
}

static void verdict_warn(const struct sb_report *report, struct sb_sentence *s)
{
    bool without = false; /* whether a test has no p-value; one sentence is about all of them: there may be a dozen */

    if (report->evidence.part[0] || report->evidence.interrupted)
        sb_sentence_say(s, report, NULL, "some");
    for (size_t i = 0; i < report->findings_count; i++) {
        const bool known = !isnan(report->findings[i].ln_p);

        without = without || !known;
        if (known && !sb_finding_reliable(&report->findings[i])) {
            sb_sentence_add(s, "%s", s->used ? "; " : "");
            sb_sentence_say(s, report, &report->findings[i], "unreliable");
        }
    }
    if (without && report->evidence.total) {
        sb_sentence_add(s, "%s", s->used ? "; " : "");
        sb_sentence_say(s, report, NULL, "without_p");
    }
}

/* Extends the intervals of a sample that was not called biased, so that they say no more than the verdict. */
static void verdict_extend(struct sb_report *report)
{
    for (size_t i = 0; i < report->rows_count; i++) {
        report->rows[i].low = fmin(report->rows[i].low, 1 / (double)report->evidence.cells);
        report->rows[i].high = fmax(report->rows[i].high, 1 / (double)report->evidence.cells);
    }
    report->places.beyond = report->places.count = 0;
    for (size_t i = 0; report->counted && i < report->counted->count; i++) {
        struct sb_counted_cell *const cell = &report->counted->cell[i];

        cell->low = fmin(cell->low, cell->fair);
        cell->high = fmax(cell->high, cell->fair);
    }
    for (size_t i = 0; i < report->findings_count; i++)
        if (!isnan(report->findings[i].effect_low))
            report->findings[i].effect_low = 0;
}

/*
 * The verdict of a report by seeds.
 *
 * The decks of all seeds give the law of the deck from a random seed. This law cannot be uniform if there are
 * fewer seeds than deals.
 */

static const char *seeds_verdict(const struct sb_report *report)
{
    const struct sb_evidence *const e = &report->evidence;
    const struct sb_reach *const reach = e->reach;
    const uint64_t deals = sb_deals(e->n, e->deal); /* UINT64_MAX if the number does not fit */
    const uint64_t tried = reach->last - reach->first + 1 - reach->refused;

    if (deals == 1)
        return "uniform";
    if (report->findings_count && report->ln_p < log(report->alpha)) /* as the steps show */
        return "biased";
    /* the seeds that were not tried may reach the other deals */
    if (e->total == 0 || (e->interrupted && tried >= deals))
        return "inconclusive";
    if (tried % deals != 0 || (reach->reached < deals && reach->reached_error == 0))
        return "biased";
    if (reach->most == 0)
        return "inconclusive";
    return reach->most == tried / deals ? "uniform" : "biased";
}

static void sentence_few(struct sb_sentence *s, const struct sb_report *report)
{
    const uint64_t total = report->evidence.total;
    const double enough = report->evidence.total ? report_enough(report) : NAN;

    sb_sentence_add(s, "too few shuffles to say");
    if (total)
        sb_sentence_add(s, ": no outcome of %s could reach alpha = %s", sb_number_grouped(total).text,
                        sb_number_given(report->alpha).text);
    if (!isnan(enough))
        sb_sentence_add(s, ", but an outcome of %s could", sb_number_grouped((uint64_t)enough).text);
}

static void verdict_judge(struct sb_report *report, struct sb_sentence *warning)
{
    if (report->evidence.by == SB_BY_SEEDS) {
        report_correct(report);
        report->verdict = seeds_verdict(report);
        if (report->evidence.interrupted || report->evidence.reach->refused)
            sb_sentence_say(warning, report, NULL, "seeds_warning");
    } else if (report->evidence.by == SB_BY_EXACT) {
        report->verdict = verdict_exact(report);
        if (sb_evidence_partial(&report->evidence) && strcmp(report->verdict, "uniform") != 0)
            sb_sentence_say(warning, report, NULL, "unresolved");
    } else {
        report->verdict = verdict_sampled(report);
        if (strcmp(report->verdict, "biased") != 0)
            verdict_extend(report);
        verdict_warn(report, warning);
    }
}

/* Sets the verdict, the sentence and the warning of a report that already has its evidence, effect, findings
 * and rows. Error: SB_NO_MEMORY. */
static enum sb_status report_judge(struct sb_report *report)
{
    struct sb_sentence warning = { 0 }, sentence = { 0 };

    verdict_judge(report, &warning);
    const bool open = strcmp(report->verdict, "inconclusive") == 0;

    if (report->evidence.by == SB_BY_SEEDS)
        sb_sentence_say(&sentence, report, NULL, "seeds");
    else if (open && report->evidence.by == SB_BY_SAMPLE && (!report->evidence.total || report->findings_count))
        sentence_few(&sentence, report);
    else if (open)
        sb_sentence_say(&sentence, report, NULL, "open");
    else
        sb_sentence_judge(&sentence, report);
    sb_sentence_add(&sentence, ".");
    const bool warned = warning.used || warning.lost;

    report->sentence = sb_sentence_take(&sentence);
    report->warning = warned ? sb_sentence_take(&warning) : NULL;
    return report->sentence && (report->warning || !warned) ? SB_OK : SB_NO_MEMORY;
}

enum sb_status sb_report_conclude(struct sb_report *const reports[], size_t count)
{
    const struct sb_evidence *order = &reports[0]->evidence;
    enum sb_status status = SB_OK;

    if (count > 1 && (!reports[0]->evidence.cells || reports[0]->effect.max_ratio == reports[0]->effect.min_ratio))
        order = &reports[1]->evidence;
    for (size_t i = 0; i < count && status == SB_OK; i++) {
        struct sb_report *const report = reports[i];

        if (report->evidence.cells)
            status = sb_rows_of(&report->evidence, order, report->alpha, &report->rows, &report->rows_count);
        if (status == SB_OK)
            status = report_judge(report);
    }
    return status;
}
