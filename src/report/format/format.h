/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formats: ways to write any result. Each format has a source file of its own, whose last line defines a
 * constant of the type below. A format never computes results. */
#ifndef SB_REPORT_FORMAT_FORMAT_H
#define SB_REPORT_FORMAT_FORMAT_H

#include "report/result.h"

struct sb_format_type {
    const char *name, *title;
    const char *cite; /* citation of the format's definition, or NULL */
    /* Returns whether results of this type have the part that the format needs. */
    bool (*has)(const struct sb_result_type *type);
    /* Writes the whole result; the caller flushes and checks the stream. Errors: SB_IO if the stream failed,
     * SB_NO_MEMORY. */
    enum sb_status (*write)(const struct sb_result_type *type, const void *result, const struct sb_look *look,
                            FILE *stream);
};

extern const struct sb_format_type *const sb_format_types[];
extern const size_t sb_format_types_count;

#endif
