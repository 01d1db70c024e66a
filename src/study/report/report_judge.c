/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The verdict of a report, what is unreliable about it, and the sentence on a report by seeds. */
#include "core/numbers.h"
#include "core/text.h"
#include "fit/fit.h"
#include "sample/sample.h"
#include "study/report/report_result.h"

#include <math.h>
#include <string.h>

/* The p-value of a report: Bonferroni's correction over its reliable tests. Also, which outcomes could have reached
 * alpha: the null laws and the number of samples decide how small each p can be, and the smallest such p, times the
 * number of tests, must be below alpha. */

/* Returns whether an outcome of a number of samples could make the report say "biased", if `tests` tests share alpha.
 * How small the p of a bettor or of lags can be is unknown. */
static bool correct_able(const struct sb_report *report, double samples, double tests)
{
    for (size_t i = 0; i < report->findings_count; i++) {
        const struct sb_finding *const finding = &report->findings[i];

        if (!finding->context && !finding->lag && sb_finding_expects(finding) &&
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

/* Returns the number of samples that would make a finding reliable. Rounding must not add one. */
static double verdict_needs(const struct sb_report *report, const struct sb_finding *finding)
{
    const double samples = finding->expected_needed * (double)report->evidence.total / finding->expected_least;

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

static void verdict_warn_test(const struct sb_report *report, const struct sb_finding *finding, struct sb_sentence *s)
{
    char least[32], needed[32];

    sb_sentence_number(finding->expected_least, least);
    sb_sentence_number(finding->expected_needed, needed);
    sb_sentence_add(s, "%s%s of %s%s is not reliable: expected counts go down to %s and should be %s, so ",
                    s->used ? "; " : "", finding->test, finding->increments ? "increments: " : "", finding->statistic,
                    least, needed);
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
        sb_sentence_add(s, "%s%zu test%s no p-value, since no outcome of %s shuffle%s could reach alpha in %s",
                        s->used ? "; " : "", none, none == 1 ? " has" : "s have", sb_number_grouped(total).text,
                        total == 1 ? "" : "s", none == 1 ? "it" : "them");
}

static void verdict_warn(const struct sb_report *report, struct sb_sentence *s)
{
    if (report->evidence.part[0])
        sb_sentence_add(s, "only %s, not the whole run%s", report->evidence.part,
                        report->evidence.interrupted ? "; " : "");
    if (report->evidence.interrupted && report->evidence.asked)
        sb_sentence_add(s, "stopped early: %s of %s shuffles were counted",
                        sb_number_grouped(report->evidence.total).text, sb_number_grouped(report->evidence.asked).text);
    else if (report->evidence.interrupted)
        sb_sentence_add(s, "stopped early: %s shuffle%s counted", sb_number_grouped(report->evidence.total).text,
                        report->evidence.total == 1 ? " was" : "s were");
    for (size_t i = 0; i < report->findings_count; i++)
        if (!sb_finding_reliable(&report->findings[i]) && !isnan(report->findings[i].ln_p))
            verdict_warn_test(report, &report->findings[i], s);
    verdict_warn_none(report, s);
}

static void verdict_warn_partial(const struct sb_evidence *evidence, struct sb_sentence *s)
{
    const struct sb_inquiry *const inquiry = evidence->inquiry;
    const double unresolved = mpq_get_d(inquiry->unresolved);

    sb_sentence_add(s, "%s of the probability is not resolved, and shares are at least what they seem: ",
                    sb_number_p(unresolved, log(unresolved)).text);
    if (evidence->interrupted)
        sb_sentence_add(s, "stopped early; ");
    else if (!inquiry->complete)
        sb_sentence_add(s, "there are more series of answers than `paths` or the memory allow; ");
    else if (!inquiry->cut && !inquiry->loose)
        sb_sentence_add(s, "longer series of answers were not tried; ");
    if (inquiry->cut)
        sb_sentence_add(s, "%s series of answers %s cut at `draws`; ", sb_number_grouped(inquiry->cut).text,
                        inquiry->cut == 1 ? "was" : "were");
    if (inquiry->loose)
        sb_sentence_add(
            s,
            "%s series have decks that depend on where in its cell a number lies, so the law of the cells is "
            "not that of the numbers (%s): try `cells` with a multiple, or draws below a bound; but if the shuffle "
            "compares random numbers with each other, as a sort by random keys does, no number of cells resolves it: "
            "use "
            "a gate; ",
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

/*
 * The verdict of a report by seeds, and what the number of reached deals means.
 *
 * The decks of all seeds give the law of the deck from a random seed. This law cannot be uniform if there are
 * fewer seeds than deals.
 */

static bool seeds_follow(const struct sb_report *report)
{
    return report->findings_count && report->ln_p < log(report->alpha);
}

static const char *seeds_verdict(const struct sb_report *report)
{
    const struct sb_evidence *const e = &report->evidence;
    const struct sb_reach *const reach = e->reach;
    const uint64_t deals = sb_deals(e->n, e->deal); /* UINT64_MAX if the number does not fit */
    const uint64_t tried = reach->last - reach->first + 1 - reach->refused;

    if (deals == 1)
        return "uniform";
    if (seeds_follow(report))
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

static void seeds_what(const struct sb_evidence *e, struct sb_sentence *s)
{
    if (e->deal < e->n)
        sb_sentence_add(s, "deals of %zu out of %zu", e->deal, e->n);
    else
        sb_sentence_add(s, "orders of %zu items", e->n);
}

static void seeds_times(const struct sb_evidence *e, const size_t ranks[], size_t total, uint64_t times,
                        struct sb_sentence *s)
{
    sb_sentence_deals(s, e, ranks, 1, total);
    sb_sentence_add(s, " come%s up ", total == 1 ? "s" : "");
    if (times == 1)
        sb_sentence_add(s, "once");
    else
        sb_sentence_add(s, "%s times", sb_number_grouped(times).text);
    sb_sentence_add(s, total > 1 ? " each" : "");
}

static void seeds_counted(const struct sb_report *report, struct sb_sentence *s)
{
    const struct sb_evidence *const e = &report->evidence;
    const struct sb_effect *const effect = &report->effect;
    const struct sb_reach *const reach = e->reach;

    if (reach->least == 0) {
        sb_sentence_add(s, "%s of the %s ", sb_number_grouped(e->cells - reach->reached).text,
                        sb_number_grouped(e->cells).text);
        seeds_what(e, s);
        sb_sentence_add(s, " never come%s up; ", e->cells - reach->reached == 1 ? "s" : "");
    }
    seeds_times(e, effect->most, effect->most_total, reach->most, s);
    if (reach->least > 0) {
        sb_sentence_add(s, "; ");
        seeds_times(e, effect->least, effect->least_total, reach->least, s);
    }
    /* a fair shuffle is "biased" from a few seeds, too, so the sentence has what makes the verdict mean something */
    sb_sentence_add(s,
                    ". So the deck of a random one of these seeds is %s from fair in total variation; as many fair "
                    "shuffles show %s on average",
                    sb_number_short(effect->total_variation, 2).text,
                    sb_number_short(effect->total_variation_fair, 2).text);
}

static void seeds_told_apart(const struct sb_evidence *e, struct sb_sentence *s)
{
    const struct sb_reach *const reach = e->reach;
    const char *const about = reach->reached_error > 0 ? "about " : "";
    const double digits = -reach->log10_fraction;

    if (digits < 1) {
        sb_sentence_add(s, "%s%s of the ", about, sb_number_grouped(reach->reached).text);
        sb_sentence_mpz(s, reach->deals);
        sb_sentence_add(s, " ");
        seeds_what(e, s);
        sb_sentence_add(s, " come up");
        return;
    }
    if (digits >= 6)
        sb_sentence_add(s, "at most 1 in 10^%.0f ", floor(digits));
    else
        sb_sentence_add(s, "at most 1 in %s ",
                        sb_number_grouped((uint64_t)(mpz_get_d(reach->deals) / (double)e->total)).text);
    seeds_what(e, s);
    sb_sentence_add(s, " can come up; %s%s different one%s", about, sb_number_grouped(reach->reached).text,
                    reach->reached == 1 ? " does" : "s do");
}

static void seeds_steps(const struct sb_report *report, struct sb_sentence *s)
{
    const struct sb_finding *const worst = sb_report_worst(report);

    if (!worst) {
        sb_sentence_add(s, ". They are too few to test the steps from the deck of each seed to that of the next");
        return;
    }
    sb_sentence_add(s, ". The steps from the deck of each seed to that of the next %s",
                    seeds_follow(report) ? "are not those of a fair shuffle" : "look like those of a fair shuffle");
    sb_sentence_add(s, " (corrected p = %s", sb_number_p(report->p, report->ln_p).text);
    if (seeds_follow(report))
        sb_sentence_add(s, "; %s stands out most", worst->statistic);
    sb_sentence_add(s, ")");
}

static void seeds_open(const struct sb_evidence *e, struct sb_sentence *s)
{
    const uint64_t asked = e->reach->last - e->reach->first + 1;

    if (e->interrupted)
        sb_sentence_add(s, "only %s of %s seeds were tried; they lead to ",
                        sb_number_grouped(e->total + e->reach->refused).text, sb_number_grouped(asked).text);
    else
        sb_sentence_add(s, "how often each deal comes up was not counted; %s seeds lead to ",
                        sb_number_grouped(e->total).text);
    sb_sentence_add(s, "%s different ", sb_number_grouped(e->reach->reached).text);
    seeds_what(e, s);
}

static void seeds_sentence(struct sb_sentence *s, const struct sb_report *report)
{
    const struct sb_evidence *const e = &report->evidence;

    if (mpz_cmp_ui(e->reach->deals, 1) == 0) {
        sb_sentence_add(s, "there is only one order, so there is nothing to shuffle");
    } else if (e->total == 0) {
        sb_sentence_add(s, "no seed was tried");
    } else if (strcmp(report->verdict, "inconclusive") == 0) {
        seeds_open(e, s);
    } else if (e->cells && e->reach->least == e->reach->most) {
        sb_sentence_add(s, "each of the %s ", sb_number_grouped(e->cells).text);
        seeds_what(e, s);
        sb_sentence_add(s, " comes up from %s of %s seeds", sb_number_grouped(e->reach->most).text,
                        sb_number_grouped(e->total).text);
    } else {
        sb_sentence_add(s, "from %s seed%s ", sb_number_grouped(e->total).text, e->total == 1 ? "" : "s");
        if (e->cells)
            seeds_counted(report, s);
        else
            seeds_told_apart(e, s);
    }
    if (report->findings_count)
        seeds_steps(report, s);
}

static void seeds_warning(const struct sb_report *report, struct sb_sentence *s)
{
    const struct sb_reach *const reach = report->evidence.reach;

    if (report->evidence.interrupted)
        sb_sentence_add(s, "stopped early: %s of %s seeds were tried",
                        sb_number_grouped(report->evidence.total + reach->refused).text,
                        sb_number_grouped(reach->last - reach->first + 1).text);
    if (reach->refused)
        sb_sentence_add(s, "%s%s seed%s left out, from which the generator only repeats itself",
                        report->evidence.interrupted ? "; " : "", sb_number_grouped(reach->refused).text,
                        reach->refused == 1 ? " was" : "s were");
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

static void sentence_open_end(struct sb_sentence *s, const struct sb_report *report)
{
    const struct sb_evidence *const e = &report->evidence;

    if (sb_evidence_partial(e))
        sb_sentence_add(s,
                        "nothing shows a bias yet, but part of the probability is not resolved: the bias is at most "
                        "%s in total variation",
                        sb_sentence_bound(report).text);
    else if (e->by == SB_BY_SAMPLE)
        sb_sentence_add(s, e->recorded ? "nothing was tested, since all cards are equal"
                                       : "nothing was tested: ask for `statistics`");
    else
        sb_sentence_add(s, e->cells ? "every order is equally likely, as far as doubles can tell"
                                    : "every item is equally likely at every position, which does not prove that all "
                                      "orders are: a rotation does as much");
}

static void verdict_judge(struct sb_report *report, struct sb_sentence *warning)
{
    if (report->evidence.by == SB_BY_SEEDS) {
        report_correct(report);
        report->verdict = seeds_verdict(report);
        seeds_warning(report, warning);
    } else if (report->evidence.by == SB_BY_EXACT) {
        report->verdict = verdict_exact(report);
        if (sb_evidence_partial(&report->evidence) && strcmp(report->verdict, "uniform") != 0)
            verdict_warn_partial(&report->evidence, warning);
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
        seeds_sentence(&sentence, report);
    else if (open && report->evidence.by == SB_BY_SAMPLE && (!report->evidence.total || report->findings_count))
        sentence_few(&sentence, report);
    else if (open)
        sentence_open_end(&sentence, report);
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
