/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The reports as one table: a header line, followed by a line for each fact.
 *
 * The columns scheme, by, n and deal name the evidence. The column `by` is exact, sample or seeds. The column
 * `kind` names the fact, and determines which other columns are filled:
 *
 *   permutation   name (its notation), count, total, value (the share), ratio, low, high (of the share)
 *   matrix        item (its name, or its number), position (from 1), count, total, value (the share)
 *   effect        name (total_variation, ...), value
 *   test          name, statistic, value, dof, p, ln_p, effect, low, high (of the effect)
 *   context       of a bettor: name (what its predictions are based on), statistic
 *   verdict       name (biased, ...), p, ln_p (the smallest after correction)
 *   reach         by seeds: name (seeds, reached, ...), count or value
 *   repeats       repeated decks: count, total (number of compared decks), value (an upper bound on the
 *                 average count for a fair shuffle)
 *
 * The column `total` is the denominator of an exact count, and the number of shuffles for a sampled count.
 * Permutations are listed as in JSON. All permutations are listed, by rank, if there are at most 8 items or
 * all counts are requested. Otherwise only the most and the least frequent permutations are listed. A value
 * that does not exist is empty. RFC 4180.
 */
#include "study/report/report_page.h"

#include "report/page.h"
#include "report/result.h"
#include "study/report/report_result.h"

#include <inttypes.h>
#include <math.h>

static const char csv_header[] =
    "scheme,by,n,deal,kind,name,statistic,item,position,count,total,value,ratio,effect,low,high,dof,p,ln_p\n";

static void csv_real(double x, FILE *stream)
{
    fprintf(stream, ",%s", sb_number_full(x).text);
}

static void csv_begin(const struct sb_report *report, const char *kind, FILE *stream)
{
    sb_csv_text(report->name, stream);
    fprintf(stream, ",%s,%zu,%zu,%s,", sb_by_name(report->evidence.by), report->evidence.n,
            report->evidence.deal, kind);
}

static void csv_end(double value, double ratio, double effect, double low, double high, FILE *stream)
{
    csv_real(value, stream);
    csv_real(ratio, stream);
    csv_real(effect, stream);
    csv_real(low, stream);
    csv_real(high, stream);
}

static void csv_permutation(const struct sb_report *report, size_t rank, FILE *stream)
{
    const struct sb_evidence *const evidence = &report->evidence;
    const struct sb_row *const row = sb_report_row(report, rank);
    const double share = sb_evidence_share(evidence, rank);

    csv_begin(report, "permutation", stream);
    sb_csv_text(sb_exact_notation(evidence, rank).text, stream);
    fputs(",,,,", stream);
    sb_exact_number(&evidence->counts, rank, stream);
    fputc(',', stream);
    if (sb_numbers_whole(&evidence->counts))
        sb_exact_total(evidence, stream);
    csv_end(row ? row->share : share, row ? row->ratio : share * (double)evidence->cells, NAN,
            row ? row->low : NAN, row ? row->high : NAN, stream);
    fputs(",,,\n", stream);
}

static void csv_permutations(const struct sb_report *report, FILE *stream)
{
    if (sb_report_lists_counts(report))
        for (size_t rank = 0; rank < report->evidence.cells && !ferror(stream); rank++)
            csv_permutation(report, rank, stream);
    else
        for (size_t i = 0; i < report->rows_count; i++)
            csv_permutation(report, report->rows[i].rank, stream);
}

static void csv_matrix(const struct sb_report *report, FILE *stream)
{
    const struct sb_evidence *const evidence = &report->evidence;
    char name[SB_ITEM_ROOM];

    if (evidence->matrix.form == SB_NUMBERS_NONE)
        return;
    for (size_t item = 0; item < sb_evidence_rows(evidence) && !ferror(stream); item++) {
        for (size_t position = 0; position < evidence->deal; position++) {
            csv_begin(report, "matrix", stream);
            fputs(",,", stream);
            sb_csv_text(sb_item_name(evidence->names, sb_evidence_item(evidence, item), name), stream);
            fprintf(stream, ",%zu,", position + 1);
            sb_exact_number(&evidence->matrix, item * evidence->deal + position, stream);
            fputc(',', stream);
            if (sb_numbers_whole(&evidence->matrix))
                sb_exact_total(evidence, stream);
            csv_end(sb_evidence_matrix_share(evidence, item, position), NAN, NAN, NAN, NAN, stream);
            fputs(",,,\n", stream);
        }
    }
}

/* Begins a line on what the seeds reach: writes the columns before the count. csv_reach_end() writes the
 * columns after the count. */
static void csv_reach_begin(const struct sb_report *report, const char *name, FILE *stream)
{
    csv_begin(report, "reach", stream);
    fprintf(stream, "%s,,,,", name);
}

static void csv_reach_end(double value, FILE *stream)
{
    fputc(',', stream);
    csv_end(value, NAN, NAN, NAN, NAN, stream);
    fputs(",,,\n", stream);
}

static void csv_reach(const struct sb_report *report, FILE *stream)
{
    const struct sb_reach *const reach = report->evidence.reach;

    if (!reach)
        return;
    const struct {
        const char *name;
        uint64_t count;
        bool known;
        double value;
    } line[] = {
        { "first", reach->first, true, NAN },
        { "last", reach->last, true, NAN },
        { "seeds", report->evidence.total, true, NAN },
        { "refused", reach->refused, true, NAN },
        { "reached", reach->reached, true, NAN },
        { "reached_error", 0, false, reach->reached_error },
        { "reached_fair", 0, false, reach->reached_fair },
        { "log10_fraction", 0, false, reach->log10_fraction },
        { "most_often", reach->most, reach->most > 0, NAN },
        { "least_often", reach->least, reach->least_known, NAN },
    };

    for (size_t i = 0; i < sizeof line / sizeof line[0]; i++) {
        csv_reach_begin(report, line[i].name, stream);
        if (line[i].known)
            fprintf(stream, "%" PRIu64, line[i].count);
        csv_reach_end(line[i].value, stream);
    }
    csv_reach_begin(report, "permutations", stream);
    mpz_out_str(stream, 10, reach->deals);
    csv_reach_end(NAN, stream);
}

static void csv_effects(const struct sb_report *report, FILE *stream)
{
    const struct sb_effect *const effect = &report->effect;
    const struct {
        const char *name;
        double value;
    } line[] = {
        { "total_variation", effect->total_variation },
        { "total_variation_fair", effect->total_variation_fair },
        { "kl_bits", effect->kl_bits },
        { "kl_bits_fair", effect->kl_bits_fair },
        { "chi2_per_sample", effect->chi2_per_sample },
        { "chi2_per_sample_fair", effect->chi2_per_sample_fair },
        { "max_ratio", effect->max_ratio },
        { "max_ratio_fair", effect->max_ratio_fair },
        { "min_ratio", effect->min_ratio },
        { "min_ratio_fair", effect->min_ratio_fair },
        { "total_variation_error", effect->total_variation_error > 0 ? effect->total_variation_error : NAN },
        { "shuffles_to_see", effect->shuffles_to_see > 0 ? effect->shuffles_to_see : NAN },
    };

    for (size_t i = 0; report->has_effect && i < sizeof line / sizeof line[0]; i++) {
        if (!isfinite(line[i].value))
            continue;
        csv_begin(report, "effect", stream);
        fprintf(stream, "%s,,,,,", line[i].name);
        csv_end(line[i].value, NAN, NAN, NAN, NAN, stream);
        fputs(",,,\n", stream);
    }
}

static void csv_context(const struct sb_report *report, const struct sb_finding *finding, FILE *stream)
{
    if (!finding->context)
        return;
    csv_begin(report, "context", stream);
    sb_csv_text(finding->context, stream);
    fprintf(stream, ",%s,,,,", finding->statistic);
    csv_end(NAN, NAN, NAN, NAN, NAN, stream);
    fputs(",,,\n", stream);
}

static void csv_tests(const struct sb_report *report, FILE *stream)
{
    for (size_t i = 0; i < report->findings_count; i++) {
        const struct sb_finding *const finding = &report->findings[i];

        csv_begin(report, "test", stream);
        fprintf(stream, "%s,", finding->test);
        if (finding->lag)
            fprintf(stream, "lag %zu: ", finding->lag);
        fprintf(stream, "%s%s,,,,", finding->increments ? "increments: " : "", finding->statistic);
        csv_end(finding->value, NAN, finding->effect, finding->effect_low, finding->effect_high, stream);
        csv_real(finding->dof, stream);
        fprintf(stream, ",%s", sb_number_full_p(finding->p, finding->ln_p).text);
        csv_real(finding->ln_p, stream);
        fputc('\n', stream);
        csv_context(report, finding, stream);
    }
    if (report->repeats.decks) {
        csv_begin(report, "repeats", stream);
        fprintf(stream, "expected,repeat,,,%" PRIu64 ",%" PRIu64, report->repeats.repeats,
                report->repeats.decks);
        csv_end(report->repeats.expected, NAN, NAN, NAN, NAN, stream);
        fputs(",,,\n", stream);
    }
    csv_begin(report, "verdict", stream);
    fprintf(stream, "%s,,,,,,,,,,,,%s", report->verdict, sb_number_full_p(report->p, report->ln_p).text);
    csv_real(report->ln_p, stream);
    fputc('\n', stream);
}

void sb_reports_csv(const void *result, FILE *stream)
{
    const struct sb_reports *const reports = result;

    fputs(csv_header, stream);
    for (size_t i = 0; i < reports->count; i++) {
        csv_reach(&reports->report[i], stream);
        csv_permutations(&reports->report[i], stream);
        csv_matrix(&reports->report[i], stream);
        csv_effects(&reports->report[i], stream);
        csv_tests(&reports->report[i], stream);
    }
}
