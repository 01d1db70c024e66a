/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports, explanations, odds, plans, laws and verdicts to the world: a format by its name, and the numbers
 * that a program asks for most.
 */
#include "core/error.h"
#include "study/bench/costs_text.h"
#include "study/explain/explain_text.h"
#include "study/figure/figure.h"
#include "study/gate/gate_text.h"
#include "study/law/law_text.h"
#include "study/odds/odds_text.h"
#include "study/plan/plan_text.h"
#include "study/report/format.h"
#include "study/report/report_result.h"
#include "study/watch/watch_text.h"
#include "study/zoo/zoo_text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The name of a format that may be NULL, which no format has for its name. */
static const char *write_name(const char *format)
{
    return format ? format : "NULL";
}

static const struct sb_format_type *write_find(const char *format)
{
    for (size_t i = 0; i < sb_format_types_count; i++)
        if (strcmp(sb_format_types[i]->name, write_name(format)) == 0)
            return sb_format_types[i];
    return NULL;
}

bool sb_format_known(const char *format)
{
    return write_find(format);
}

/* What becomes of a writer's status once all of `what` must have reached the stream. */
static enum sb_status write_end(enum sb_status status, const char *what, struct sb_error *error, FILE *stream)
{
    if (status == SB_OK && fflush(stream))
        status = SB_IO;
    if (status == SB_IO)
        return sb_error_set(error, SB_IO, "cannot write %s: %s", what, strerror(errno ? errno : EIO));
    return status ? sb_error_memory(error, what) : SB_OK;
}

/* A page for text or Markdown; false for any other format. */
static bool write_page(const char *format, const struct sb_look *look, FILE *stream, struct sb_page *page)
{
    *page = (struct sb_page) { .stream = stream, .markdown = strcmp(format, "markdown") == 0 };
    if (page->markdown)
        page->look.unicode = true;
    else if (look)
        page->look = *look;
    return page->markdown || strcmp(format, "text") == 0;
}

enum sb_status sb_reports_write(const struct sb_reports *reports, const char *format,
                                const struct sb_look *look, struct sb_error *error, FILE *stream)
{
    const struct sb_format_type *const type = write_find(format);
    const struct sb_look plain = { 0 };

    if (!type)
        return sb_error_set(error, SB_INVALID,
                            "unknown format '%s': 'shufflebias list formats' shows what there is",
                            write_name(format));
    errno = 0;
    return write_end(type->write(reports, look ? look : &plain, stream), "the report", error, stream);
}

enum sb_status sb_odds_write(const struct sb_odds *odds, const char *format, const struct sb_look *look,
                             struct sb_error *error, FILE *stream)
{
    struct sb_page page;

    format = write_name(format);
    errno = 0;
    if (strcmp(format, "json") == 0)
        return write_end(sb_odds_json(odds, stream), "the odds", error, stream);
    if (write_page(format, look, stream, &page))
        return write_end(sb_odds_page(odds, &page), "the odds", error, stream);
    return sb_error_set(error, SB_INVALID, "unknown format '%s' of odds: use text, markdown or json", format);
}

enum sb_status sb_explain_write(const struct sb_explain *explain, const char *format,
                                const struct sb_look *look, struct sb_error *error, FILE *stream)
{
    struct sb_page page;

    format = write_name(format);
    errno = 0;
    if (strcmp(format, "json") == 0)
        return write_end(sb_explain_json(explain, stream), "the explanation", error, stream);
    if (write_page(format, look, stream, &page))
        return write_end(sb_explain_page(explain, &page), "the explanation", error, stream);
    return sb_error_set(error, SB_INVALID,
                        "unknown format '%s' of an explanation: use text, markdown or json", format);
}

enum sb_status sb_plan_write(const struct sb_plan *plan, const char *format, const struct sb_look *look,
                             struct sb_error *error, FILE *stream)
{
    struct sb_page page;

    format = write_name(format);
    errno = 0;
    if (strcmp(format, "json") == 0)
        return write_end(sb_plan_json(plan, stream), "the plan", error, stream);
    if (write_page(format, look, stream, &page))
        return write_end(sb_plan_page(plan, &page), "the plan", error, stream);
    return sb_error_set(error, SB_INVALID, "unknown format '%s' of a plan: use text, markdown or json",
                        format);
}

enum sb_status sb_null_law_write(const struct sb_null_law *law, const char *format,
                                 const struct sb_look *look, struct sb_error *error, FILE *stream)
{
    struct sb_page page;

    format = write_name(format);
    errno = 0;
    if (strcmp(format, "json") == 0)
        return write_end(sb_null_law_json(law, stream), "the law", error, stream);
    if (strcmp(format, "csv") == 0)
        return write_end(sb_null_law_csv(law, stream), "the law", error, stream);
    if (write_page(format, look, stream, &page))
        return write_end(sb_null_law_page(law, &page), "the law", error, stream);
    return sb_error_set(error, SB_INVALID, "unknown format '%s' of a law: use text, markdown, json or csv",
                        format);
}

enum sb_status sb_costs_write(const struct sb_costs *costs, const char *format, const struct sb_look *look,
                              struct sb_error *error, FILE *stream)
{
    struct sb_page page;

    format = write_name(format);
    errno = 0;
    if (strcmp(format, "json") == 0)
        return write_end(sb_costs_json(costs, stream), "the costs", error, stream);
    if (strcmp(format, "csv") == 0)
        return write_end(sb_costs_csv(costs, stream), "the costs", error, stream);
    if (write_page(format, look, stream, &page))
        return write_end(sb_costs_page(costs, &page), "the costs", error, stream);
    return sb_error_set(error, SB_INVALID, "unknown format '%s' of costs: use text, markdown, json or csv",
                        format);
}

enum sb_status sb_zoo_write(const struct sb_zoo *zoo, const char *format, const struct sb_look *look,
                            struct sb_error *error, FILE *stream)
{
    struct sb_page page;

    format = write_name(format);
    errno = 0;
    if (strcmp(format, "json") == 0)
        return write_end(sb_zoo_json(zoo, stream), "the zoo", error, stream);
    if (strcmp(format, "csv") == 0)
        return write_end(sb_zoo_csv(zoo, stream), "the zoo", error, stream);
    if (write_page(format, look, stream, &page))
        return write_end(sb_zoo_page(zoo, &page), "the zoo", error, stream);
    return sb_error_set(error, SB_INVALID, "unknown format '%s' of a zoo: use text, markdown, json or csv",
                        format);
}

/* The formats of verdicts that are written to a stream as it is. */
static const struct {
    const char *name;
    enum sb_status (*write)(const struct sb_suite *suite, FILE *stream);
} write_verdicts[] = {
    { "json", sb_suite_json },     { "junit", sb_suite_junit }, { "tap", sb_suite_tap },
    { "github", sb_suite_github }, { "html", sb_suite_html },
};

enum sb_status sb_suite_write(const struct sb_suite *suite, const char *format, const struct sb_look *look,
                              struct sb_error *error, FILE *stream)
{
    struct sb_page page;

    format = write_name(format);
    const bool summary = strcmp(format, "github-summary") == 0;
    errno = 0;
    if (strcmp(format, "svg") == 0)
        return write_end(sb_suite_svg(suite, look ? look->figure : NULL, stream), "the verdict", error,
                         stream);
    for (size_t i = 0; i < sizeof write_verdicts / sizeof write_verdicts[0]; i++)
        if (strcmp(format, write_verdicts[i].name) == 0)
            return write_end(write_verdicts[i].write(suite, stream), "the verdict", error, stream);
    if (write_page(summary ? "markdown" : format, look, stream, &page))
        return write_end((summary ? sb_suite_summary_page : sb_suite_page)(suite, &page), "the verdict",
                         error, stream);
    return sb_error_set(error, SB_INVALID,
                        "unknown format '%s' of a verdict: use text, markdown, json, junit, tap, html or svg",
                        format);
}

enum sb_status sb_gate_write(const struct sb_gate *gate, const char *format, const struct sb_look *look,
                             struct sb_error *error, FILE *stream)
{
    struct sb_suite_item item = { .name = gate->name, .gate = (struct sb_gate *)gate }; /* only read */
    const struct sb_suite suite = { .count = 1, .item = &item };

    return sb_suite_write(&suite, format, look, error, stream);
}

void sb_gate_summary_get(const struct sb_gate *gate, struct sb_gate_summary *summary)
{
    *summary = (struct sb_gate_summary) {
        .verdict = sb_verdict_name(gate->verdict),
        .sentence = gate->sentence,
        .total = gate->total,
        .ln_e = gate->ln_e,
        .tv_low = gate->tv_low,
        .tv_high = gate->tv_high,
        .interrupted = gate->interrupted,
        .alpha = gate->terms.alpha,
        .delta = gate->terms.delta,
        .seeds_low = gate->seeds_low,
        .run = gate->budget.run,
        .share = gate->budget.share,
    };
}

bool sb_reports_interrupted(const struct sb_reports *reports)
{
    return reports->interrupted;
}

size_t sb_reports_count(const struct sb_reports *reports)
{
    return reports->count;
}

bool sb_reports_summary(const struct sb_reports *reports, size_t index, struct sb_summary *summary)
{
    if (index >= reports->count)
        return false;
    const struct sb_report *const report = &reports->report[index];
    *summary = (struct sb_summary) {
        .subject = report->name,
        .by = sb_by_name(report->evidence.by),
        .verdict = report->verdict,
        .sentence = report->sentence,
        .total_variation = report->has_effect ? report->effect.total_variation : NAN,
        .p = report->p,
    };
    return true;
}

void sb_reports_free(struct sb_reports *reports)
{
    if (!reports)
        return;
    for (size_t i = 0; i < reports->count; i++)
        sb_report_close(&reports->report[i]);
    free(reports->report);
    free(reports);
}

enum sb_status sb_watch_write(const struct sb_watch *watch, const char *format, const struct sb_look *look,
                              struct sb_error *error, FILE *stream)
{
    struct sb_page page;

    format = write_name(format);
    errno = 0;
    if (strcmp(format, "json") == 0)
        return write_end(sb_watch_json(watch, stream), "what was watched", error, stream);
    if (write_page(format, look, stream, &page))
        return write_end(sb_watch_page(watch, &page), "what was watched", error, stream);
    return sb_error_set(error, SB_INVALID, "unknown format '%s' of a watch: use text, markdown or json",
                        format);
}

enum sb_status sb_alarm_write(const struct sb_alarm *alarm, const char *format, struct sb_error *error,
                              FILE *stream)
{
    format = write_name(format);
    errno = 0;
    if (strcmp(format, "json") == 0)
        return write_end(sb_alarm_json(alarm, stream), "the alarm", error, stream);
    return sb_error_set(error, SB_INVALID, "unknown format '%s' of an alarm: use json", format);
}
