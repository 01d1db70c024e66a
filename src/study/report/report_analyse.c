/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turns evidence into findings: the tests, the effects and the tables of a report on any subject. */
#include "core/numbers.h"
#include "fit/fit.h"
#include "statistic/statistic.h"
#include "study/report/report_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* Sets the verdict, the sentence and the warning of a report that already has its evidence, effect, findings
 * and rows. Error: SB_NO_MEMORY. */
static enum sb_status report_judge(struct sb_report *report)
{
    struct sb_sentence warning = { 0 }, sentence = { 0 };

    if (report->evidence.by == SB_BY_SEEDS)
        return sb_report_judge_seeds(report);
    if (report->evidence.by == SB_BY_EXACT) {
        report->verdict = verdict_exact(report);
        if (sb_evidence_partial(&report->evidence) && strcmp(report->verdict, "uniform") != 0)
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

#define ANALYSE_BONFERRONI                                                                              \
    "Bonferroni over the tests of a report: the smallest p times the number of tests is compared with " \
    "alpha. The intervals of all deals hold together; that of each effect holds by itself."
#define ANALYSE_MERGED                                                                                       \
    " Of statistics other than rank and position cells are merged until each expects 20 or more; successor " \
    "is that of the item with the smallest p, times the number of items."
#define ANALYSE_LAGS " A lag is that of the steps with the smallest p, times the number of lags and statistics."
#define ANALYSE_FEW                                                                                        \
    " Where there are too few samples for that, exact is the p of the cell with the smallest one, times "  \
    "the number of cells, or of the value that is farthest out, times the number of samples. A test that " \
    "could not reach alpha, whatever comes up, has no p and is not counted."

const char sb_report_correction[] = ANALYSE_BONFERRONI;

/* [whether cells are merged][whether there are lags][whether there are exact tests] */
static const char *const analyse_corrections[2][2][2] = {
    { { sb_report_correction, ANALYSE_BONFERRONI ANALYSE_FEW },
      { ANALYSE_BONFERRONI ANALYSE_LAGS, ANALYSE_BONFERRONI ANALYSE_LAGS ANALYSE_FEW } },
    { { ANALYSE_BONFERRONI ANALYSE_MERGED, ANALYSE_BONFERRONI ANALYSE_MERGED ANALYSE_FEW },
      { ANALYSE_BONFERRONI ANALYSE_MERGED ANALYSE_LAGS, ANALYSE_BONFERRONI ANALYSE_MERGED ANALYSE_LAGS ANALYSE_FEW } },
};

/* Sets the averages of a finding. A value beyond the cells counts as the last one. */
static void analyse_average(const struct sb_tally *tally, struct sb_finding *finding)
{
    double seen = 0, fair = 0, square = 0;

    if (!tally->number || tally->members != 1 || tally->lag || tally->first || tally->total == 0)
        return;
    for (size_t i = 0; i < tally->cells; i++) {
        const double value = (double)(tally->low + i), p = tally->ln_p ? exp(tally->ln_p[i]) : 1 / (double)tally->cells;

        seen += value * (double)tally->count[i] / (double)tally->total;
        fair += value * p;
        square += value * value * p;
    }
    if (fabs(seen - fair) < 3 * sqrt(fmax(0, square - fair * fair) / (double)tally->total))
        return;
    finding->average = seen;
    finding->average_fair = fair;
    finding->open = (tally->below && tally->count[0]) || (tally->above && tally->count[tally->cells - 1]);
}

/* Runs a test. Adds the finding if it has a p-value, or would have a p-value with more samples. */
static enum sb_status analyse_test(const struct sb_test_type *test, const struct sb_tally *tally,
                                   struct sb_report *report)
{
    struct sb_finding *const finding = &report->findings[report->findings_count];
    const enum sb_status status = test->run(tally, report->alpha, finding);

    finding->increments = tally->lag > 0;
    analyse_average(tally, finding);
    report->findings_count += status == SB_OK && (!isnan(finding->ln_p) || finding->least[0].ln_share != 0);
    return status;
}

/* Runs the tests of the registry that name this statistic or, if there are none, the tests for any statistic. */
static enum sb_status analyse_usual(const struct sb_tally *tally, struct sb_report *report)
{
    bool named = false;
    enum sb_status status = SB_OK;

    for (size_t i = 0; i < sb_test_types_count; i++)
        named = named || (sb_test_types[i]->statistic && strcmp(sb_test_types[i]->statistic, tally->statistic) == 0);
    for (size_t i = 0; i < sb_test_types_count && status == SB_OK; i++) {
        const struct sb_test_type *const test = sb_test_types[i];

        if (test->few ||
            (named ? !test->statistic || strcmp(test->statistic, tally->statistic) != 0 : !!test->statistic))
            continue;
        status = analyse_test(test, tally, report);
    }
    return status;
}

/* Runs the usual tests of a tally. If none of them is reliable, because expected counts are too small, the exact test
 * of `few` takes their place. `few` has the same counts; NULL: there is no such test. */
static enum sb_status analyse_tally(const struct sb_tally *tally, const struct sb_tally *few, struct sb_report *report)
{
    const size_t first = report->findings_count;
    enum sb_status status = analyse_usual(tally, report);
    bool reliable = false;

    for (size_t i = first; i < report->findings_count; i++)
        reliable = reliable || sb_finding_reliable(&report->findings[i]);
    if (status || reliable || !few)
        return status;
    report->findings_count = first;
    return analyse_test(&sb_test_exact, few, report);
}

/* Tests the counts by rank. If they are few, also tests whether too many of the samples are equal. */
static enum sb_status analyse_rank(const struct sb_tally *rank, struct sb_report *report)
{
    const size_t first = report->findings_count;
    const double ln_pair = -log((double)rank->cells);
    uint64_t repeats = rank->total;
    const struct sb_tally again = {
        .statistic = rank->statistic,
        .members = 1,
        .cells = 1,
        .total = rank->total,
        .count = &repeats,
        .ln_p = &ln_pair,
    };
    const struct sb_birthday equal = { .ln_pair = ln_pair, .decks = rank->total, .repeats = rank->total - 1 };
    const enum sb_status status = analyse_tally(rank, rank, report);

    if (status || report->findings_count == first || strcmp(report->findings[first].test, sb_test_exact.name) != 0 ||
        !(sb_birthday_ln_p(&equal) < log(report->alpha))) /* even if all are equal */
        return status;
    for (size_t cell = 0; cell < rank->cells; cell++)
        repeats -= rank->count[cell] > 0;
    return analyse_test(&sb_test_birthday, &again, report);
}

static const struct sb_tally *analyse_ranks(const struct sb_statistics *statistics, size_t lag)
{
    for (size_t i = 0; i < statistics->tallies.count; i++)
        if (strcmp(statistics->tallies.tally[i].statistic, "rank") == 0 && statistics->tallies.tally[i].lag == lag)
            return &statistics->tallies.tally[i];
    return NULL;
}

static enum sb_status analyse_statistics(const struct sb_statistics *statistics, struct sb_report *report)
{
    enum sb_status status = SB_OK;

    for (size_t i = 0; statistics && i < statistics->tallies.count && status == SB_OK; i++) {
        struct sb_tally tally = statistics->tallies.tally[i];

        if (strcmp(tally.statistic, "position") == 0)
            tally.ranks = analyse_ranks(statistics, tally.lag);
        status = analyse_tally(&tally, sb_statistics_repeats(tally.statistic) ? NULL : &tally, report);
    }
    if (status == SB_OK && statistics && statistics->bettor)
        status = analyse_tally(statistics->bettor, NULL, report);
    if (status == SB_OK && statistics && statistics->lags)
        report->findings[report->findings_count++] = *statistics->lags;
    return status;
}

static enum sb_status analyse_tests(const struct sb_statistics *statistics, struct sb_report *report)
{
    const struct sb_evidence *const evidence = &report->evidence;
    const size_t columns = evidence->deal + (evidence->deal < evidence->n);
    const size_t others = statistics ? statistics->tallies.count : 0;
    uint64_t *const made = columns > evidence->deal ? sb_evidence_positions(evidence) : NULL;
    /* `made` may take half a gigabyte of memory; only the column "not dealt" requires it */
    const uint64_t *const positions = made ? made : evidence->matrix.u64;
    double *const ln_p = calloc(columns + 1, sizeof *ln_p); /* "not dealt" has another probability than the positions */
    const struct sb_tally rank = {
        .statistic = "rank",
        .members = 1,
        .cells = evidence->cells,
        .total = evidence->total,
        .count = evidence->counts.u64,
    };
    const struct sb_tally position = {
        .statistic = "position",
        .members = evidence->n,
        .cells = columns,
        .total = evidence->total,
        .count = positions,
        .ln_p = ln_p,
        .ranks = rank.cells ? &rank : NULL,
    };
    /* the places alone, without "not dealt", as in the table of places */
    const struct sb_tally placed = {
        .statistic = "position",
        .members = evidence->n,
        .cells = evidence->deal,
        .total = evidence->total,
        .count = evidence->matrix.u64,
        .ln_p = ln_p,
    };
    enum sb_status status = SB_OK;

    report->findings = calloc(sb_test_types_count * (4 + others), sizeof *report->findings);
    if ((columns > evidence->deal && !made) || !ln_p || !report->findings)
        status = SB_NO_MEMORY;
    else
        status = sb_statistic_position.null_law(evidence->n, evidence->deal, 0, ln_p);
    if (status == SB_OK && evidence->total && rank.cells)
        status = analyse_rank(&rank, report);
    if (status == SB_OK && evidence->total && columns && !sb_item_multiset(evidence->names))
        status = analyse_tally(&position, &placed, report); /* `card-at` takes its place in decks with equal items */
    if (status == SB_OK && evidence->total)
        status = analyse_statistics(statistics, report);
    free(made);
    free(ln_p);
    return status;
}

static void analyse_repeats(const struct sb_statistics *statistics, struct sb_report *report)
{
    if (statistics && statistics->tallies.noted)
        report->repeats = (struct sb_repeats) {
            .decks = statistics->tallies.birthday.decks,
            .repeats = statistics->tallies.birthday.repeats,
            .expected = sb_birthday_expected(statistics->tallies.birthday.decks, statistics->tallies.birthday.ln_pair),
        };
}

static const char *analyse_correction(const struct sb_statistics *statistics, const struct sb_report *report)
{
    const bool merged = statistics && statistics->types + statistics->steps;
    bool few = false;

    for (size_t i = 0; i < report->findings_count; i++)
        few = few || strcmp(report->findings[i].test, sb_test_exact.name) == 0;
    return analyse_corrections[merged][statistics && statistics->lags][few];
}

enum sb_status sb_report_analyse(const struct sb_statistics *statistics, struct sb_report *report)
{
    enum sb_status status =
        sb_evidence_arrange(&report->evidence) ? SB_NO_MEMORY : sb_evidence_matrix(&report->evidence);

    if (status == SB_OK && report->evidence.by == SB_BY_SAMPLE)
        status = analyse_tests(statistics, report);
    if (status == SB_OK && report->evidence.by == SB_BY_SEEDS && statistics->steps && report->evidence.total > 1) {
        report->findings = calloc(sb_test_types_count * (statistics->steps + 1), sizeof *report->findings);
        status = report->findings ? analyse_statistics(statistics, report) : SB_NO_MEMORY;
    }
    analyse_repeats(statistics, report);
    if (report->correction)
        report->correction = analyse_correction(statistics, report);
    if (status == SB_OK && report->evidence.by == SB_BY_SAMPLE && !report->evidence.cells &&
        !sb_item_multiset(report->evidence.names))
        sb_places_find(&report->evidence, report->alpha, &report->places);
    if (status == SB_OK && report->evidence.cells && !report->has_effect) {
        status = sb_effect_of(&report->evidence, &report->effect);
        report->has_effect = status == SB_OK;
    }
    if (report->has_effect && report->evidence.by == SB_BY_EXACT && report->effect.kl_bits > 0)
        report->effect.shuffles_to_see = -log(report->alpha) / (report->effect.kl_bits * 0.69314718055994530942);
    return status;
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
