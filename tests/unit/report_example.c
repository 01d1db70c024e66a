/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reports made by hand, for the tests of the formats.
 *
 * The numbers of naive and fisher-yates at n = 3 come from mpmath with 30 digits, for counts c of N over K
 * cells:
 *
 *     tv = sum(abs(c/N - 1/K))/2   kl = sum(c/N*log(c/N*K, 2))   c2 = K*sum((c/N - 1/K)**2)
 *     X = c2*N   p = gammainc((K-1)/2, X/2, regularized=True)
 *
 * Intervals, the G test and everything in EXAMPLE_ODD are invented.
 */
#include "report_example.h"

#include "core/evidence.h"
#include "report/result.h"
#include "study/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char example_hostile[] = "a\"b\\c|<d>*_`\x1B[31m\xFF,\xC3\xA9\n";

static void *example_hold(const void *from, size_t size)
{
    void *const to = malloc(size + 1);

    if (!to)
        abort();
    memcpy(to, from, size);
    return to;
}

static char *example_text(const char *text)
{
    return example_hold(text, strlen(text) + 1);
}

/* Everything but effect, table and findings. `count` may be NULL where the matrix alone is known. */
static struct sb_report example_begin(const char *name, enum sb_by by, size_t n, size_t deal, uint64_t total,
                                      const uint64_t count[])
{
    const bool exact = by == SB_BY_EXACT;
    struct sb_report report = {
        .name = example_text(name),
        .shuffle = example_text(name),
        .draw = example_text("ideal"),
        .rng = exact ? NULL : example_text("philox"),
        .title = "made up",
        .alpha = 0.001,
        .p = NAN,
        .ln_p = NAN,
        .verdict = exact ? "uniform" : "no bias seen",
    };

    if (sb_evidence_open(by, n, deal, &report.evidence) != SB_OK)
        abort();
    report.evidence.total = total;
    sb_mpz_set_u64(report.evidence.denominator, exact ? total : 0);
    if (exact)
        strcpy(report.evidence.engine, "tree");
    report.evidence.rng = exact ? NULL : "philox";
    report.evidence.seed = exact ? 0 : 1;
    if (count && report.evidence.cells)
        memcpy(report.evidence.counts.u64, count, report.evidence.cells * sizeof count[0]);
    if (count && sb_evidence_matrix(&report.evidence) != SB_OK)
        abort();
    return report;
}

static void example_effect(struct sb_report *report, struct sb_effect effect, unsigned long numerator,
                           unsigned long denominator)
{
    report->has_effect = true;
    report->effect = effect;
    report->effect.kl_bits_fair = report->effect.chi2_per_sample_fair = NAN;
    report->effect.max_ratio_fair = report->effect.min_ratio_fair = NAN;
    if (report->evidence.by == SB_BY_SAMPLE && report->evidence.total) {
        report->effect.kl_bits_fair = 0.000134;
        report->effect.chi2_per_sample_fair = 0.000185185;
        report->effect.max_ratio_fair = 1.0171;
        report->effect.min_ratio_fair = 0.9829;
    }
    mpq_init(report->effect.total_variation_exact);
    mpq_set_ui(report->effect.total_variation_exact, numerator, denominator);
}

/* A line of the table for each rank; where sampled, with an interval of `margin` to both sides. */
static void example_rows(struct sb_report *report, const size_t rank[], size_t count, double margin)
{
    const double cells = (double)report->evidence.cells;
    struct sb_row rows[SB_ROWS_ALL];

    for (size_t i = 0; i < count; i++) {
        const bool exists = report->evidence.by == SB_BY_EXACT || report->evidence.total > 0;
        const double share = exists ? sb_evidence_share(&report->evidence, rank[i]) : NAN;

        rows[i] = (struct sb_row) { rank[i], share, share * cells, share - margin, share + margin };
    }
    report->rows_count = count;
    report->rows = example_hold(rows, count * sizeof rows[0]);
}

static void example_naive(struct sb_report report[2])
{
    static const uint64_t law[] = { 4, 5, 5, 5, 4, 4 }, seen[] = { 4010, 4985, 5020, 4990, 4005, 3990 };
    static const size_t all[] = { 0, 1, 2, 3, 4, 5 };
    static const struct sb_finding findings[] = {
        { "rank", "pearson", 331.32222222222222, 5, 1.8340646478873112e-69, -158.27183679371021, 0.0120860082304527,
          0.0096, 0.0152, 4500, 5, .least = { { .ln_share = 0 } } },
        { "rank", "g", 47811.25, 5, 0, -10409.724841161613, 1.7705648148148148, 1.72, 1.83, 4500, 5,
          .least = { { .ln_share = 0 } } },
    };

    report[0] = example_begin("naive", SB_BY_EXACT, 3, 3, 27, law);
    report[1] = example_begin("naive", SB_BY_SAMPLE, 3, 3, 27000, seen);
    example_effect(&report[0],
                   (struct sb_effect) { 0.055555555555555556, NAN, 0.0089239401617778304, 0.012345679012345679,
                                        1.1111111111111111, 0.88888888888888889, .most_count = 3, .least_count = 3,
                                        .most_total = 3, .least_total = 3, .most = { 1, 2, 3 }, .least = { 0, 4, 5 } },
                   1, 18);
    example_effect(&report[1],
                   (struct sb_effect) { 0.05537037037037037, 0.00542888, 0.0088696992070031714, 0.01227119341563786,
                                        1.1155555555555556, 0.88666666666666667, .most_count = 1, .least_count = 1,
                                        .most_total = 1, .least_total = 1, .most = { 2 }, .least = { 5 } },
                   0, 1);
    example_rows(&report[0], all, 6, NAN);
    example_rows(&report[1], all, 6, 0.009);
    report[1].findings = example_hold(findings, sizeof findings);
    report[1].findings_count = 2;
    report[1].correction = strdup("Bonferroni's: each p is multiplied by the number of tests, 2.");
    report[1].p = 0;
    report[1].ln_p = -10409.031693981053; /* + ln 2 */
    for (int i = 0; i < 2; i++) {
        report[i].title = "the naive swap: each item with any item";
        report[i].cite = "doi:10.1000/made-up";
        report[i].verdict = "biased";
        report[i].sentence = example_text("132, 213 and 231 come up 11% too often, 123, 312 and 321 11% too "
                                          "seldom; whoever bets on the former wins in the long run.");
    }
}

static void example_fisher_yates(struct sb_report report[2])
{
    static const uint64_t law[] = { 1, 1, 1, 1, 1, 1 }, seen[] = { 4520, 4480, 4510, 4490, 4495, 4505 };
    static const size_t all[] = { 0, 1, 2, 3, 4, 5 };
    static const struct sb_finding finding = {
        "rank",
        "pearson",
        0.23333333333333333,
        5,
        0.9987125380253757,
        -0.0012882914658277134,
        0,
        0,
        0.0008,
        4500,
        5,
        .least = { { .ln_share = 0 } },
    };

    report[0] = example_begin("fisher-yates", SB_BY_EXACT, 3, 3, 6, law);
    report[1] = example_begin("fisher-yates", SB_BY_SAMPLE, 3, 3, 27000, seen);
    example_effect(&report[0],
                   (struct sb_effect) { 0, NAN, 0, 0, 1, 1, .most_count = 6, .least_count = 6, .most_total = 6,
                                        .least_total = 6, .most = { 0, 1, 2, 3, 4, 5 }, .least = { 0, 1, 2, 3, 4, 5 } },
                   0, 1);
    example_effect(&report[1],
                   (struct sb_effect) { 0.0012962962962962963, 0.00542888, 6.2338841357109464e-6, 8.6419753086419753e-6,
                                        1.0044444444444444, 0.99555555555555556, .most_count = 1, .least_count = 1,
                                        .most_total = 1, .least_total = 1, .most = { 0 }, .least = { 1 } },
                   0, 1);
    example_rows(&report[0], all, 6, NAN);
    example_rows(&report[1], all, 6, 0.009);
    report[1].findings = example_hold(&finding, sizeof finding);
    report[1].findings_count = 1;
    report[1].p = finding.p;
    report[1].ln_p = finding.ln_p;
    report[0].sentence = example_text("Every permutation is equally likely.");
    report[1].sentence = example_text("The sample looks as a fair shuffle's would.");
}

static struct sb_report example_empty(void)
{
    static const uint64_t law[] = { 1 };
    static const size_t all[] = { 0 };
    struct sb_report report = example_begin("fisher-yates", SB_BY_EXACT, 0, 0, 1, law);

    example_effect(
        &report,
        (struct sb_effect) { 0, NAN, 0, 0, 1, 1, .most_count = 1, .least_count = 1, .most_total = 1, .least_total = 1 },
        0, 1);
    example_rows(&report, all, 1, NAN);
    report.sentence = example_text("There is but one way to shuffle nothing.");
    return report;
}

static struct sb_report example_deal(void)
{
    static const uint64_t seen[20] = { 60, 58, 55, 54, 53, 52, 50, 50, 50, 50, 50, 50, 50, 50, 48, 47, 46, 45, 42, 40 };
    static const size_t ends[] = { 0, 1, 2, 3, 4, 5, 14, 15, 16, 17, 18, 19 };
    struct sb_report report = example_begin("fisher-yates-forward", SB_BY_SAMPLE, 5, 2, 1000, seen);

    example_effect(&report,
                   (struct sb_effect) { 0.032, 0.055, 0.0073, 0.0103, 1.2, 0.8, .most_count = 1, .least_count = 1,
                                        .most_total = 1, .least_total = 1, .most = { 0 }, .least = { 19 } },
                   0, 1);
    example_rows(&report, ends, 12, 0.02);
    report.evidence.interrupted = true;
    report.sentence = example_text("No bias was seen in 1000 deals.");
    report.warning = example_text("1000 deals are few for 20 cells: take at least 10000 with --samples 1e4.");
    return report;
}

static struct sb_report example_matrix(void)
{
    static const struct sb_finding finding = { "position", "pearson", 140,  144, 0.58, -0.5447271754416722,
                                               0,          0,         0.03, 100, 5,    .least = { { .ln_share = 0 } } };
    struct sb_report report = example_begin("redraw", SB_BY_SAMPLE, 13, 13, 1300, NULL);

    for (size_t i = 0; i < 13 * 13; i++)
        report.evidence.matrix.u64[i] = 100;
    report.findings = example_hold(&finding, sizeof finding);
    report.findings_count = 1;
    report.p = finding.p;
    report.ln_p = finding.ln_p;
    report.sentence = example_text("The matrix looks fair.");
    return report;
}

/* 2^69 + 1 and 2^69 - 1 of 2^70. */
static struct sb_report example_wide(void)
{
    static const size_t all[] = { 0, 1 };
    struct sb_report report = example_begin("sort-by-key:53", SB_BY_EXACT, 2, 2, 0, NULL);

    sb_numbers_close(&report.evidence.counts);
    if (sb_numbers_open(SB_NUMBERS_WIDE, 2, &report.evidence.counts) != SB_OK)
        abort();
    for (int i = 0; i < 2; i++)
        mpz_setbit(report.evidence.counts.wide[i], 69);
    mpz_add_ui(report.evidence.counts.wide[0], report.evidence.counts.wide[0], 1);
    mpz_sub_ui(report.evidence.counts.wide[1], report.evidence.counts.wide[1], 1);
    mpz_setbit(report.evidence.denominator, 70);
    if (sb_evidence_matrix(&report.evidence) != SB_OK)
        abort();
    example_effect(&report,
                   (struct sb_effect) { 8.4703294725430034e-22, NAN, 0, 0, 1, 1, .most_count = 1, .least_count = 1,
                                        .most_total = 1, .least_total = 1, .most = { 0 }, .least = { 1 } },
                   1, 1);
    mpz_setbit(mpq_denref(report.effect.total_variation_exact), 70); /* 1 / 2^70 */
    mpz_clrbit(mpq_denref(report.effect.total_variation_exact), 0);
    example_rows(&report, all, 2, NAN);
    report.verdict = "biased";
    report.sentence = example_text("12 comes up too often, by far too little to be seen.");
    return report;
}

static struct sb_report example_odd_name(void)
{
    static const uint64_t seen[] = { 0 };
    static const size_t all[] = { 0 };
    struct sb_report report = example_begin(example_hostile, SB_BY_SAMPLE, 1, 1, 0, seen);
    const struct sb_finding finding = { "rank", "pearson", NAN, NAN, NAN, NAN,
                                        NAN,    NAN,       NAN, NAN, 5,   .least = { { .ln_share = 0 } } };

    example_effect(&report, (struct sb_effect) { NAN, NAN, NAN, NAN, NAN, INFINITY, .most_count = 0, .most_total = 1 },
                   0, 1);
    example_rows(&report, all, 1, NAN);
    report.findings = example_hold(&finding, sizeof finding);
    report.findings_count = 1;
    report.verdict = "inconclusive";
    report.sentence = example_text(example_hostile);
    report.evidence.seed = INT64_MAX;
    return report;
}

static struct sb_report example_nine(void)
{
    static const size_t ends[] = { 0, 362879 };
    struct sb_report report = example_begin("rotate", SB_BY_EXACT, 9, 9, 2, NULL);

    report.evidence.counts.u64[0] = 1;
    report.evidence.counts.u64[362879] = 1;
    if (sb_evidence_matrix(&report.evidence) != SB_OK)
        abort();
    example_effect(&report,
                   (struct sb_effect) { 181439.0 / 181440, NAN, 17.4691, 181439, 181440, 0, .most_count = 2,
                                        .least_count = 1, .most_total = 2, .least_total = 362878, .most = { 0, 362879 },
                                        .least = { 1 } },
                   181439, 181440);
    example_rows(&report, ends, 2, NAN);
    report.verdict = "biased";
    report.sentence = example_text("Two permutations come up and no other.");
    return report;
}

struct sb_reports *example_new(enum example which)
{
    struct sb_reports *const reports =
        example_hold(&(struct sb_reports) { .n = 3, .deal = 3, .seed = 1 }, sizeof(struct sb_reports));

    reports->report = example_hold(&(struct sb_report[6]) { 0 }, sizeof(struct sb_report[6]));
    if (which == EXAMPLE_ODD) {
        struct sb_report *const report = reports->report;

        reports->count = 6;
        reports->interrupted = true;
        report[0] = example_empty();
        report[1] = example_deal();
        report[2] = example_matrix();
        report[3] = example_wide();
        report[4] = example_odd_name();
        report[5] = example_nine();
        return reports;
    }
    reports->count = 4;
    reports->all = which == EXAMPLE_ALL;
    example_naive(&reports->report[0]);
    example_fisher_yates(&reports->report[2]);
    return reports;
}

void example_free(struct sb_reports *reports)
{
    for (size_t i = 0; i < reports->count; i++)
        sb_report_close(&reports->report[i]);
    free(reports->report);
    free(reports);
}

char *example_print(const struct sb_reports *reports, const char *format, const struct sb_look *look)
{
    char *text = NULL;
    size_t size;
    FILE *const stream = open_memstream(&text, &size);

    if (!stream || sb_result_write(&sb_reports_result, reports, format, look, NULL, stream) != SB_OK ||
        fclose(stream) != 0)
        abort();
    return text;
}
