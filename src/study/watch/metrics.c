/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A watch as metrics, in the text format of Prometheus, version 0.0.4. Each metric has a HELP and a TYPE
 * line. A number that is unknown is NaN, and infinite evidence is +Inf.
 * https://prometheus.io/docs/instrumenting/exposition_formats/
 */
#include "study/watch/watch_text.h"

#include "report/print.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void metrics_family(FILE *stream, const char *name, const char *type, const char *help)
{
    fprintf(stream, "# HELP shufflebias_%s %s\n# TYPE shufflebias_%s %s\n", name, help, name, type);
}

/* Writes a label, with its value in quotation marks. */
static void metrics_label(FILE *stream, const char *name, const char *text)
{
    fprintf(stream, "%s=\"", name);
    for (; *text; text++)
        if (*text == '\n')
            fputs("\\n", stream);
        else if (*text == '"' || *text == '\\')
            fprintf(stream, "\\%c", *text);
        else
            fputc(*text, stream);
    fputc('"', stream);
}

/* Begins a line with "shufflebias_NAME{subject="..."", without the closing brace. */
static void metrics_begin(const struct sb_watch *watch, FILE *stream, const char *name)
{
    fprintf(stream, "shufflebias_%s{", name);
    metrics_label(stream, "subject", watch->gate.name ? watch->gate.name : "");
}

static void metrics_real(FILE *stream, double x)
{
    if (isnan(x))
        fputs("} NaN\n", stream);
    else if (isinf(x))
        fputs(x > 0 ? "} +Inf\n" : "} -Inf\n", stream);
    else
        sb_print(stream, "} %.17g\n", x);
}

static void metrics_integer(const struct sb_watch *watch, FILE *stream, const char *name, const char *type,
                            const char *help, uint64_t x)
{
    metrics_family(stream, name, type, help);
    metrics_begin(watch, stream, name);
    fprintf(stream, "} %" PRIu64 "\n", x);
}

static void metrics_number(const struct sb_watch *watch, FILE *stream, const char *name, const char *help,
                           double x)
{
    metrics_family(stream, name, "gauge", help);
    metrics_begin(watch, stream, name);
    metrics_real(stream, x);
}

/* Returns ln of the average of E over the members of a statistic, line[0..count-1]. */
static double metrics_ln_e(const struct sb_gate_line line[], size_t count)
{
    double most = -HUGE_VAL, sum = 0;

    for (size_t i = 0; i < count; i++)
        most = fmax(most, line[i].ln_e);
    for (size_t i = 0; i < count && !isinf(most); i++)
        sum += exp(line[i].ln_e - most) / (double)count;
    return isinf(most) ? most : most + log(sum);
}

static void metrics_statistics(const struct sb_watch *watch, FILE *stream)
{
    static const char name[] = "statistic_ln_e";
    const struct sb_gate *const gate = &watch->gate;

    if (gate->lines_count == 0)
        return;
    metrics_family(stream, name, "gauge",
                   "Evidence of one statistic against a fair shuffle, ln E, averaged over its members.");
    for (size_t i = 0; i < gate->lines_count; i += gate->line[i].members) {
        const struct sb_gate_line *const line = &gate->line[i];

        metrics_begin(watch, stream, name);
        fputc(',', stream);
        metrics_label(stream, "statistic", line->statistic);
        fputc(',', stream);
        metrics_label(stream, "of", line->lag ? "increments" : "permutations");
        metrics_real(stream, metrics_ln_e(line, line->members));
    }
}

void sb_watch_metrics(const struct sb_watch *watch, FILE *stream)
{
    const struct sb_gate *const gate = &watch->gate;

    metrics_integer(watch, stream, "permutations_total", "counter", "Permutations seen.", watch->total);
    metrics_number(watch, stream, "last_permutation_timestamp_seconds",
                   "When the last permutation came, in seconds since 1970; 0 before the first.", watch->last);
    metrics_integer(watch, stream, "alarms_total", "counter", "Alarms raised.", watch->alarms);
    metrics_integer(watch, stream, "log_gaps_total", "counter",
                    "How often since the start a part of the log was lost, or may have been.", watch->gaps);
    metrics_number(watch, stream, "alarm_ln_e", "The evidence at which an alarm is raised, ln(1/alpha).",
                   -log(gate->terms.alpha));
    metrics_number(watch, stream, "ln_e",
                   "Evidence of all permutations against a fair shuffle, ln E, averaged over all statistics.",
                   gate->ln_e);
    if (watch->window)
        metrics_number(watch, stream, "window_ln_sum",
                       "Evidence for a change, ln of the e-detector's sum over all levels.", watch->ln_sum);
    metrics_number(watch, stream, "total_variation_lower_bound",
                   "Total variation from fair is at least this.", gate->tv_low);
    metrics_number(watch, stream, "total_variation_upper_bound",
                   "Total variation from fair is at most this, in what is tested.", gate->tv_high);
    if (watch->compared) {
        metrics_integer(watch, stream, "repeated_decks_total", "counter",
                        "Whole decks that had come up before, among those that are compared.", gate->repeats);
        metrics_number(watch, stream, "compared_decks_ratio",
                       "The share of all decks that is compared, by their hash.",
                       1 / (double)watch->compared);
    }
    metrics_statistics(watch, stream);
}
