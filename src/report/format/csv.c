/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The format for spreadsheets, R and pandas: one table with a header line and a line per fact. Lines end in
 * LF. */
#include "report/format/format.h"

static bool csv_has(const struct sb_result_type *type)
{
    return type->csv;
}

static enum sb_status csv_write(const struct sb_result_type *type, const void *result,
                                const struct sb_look *look, FILE *stream)
{
    (void)look;
    type->csv(result, stream);
    return SB_OK;
}

const struct sb_format_type sb_format_csv = {
    .name = "csv",
    .title = "one flat table, a line per fact, for spreadsheets, R and pandas",
    .cite = "RFC 4180",
    .has = csv_has,
    .write = csv_write,
};
