/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports and odds to the world: a format by its name, and the numbers that a program asks for most. */
#include "core/error.h"
#include "core/report.h"
#include "report/format.h"
#include "report/odds.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct sb_format_type *write_find(const char *format)
{
    for (size_t i = 0; i < sb_format_types_count; i++)
        if (strcmp(sb_format_types[i]->name, format) == 0)
            return sb_format_types[i];
    return NULL;
}

bool sb_format_known(const char *format)
{
    return write_find(format);
}

enum sb_status sb_reports_write(const struct sb_reports *reports, const char *format,
                                const struct sb_look *look, struct sb_error *error, FILE *stream)
{
    const struct sb_format_type *const type = write_find(format);
    const struct sb_look plain = { 0 };

    if (!type)
        return sb_error_set(error, SB_INVALID,
                            "unknown format '%s': 'shufflebias list formats' shows what there is", format);
    errno = 0;
    enum sb_status status = type->write(reports, look ? look : &plain, stream);
    if (status == SB_OK && fflush(stream))
        status = SB_IO;
    if (status == SB_IO)
        return sb_error_set(error, SB_IO, "cannot write the report: %s", strerror(errno ? errno : EIO));
    if (status)
        return sb_error_memory(error, "writing the report");
    return SB_OK;
}

enum sb_status sb_odds_write(const struct sb_odds *odds, const char *format, const struct sb_look *look,
                             struct sb_error *error, FILE *stream)
{
    struct sb_page page = { .stream = stream, .markdown = strcmp(format, "markdown") == 0 };
    enum sb_status status;

    errno = 0;
    if (page.markdown)
        page.look.unicode = true;
    else if (look)
        page.look = *look;
    if (strcmp(format, "json") == 0)
        status = sb_odds_json(odds, stream);
    else if (page.markdown || strcmp(format, "text") == 0)
        status = sb_odds_page(odds, &page);
    else
        return sb_error_set(error, SB_INVALID, "unknown format '%s' of odds: use text, markdown or json",
                            format);
    if (status == SB_IO)
        return sb_error_set(error, SB_IO, "cannot write the odds: %s", strerror(errno ? errno : EIO));
    return status ? sb_error_memory(error, "writing the odds") : SB_OK;
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
