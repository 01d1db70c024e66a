/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The format for programs: one JSON object. The first member of the object names the schema, a file of
 * data/schema/. Other programs rely on the names and types of members, so any change requires a new schema
 * number.
 */
#include "report/format/format.h"
#include "report/result.h"

static bool json_has(const struct sb_result_type *type)
{
    return type->json;
}

static enum sb_status json_write(const struct sb_result_type *type, const void *result,
                                 const struct sb_look *look, FILE *stream)
{
    struct sb_json json = { .stream = stream };

    (void)look;
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
    .has = json_has,
    .write = json_write,
};
