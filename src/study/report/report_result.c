/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that write reports, also as CSV, copy the main numbers of a report, and free reports. */
#include "core/text.h"
#include "study/figure/figure.h"

#include <inttypes.h>

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

static void reports_csv(const void *result, FILE *stream)
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

static bool cases_told(const struct sb_cases *cases, const char *group, const char *name)
{
    for (size_t i = 0; i < cases->count; i++)
        if (strcmp(cases->list[i].group, group) == 0 && strcmp(cases->list[i].name, name) == 0)
            return true;
    return false;
}

static void cases_reports(const void *result, struct sb_cases *cases)
{
    const struct sb_reports *const reports = result;

    cases->title = reports->title;
    for (size_t i = 0; i < reports->count; i++) {
        const struct sb_report *const report = &reports->report[i];
        const bool biased = strcmp(report->verdict, "biased") == 0;
        const bool open = strcmp(report->verdict, "inconclusive") == 0;
        const char *const by = sb_by_name(report->evidence.by);

        if (!cases_told(cases, report->name, by))
            sb_cases_add(cases, (struct sb_case) {
                                    .group = report->name,
                                    .name = by,
                                    .of = "",
                                    .end = biased || open ? SB_CASE_FAILED : SB_CASE_PASSED,
                                    .kind = biased ? "fail" : "inconclusive",
                                    .text = strdup(report->sentence),
                                });
    }
}

struct sb_number sb_finding_title(const struct sb_finding *finding)
{
    struct sb_number title = { "" };

    if (finding->lag)
        snprintf(title.text, sizeof title.text, "lag %zu: ", finding->lag);
    snprintf(title.text + strlen(title.text), 200, "%s%.100s", finding->increments ? "increments: " : "",
             finding->statistic);
    return title;
}

const struct sb_finding *sb_report_worst(const struct sb_report *report)
{
    const double ln_most = log(report->alpha) - log((double)report->tests);
    const struct sb_finding *worst = NULL, *odd = NULL;

    for (size_t i = 0; i < report->findings_count; i++) {
        const struct sb_finding *const finding = &report->findings[i];
        const struct sb_finding **const most = finding->outliers ? &odd : &worst;

        if (sb_finding_reliable(finding) && (!*most || finding->ln_p < (*most)->ln_p))
            *most = finding;
    }
    return !odd || (worst && (worst->ln_p < ln_most || worst->ln_p <= odd->ln_p)) ? worst : odd;
}

const struct sb_finding *sb_report_dependence(const struct sb_report *report)
{
    const double ln_most = log(report->alpha) - log((double)report->tests);
    const struct sb_finding *const worst = report->same ? sb_report_worst(report) : NULL;

    for (size_t i = 0; i < report->findings_count; i++)
        if (report->findings[i].dependent && report->findings[i].ln_p < ln_most)
            return &report->findings[i];
    return worst && worst->ln_p < ln_most ? worst : NULL;
}

size_t sb_pair_next(const struct sb_reports *reports, size_t index, struct sb_pair *pair)
{
    const struct sb_report *const first = &reports->report[index];
    const struct sb_report *const second = index + 1 < reports->count ? first + 1 : NULL;

    if (first->evidence.by == SB_BY_SAMPLE) {
        *pair = (struct sb_pair) { .sampled = first };
        return index + 1;
    }
    *pair = (struct sb_pair) { .exact = first };
    if (first->evidence.reach || !second || second->evidence.by != SB_BY_SAMPLE ||
        strcmp(first->name, second->name) != 0 || first->evidence.n != second->evidence.n ||
        first->evidence.deal != second->evidence.deal)
        return index + 1;
    pair->sampled = second;
    return index + 2;
}

const struct sb_report *sb_pair_best(const struct sb_pair *pair)
{
    return pair->exact ? pair->exact : pair->sampled;
}

struct sb_pair sb_pair_counted(const struct sb_pair *pair)
{
    struct sb_pair counted = *pair;

    if (pair->exact && pair->sampled && !pair->exact->evidence.cells)
        counted.exact = NULL;
    return counted;
}

bool sb_report_biased(const struct sb_report *report)
{
    return report && strcmp(report->verdict, "biased") == 0;
}

bool sb_pair_biased(const struct sb_pair *pair)
{
    return sb_report_biased(pair->exact) || sb_report_biased(pair->sampled);
}

bool sb_pair_detailed(const struct sb_pair *pair, size_t *biased)
{
    const bool is = sb_pair_biased(pair);

    *biased += is;
    return is && *biased <= SB_DOCUMENT_DETAILS_MOST;
}

double sb_evidence_excess(const struct sb_evidence *e, size_t *cell)
{
    *cell = sb_evidence_farthest(e);
    const double share = sb_evidence_matrix_share(e, *cell / e->deal, *cell % e->deal);

    return sb_evidence_ratio(e, *cell / e->deal, share) - 1;
}

bool sb_pair_invisible(const struct sb_pair *pair)
{
    const struct sb_report *const exact = pair->exact;
    size_t cell;

    if (!sb_report_biased(exact) || sb_report_biased(pair->sampled))
        return false;
    return exact->has_effect
               ? sb_effect_invisible(&exact->effect)
               : exact->evidence.cells == 0 && fabs(sb_evidence_excess(&exact->evidence, &cell)) < SB_RATIO_FAINT;
}

const char *sb_pair_verdict(const struct sb_pair *pair, const struct sb_report *best)
{
    if (sb_pair_invisible(pair))
        return "biased, too little to see";
    return !sb_report_biased(best) && sb_report_biased(pair->sampled) ? "biased in the sample" : best->verdict;
}

struct sb_row sb_report_row(const struct sb_report *report, size_t rank)
{
    const struct sb_evidence *const e = &report->evidence;

    for (size_t i = 0; i < report->rows_count; i++)
        if (report->rows[i].rank == rank)
            return report->rows[i];
    const double share = e->by == SB_BY_EXACT || e->total ? sb_evidence_share(e, rank) : NAN;

    return (struct sb_row) { rank, share, share * (double)e->cells, NAN, NAN };
}

void sb_pairs_count(const struct sb_reports *reports, size_t *schemes, size_t *biased)
{
    *schemes = 0;
    *biased = 0;
    for (size_t i = 0; i < reports->count; ++*schemes) {
        struct sb_pair pair;

        i = sb_pair_next(reports, i, &pair);
        *biased += sb_pair_biased(&pair);
    }
}

enum sb_ink sb_document_ink(const char *verdict)
{
    if (strcmp(verdict, "biased, too little to see") == 0)
        return SB_INK_PLAIN;
    if (strncmp(verdict, "biased", 6) == 0)
        return SB_INK_BAD;
    return strcmp(verdict, "inconclusive") == 0 ? SB_INK_DOUBT : SB_INK_GOOD;
}

const char *sb_document_source(const struct sb_evidence *evidence)
{
    return evidence->by == SB_BY_EXACT ? sb_exact_word(evidence) : evidence->reach ? "over these seeds" : "sampled";
}

const char *sb_document_deal(const struct sb_notation *notation)
{
    return notation->text[0] ? notation->text : "()";
}

void sb_report_close(struct sb_report *report)
{
    if (report->has_effect)
        sb_effect_close(&report->effect);
    sb_evidence_close(&report->evidence);
    sb_explain_free(report->tree);
    sb_item_names_free(report->names);
    free(report->name);
    free(report->fair);
    free(report->left_out);
    free(report->shuffle);
    free(report->draw);
    free(report->rng);
    free(report->findings);
    for (size_t i = 0; i < SB_REPORT_OUTLIERS; i++)
        free(report->odd[i].items);
    free(report->rows);
    sb_counted_free(report->counted);
    free(report->correction);
    free(report->sentence);
    free(report->warning);
    sb_looks_like_close(&report->looks_like);
    *report = (struct sb_report) { 0 };
}

enum sb_status sb_reports_call(const struct sb_request *options, const char *title, const struct sb_subject *subject,
                               const char *const words[], size_t count, struct sb_error *error,
                               struct sb_reports *reports)
{
    if (title && !(reports->title = sb_sanitize_text(title, SB_TITLE_MOST)))
        return sb_error_memory(error, "the title");
    reports->command = sb_reproduce(options, NULL, subject, words, count);
    return reports->command ? SB_OK : sb_error_memory(error, "the command line");
}

bool sb_report_lists_counts(const struct sb_report *report)
{
    const struct sb_evidence *const evidence = &report->evidence;

    return sb_numbers_whole(&evidence->counts) && (evidence->n <= 8 || report->counts);
}

const struct sb_result_type sb_reports_result = {
    .what = "the report",
    .of = "a report",
    .schema = "shufflebias.report/2",
    .page = sb_reports_page,
    .html = sb_reports_html,
    .json = sb_reports_json,
    .csv = reports_csv,
    .cases = cases_reports,
    .svg = sb_reports_svg,
    .figure = sb_reports_figure,
};

void sb_reports_free(struct sb_reports *reports)
{
    if (!reports)
        return;
    for (size_t i = 0; i < reports->count; i++)
        sb_report_close(&reports->report[i]);
    free(reports->report);
    free(reports->title);
    free(reports->command);
    free(reports);
}
