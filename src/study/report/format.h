/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Formats: ways to write reports. One file each, which ends in a const descriptor. A format never computes:
 * all that it says stands in struct sb_reports.
 */
#ifndef SB_STUDY_REPORT_FORMAT_H
#define SB_STUDY_REPORT_FORMAT_H

#include "study/report/report_result.h"

struct sb_format_type {
    const char *name, *title;
    const char *cite; /* the format's definition, or NULL */
    /* Writes all of it and flushes. `look` may be NULL for plain. SB_IO where the stream failed,
     * SB_NO_MEMORY. */
    enum sb_status (*write)(const struct sb_reports *reports, const struct sb_look *look, FILE *stream);
};

extern const struct sb_format_type *const sb_format_types[];
extern const size_t sb_format_types_count;

#endif
