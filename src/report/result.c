/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a result to a stream. Only this file looks up a format by name, and only this file checks the stream
 * for errors. */
#include "core/text.h"
#include "report/page.h"

#include <errno.h>
#include <inttypes.h>

enum { RESULT_NAMES_MOST = 16 }; /* more than there are formats, and figures of a result */

static const struct sb_result_format *result_own(const struct sb_result_type *type, const char *format)
{
    for (size_t i = 0; i < type->own_count; i++)
        if (strcmp(type->own[i].name, format) == 0)
            return &type->own[i];
    return NULL;
}

static bool result_has(const struct sb_result_type *type, const struct sb_format_type *format)
{
    return format->needs &
           ((type->page ? SB_PART_PAGE : 0U) | (type->html ? SB_PART_HTML : 0U) | (type->json ? SB_PART_JSON : 0U) |
            (type->csv ? SB_PART_CSV : 0U) | (type->cases ? SB_PART_CASES : 0U) | (type->svg ? SB_PART_SVG : 0U));
}

static const struct sb_format_type *result_find(const struct sb_result_type *type, const char *format)
{
    for (size_t i = 0; i < sb_format_types_count; i++)
        if (strcmp(sb_format_types[i]->name, format) == 0 && result_has(type, sb_format_types[i]))
            return sb_format_types[i];
    return NULL;
}

bool sb_result_has(const struct sb_result_type *type, const char *format)
{
    return format && (result_find(type, format) || result_own(type, format));
}

static const char *result_list(const char *const name[], size_t count, char text[SB_RESULT_FORMATS_ROOM])
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < count && used < SB_RESULT_FORMATS_ROOM; i++)
        used += (size_t)snprintf(text + used, SB_RESULT_FORMATS_ROOM - used, "%s%s",
                                 i == 0          ? ""
                                 : i + 1 < count ? ", "
                                                 : " or ",
                                 name[i]);
    return text;
}

const char *sb_result_formats(const struct sb_result_type *type, char text[SB_RESULT_FORMATS_ROOM])
{
    const char *name[RESULT_NAMES_MOST];
    size_t count = 0;

    for (size_t i = 0; i < sb_format_types_count && count < RESULT_NAMES_MOST; i++)
        if (result_has(type, sb_format_types[i]))
            name[count++] = sb_format_types[i]->name;
    return result_list(name, count, text);
}

const char *sb_result_figures(const struct sb_result_type *type, char text[SB_RESULT_FORMATS_ROOM])
{
    const char *name[RESULT_NAMES_MOST], *figure;
    size_t count = 0;

    while (type->figure && count + 1 < RESULT_NAMES_MOST && (figure = type->figure(count)) != NULL)
        name[count++] = figure;
    name[count++] = "terminal";
    return result_list(name, count, text);
}

bool sb_result_draws(const struct sb_result_type *type, const char *figure)
{
    const char *one;

    for (size_t i = 0; type->figure && (one = type->figure(i)) != NULL; i++)
        if (strcmp(one, figure) == 0)
            return true;
    return type->page && strcmp(figure, "terminal") == 0;
}

enum sb_status sb_result_write(const struct sb_result_type *type, const void *result, const char *format,
                               const struct sb_look *look, struct sb_error *error, FILE *stream)
{
    const char *const name = format ? format : "NULL";
    const struct sb_format_type *const found = result_find(type, name);
    const struct sb_result_format *const only = result_own(type, name);
    const struct sb_look own = look ? *look : (struct sb_look) { 0 };
    char formats[SB_RESULT_FORMATS_ROOM];
    enum sb_status status = SB_OK;

    if (!result || !stream)
        return sb_error_set(error, SB_INVALID, "%s is NULL: check the call that %s it",
                            result ? "the stream" : type->what, result ? "opened" : "made");
    if (!found && !only)
        return sb_error_set(error, SB_INVALID, "unknown format '%s' of %s: use %s", name, type->of,
                            sb_result_formats(type, formats));
    if (own.figure && !sb_result_draws(type, own.figure))
        return sb_error_set(error, SB_INVALID, "unknown figure '%.60s' of %s: use %s", own.figure, type->of,
                            sb_result_figures(type, formats));
    errno = 0;
    status = found ? found->write(type, result, &own, stream) : only->write(result, stream);
    if (status == SB_OK && (fflush(stream) || ferror(stream)))
        status = SB_IO;
    if (status == SB_IO)
        return sb_error_set(error, SB_IO, "cannot write %s: %s", type->what, strerror(errno ? errno : EIO));
    return status ? sb_error_memory(error, type->what) : SB_OK;
}

enum sb_status sb_result_text(const struct sb_result_type *type, const void *result, const char *format,
                              const struct sb_look *look, struct sb_error *error, char **text, size_t *length)
{
    char *made = NULL;
    size_t size = 0;
    FILE *const stream = sb_memory_stream_open(&made, &size);
    const enum sb_status status = stream ? sb_result_write(type, result, format, look, error, stream) : SB_NO_MEMORY;
    const bool whole = sb_memory_stream_close(stream, &made);

    if (status == SB_OK && whole) {
        *text = made;
        if (length)
            *length = size;
        return SB_OK;
    }
    free(made);
    return status == SB_INVALID ? status : sb_error_memory(error, "the text");
}

void sb_cases_add(struct sb_cases *cases, struct sb_case one)
{
    if (cases->count == cases->room) {
        const size_t room = 2 * cases->room + 16;
        struct sb_case *const grown = one.text ? realloc(cases->list, room * sizeof *grown) : NULL;

        if (!grown) {
            cases->status = SB_NO_MEMORY;
            free(one.text);
            return;
        }
        cases->list = grown;
        cases->room = room;
    }
    if (one.text)
        cases->list[cases->count++] = one;
    else
        cases->status = SB_NO_MEMORY;
}

/* A writer of JSON (RFC 8259) without a buffer. Objects, and arrays that are not flat, take a line per member. What is
 * not safe to print is escaped, so that a reader of the JSON gets the same text: evidence must not lose a letter. */

static void json_line(struct sb_json *json)
{
    fputc('\n', json->stream);
    for (unsigned i = 0; i < json->depth; i++)
        fputs("  ", json->stream);
}

static void json_text(struct sb_json *json, const char *text)
{
    fputc('"', json->stream);
    for (uint32_t point, last = 0; (point = sb_utf8_next(&text)) != 0; last = point) {
        char bytes[4];

        if (point == '"' || point == '\\')
            fprintf(json->stream, "\\%c", (char)point);
        else if (point < 0x20 || sb_utf8_unsafe(point) || (point == '#' && last == '#'))
            fprintf(json->stream, point > 0xFFFF ? "\\u%04x\\u%04x" : "\\u%04x",
                    point > 0xFFFF ? 0xD7C0 + (point >> 10) : point, 0xDC00 + (point & 0x3FF));
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
        json_line(json);
    json->full = true;
    if (key) {
        json_text(json, key);
        fputs(": ", json->stream);
    }
    return json->stream;
}

static void json_open(struct sb_json *json, const char *key, const char *brackets, bool flat)
{
    fputc(brackets[0], sb_json_value(json, key));
    json->flat[json->depth] = flat;
    json->closer[json->depth] = brackets[1];
    json->depth++;
    json->full = false;
}

void sb_json_object(struct sb_json *json, const char *key)
{
    json_open(json, key, "{}", false);
}

void sb_json_array(struct sb_json *json, const char *key, bool flat)
{
    json_open(json, key, "[]", flat);
}

void sb_json_close(struct sb_json *json)
{
    json->depth--;
    if (json->full && !json->flat[json->depth])
        json_line(json);
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
        json_text(json, value);
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

static const char *json_chars(const struct sb_member *member, const void *value)
{
    return member->kind == SB_MEMBER_CHARS ? value : *(const char *const *)value;
}

static uint64_t json_whole(const struct sb_member *member, const void *value)
{
    return member->kind == SB_MEMBER_32 ? *(const uint32_t *)value : *(const uint64_t *)value;
}

void sb_json_members(struct sb_json *json, const struct sb_member members[], const void *of)
{
    for (; members->name; members++) {
        const void *const value = of ? (const char *)of + members->at : NULL;

        if (!value)
            sb_json_null(json, members->name);
        else if (members->kind <= SB_MEMBER_CHARS)
            sb_json_string(json, members->name, json_chars(members, value));
        else if (members->kind == SB_MEMBER_BOOL)
            sb_json_bool(json, members->name, *(const bool *)value);
        else if (members->kind == SB_MEMBER_REAL)
            sb_json_real(json, members->name, *(const double *)value);
        else
            sb_json_integer(json, members->name, json_whole(members, value));
    }
}

void sb_json_record(struct sb_json *json, const char *key, const struct sb_member members[], const void *of)
{
    if (!of) {
        sb_json_null(json, key);
        return;
    }
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
            fprintf(stream, "%" PRIu64, json_whole(&members[i], value));
        else if (json_chars(&members[i], value))
            sb_csv_text(json_chars(&members[i], value), stream);
    }
}

void sb_json_item_names(struct sb_json *json, const struct sb_item_names *names)
{
    const struct sb_multiset *const groups = sb_item_groups(names);

    for (size_t g = 0; groups && g < groups->groups; g++) {
        if (g == 0)
            sb_json_array(json, "groups", true);
        sb_json_integer(json, NULL, sb_multiset_copies(groups, g));
    }
    if (groups) {
        sb_json_close(json);
        names = names->places;
    }
    if (!names)
        return;
    if (names->n == 0) {
        sb_json_integer(json, "base", names->base);
        return;
    }
    sb_json_strings(json, "items", (const char *const *)names->name, names->n);
}

/*
 * A spreadsheet runs a cell that begins with =, +, -, @, a tab or a carriage return as a formula. Such a text gets an
 * apostrophe, which marks it as text, unless it is a number.
 *
 * OWASP, CSV injection, https://owasp.org/www-community/attacks/CSV_Injection
 */
void sb_csv_text(const char *text, FILE *stream)
{
    struct sb_log_text outside = { .rest = text };
    double number;
    const bool digits = strspn(text, "0123456789.eE+-") == strlen(text);
    const bool formula = *text && strchr("=+-@\t\r", *text) && !(digits && sb_decimal_whole(text, &number));
    const char *const quote = strpbrk(text, ",\"\n\r") ? "\"" : "";

    fprintf(stream, "%s%s", quote, formula ? "'" : "");
    for (uint32_t point; (point = sb_log_text_next(&outside)) != 0;) {
        char bytes[4];

        if (point == '"')
            fputc('"', stream);
        fwrite(bytes, 1, sb_utf8_put(point, bytes), stream);
    }
    fputs(quote, stream);
}
