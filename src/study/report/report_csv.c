/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The reports as one table: a header line, followed by a line for each fact.
 *
 * The columns scheme, by, n and deal name the evidence. The column `by` is exact, sample or seeds. The column
 * `kind` names the fact, and determines which other columns are filled:
 *
 *   permutation   name (its notation), count, total, value (the share), ratio, low, high (of the share)
 *   matrix        item (its name, or its number), position (from 1), count, total, value (the share)
 *   cell          of a table of counts: name (its label), count, total, value (the share), ratio, low, high
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
#include "study/report/report_result.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char csv_header[] =
    "scheme,by,n,deal,kind,name,statistic,item,position,count,total,value,ratio,effect,low,high,dof,p,ln_p\n";

/* A fact, from its column `kind` on. What does not exist is NULL, or NaN. */
struct csv_fact {
    const char *kind, *name, *statistic, *item;
    size_t position;                  /* from 1; 0: none */
    const struct sb_numbers *numbers; /* the count, at index `at`, of the evidence's total; NULL: the two texts */
    size_t at;
    const char *count, *total;
    const double *value, *ratio, *effect, *low, *high, *dof, *p, *ln_p;
};

static void csv_text(const char *text, FILE *stream)
{
    sb_csv_text(text ? text : "", stream);
    fputc(',', stream);
}

static void csv_line(const struct sb_report *report, struct csv_fact fact, FILE *stream)
{
    const struct sb_evidence *const evidence = &report->evidence;
    const double *const real[] = { fact.value, fact.ratio, fact.effect, fact.low, fact.high, fact.dof };

    csv_text(report->name, stream);
    fprintf(stream, "%s,%zu,%zu,%s,", sb_by_name(evidence->by), evidence->n, evidence->deal, fact.kind);
    csv_text(fact.name, stream);
    csv_text(fact.statistic, stream);
    csv_text(fact.item, stream);
    if (fact.position)
        fprintf(stream, "%zu", fact.position);
    fputc(',', stream);
    if (fact.numbers)
        sb_exact_number(fact.numbers, fact.at, stream);
    csv_text(fact.count, stream);
    if (fact.numbers && sb_numbers_whole(fact.numbers) && evidence->by == SB_BY_EXACT)
        mpz_out_str(stream, 10, evidence->denominator);
    else if (fact.numbers && sb_numbers_whole(fact.numbers))
        fprintf(stream, "%" PRIu64, evidence->total);
    fputs(fact.total ? fact.total : "", stream);
    for (size_t i = 0; i < sizeof real / sizeof real[0]; i++)
        fprintf(stream, ",%s", real[i] ? sb_number_full(*real[i]).text : "");
    fprintf(stream, ",%s,%s\n", fact.p ? sb_number_full_p(*fact.p, *fact.ln_p).text : "",
            fact.ln_p ? sb_number_full(*fact.ln_p).text : "");
}

static void csv_permutation(const struct sb_report *report, size_t rank, FILE *stream)
{
    const struct sb_row row = sb_report_row(report, rank);

    csv_line(report,
             (struct csv_fact) { .kind = "permutation",
                                 .name = sb_exact_notation(&report->evidence, rank).text,
                                 .numbers = &report->evidence.counts,
                                 .at = rank,
                                 .value = &row.share,
                                 .ratio = &row.ratio,
                                 .low = &row.low,
                                 .high = &row.high },
             stream);
}

static void csv_permutations(const struct sb_report *report, FILE *stream)
{
    const bool all = sb_report_lists_counts(report);

    for (size_t i = 0; i < (all ? report->evidence.cells : report->rows_count) && !ferror(stream); i++)
        csv_permutation(report, all ? i : report->rows[i].rank, stream);
}

static void csv_matrix(const struct sb_report *report, FILE *stream)
{
    const struct sb_evidence *const evidence = &report->evidence;
    const size_t cells = evidence->matrix.form == SB_NUMBERS_NONE ? 0 : sb_evidence_rows(evidence) * evidence->deal;
    char name[SB_ITEM_ROOM];

    for (size_t cell = 0; cell < cells && !ferror(stream); cell++) {
        const size_t row = cell / evidence->deal, position = cell % evidence->deal;
        const double share = sb_evidence_matrix_share(evidence, row, position);

        csv_line(report,
                 (struct csv_fact) { .kind = "matrix",
                                     .item = sb_item_name(evidence->names, sb_evidence_item(evidence, row), name),
                                     .position = position + 1,
                                     .numbers = &evidence->matrix,
                                     .at = cell,
                                     .value = &share },
                 stream);
    }
}

static void csv_counted(const struct sb_report *report, FILE *stream)
{
    char count[24], total[24];

    snprintf(total, sizeof total, "%" PRIu64, report->evidence.total);
    for (size_t i = 0; report->counted && i < report->counted->count && !ferror(stream); i++) {
        const struct sb_counted_cell *const c = &report->counted->cell[i];
        struct csv_fact fact = { .kind = "cell", .name = c->label, .count = count, .total = total, .ratio = &c->ratio };

        snprintf(count, sizeof count, "%" PRIu64, c->count);
        fact.value = &c->share;
        fact.low = &c->low;
        fact.high = &c->high;
        csv_line(report, fact, stream);
    }
}

static void csv_reach(const struct sb_report *report, FILE *stream)
{
    const struct sb_reach *const reach = report->evidence.reach;

    if (!reach)
        return;
    const struct {
        const char *name;
        const double *value; /* NULL: a count */
        uint64_t count;
        bool unknown;
    } lines[] = {
        { "first", .count = reach->first },
        { "last", .count = reach->last },
        { "seeds", .count = report->evidence.total },
        { "refused", .count = reach->refused },
        { "reached", .count = reach->reached },
        { "reached_error", .value = &reach->reached_error },
        { "reached_fair", .value = &reach->reached_fair },
        { "log10_fraction", .value = &reach->log10_fraction },
        { "most_often", .count = reach->most, .unknown = !reach->most },
        { "least_often", .count = reach->least, .unknown = !reach->least_known },
    };
    char *const deals = sb_mpz_text(reach->deals), digits[24];

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        snprintf(digits, sizeof digits, "%" PRIu64, lines[i].count);
        if (lines[i].value || lines[i].unknown)
            digits[0] = '\0';
        csv_line(report,
                 (struct csv_fact) { .kind = "reach", .name = lines[i].name, .count = digits, .value = lines[i].value },
                 stream);
    }
    csv_line(report, (struct csv_fact) { .kind = "reach", .name = "permutations", .count = deals }, stream);
    free(deals);
}

/* Writes a number of the effect, if it exists. */
static void csv_effect(const struct sb_report *report, const char *name, bool exists, double value, FILE *stream)
{
    if (exists && isfinite(value))
        csv_line(report, (struct csv_fact) { .kind = "effect", .name = name, .value = &value }, stream);
}

static void csv_effects(const struct sb_report *report, FILE *stream)
{
    const struct sb_effect *const effect = &report->effect;
    const double error = effect->total_variation_error, shuffles = effect->shuffles_to_see;

    if (!report->has_effect)
        return;
    csv_effect(report, "total_variation", true, effect->total_variation, stream);
    for (const struct sb_member *member = sb_effect_members; member->name; member++)
        csv_effect(report, member->name, true, *(const double *)(const void *)((const char *)effect + member->at),
                   stream);
    csv_effect(report, "total_variation_error", error > 0, error, stream);
    csv_effect(report, "shuffles_to_see", shuffles > 0, shuffles, stream);
}

static void csv_test(const struct sb_report *report, const struct sb_finding *finding, FILE *stream)
{
    const struct sb_number statistic = sb_finding_title(finding);

    csv_line(report,
             (struct csv_fact) { .kind = "test",
                                 .name = finding->test,
                                 .statistic = statistic.text,
                                 .value = &finding->value,
                                 .effect = &finding->effect,
                                 .low = &finding->effect_low,
                                 .high = &finding->effect_high,
                                 .dof = &finding->dof,
                                 .p = &finding->p,
                                 .ln_p = &finding->ln_p },
             stream);
    if (finding->context)
        csv_line(report,
                 (struct csv_fact) { .kind = "context", .name = finding->context, .statistic = finding->statistic },
                 stream);
}

static void csv_repeats(const struct sb_report *report, FILE *stream)
{
    char count[24], total[24];

    if (!report->repeats.decks)
        return;
    snprintf(count, sizeof count, "%" PRIu64, report->repeats.repeats);
    snprintf(total, sizeof total, "%" PRIu64, report->repeats.decks);
    csv_line(report,
             (struct csv_fact) { .kind = "repeats",
                                 .name = "expected",
                                 .statistic = "repeat",
                                 .count = count,
                                 .total = total,
                                 .value = &report->repeats.expected },
             stream);
}

void sb_reports_csv(const void *result, FILE *stream)
{
    const struct sb_reports *const reports = result;

    fputs(csv_header, stream);
    for (size_t i = 0; i < reports->count; i++) {
        const struct sb_report *const report = &reports->report[i];

        csv_reach(report, stream);
        csv_permutations(report, stream);
        csv_matrix(report, stream);
        csv_counted(report, stream);
        csv_effects(report, stream);
        for (size_t k = 0; k < report->findings_count; k++)
            csv_test(report, &report->findings[k], stream);
        csv_repeats(report, stream);
        csv_line(
            report,
            (struct csv_fact) { .kind = "verdict", .name = report->verdict, .p = &report->p, .ln_p = &report->ln_p },
            stream);
    }
}
