/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fuzz/report_rules.h"

#include "fuzz/fuzz.h"
#include "fuzz/page_rules.h"
#include "study/results.h"

#include <gmp.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

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
        json_array_foreach(matrix, index, row) whole =
            report_add(sum, json_array_get(row, position)) && whole;
        report_rule((whole ? mpq_equal(sum, all) : report_sum_is_one(matrix, position)) ||
                        !report_resolved(evidence),
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

        report_rule(isnan(p) == isnan(ln_p) && (isnan(p) || (p >= 0 && p <= 1 && ln_p <= 0)),
                    "p is a probability", finding);
        report_rule(!(p > 1e-300) || fabs(log(p) - ln_p) <= 1e-9 * (1 + fabs(ln_p)), "ln p is that of p",
                    finding);
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
    report_rule(json_string_length(json_object_get(report, "sentence")) > 0, "a verdict has a sentence",
                report);
}

char *report_check(const struct sb_reports *reports, unsigned other)
{
    static const char *const formats[] = { "text", "markdown", "csv", "junit", "tap", "html", "svg" };
    const char *const format = formats[other % (sizeof formats / sizeof formats[0])];
    struct sb_look look = { .unicode = true, .columns = 70 };
    const json_t *report;
    struct sb_error error;
    char *text, *json;
    size_t i;

    fuzz_check(sb_reports_text(reports, format, &look, &error, &text, NULL) == SB_OK &&
                   sb_reports_text(reports, "json", &look, &error, &json, NULL) == SB_OK,
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
