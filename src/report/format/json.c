/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The formats for programs. JSON: one object, whose first member names the schema, a file of data/schema/. Other programs
 * rely on the names and types of members, so any change requires a new schema number. CSV, for spreadsheets, R and pandas:
 * one table with a header line and a line per fact. Lines end in LF.
 */
#include "report/format/format.h"
#include "report/result.h"

static enum sb_status json_write(const struct sb_result_type *type, const void *result,
                                 const struct sb_look *look, FILE *stream)
{
    struct sb_json json = { .stream = stream };

    sb_json_object(&json, NULL);
    sb_json_string(&json, "schema", type->schema);
    sb_json_string(&json, "version", SB_VERSION);
    type->json(result, &json);
    sb_json_close(&json);
    fputc('\n', stream);
    return SB_OK;
}

const struct sb_format_type sb_format_json = {
    .name = "json",
    .title = "one JSON object, for programs: its schema is in data/schema",
    .cite = "RFC 8259",
    .needs = SB_PART_JSON,
    .write = json_write,
};

static enum sb_status csv_write(const struct sb_result_type *type, const void *result,
                                const struct sb_look *look, FILE *stream)
{
    type->csv(result, stream);
    return SB_OK;
}

const struct sb_format_type sb_format_csv = {
    .name = "csv",
    .title = "one flat table, a line per fact, for spreadsheets, R and pandas",
    .cite = "RFC 4180",
    .needs = SB_PART_CSV,
    .write = csv_write,
};
