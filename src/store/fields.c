/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads, writes and frees records with their tables of fields. Cost: O(fields^2), to find fields
 * that are not in the table. */
#include "store/fields.h"

#include "core/text.h"
#include "report/result.h"
#include "subject/subject.h"

#include <errno.h>
#include <inttypes.h>

enum { FIELD_WHAT = 224 }; /* bytes of a text that says what a field must be, such as "must be one of ..." */

/* ---- values of a record ---- */

static const void *field_at(const struct sb_store_field *field, const void *record)
{
    return (const char *)record + field->at;
}

static uint64_t field_integer(const struct sb_store_field *field, const void *record)
{
    const void *const at = field_at(field, record);

    return field->kind == SB_STORE_SIZE ? *(const size_t *)at : *(const uint64_t *)at;
}

static double field_real(const struct sb_store_field *field, const void *record)
{
    return *(const double *)field_at(field, record);
}

static bool field_bool(const struct sb_store_field *field, const void *record)
{
    return *(const bool *)field_at(field, record);
}

static const char *field_text(const struct sb_store_field *field, const void *record)
{
    return *(const char *const *)field_at(field, record);
}

static const char *field_list(const struct sb_store_field *field, const void *record)
{
    const void *const at = field_at(field, record);

    return field->owned ? *(const char *const *)at : at;
}

static size_t field_count(const struct sb_store_field *field, const void *record)
{
    const size_t *const count = (const void *)((const char *)record + field->count);

    return field->high && field->low == field->high ? (size_t)field->high : *count;
}

static const struct sb_store_field *field_find(const struct sb_store_field fields[], const char *name)
{
    while (strcmp(fields->name, name) != 0)
        fields++;
    return fields;
}

/* ---- read ---- */

void sb_json_field_fail(struct sb_json_field_reader *in, const char *field, const char *what)
{
    if (in->status)
        return;
    errno = EBADMSG;
    in->status = sb_error_set(in->error, SB_IO, "'%.200s' is no sound %s: %s%s %s: %s", in->path, in->kind, in->place,
                              field, what, in->remedy);
}

uint64_t sb_json_field_within(struct sb_json_field_reader *in, const char *field, uint64_t value, uint64_t low,
                              uint64_t high)
{
    char what[96];

    if (value >= low && value <= high)
        return value;
    snprintf(what, sizeof what, "must be an integer from %" PRIu64 " to %" PRIu64, low, high);
    sb_json_field_fail(in, field, what);
    return 0;
}

uint64_t sb_json_field_integer(struct sb_json_field_reader *in, const json_t *object, const char *field, uint64_t low,
                               uint64_t high)
{
    const json_t *const value = json_object_get(object, field);
    const json_int_t number = json_integer_value(value);
    const bool sound = json_is_integer(value) && number >= 0;

    return sb_json_field_within(in, field, sound ? (uint64_t)number : UINT64_MAX, low, high);
}

static const char *read_choice(struct sb_json_field_reader *in, const json_t *object, const char *field,
                               const char *const names[])
{
    const char *const text = json_string_value(json_object_get(object, field));
    char what[FIELD_WHAT] = "must be one of";

    for (size_t i = 0; names[i]; i++) {
        if (text && strcmp(text, names[i]) == 0)
            return names[i];
        snprintf(what + strlen(what), sizeof what - strlen(what), " %s", names[i]);
    }
    sb_json_field_fail(in, field, what);
    return names[0];
}

static uint64_t read_hash(struct sb_json_field_reader *in, const char *field, const json_t *value)
{
    const char *const text = json_string_value(value);

    if (text && strlen(text) == 16 && strspn(text, "0123456789abcdef") == 16)
        return strtoull(text, NULL, 16);
    sb_json_field_fail(in, field, "must be 16 hexadecimal digits");
    return 0;
}

char *sb_json_field_copy(struct sb_json_field_reader *in, const char *text)
{
    char *const copy = text ? strdup(text) : NULL;

    if (text && !copy && in->status == SB_OK)
        in->status = sb_error_memory(in->error, in->article);
    return copy;
}

const json_t *sb_json_field_array(struct sb_json_field_reader *in, const json_t *object, const char *field, size_t most)
{
    const json_t *const value = json_object_get(object, field);
    char what[64];

    snprintf(what, sizeof what, "must be an array of at most %zu", most);
    if (!json_is_array(value) || json_array_size(value) > most)
        sb_json_field_fail(in, field, what);
    return in->status ? NULL : value;
}

void *sb_json_field_room(struct sb_json_field_reader *in, size_t count, size_t size)
{
    void *const memory = in->status ? NULL : calloc(count + 1, size);

    if (!memory && in->status == SB_OK)
        in->status = sb_error_memory(in->error, in->article);
    return memory;
}

static const char *read_foreign(const json_t *object, const struct sb_store_field fields[])
{
    const char *key;
    json_t *value;

    json_object_foreach((json_t *)object, key, value)
    {
        const struct sb_store_field *field = fields;

        while (field->name && strcmp(field->name, key) != 0)
            field++;
        if (!field->name)
            return key;
    }
    return NULL;
}

bool sb_store_enter(struct sb_json_field_reader *in, const char *name, const json_t *object,
                    const struct sb_store_field fields[])
{
    const size_t length = strlen(in->place);
    const char *const foreign = read_foreign(object, fields);
    char shown[32], what[64];

    snprintf(in->place + length, sizeof in->place - length, "%s%s", name, name[0] ? "." : "");
    if (!json_is_object(object))
        sb_json_field_fail(in, "", "must be an object");
    if (foreign) {
        snprintf(shown, sizeof shown, "%s", foreign);
        for (char *c = shown; *c; c++)
            *c = (char)(*c < ' ' || *c > '~' ? '?' : *c);
        snprintf(what, sizeof what, "is no field of %s", in->article);
        sb_json_field_fail(in, shown, what);
    }
    return in->status == SB_OK;
}

void sb_store_leave(struct sb_json_field_reader *in)
{
    size_t length = strlen(in->place);

    do /* removes the last part of the place, from the end back to the previous point */
        length -= length > 0;
    while (length > 0 && in->place[length - 1] != '.');
    in->place[length] = '\0';
}

static uint64_t read_integer(struct sb_json_field_reader *in, const json_t *object,
                             const struct sb_store_field fields[], const struct sb_store_field *field,
                             const void *record)
{
    const uint64_t most = field->most ? field_integer(field_find(fields, field->most), record) : UINT64_MAX;
    const uint64_t high = field->high ? field->high : INT64_MAX, least = most < high ? most : high;

    return sb_json_field_integer(in, object, field->name, field->low < least ? field->low : least, least);
}

static double read_level(struct sb_json_field_reader *in, const json_t *object, const char *field)
{
    const double level = json_number_value(json_object_get(object, field));

    if (sb_level_is(level))
        return level;
    sb_json_field_fail(in, field, "must be a number from 1e-100 to 1");
    return 0;
}

/* Reads a text. Whoever wrote the file chose what would be in logs. */
static const char *read_text(struct sb_json_field_reader *in, const json_t *value, const struct sb_store_field *field)
{
    const char *const text = json_string_value(value);

    if (!text)
        sb_json_field_fail(in, field->name, field->null ? "must be a string or null" : "must be a string");
    if (!text || !field->shown)
        return sb_json_field_copy(in, text);
    char *const safe = sb_sanitize_page_text(text, true);

    if (!safe && in->status == SB_OK)
        in->status = sb_error_memory(in->error, in->article);
    return safe;
}

static void read_item(struct sb_json_field_reader *in, const json_t *value, const struct sb_store_field *field,
                      size_t index, void *at)
{
    char name[SB_JSON_FIELD_PLACE];

    switch (field->item) {
    case SB_STORE_HASH:
        *(uint64_t *)at = read_hash(in, field->name, value);
        break;
    case SB_STORE_REAL:
        *(double *)at = json_number_value(value);
        if (!json_is_number(value))
            sb_json_field_fail(in, field->name, field->what ? field->what : "must be numbers");
        break;
    case SB_STORE_OBJECT:
        snprintf(name, sizeof name, "%s[%zu]", field->name, index);
        sb_store_read(in, name, value, field->fields, at);
        break;
    default: /* integers: a check of the whole list says what they must be */
        *(uint64_t *)at = json_is_integer(value) ? (uint64_t)json_integer_value(value) : UINT64_MAX;
        break;
    }
}

static void read_list(struct sb_json_field_reader *in, const json_t *object, const struct sb_store_field *field,
                      void *record)
{
    const json_t *const value = json_object_get(object, field->name);
    const size_t most = field->high ? (size_t)field->high : SIZE_MAX;

    if (field->what && (json_array_size(value) < field->low || json_array_size(value) > most))
        sb_json_field_fail(in, field->name, field->what);
    const json_t *const array = sb_json_field_array(in, object, field->name, most);
    const size_t length = json_array_size(array);
    char *list = (char *)record + field->at;
    const bool fixed = field->high && field->low == field->high;
    size_t none, *const count = fixed ? &none : (void *)((char *)record + field->count);

    if (length < field->low && in->status == SB_OK)
        sb_json_field_fail(in, field->name, "has too few values");
    if (field->owned) {
        char *const room = sb_json_field_room(in, length, field->size);

        *(void **)(void *)list = room;
        list = room;
    }
    for (*count = 0; in->status == SB_OK && *count < length; list += field->size, ++*count)
        read_item(in, json_array_get(array, *count), field, *count, list);
}

static void read_field(struct sb_json_field_reader *in, const json_t *object, const struct sb_store_field fields[],
                       const struct sb_store_field *field, void *record)
{
    const char *const name = field->name;
    const json_t *const value = json_object_get(object, name);
    void *const at = (char *)record + field->at;

    switch (field->kind) {
    case SB_STORE_INTEGER:
        *(uint64_t *)at = read_integer(in, object, fields, field, record);
        break;
    case SB_STORE_SIZE:
        *(size_t *)at = (size_t)read_integer(in, object, fields, field, record);
        break;
    case SB_STORE_BOOL:
        *(bool *)at = json_is_true(value);
        if (!json_is_boolean(value))
            sb_json_field_fail(in, name, "must be true or false");
        break;
    case SB_STORE_LEVEL:
        *(double *)at = read_level(in, object, name);
        break;
    case SB_STORE_REAL:
        *(double *)at = json_number_value(value);
        if (!json_is_number(value))
            sb_json_field_fail(in, name, "must be a number");
        break;
    case SB_STORE_HASH:
        *(uint64_t *)at = read_hash(in, name, value);
        break;
    case SB_STORE_TEXT:
        *(const char **)at = read_text(in, value, field);
        break;
    case SB_STORE_CHOICE:
        *(const char **)at = read_choice(in, object, name, field->choices);
        break;
    case SB_STORE_OBJECT:
        sb_store_read(in, name, value, field->fields, at);
        break;
    case SB_STORE_LIST:
        read_list(in, object, field, record);
        break;
    default:
        break;
    }
    if (field->read && in->status == SB_OK)
        field->read(in, object, field->kind == SB_STORE_PART ? at : record);
}

static bool read_has(struct sb_json_field_reader *in, const json_t *object, const struct sb_store_field *field,
                     const void *record)
{
    const json_t *const value = json_object_get(object, field->name);

    if (field->optional && !value)
        return false;
    if (field->given && !field->given(record)) {
        if (!json_is_null(value))
            sb_json_field_fail(in, field->name, "must be null");
        return false;
    }
    return !(field->null && json_is_null(value));
}

void sb_store_read(struct sb_json_field_reader *in, const char *name, const json_t *object,
                   const struct sb_store_field fields[], void *record)
{
    if (!sb_store_enter(in, name, object, fields))
        return;
    for (const struct sb_store_field *field = fields; field->name; field++)
        if (read_has(in, object, field, record))
            read_field(in, object, fields, field, record);
    sb_store_leave(in);
}

/* ---- write ---- */

static void write_list(struct sb_json *json, const struct sb_store_field *field, const void *record)
{
    const size_t count = field_count(field, record);
    const char *at = field_list(field, record);

    sb_json_array(json, field->name, field->item != SB_STORE_OBJECT);
    for (size_t i = 0; i < count && !ferror(json->stream); i++, at += field->size)
        if (field->item == SB_STORE_OBJECT)
            sb_store_write_object(json, NULL, field->fields, at);
        else if (field->item == SB_STORE_REAL)
            sb_json_real(json, NULL, *(const double *)(const void *)at);
        else if (field->item == SB_STORE_HASH)
            sb_json_hash(json, NULL, *(const uint64_t *)(const void *)at);
        else
            sb_json_integer(json, NULL, *(const uint64_t *)(const void *)at);
    sb_json_close(json);
}

static void write_field(struct sb_json *json, const struct sb_store_field *field, const void *record)
{
    const char *const name = field->name;
    const void *const at = field_at(field, record);
    const bool integer =
        field->kind == SB_STORE_INTEGER || field->kind == SB_STORE_SIZE || field->kind == SB_STORE_HASH;

    if (field->omitted && (integer                        ? field_integer(field, record) == 0
                           : field->kind == SB_STORE_REAL ? !(field_real(field, record) > 0)
                           : field->kind == SB_STORE_LIST ? field_count(field, record) == 0
                                                          : !field_text(field, record)))
        return;
    if ((field->given && !field->given(record)) || (integer && field->null && field_integer(field, record) == 0))
        sb_json_null(json, name);
    else if (field->kind == SB_STORE_HASH)
        sb_json_hash(json, name, field_integer(field, record));
    else if (integer)
        sb_json_integer(json, name, field_integer(field, record));
    else if (field->kind == SB_STORE_BOOL)
        sb_json_bool(json, name, field_bool(field, record));
    else if (field->kind == SB_STORE_LEVEL || field->kind == SB_STORE_REAL)
        sb_json_real(json, name, field_real(field, record));
    else if (field->kind == SB_STORE_OBJECT)
        sb_store_write_object(json, name, field->fields, at);
    else if (field->kind == SB_STORE_LIST)
        write_list(json, field, record);
    else if (field->kind == SB_STORE_PART)
        field->write(json, at);
    else if (field->kind != SB_STORE_ELSEWHERE)
        sb_json_string(json, name, *(const char *const *)at);
}

void sb_store_write(struct sb_json *json, const struct sb_store_field fields[], const void *record)
{
    for (; fields->name; fields++)
        write_field(json, fields, record);
}

void sb_store_write_object(struct sb_json *json, const char *name, const struct sb_store_field fields[],
                           const void *record)
{
    sb_json_object(json, name);
    sb_store_write(json, fields, record);
    sb_json_close(json);
}

/* ---- free ---- */

void sb_store_free(const struct sb_store_field fields[], void *record)
{
    for (; fields->name; fields++) {
        void *const at = (char *)record + fields->at;
        const bool list = fields->kind == SB_STORE_LIST;
        char *item = list ? (char *)field_list(fields, record) : NULL;

        if (fields->kind == SB_STORE_OBJECT)
            sb_store_free(fields->fields, at);
        for (size_t i = 0; item && fields->item == SB_STORE_OBJECT && i < field_count(fields, record); i++)
            sb_store_free(fields->fields, item + i * fields->size);
        if ((list && fields->owned) || fields->kind == SB_STORE_TEXT) {
            free(*(void **)at);
            *(void **)at = NULL;
        }
    }
}
