/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/calls.h"
#include "fuzz/entry_name.h"
#include "fuzz/fuzz.h"
#include "fuzz/series.h"
#include "store/store.h"
#include "study/results.h"

#include <gmp.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

/* ---- the rules that each report obeys ---- */

static double report_number(const json_t *object, const char *key)
{
    const json_t *const value = json_object_get(object, key);

    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* Whether one <= two, as far as both exist; a rounding error is allowed. */
static bool report_ordered(double one, double two)
{
    return !(one > two + 1e-9 * fmax(fabs(one), fabs(two)));
}

/* Shows the part of the report that breaks a rule. */
static void report_rule(bool holds, const char *rule, const json_t *part)
{
    if (!holds)
        json_dumpf(part, stderr, JSON_INDENT(2));
    fuzz_check(holds, rule);
}

/* Adds a count, which is a number or a string, or a fraction. False if it is null. */
static bool report_add(mpq_t sum, const json_t *value)
{
    const char *const text = json_string_value(value);
    mpq_t one;

    if (!text && !json_is_integer(value))
        return false;
    mpq_init(one);
    if (text)
        fuzz_check(mpq_set_str(one, text, 10) == 0, "a count is a fraction");
    else
        mpq_set_si(one, (long)json_integer_value(value), 1);
    fuzz_check(mpq_sgn(one) >= 0, "a count is not negative");
    mpq_add(sum, sum, one);
    mpq_clear(one);
    return true;
}

/* Returns the denominator of a law, or the number of decks of a sample or of seeds. */
static const json_t *report_total(const json_t *evidence)
{
    static const char *const keys[] = { "denominator", "total", "seeds" };
    const json_t *total = NULL;

    for (size_t i = 0; i < sizeof keys / sizeof keys[0] && !total; i++)
        total = json_object_get(evidence, keys[i]);
    return total;
}

/* Whether the law has no part that a proof left open. */
static bool report_resolved(const json_t *evidence)
{
    const char *const unresolved = json_string_value(json_object_get(evidence, "unresolved"));

    return !unresolved || strcmp(unresolved, "0") == 0;
}

/* Whether the cells of a position add up to 1, if they are doubles. */
static bool report_sum_is_one(const json_t *matrix, size_t position)
{
    const json_t *row;
    double sum = 0;
    size_t index;

    json_array_foreach(matrix, index, row) sum += json_number_value(json_array_get(row, position));
    return fabs(sum - 1) <= 1e-9;
}

/* The counts add up to the total, and the cells of each position of a matrix to 1, or to the total. */
static void report_sums(const json_t *report)
{
    const json_t *const evidence = json_object_get(report, "evidence"), *value, *row;
    const json_t *const matrix = json_object_get(report, "matrix");
    const size_t deal = (size_t)report_number(report, "deal");
    size_t index;
    mpq_t sum, all;

    mpq_inits(sum, all, NULL);
    /* not if the law is known in doubles, or in part */
    const bool known = report_add(all, report_total(evidence)) && report_resolved(evidence);

    json_array_foreach(json_object_get(evidence, "counts"), index, value)(void) report_add(sum, value);
    report_rule(index == 0 || !known || mpq_equal(sum, all), "counts add up to the total", evidence);
    if (json_object_get(evidence, "denominator"))
        mpq_set_ui(all, 1, 1);
    for (size_t position = 0; position < deal && json_array_size(matrix) > 0; position++) {
        bool whole = true;

        mpq_set_ui(sum, 0, 1);
        json_array_foreach(matrix, index, row) whole = report_add(sum, json_array_get(row, position)) && whole;
        report_rule((whole ? mpq_equal(sum, all) : report_sum_is_one(matrix, position)) || !report_resolved(evidence),
                    "each position has an item", report);
    }
    mpq_clears(sum, all, NULL);
}

static void report_findings(const json_t *report)
{
    const json_t *finding, *row;
    size_t i;

    json_array_foreach(json_object_get(report, "findings"), i, finding)
    {
        const double p = report_number(finding, "p"), ln_p = report_number(finding, "ln_p");
        const double effect = report_number(finding, "effect");

        report_rule(isnan(p) == isnan(ln_p) && (isnan(p) || (p >= 0 && p <= 1 && ln_p <= 0)), "p is a probability",
                    finding);
        report_rule(!(p > 1e-300) || fabs(log(p) - ln_p) <= 1e-9 * (1 + fabs(ln_p)), "ln p is that of p", finding);
        report_rule(!(effect < 0) && report_ordered(report_number(finding, "effect_low"), effect) &&
                        report_ordered(effect, report_number(finding, "effect_high")),
                    "an interval contains its effect", finding);
    }
    json_array_foreach(json_object_get(report, "permutations"), i, row)
    {
        const double share = report_number(row, "share");

        report_rule(report_ordered(report_number(row, "low"), share) &&
                        report_ordered(share, report_number(row, "high")) && !(share < 0) && !(share > 1),
                    "an interval contains its share", row);
    }
}

static void report_effect(const json_t *report)
{
    const json_t *const effect = json_object_get(report, "effect");
    const double variation = report_number(effect, "total_variation");

    report_rule(!(variation < 0) && !(variation > 1), "total variation is in 0..1", effect);
    report_rule(report_ordered(report_number(effect, "total_variation_low"), variation) &&
                    report_ordered(variation, report_number(effect, "total_variation_high")),
                "bounds of total variation are in order", effect);
    report_rule(report_ordered(report_number(effect, "min_ratio"), 1) &&
                    report_ordered(1, report_number(effect, "max_ratio")),
                "1 lies between the ratios", effect);
    report_rule(!(report_number(effect, "kl_bits") < 0) && !(report_number(effect, "chi2_per_sample") < 0),
                "divergences are not negative", effect);
    report_rule(json_string_length(json_object_get(report, "sentence")) > 0, "a verdict has a sentence", report);
}

/* Checks the reports as JSON, and writes them in another format, which `other` chooses. Returns the JSON, which the
 * caller frees. */
static char *report_check(const struct sb_reports *reports, unsigned other)
{
    static const char *const formats[] = { "text", "markdown", "csv", "junit", "tap", "html", "svg" };
    const char *const format = formats[other % (sizeof formats / sizeof formats[0])];
    struct sb_look look = { .unicode = true, .columns = 70 };
    const json_t *report;
    struct sb_error error;
    char *text, *json;
    size_t i;

    fuzz_check(sb_result_text(&sb_reports_result, reports, format, &look, &error, &text, NULL) == SB_OK &&
                   sb_result_text(&sb_reports_result, reports, "json", &look, &error, &json, NULL) == SB_OK,
               "reports can be written");
    page_check(format, text);
    free(text);
    json_t *const all = json_loads(json, JSON_REJECT_DUPLICATES, NULL);

    fuzz_check(all, "the JSON can be read");
    json_array_foreach(json_object_get(all, "reports"), i, report)
    {
        report_sums(report);
        report_findings(report);
        report_effect(report);
    }
    json_decref(all);
    return json;
}

/* ---- report ---- */

/*
 * Reports on schemes, exact, sampled and by seeds, and on decks that the bytes choose: each format can be written;
 * shares and fractions add up, intervals contain what they are about, and p-values have the ln p beside them; one
 * thread and three, and two shards that are merged, say the same.
 */
/* Exact laws of up to REPORT_EXACT items are quick, and so are exact matrices of REPORT_MATRIX items or more, which
 * have no other law. */
enum { REPORT_SAMPLES = 3000, REPORT_SEEDS = 2000, REPORT_NAMES = 128, REPORT_EXACT = 6, REPORT_MATRIX = 14 };

/* Takes the options, of a size that a fuzzer can run many times in a second. */
static void report_options(struct fuzz *fuzz, char names[REPORT_NAMES], struct sb_request *options)
{
    static const char *const cards[] = { NULL, NULL, NULL, "A A B", "A A B B", "A B C", "x y z u v w x y" };
    static const double alphas[] = { 0.001, 0.05, 0.5, 0.999, 1e-12, 1e-100 };
    const unsigned how = fuzz_byte(fuzz), items = fuzz_byte(fuzz);

    sb_request_init(options, SB_REPORT);
    options->by = how % 8;
    options->increments = how & 8;
    options->all_counts = how & 16;
    if (how & 32) {
        entry_name(fuzz, "statistic", names, REPORT_NAMES);
        options->statistics = names;
    }
    options->cards = how & 64 ? cards[fuzz_byte(fuzz) % (sizeof cards / sizeof cards[0])] : NULL;
    options->title = how & 128 ? "<&>\"'" : NULL;
    options->alpha = alphas[fuzz_byte(fuzz) % (sizeof alphas / sizeof alphas[0])];
    options->threads = 1;
    options->n = items < 224 ? items % 10 : items < 254 ? 14 + items % 15 : 52;
    if (options->n > REPORT_EXACT && options->n < REPORT_MATRIX)
        options->by &= ~(unsigned)SB_BY_EXACT;
    if (options->by == 0 || options->cards)
        options->by |= SB_BY_SAMPLE; /* otherwise the library asks how long the exact law takes */
    options->deal = options->n && !options->cards ? fuzz_byte(fuzz) % (options->n + 1) : 0;
    options->samples = 1 + fuzz_number(fuzz, 2) % REPORT_SAMPLES;
    options->seed = fuzz_number(fuzz, 2);
    options->seed_range.first = fuzz_number(fuzz, 3);
    options->seed_range.count = 1 + fuzz_number(fuzz, 2) % REPORT_SEEDS;
}

/* Makes the report of a scheme; NULL if the options do not go together. */
static char *report_of(const char *scheme, const struct sb_request *options, unsigned other)
{
    struct sb_error error = { .status = SB_OK };
    struct sb_reports *reports;
    const enum sb_status status = sb_reports_new(&scheme, 1, options, &error, &reports);

    if (status) {
        fuzz_check((status == SB_INVALID || status == SB_TOO_LARGE) && error.text[0],
                   "a report is made, or says why not");
        return NULL;
    }
    char *const text = report_check(reports, other);

    sb_reports_free(reports);
    return text;
}

/* Makes the report of a saved sample. */
static char *report_saved(const char *path, unsigned other)
{
    struct sb_error error = { .status = SB_OK };
    struct sb_request options;
    struct sb_reports *reports = NULL;

    sb_request_init(&options, SB_REPORT);
    fuzz_check(sb_reports_saved(path, NULL, &options, &error, &reports) == SB_OK, "a saved sample can be reported on");
    char *const text = report_check(reports, other);

    sb_reports_free(reports);
    return text;
}

/* Splits the sample into two shards and merges them. */
static void report_shards(const char *scheme, const struct sb_request *run, unsigned other)
{
    const char *const path[] = { scratch_path("1"), scratch_path("2"), scratch_path("all"), scratch_path("one") };
    struct sb_request options = *run, merging;
    struct sb_error error = { .status = SB_OK };
    size_t size, other_size;

    scratch_clear();
    options.by = SB_BY_SAMPLE;
    options.save = path[3];
    char *const whole = report_of(scheme, &options, other);

    if (!whole)
        return;
    options.shard.of = 2;
    for (options.shard.number = 1; options.shard.number <= 2; options.shard.number++) {
        options.save = path[options.shard.number - 1];
        char *const part = report_of(scheme, &options, other);

        free(part);
        if (!part) { /* not each generator can begin anywhere */
            free(whole);
            return;
        }
    }
    sb_request_init(&merging, SB_REPORT);
    merging.save = path[2];
    fuzz_check(sb_saved_merge(path, 2, false, &merging, &error) == SB_OK, "shards can be merged");
    char *const one = scratch_read(path[3], &size), *const merged = scratch_read(path[2], &other_size);
    char *const read = report_saved(path[2], other);

    fuzz_check(one && merged && size == other_size && memcmp(one, merged, size) == 0,
               "shards add up to the whole sample");
    free(read);
    free(one);
    free(merged);
    free(whole);
}

/* Makes the report of decks that the bytes choose. */
static void report_observed(struct fuzz *fuzz, const struct sb_request *options)
{
    struct series series = { .from_last = fuzz_byte(fuzz) % 2 };
    struct sb_subject subject = { .shuffle = series_deal, .state = &series };
    struct sb_error error = { .status = SB_OK };
    struct sb_reports *reports;

    subject.cards = options->cards;
    subject.n = options->cards ? 0 : 2 + options->n % 8;
    subject.deal = options->cards || options->deal > subject.n ? 0 : options->deal;
    subject.chained = fuzz_byte(fuzz) % 2;
    series_take(fuzz, &series);
    if (sb_reports_observe(&subject, options, &error, &reports) == SB_OK) {
        free(report_check(reports, fuzz_byte(fuzz)));
        sb_reports_free(reports);
    } else {
        fuzz_check(error.text[0], "an error has a line");
    }
}

static void part_report(struct fuzz *fuzz)
{
    const unsigned how = fuzz_byte(fuzz) % 8;
    char names[REPORT_NAMES] = "", scheme[REPORT_NAMES] = "";
    struct sb_request options;

    if (how > 0)
        entry_scheme(fuzz, scheme, sizeof scheme);
    report_options(fuzz, names, &options);
    if (how == 0) {
        report_observed(fuzz, &options);
        return;
    }
    const unsigned other = fuzz_byte(fuzz);

    if (how == 1) {
        report_shards(scheme, &options, other);
        return;
    }
    char *const one = report_of(scheme, &options, other);

    if (how == 2) {
        options.threads = 3;
        char *const many = report_of(scheme, &options, other);

        fuzz_check(!one == !many && (!one || strcmp(one, many) == 0), "threads do not change a report");
        free(many);
    }
    free(one);
}

/* ---- recorded ---- */

/* Reports on matrices that somebody has recorded obey the rules. */
enum { RECORDED_ITEMS = 6, RECORDED_TEXT = 1024 };

/* Adds the cells of a deck that comes some times. */
static void recorded_add(struct fuzz *fuzz, size_t n, size_t deal, uint64_t matrix[RECORDED_ITEMS][RECORDED_ITEMS])
{
    const uint64_t times = (uint64_t)fuzz_byte(fuzz) << fuzz_byte(fuzz) % 24;
    char deck[RECORDED_ITEMS];

    for (size_t i = 0; i < n; i++)
        deck[i] = (char)i;
    for (size_t i = 0; i < n; i++) {
        const size_t other = fuzz_byte(fuzz) % n;
        const char item = deck[i];

        deck[i] = deck[other];
        deck[other] = item;
    }
    for (size_t j = 0; j < deal; j++)
        matrix[(size_t)deck[j]][j] += times;
}

static void part_recorded(struct fuzz *fuzz)
{
    uint64_t matrix[RECORDED_ITEMS][RECORDED_ITEMS] = { { 0 } };
    const size_t n = 1 + fuzz_byte(fuzz) % RECORDED_ITEMS, deal = 1 + fuzz_byte(fuzz) % n;
    const unsigned other = fuzz_byte(fuzz);
    struct sb_error error = { .status = SB_OK };
    struct sb_request options;
    struct sb_reports *reports;
    char text[RECORDED_TEXT] = "";

    sb_request_init(&options, SB_REPORT);
    options.alpha = fuzz_byte(fuzz) % 2 ? 0.05 : 1e-9;
    options.deal = deal < n ? deal : 0;
    for (unsigned decks = fuzz_byte(fuzz) % 32; decks > 0; decks--)
        recorded_add(fuzz, n, deal, matrix);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < deal; j++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%llu%s", (unsigned long long)matrix[i][j],
                     j + 1 < deal ? "," : "\n");
    if (sb_reports_recorded(scratch_write("matrix", text, strlen(text)), &options, &error, &reports) == SB_OK) {
        free(report_check(reports, other));
        sb_reports_free(reports);
    } else {
        fuzz_check(error.text[0], "an error has a line");
    }
}

FUZZ_TARGET(part_report, part_recorded)
