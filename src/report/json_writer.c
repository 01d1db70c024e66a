/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A writer of JSON (RFC 8259) without a buffer. Objects, and arrays that are not flat, take a line per member. What is not
 * safe to print is escaped, so that a reader of the JSON gets the same text: evidence must not lose a letter.
 */
#include "report/result.h"

#include "core/text.h"
#include "report/page.h"

#include <inttypes.h>

static void json_writer_line(struct sb_json *json)
{
    fputc('\n', json->stream);
    for (unsigned i = 0; i < json->depth; i++)
        fputs("  ", json->stream);
}

static void json_writer_escape(uint32_t point, FILE *stream)
{
    if (point > 0xFFFF)
        fprintf(stream, "\\u%04x\\u%04x", 0xD7C0 + (point >> 10), 0xDC00 + (point & 0x3FF));
    else
        fprintf(stream, "\\u%04x", point);
}

static void json_writer_text(struct sb_json *json, const char *text)
{
    fputc('"', json->stream);
    for (uint32_t point, last = 0; (point = sb_utf8_next(&text)) != 0; last = point) {
        char bytes[4];

        if (point == '"' || point == '\\')
            fprintf(json->stream, "\\%c", (char)point);
        else if (point < 0x20 || sb_utf8_unsafe(point) || (point == '#' && last == '#'))
            json_writer_escape(point, json->stream);
        else
            fwrite(bytes, 1, sb_utf8_put(point, bytes), json->stream);
    }
    fputc('"', json->stream);
}

FILE *sb_json_value(struct sb_json *json, const char *key)
{
    const bool flat = json->depth && json->flat[json->depth - 1];

    if (json->full)
        fputs(flat ? ", " : ",", json->stream);
    if (json->depth && !flat)
        json_writer_line(json);
    json->full = true;
    if (key) {
        json_writer_text(json, key);
        fputs(": ", json->stream);
    }
    return json->stream;
}

static void json_writer_open(struct sb_json *json, const char *key, const char *brackets, bool flat)
{
    fputc(brackets[0], sb_json_value(json, key));
    json->flat[json->depth] = flat;
    json->closer[json->depth] = brackets[1];
    json->depth++;
    json->full = false;
}

void sb_json_object(struct sb_json *json, const char *key)
{
    json_writer_open(json, key, "{}", false);
}

void sb_json_array(struct sb_json *json, const char *key, bool flat)
{
    json_writer_open(json, key, "[]", flat);
}

void sb_json_close(struct sb_json *json)
{
    json->depth--;
    if (json->full && !json->flat[json->depth])
        json_writer_line(json);
    fputc(json->closer[json->depth], json->stream);
    json->full = true;
}

void sb_json_null(struct sb_json *json, const char *key)
{
    fputs("null", sb_json_value(json, key));
}

void sb_json_bool(struct sb_json *json, const char *key, bool value)
{
    fputs(value ? "true" : "false", sb_json_value(json, key));
}

void sb_json_integer(struct sb_json *json, const char *key, uint64_t value)
{
    fprintf(sb_json_value(json, key), "%" PRIu64, value);
}

void sb_json_hash(struct sb_json *json, const char *key, uint64_t value)
{
    fprintf(sb_json_value(json, key), "\"%016" PRIx64 "\"", value);
}

void sb_json_real(struct sb_json *json, const char *key, double value)
{
    const struct sb_number number = sb_number_full(value);

    fputs(number.text[0] ? number.text : "null", sb_json_value(json, key));
}

void sb_json_string(struct sb_json *json, const char *key, const char *value)
{
    sb_json_value(json, key);
    if (value)
        json_writer_text(json, value);
    else
        fputs("null", json->stream);
}

void sb_json_known(struct sb_json *json, const char *key, bool known, uint64_t value)
{
    if (known)
        sb_json_integer(json, key, value);
    else
        sb_json_null(json, key);
}

void sb_json_strings(struct sb_json *json, const char *key, const char *const values[], size_t count)
{
    sb_json_array(json, key, true);
    for (size_t i = 0; i < count; i++)
        sb_json_string(json, NULL, values[i]);
    sb_json_close(json);
}

void sb_json_integers(struct sb_json *json, const char *key, const uint64_t values[], size_t count)
{
    sb_json_array(json, key, true);
    for (size_t i = 0; i < count; i++)
        sb_json_integer(json, NULL, values[i]);
    sb_json_close(json);
}

void sb_json_reals(struct sb_json *json, const char *key, const double values[], size_t count)
{
    sb_json_array(json, key, true);
    for (size_t i = 0; i < count; i++)
        sb_json_real(json, NULL, values[i]);
    sb_json_close(json);
}

static const char *json_writer_chars(const struct sb_member *member, const void *value)
{
    return member->kind == SB_MEMBER_CHARS ? value : *(const char *const *)value;
}

static uint64_t json_writer_whole(const struct sb_member *member, const void *value)
{
    return member->kind == SB_MEMBER_32 ? *(const uint32_t *)value : *(const uint64_t *)value;
}

void sb_json_members(struct sb_json *json, const struct sb_member members[], const void *of)
{
    for (; members->name; members++) {
        const void *const value = (const char *)of + members->at;

        if (members->kind <= SB_MEMBER_CHARS)
            sb_json_string(json, members->name, json_writer_chars(members, value));
        else if (members->kind == SB_MEMBER_BOOL)
            sb_json_bool(json, members->name, *(const bool *)value);
        else if (members->kind == SB_MEMBER_REAL)
            sb_json_real(json, members->name, *(const double *)value);
        else
            sb_json_integer(json, members->name, json_writer_whole(members, value));
    }
}

void sb_json_record(struct sb_json *json, const char *key, const struct sb_member members[], const void *of)
{
    sb_json_object(json, key);
    sb_json_members(json, members, of);
    sb_json_close(json);
}

void sb_csv_members(const struct sb_member members[], const void *of, FILE *stream)
{
    for (size_t i = 0; members[i].name; i++) {
        const void *const value = (const char *)of + members[i].at;

        fputs(i ? "," : "", stream);
        if (members[i].kind == SB_MEMBER_BOOL)
            fputs(*(const bool *)value ? "true" : "false", stream);
        else if (members[i].kind == SB_MEMBER_REAL)
            fputs(sb_number_full(*(const double *)value).text, stream);
        else if (members[i].kind >= SB_MEMBER_32)
            fprintf(stream, "%" PRIu64, json_writer_whole(&members[i], value));
        else if (json_writer_chars(&members[i], value))
            sb_csv_text(json_writer_chars(&members[i], value), stream);
    }
}

void sb_json_item_names(struct sb_json *json, const struct sb_item_names *names)
{
    if (!names)
        return;
    if (names->n == 0) {
        sb_json_integer(json, "base", names->base);
        return;
    }
    sb_json_strings(json, "items", (const char *const *)names->name, names->n);
}
