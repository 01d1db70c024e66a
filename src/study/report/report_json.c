/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The format for programs: one JSON object (RFC 8259; data/schema/report-2.json). The names and types of the object's
 * fields stay the same in later versions. Exact integers are strings, fractions are strings "p/q" in lowest terms,
 * doubles have 17 digits, and values that do not exist are null. Memory is O(1). */

#include "study/catalogue/look.h"
#include "study/gate/gate_page.h"

#include <inttypes.h>

#define REACH(field) SB_MEMBER(struct sb_reach, field)
#define EFFECT(field) SB_MEMBER(struct sb_effect, field)
#define ROW(field) SB_MEMBER(struct sb_row, field)
#define PLACE(field) SB_MEMBER(struct sb_place, field)
#define COUNTED(field) SB_MEMBER(struct sb_counted_cell, field)
#define FINDING(field) SB_MEMBER(struct sb_finding, field)
#define REPORT(field) SB_MEMBER(struct sb_report, field)

static void json_mpz(struct sb_json *json, const char *key, const mpz_t value)
{
    fputc('"', sb_json_value(json, key));
    mpz_out_str(json->stream, 10, value);
    fputc('"', json->stream);
}

static void json_mpq(struct sb_json *json, const char *key, const mpq_t value)
{
    fputc('"', sb_json_value(json, key));
    mpq_out_str(json->stream, 10, value);
    fputc('"', json->stream);
}

static void json_count(struct sb_json *json, const char *key, const struct sb_evidence *evidence, size_t rank)
{
    const char *const quote = evidence->by == SB_BY_EXACT ? "\"" : "";

    if (!sb_numbers_whole(&evidence->counts)) {
        sb_json_null(json, key);
        return;
    }
    FILE *const stream = sb_json_value(json, key);

    fputs(quote, stream);
    sb_exact_number(&evidence->counts, rank, stream);
    fputs(quote, stream);
}

static void json_denominator(struct sb_json *json, const struct sb_evidence *evidence)
{
    if (mpz_sgn(evidence->denominator) == 0) {
        sb_json_null(json, "denominator");
        sb_json_real(json, "error", evidence->error);
        return;
    }
    json_mpz(json, "denominator", evidence->denominator);
    sb_json_null(json, "error");
}

static void json_reach(struct sb_json *json, const struct sb_evidence *evidence)
{
    static const struct sb_member fair[] = {
        REACH(reached), REACH(reached_error), REACH(reached_fair), { .name = NULL }
    };
    const struct sb_reach *const reach = evidence->reach;

    sb_json_string(json, "by", "seeds");
    sb_json_string(json, "rng", evidence->rng);
    sb_json_integer(json, "first", reach->first);
    sb_json_integer(json, "last", reach->last);
    sb_json_integer(json, "seeds", evidence->total);
    sb_json_integer(json, "refused", reach->refused);
    sb_json_bool(json, "interrupted", evidence->interrupted);
    sb_json_members(json, fair, reach);
    json_mpz(json, "permutations", reach->deals);
    sb_json_real(json, "log10_fraction", reach->log10_fraction);
    sb_json_known(json, "most_often", reach->most, reach->most);
    sb_json_known(json, "least_often", reach->least_known, reach->least);
}

static void json_evidence(struct sb_json *json, const struct sb_report *report)
{
    const struct sb_evidence *const evidence = &report->evidence;
    const struct sb_inquiry *const inquiry = evidence->inquiry;

    sb_json_object(json, "evidence");
    if (evidence->reach) {
        json_reach(json, evidence);
    } else if (evidence->by == SB_BY_EXACT) {
        sb_json_string(json, "by", "exact");
        sb_json_string(json, "engine", evidence->engine);
        json_denominator(json, evidence);
        if (inquiry)
            json_mpq(json, "unresolved", inquiry->unresolved);
        else
            sb_json_string(json, "unresolved", "0");
        sb_json_known(json, "paths", inquiry, inquiry ? inquiry->paths : 0);
    } else {
        sb_json_string(json, "by", "sample");
        sb_json_integer(json, "total", evidence->total);
        sb_json_known(json, "seed", evidence->rng, evidence->seed);
        sb_json_string(json, "rng", evidence->rng);
        sb_json_bool(json, "interrupted", evidence->interrupted);
    }
    if (sb_report_lists_counts(report)) {
        sb_json_array(json, "counts", true);
        for (size_t rank = 0; rank < evidence->cells && !ferror(json->stream); rank++)
            json_count(json, NULL, evidence, rank);
        sb_json_close(json);
    } else {
        sb_json_null(json, "counts");
    }
    sb_json_close(json);
}

static void json_cell(struct sb_json *json, const struct sb_evidence *evidence, size_t item, size_t position,
                      mpq_t fraction)
{
    if (!sb_numbers_whole(&evidence->matrix)) {
        sb_json_real(json, NULL, sb_evidence_matrix_share(evidence, item, position));
    } else if (evidence->by != SB_BY_EXACT) {
        sb_exact_number(&evidence->matrix, item * evidence->deal + position, sb_json_value(json, NULL));
    } else {
        sb_evidence_matrix_fraction(evidence, item, position, fraction);
        json_mpq(json, NULL, fraction);
    }
}

static void json_matrix(struct sb_json *json, const struct sb_evidence *evidence)
{
    mpq_t fraction;

    if (evidence->matrix.form == SB_NUMBERS_NONE) {
        sb_json_null(json, "matrix");
        return;
    }
    mpq_init(fraction);
    sb_json_array(json, "matrix", false);
    for (size_t item = 0; item < sb_evidence_rows(evidence) && !ferror(json->stream); item++) {
        sb_json_array(json, NULL, true);
        for (size_t position = 0; position < evidence->deal; position++)
            json_cell(json, evidence, item, position, fraction);
        sb_json_close(json);
    }
    sb_json_close(json);
    mpq_clear(fraction);
}

/* Returns the notation of a deal in numbers from 1, also if items have names. */
static struct sb_notation json_notation(const struct sb_evidence *evidence, size_t rank)
{
    struct sb_notation notation;
    sb_item a[64];

    if (sb_item_groups(evidence->names)) /* no number of an item stands for a group */
        return sb_exact_notation(evidence, rank);
    sb_evidence_unrank(evidence, rank, a);
    sb_item_notation(NULL, evidence->n, evidence->deal, a, notation.text, sizeof notation.text);
    return notation;
}

/* Writes the most or the least likely deals: those with the ranks or, of a law without ranks, `deal`, which is never
 * shortened. */
static void json_extreme(struct sb_json *json, const char *key, const struct sb_evidence *evidence,
                         const sb_item deal[], const size_t rank[], size_t count)
{
    sb_json_array(json, key, true);
    for (size_t k = 0; k < count && !deal; k++)
        sb_json_string(json, NULL, json_notation(evidence, rank[k]).text);
    if (deal)
        fputc('"', sb_json_value(json, NULL));
    for (size_t j = 0; deal && j < evidence->deal; j++)
        fprintf(json->stream, "%s%u", evidence->n > 9 && j > 0 ? "." : "", deal[j] + 1U);
    fputs(deal ? "\"" : "", json->stream);
    sb_json_close(json);
}

static void json_variation(struct sb_json *json, const struct sb_report *report, const struct sb_effect *effect)
{
    const double value = effect ? effect->total_variation : NAN;
    const double error = effect ? effect->total_variation_error : NAN;
    const bool known = effect && report->evidence.by != SB_BY_SAMPLE && !isnan(value);

    sb_json_real(json, "total_variation", value);
    sb_json_real(json, "total_variation_low", known ? fmax(value - error, 0) : NAN);
    sb_json_real(json, "total_variation_high", known ? fmin(value + error, 1) : NAN);
    if (known && mpq_sgn(effect->total_variation_exact) >= 0)
        json_mpq(json, "total_variation_exact", effect->total_variation_exact);
    else
        sb_json_null(json, "total_variation_exact");
}

const struct sb_member sb_effect_members[] = {
    EFFECT(total_variation_fair), EFFECT(kl_bits),   EFFECT(kl_bits_fair),   EFFECT(chi2_per_sample),
    EFFECT(chi2_per_sample_fair), EFFECT(max_ratio), EFFECT(max_ratio_fair), EFFECT(min_ratio),
    EFFECT(min_ratio_fair),       { .name = NULL },
};

static void json_effect(struct sb_json *json, const struct sb_report *report)
{
    const struct sb_effect *const effect = report->has_effect ? &report->effect : NULL;

    sb_json_object(json, "effect");
    json_variation(json, report, effect);
    sb_json_members(json, sb_effect_members, effect);
    sb_json_real(json, "shuffles_to_see", effect && effect->shuffles_to_see > 0 ? effect->shuffles_to_see : NAN);
    if (effect) {
        json_extreme(json, "most_likely", &report->evidence, effect->most_deal, effect->most, effect->most_count);
        json_extreme(json, "least_likely", &report->evidence, effect->least_deal, effect->least, effect->least_count);
    } else {
        sb_json_null(json, "most_likely");
        sb_json_null(json, "least_likely");
    }
    sb_json_close(json);
}

static void json_permutations(struct sb_json *json, const struct sb_report *report)
{
    static const struct sb_member members[] = { ROW(share), ROW(ratio), ROW(low), ROW(high), { .name = NULL } };

    sb_json_array(json, "permutations", false);
    for (size_t i = 0; i < report->rows_count; i++) {
        const struct sb_row *const row = &report->rows[i];

        sb_json_object(json, NULL);
        sb_json_string(json, "permutation", json_notation(&report->evidence, row->rank).text);
        if (report->names)
            sb_json_string(json, "label", sb_exact_notation(&report->evidence, row->rank).text);
        json_count(json, "count", &report->evidence, row->rank);
        sb_json_members(json, members, row);
        sb_json_close(json);
    }
    sb_json_close(json);
}

static void json_places(struct sb_json *json, const struct sb_report *report)
{
    static const struct sb_member members[] = { PLACE(count), PLACE(share), PLACE(ratio),
                                                PLACE(low),   PLACE(high),  { .name = NULL } };
    const struct sb_places *const places = &report->places;

    if (places->cells == 0) {
        sb_json_null(json, "places");
        return;
    }
    sb_json_object(json, "places");
    sb_json_integer(json, "cells", places->cells);
    sb_json_integer(json, "beyond", places->beyond);
    sb_json_array(json, "farthest", false);
    for (size_t i = 0; i < places->count; i++) {
        const struct sb_place *const place = &places->place[i];
        char name[SB_ITEM_ROOM];

        sb_json_object(json, NULL);
        sb_json_integer(json, "item", place->item + 1);
        if (report->names)
            sb_json_string(json, "label", sb_item_name(report->names, place->item, name));
        sb_json_integer(json, "position", place->position + 1);
        sb_json_members(json, members, place);
        sb_json_close(json);
    }
    sb_json_close(json);
    sb_json_close(json);
}

static void json_counted(struct sb_json *json, const struct sb_counted *counted)
{
    static const struct sb_member members[] = { COUNTED(label), COUNTED(count), COUNTED(share),
                                                COUNTED(fair),  COUNTED(ratio), COUNTED(low),
                                                COUNTED(high),  COUNTED(ln_p),  { .name = NULL } };

    sb_json_array(json, "cells", false);
    for (size_t i = 0; i < counted->count && !ferror(json->stream); i++)
        sb_json_record(json, NULL, members, &counted->cell[i]);
    sb_json_close(json);
}

static void json_finding(struct sb_json *json, const struct sb_report *report, const struct sb_finding *finding)
{
    static const struct sb_member before[] = {
        FINDING(statistic), FINDING(increments), FINDING(test), FINDING(value), FINDING(dof), { .name = NULL },
    };
    static const struct sb_member after[] = {
        FINDING(ln_p), FINDING(effect), FINDING(effect_low), FINDING(effect_high), { .name = NULL },
    };
    const struct sb_number p = sb_number_full_p(finding->p, finding->ln_p);

    sb_json_object(json, NULL);
    sb_json_members(json, before, finding);
    fputs(p.text[0] ? p.text : "null", sb_json_value(json, "p"));
    sb_json_members(json, after, finding);
    sb_json_bool(json, "reliable", sb_finding_reliable(finding));
    if (finding->context)
        sb_json_string(json, "context", finding->context);
    if (finding->lag) {
        sb_json_integer(json, "lag", finding->lag);
        sb_json_bool(json, "dependent", finding == sb_report_dependence(report));
    }
    if (finding->outliers)
        sb_odd_json(json, &report->odd[strcmp(finding->statistic, sb_outliers_steps) == 0]);
    sb_json_close(json);
}

static void json_fair(struct sb_json *json, const struct sb_report *report)
{
    sb_json_string(json, "fair", report->fair);
    sb_json_real(json, "fair_total_variation", report->fair_tv);
    if (report->fair_sample)
        sb_json_integer(json, "fair_sample", report->fair_sample);
    sb_json_strings(json, "left_out", report->left_out, report->left_out_count);
}

static void json_report(struct sb_json *json, const struct sb_report *report)
{
    static const struct sb_member subject[] = { REPORT(name), REPORT(title), REPORT(shuffle),
                                                REPORT(draw), REPORT(rng),   { .name = NULL } };
    static const struct sb_member repeats[] = {
        SB_MEMBER(struct sb_repeats, decks),
        SB_MEMBER(struct sb_repeats, repeats),
        SB_MEMBER(struct sb_repeats, expected),
        { .name = NULL },
    };
    static const struct sb_member verdict[] = {
        REPORT(alpha), REPORT(correction), REPORT(warning), REPORT(verdict), REPORT(sentence), { .name = NULL },
    };

    sb_json_object(json, NULL);
    sb_json_record(json, "subject", subject, report);
    sb_json_integer(json, "n", report->evidence.n);
    sb_json_integer(json, "deal", sb_items_dealt(report->evidence.names, report->evidence.deal));
    if (report->fair)
        json_fair(json, report);
    sb_json_item_names(json, report->names);
    json_evidence(json, report);
    json_matrix(json, &report->evidence);
    if (report->counted)
        json_counted(json, report->counted);
    json_places(json, report);
    json_effect(json, report);
    json_permutations(json, report);
    sb_json_array(json, "findings", false);
    for (size_t i = 0; i < report->findings_count; i++)
        json_finding(json, report, &report->findings[i]);
    sb_json_close(json);
    sb_json_record(json, "repeats", repeats, report->repeats.decks ? &report->repeats : NULL);
    sb_json_members(json, verdict, report);
    sb_looks_like_json(json, &report->looks_like);
    sb_json_close(json);
}

void sb_reports_json(const void *result, struct sb_json *json)
{
    const struct sb_reports *const reports = result;

    if (reports->title)
        sb_json_string(json, "title", reports->title);
    sb_json_array(json, "reports", false);
    for (size_t i = 0; i < reports->count; i++)
        json_report(json, &reports->report[i]);
    sb_json_close(json);
}
