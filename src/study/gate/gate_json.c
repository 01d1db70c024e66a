/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The gate's findings on one or several subjects, for programs: one JSON object, data/schema/gate-2.json. The
 * names and types of the object's fields stay the same in later versions. If ln_e is null, ln E is infinite,
 * because an impossible cell has occurred. RFC 8259.
 */
#include "report/json_writer.h"
#include "store/store.h"
#include "study/catalogue/catalogue_look.h"
#include "study/gate/gate_text.h"

#include <math.h>
#include <string.h>

/* Writes the terms, the final results and the verdict. */
static void gate_json_head(struct sb_json *json, const struct sb_gate *gate)
{
    sb_json_object(json, "subject");
    sb_json_string(json, "name", gate->name);
    sb_json_string(json, "kind", gate->kind);
    sb_json_bool(json, "chained", gate->chained);
    sb_json_close(json);
    sb_json_integer(json, "n", gate->n);
    sb_json_integer(json, "deal", gate->deal);
    if (gate->title)
        sb_json_string(json, "title", gate->title);
    sb_json_item_names(json, gate->names);
    sb_store_write_object(json, "terms", sb_gate_terms_fields, &gate->terms);
    sb_json_string(json, "sentence", gate->sentence);
    sb_looks_like_json(json, &gate->looks_like);
    sb_json_bool(json, "interrupted", gate->interrupted);
    sb_json_integer(json, "total", gate->total);
    sb_json_integer(json, "uncounted", gate->uncounted);
    sb_json_real(json, "ln_e", gate->ln_e);
    sb_json_real(json, "tv_low", gate->tv_low);
    sb_json_real(json, "tv_high", gate->tv_high);
    sb_json_real(json, "tv_seen", gate->telling ? gate->telling->tv_seen : NAN);
    sb_json_real(json, "tv_fair", gate->telling ? gate->telling->tv_fair : NAN);
    sb_json_bool(json, "whole", gate->whole);
    sb_json_bool(json, "merged", gate->merged);
    sb_json_bool(json, "jointly", gate->jointly);
    sb_json_real(json, "needed", gate->needed);
    if (gate->watched)
        sb_json_integer(json, "repeats", gate->repeats);
    else
        sb_json_null(json, "repeats");
    sb_json_real(json, "seeds_low", gate->seeds_low > 0 ? gate->seeds_low : NAN);
}

/* Writes the run's share of the ledger's error budget, or null without a ledger. */
static void gate_json_ledger(struct sb_json *json, const struct sb_gate_budget *budget)
{
    if (!budget->ledger) {
        sb_json_null(json, "ledger");
        return;
    }
    sb_json_object(json, "ledger");
    sb_json_string(json, "file", budget->ledger);
    sb_json_string(json, "key", budget->key);
    sb_json_integer(json, "run", budget->run);
    sb_json_integer(json, "share", budget->share);
    sb_json_real(json, "alpha", budget->alpha);
    sb_json_real(json, "delta", budget->delta);
    sb_json_integer(json, "carried", budget->carried);
    sb_json_integer(json, "decks", budget->decks);
    sb_json_close(json);
}

/* If a report counted the evidence, writes from which part of the report's run the evidence comes, and which
 * statistics the gate left out. If the gate read permutations, writes null. */
static void gate_json_report(struct sb_json *json, const struct sb_gate *gate)
{
    if (!gate->reported) {
        sb_json_null(json, "report");
        return;
    }
    sb_json_object(json, "report");
    sb_json_string(json, "part", gate->evidence.part[0] ? gate->evidence.part : NULL);
    sb_json_array(json, "left_out", true);
    for (size_t i = 0; i < gate->left_out_count; i++)
        sb_json_string(json, NULL, gate->left_out[i]);
    sb_json_close(json);
    sb_json_close(json);
}

/* Writes the statistics that are left out at a large n; writes nothing if there are none. */
void sb_gate_left_out_json(struct sb_json *json, const struct sb_gate *gate)
{
    if (gate->reported || gate->left_out_count == 0)
        return;
    sb_json_array(json, "left_out", true);
    for (size_t i = 0; i < gate->left_out_count; i++)
        sb_json_string(json, NULL, gate->left_out[i]);
    sb_json_close(json);
}

static void gate_json_line(struct sb_json *json, const struct sb_gate_line *line)
{
    sb_json_object(json, NULL);
    sb_json_string(json, "statistic", line->statistic);
    sb_json_integer(json, "member", line->member + 1);
    sb_json_bool(json, "increments", line->lag && !line->dependence);
    sb_json_integer(json, "lag", line->lag);
    sb_json_integer(json, "cells", line->cells);
    sb_json_bool(json, "merged", line->merged);
    sb_json_real(json, "weight", line->weight);
    sb_json_real(json, "ln_e", line->ln_e);
    sb_json_real(json, "tv_low", line->tv_low);
    sb_json_real(json, "tv_high", line->tv_high);
    sb_json_real(json, "tv_seen", line->tv_seen);
    sb_json_real(json, "tv_fair", line->tv_fair);
    sb_json_string(json, "context", line->context);
    sb_json_bool(json, "named", line->rejected);
    sb_json_close(json);
}

static void gate_json_cell(struct sb_json *json, const struct sb_gate *gate, const struct sb_gate_cell *cell)
{
    const struct sb_gate_line *const line = &gate->line[cell->line];

    sb_json_object(json, NULL);
    sb_json_string(json, "statistic", line->statistic);
    sb_json_integer(json, "member", line->member + 1);
    sb_json_integer(json, "cell", cell->cell);
    sb_json_string(json, "where", cell->where);
    sb_json_integer(json, "count", cell->count);
    sb_json_real(json, "expected", cell->expected);
    sb_json_real(json, "z", cell->z);
    sb_json_close(json);
}

/* Writes the counts by rank, and the matrix with a row for each item. Writes null in place of counts, or of a
 * matrix, that the gate did not keep. */
static void gate_json_counts(struct sb_json *json, const struct sb_evidence *evidence)
{
    if (sb_numbers_whole(&evidence->counts)) {
        sb_json_array(json, "counts", true);
        for (size_t rank = 0; rank < evidence->cells; rank++)
            sb_json_integer(json, NULL, evidence->counts.u64[rank]);
        sb_json_close(json);
    } else {
        sb_json_null(json, "counts");
    }
    if (!sb_numbers_whole(&evidence->matrix)) {
        sb_json_null(json, "matrix");
        return;
    }
    sb_json_array(json, "matrix", false);
    for (size_t item = 0; item < sb_evidence_rows(evidence) && !ferror(json->stream); item++) {
        sb_json_array(json, NULL, true);
        for (size_t position = 0; position < evidence->deal; position++)
            sb_json_integer(json, NULL, evidence->matrix.u64[item * evidence->deal + position]);
        sb_json_close(json);
    }
    sb_json_close(json);
}

/* Writes the findings on one subject. */
static void gate_json_gate(struct sb_json *json, const struct sb_gate *gate)
{
    gate_json_head(json, gate);
    gate_json_ledger(json, &gate->budget);
    gate_json_report(json, gate);
    sb_gate_left_out_json(json, gate);
    sb_json_array(json, "statistics", false);
    for (size_t i = 0; i < gate->lines_count && !ferror(json->stream); i++)
        gate_json_line(json, &gate->line[i]);
    sb_json_close(json);
    sb_json_array(json, "cells", false);
    for (size_t i = 0; i < gate->cells_count; i++)
        gate_json_cell(json, gate, &gate->cell[i]);
    sb_json_close(json);
    sb_gate_looks_write(json, gate->point, gate->points_count);
    gate_json_counts(json, &gate->evidence);
}

void sb_suite_json(const void *result, struct sb_json *json)
{
    const struct sb_suite *const suite = result;

    sb_json_string(json, "verdict", sb_verdict_name(sb_suite_verdict(suite)));
    sb_json_bool(json, "interrupted", sb_suite_interrupted(suite));
    sb_json_array(json, "gates", false);
    for (size_t i = 0; i < suite->count && !ferror(json->stream); i++) {
        const struct sb_suite_item *const item = &suite->item[i];

        sb_json_object(json, NULL);
        sb_json_string(json, "name", item->name);
        sb_json_string(json, "verdict", sb_verdict_name(sb_suite_item_verdict(item)));
        if (item->gate)
            gate_json_gate(json, item->gate);
        else
            sb_json_string(json, "error", item->error.text);
        sb_json_close(json);
    }
    sb_json_close(json);
}
