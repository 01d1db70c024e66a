/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads, writes, compares and frees records with their tables of fields. Cost: O(fields^2), to find fields
 * that are not in the table. */
#include "store/field_table.h"

#include "core/core.h"
#include "core/text.h"
#include "report/json_writer.h"
#include "subject/mismatch.h"

#include <stdlib.h>
#include <string.h>

/* The value of an integer field in a record. */
static uint64_t table_integer(const struct sb_store_field *field, const void *record)
{
    const void *const at = (const char *)record + field->at;

    return field->kind == SB_STORE_SIZE ? *(const size_t *)at : *(const uint64_t *)at;
}

static double table_real(const struct sb_store_field *field, const void *record)
{
    return *(const double *)(const void *)((const char *)record + field->at);
}

static bool table_bool(const struct sb_store_field *field, const void *record)
{
    return *(const bool *)(const void *)((const char *)record + field->at);
}

static const char *table_text(const struct sb_store_field *field, const void *record)
{
    const char *const text = *(const char *const *)(const void *)((const char *)record + field->at);

    return text ? text : field->usual;
}

static const struct sb_store_field *table_find(const struct sb_store_field fields[], const char *name)
{
    while (strcmp(fields->name, name) != 0)
        fields++;
    return fields;
}

/* ---- read ---- */

unsigned sb_store_schema(struct sb_json_field_reader *in, const json_t *top, const char *newest)
{
    const char *const is = json_string_value(json_object_get(top, "schema"));
    const size_t length = strlen(newest);
    const char digit =
        is && strlen(is) == length && strncmp(is, newest, length - 1) == 0 ? is[length - 1] : '0';
    char what[SB_JSON_FIELD_WHAT];

    if (digit >= '1' && digit <= newest[length - 1])
        return (unsigned)(digit - '0');
    snprintf(what, sizeof what, "must be \"%s\"", newest);
    if (in)
        sb_json_field_fail(in, "schema", what);
    return 0;
}

bool sb_store_enter(struct sb_json_field_reader *in, const char *name, const json_t *object,
                    const struct sb_store_field fields[])
{
    const char *names[SB_STORE_FIELDS_MOST + 1] = { NULL };
    size_t count = 0;

    for (; fields->name; fields++)
        if (fields->since <= in->schema)
            names[count++] = fields->name;
    return sb_json_field_enter(in, name, object, names);
}

static uint64_t table_read_integer(struct sb_json_field_reader *in, const json_t *object,
                                   const struct sb_store_field fields[], const struct sb_store_field *field,
                                   const void *record)
{
    const uint64_t most = field->most ? table_integer(table_find(fields, field->most), record) : UINT64_MAX;
    const uint64_t high = field->high ? field->high : INT64_MAX, least = most < high ? most : high;

    return sb_json_field_integer(in, object, field->name, field->low < least ? field->low : least, least);
}

static double table_read_real(struct sb_json_field_reader *in, const json_t *object,
                              const struct sb_store_field fields[], const struct sb_store_field *field,
                              const void *record)
{
    const json_t *const value = json_object_get(object, field->name);
    const double real = json_number_value(value),
                 most = field->most ? table_real(table_find(fields, field->most), record) : 1;
    const bool level = field->kind == SB_STORE_LEVEL;
    char what[64];

    if (level ? sb_level_is(real) : json_is_number(value) && real >= 0 && real <= most)
        return real;
    sb_decimal_format(what, sizeof what, "must be a number from %s to %g", level ? "1e-100" : "0", most);
    sb_json_field_fail(in, field->name, what);
    return 0;
}

/* Reads a text. Whoever wrote the file chose what would be in logs. */
static const char *table_read_text(struct sb_json_field_reader *in, const json_t *object,
                                   const struct sb_store_field *field)
{
    char *const text = sb_json_field_string(in, object, field->name, field->null);

    if (!text || !field->shown)
        return text;
    char *const safe = sb_sanitize_page_text(text, true);

    if (!safe && in->status == SB_OK)
        in->status = sb_error_memory(in->error, in->article);
    free(text);
    return safe;
}

static void table_read_field(struct sb_json_field_reader *in, const json_t *object,
                             const struct sb_store_field fields[], const struct sb_store_field *field,
                             void *record)
{
    const char *const name = field->name;
    void *const at = (char *)record + field->at;

    switch (field->kind) {
    case SB_STORE_INTEGER:
        *(uint64_t *)at = table_read_integer(in, object, fields, field, record);
        break;
    case SB_STORE_SIZE:
        *(size_t *)at = (size_t)table_read_integer(in, object, fields, field, record);
        break;
    case SB_STORE_BOOL:
        *(bool *)at = sb_json_field_bool(in, object, name);
        break;
    case SB_STORE_LEVEL:
    case SB_STORE_SHARE:
        *(double *)at = table_read_real(in, object, fields, field, record);
        break;
    case SB_STORE_HASH:
        *(uint64_t *)at = sb_json_field_hash(in, name, json_object_get(object, name));
        break;
    case SB_STORE_TEXT:
        *(const char **)at = table_read_text(in, object, field);
        break;
    case SB_STORE_CHOICE:
        *(const char **)at = field->choices[sb_json_field_choice(in, object, name, field->choices)];
        break;
    case SB_STORE_OBJECT:
        sb_store_read(in, name, json_object_get(object, name), field->fields, at);
        break;
    case SB_STORE_PART:
        if (in->status == SB_OK)
            field->read(in, object, at);
        break;
    case SB_STORE_ELSEWHERE:
        break;
    }
}

/* Whether there is a value to read. If the row of the field allows it, the field may be null or missing. */
static bool table_has(struct sb_json_field_reader *in, const json_t *object,
                      const struct sb_store_field *field, const void *record)
{
    const json_t *const value = json_object_get(object, field->name);

    if (field->since > in->schema || (field->optional && !value))
        return false;
    if (field->given && !field->given(record)) {
        if (!json_is_null(value))
            sb_json_field_fail(in, field->name, "must be null");
        return false;
    }
    return !(field->null && json_is_null(value));
}

void sb_store_take(struct sb_json_field_reader *in, const json_t *object,
                   const struct sb_store_field fields[], void *record)
{
    for (const struct sb_store_field *field = fields; field->name; field++)
        if (table_has(in, object, field, record))
            table_read_field(in, object, fields, field, record);
}

void sb_store_read(struct sb_json_field_reader *in, const char *name, const json_t *object,
                   const struct sb_store_field fields[], void *record)
{
    if (!sb_store_enter(in, name, object, fields))
        return;
    sb_store_take(in, object, fields, record);
    sb_json_field_leave(in);
}

/* ---- write ---- */

static void table_write_field(struct sb_json *json, const struct sb_store_field *field, const void *record)
{
    const char *const name = field->name;
    const void *const at = (const char *)record + field->at;

    switch (field->kind) {
    case SB_STORE_INTEGER:
    case SB_STORE_SIZE:
        if (field->null && table_integer(field, record) == 0)
            sb_json_null(json, name);
        else
            sb_json_integer(json, name, table_integer(field, record));
        break;
    case SB_STORE_BOOL:
        sb_json_bool(json, name, table_bool(field, record));
        break;
    case SB_STORE_LEVEL:
    case SB_STORE_SHARE:
        sb_json_real(json, name, table_real(field, record));
        break;
    case SB_STORE_HASH:
        if (field->null && table_integer(field, record) == 0)
            sb_json_null(json, name);
        else
            sb_json_hash(json, name, table_integer(field, record));
        break;
    case SB_STORE_TEXT:
    case SB_STORE_CHOICE:
        sb_json_string(json, name, *(const char *const *)at);
        break;
    case SB_STORE_OBJECT:
        sb_store_write_object(json, name, field->fields, at);
        break;
    case SB_STORE_PART:
        field->write(json, at);
        break;
    case SB_STORE_ELSEWHERE:
        break;
    }
}

void sb_store_write(struct sb_json *json, const struct sb_store_field fields[], const void *record)
{
    for (; fields->name; fields++)
        if (fields->given && !fields->given(record))
            sb_json_null(json, fields->name);
        else if (!fields->omitted || table_text(fields, record))
            table_write_field(json, fields, record);
}

void sb_store_write_object(struct sb_json *json, const char *name, const struct sb_store_field fields[],
                           const void *record)
{
    sb_json_object(json, name);
    sb_store_write(json, fields, record);
    sb_json_close(json);
}

/* ---- compare and free ---- */

void sb_store_compare(const struct sb_store_field fields[], const void *was, const void *is,
                      struct sb_mismatch *differs)
{
    for (const struct sb_store_field *field = fields; field->name; field++) {
        const char *const name = field->name;

        if (field->kind == SB_STORE_OBJECT)
            sb_store_compare(field->fields, (const char *)was + field->at, (const char *)is + field->at,
                             differs);
        if (!field->same)
            continue;
        if (field->kind == SB_STORE_INTEGER || field->kind == SB_STORE_SIZE)
            sb_mismatch_integer(differs, name, table_integer(field, was), table_integer(field, is));
        else if (field->kind == SB_STORE_BOOL)
            sb_mismatch_bool(differs, name, table_bool(field, was), table_bool(field, is));
        else if (field->kind == SB_STORE_TEXT)
            sb_mismatch_text(differs, name, table_text(field, was), table_text(field, is));
        else
            sb_mismatch_real(differs, name, table_real(field, was), table_real(field, is));
    }
}

void sb_store_free(const struct sb_store_field fields[], void *record)
{
    for (; fields->name; fields++) {
        void *const at = (char *)record + fields->at;

        if (fields->kind == SB_STORE_OBJECT)
            sb_store_free(fields->fields, at);
        if (fields->kind != SB_STORE_TEXT)
            continue;
        free((void *)*(const char **)at);
        *(const char **)at = NULL;
    }
}
