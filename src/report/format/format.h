/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formats: ways to write any result. One file each, which ends in a const descriptor. A format never
 * computes. */
#ifndef SB_REPORT_FORMAT_FORMAT_H
#define SB_REPORT_FORMAT_FORMAT_H

#include "report/result.h"

struct sb_format_type {
    const char *name, *title;
    const char *cite; /* citation of the format's definition, or NULL */
    /* Whether a result of this type has the part that the format needs. */
    bool (*has)(const struct sb_result_type *type);
    /* Writes the whole result. SB_IO: the stream failed; SB_NO_MEMORY. The caller flushes and checks the
     * stream. */
    enum sb_status (*write)(const struct sb_result_type *type, const void *result, const struct sb_look *look,
                            FILE *stream);
};

extern const struct sb_format_type *const sb_format_types[];
extern const size_t sb_format_types_count;

#endif
