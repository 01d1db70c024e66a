/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Gates on the saved counts of a report: a gate that tries the same permutations itself, and looks last at as many, finds
 * the same ln E for each statistic that both have, to the bit; each format says the verdict, and bounds are in order.
 */
#include "fuzz/entry_name.h"
#include "fuzz/fuzz.h"
#include "fuzz/page_rules.h"
#include "fuzz/scratch.h"

#include "core/calls.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

enum { COUNTED_SAMPLES = 2000, COUNTED_NAME = 128 };

/* Takes the request for a report, of a size that a fuzzer can run many times in a second. */
static void counted_options(struct fuzz *fuzz, char names[COUNTED_NAME], struct sb_request *options)
{
    const unsigned how = fuzz_byte(fuzz);

    sb_request_init(options, SB_REPORT);
    options->by = SB_BY_SAMPLE;
    options->threads = 1;
    options->n =
        how & 1 ? 2 + fuzz_byte(fuzz) % 6 : 12 + fuzz_byte(fuzz) % 30; /* neither has many counts by rank */
    options->deal = how & 2 ? fuzz_byte(fuzz) % 3 : 0;
    options->increments = how & 4;
    options->profile = how & 8 ? "cards" : NULL;
    if (how & 16) {
        entry_name(fuzz, "statistic", names, COUNTED_NAME);
        options->statistics = names;
    }
    options->samples = 1 + fuzz_number(fuzz, 2) % COUNTED_SAMPLES;
    options->seed = fuzz_number(fuzz, 2);
}

/* Saves a sample of the scheme at `path`. Returns false if the options do not go together. */
static bool counted_report(const char *scheme, const struct sb_request *options)
{
    struct sb_error error = { .status = SB_OK };
    struct sb_reports *reports = NULL;
    const enum sb_status status = sb_reports_new(&scheme, 1, options, &error, &reports);

    fuzz_check(status == SB_OK || ((status == SB_INVALID || status == SB_TOO_LARGE) && error.text[0]),
               "a report is made, or says why not");
    sb_reports_free(reports);
    return status == SB_OK;
}

static void counted_terms(struct fuzz *fuzz, struct sb_request *options)
{
    const unsigned how = fuzz_byte(fuzz);

    options->alpha = how & 1 ? 1e-9 : 0.05;
    options->delta = how & 2 ? 1e-9 : 0.05;
    options->exclude = how & 4 ? 0.5 : 0.01;
    options->tolerate = how & 8 ? options->exclude / 4 : 0;
}

/* Returns the findings in JSON, after the rules that each gate follows. Frees the gate. */
static json_t *counted_found(struct sb_gate *gate, double alpha)
{
    static const char *const formats[] = { "text", "markdown", "junit", "tap", "html", "svg", "json" };
    struct sb_gate_summary summary;
    struct sb_error error;
    char *text = NULL;

    sb_gate_summary_get(gate, &summary);
    fuzz_check((strcmp(summary.verdict, "fail") == 0) <= (summary.ln_e >= -log(alpha)),
               "a failure takes E of 1/alpha");
    fuzz_check(summary.tv_low <= summary.tv_high && summary.tv_high <= 1, "bounds are in order");
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        size_t length;

        free(text);
        fuzz_check(sb_gate_text(gate, formats[i], NULL, &error, &text, &length) == SB_OK && length > 0,
                   "findings can be written");
        page_check(formats[i], text);
    }
    json_t *const found = json_loads(text, 0, NULL);

    fuzz_check(found, "JSON can be read");
    free(text);
    sb_gate_free(gate);
    return found;
}

/* The only gate of the findings. */
static json_t *counted_gate(json_t *found)
{
    return json_array_get(json_object_get(found, "gates"), 0);
}

/* Returns whether two lines of a gate are about the same counts. */
static bool counted_same(json_t *one, json_t *other)
{
    static const char *const keys[] = { "statistic", "member", "increments", "lag", "cells" };
    bool same = true;

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        same = same && json_equal(json_object_get(one, keys[i]), json_object_get(other, keys[i]));
    return same;
}

/* Compares the lines that both gates have; E of the bettor and of repeated decks need the permutations themselves. */
static void counted_compare(json_t *counted, json_t *tried)
{
    json_t *line, *other;
    size_t i, j;

    if (!json_equal(json_object_get(counted, "total"), json_object_get(tried, "total")))
        return; /* the gate that tries decks had its verdict before */
    json_array_foreach(json_object_get(counted, "statistics"), i, line)
    {
        bool met = false;

        json_array_foreach(json_object_get(tried, "statistics"), j, other)
        {
            if (!counted_same(line, other))
                continue;
            met = true;
            fuzz_check(json_equal(json_object_get(line, "ln_e"), json_object_get(other, "ln_e")),
                       "both gates find the same E");
        }
        fuzz_check(met, "a gate on decks has each statistic of a gate on counts");
    }
}

/* Tries the permutations of the report. */
static void counted_try(const char *scheme, const struct sb_request *report, const struct sb_request *asked,
                        json_t *counted)
{
    struct sb_subject subject = {
        .scheme = scheme, .n = report->n, .deal = report->deal, .seed = report->seed
    };
    struct sb_request options = *asked;
    struct sb_error error = { .status = SB_OK };
    struct sb_gate *gate;

    options.saved = NULL;
    options.limit = report->samples;
    options.increments = report->increments;
    options.profile = report->profile;
    if (sb_gate_new(&subject, &options, &error, &gate)) {
        fuzz_check(error.text[0], "a gate runs, or says why not");
        return;
    }
    json_t *const tried = counted_found(gate, options.alpha);

    counted_compare(counted, counted_gate(tried));
    json_decref(tried);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz fuzz = { data, size };
    char scheme[COUNTED_NAME] = "", names[COUNTED_NAME] = "";
    struct sb_subject subject = { 0 };
    struct sb_request options;
    struct sb_request report;
    struct sb_error error = { .status = SB_OK };
    struct sb_gate_saved *saved;
    struct sb_gate *gate;

    entry_scheme(&fuzz, scheme, sizeof scheme);
    counted_options(&fuzz, names, &report);
    scratch_clear();
    report.save = scratch_path("report");
    if (!counted_report(scheme, &report))
        return 0;
    fuzz_check(sb_gate_saved_new(report.save, &error, &saved) == SB_OK, "a saved report can be read");
    sb_request_init(&options, SB_GATE);
    sb_gate_saved_asked(saved, &subject, &options);
    counted_terms(&fuzz, &options);
    const enum sb_status status = sb_gate_new(&subject, &options, &error, &gate);

    fuzz_check(status == SB_OK || (status == SB_INVALID && error.text[0]),
               "a gate judges counts, or says why not");
    if (status == SB_OK) {
        json_t *const found = counted_found(gate, options.alpha);

        counted_try(scheme, &report, &options, counted_gate(found));
        json_decref(found);
    }
    sb_gate_saved_free(saved);
    return 0;
}
