/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads fields of an untrusted JSON object. */
#include "store/json_field.h"

#include "core/core.h"
#include "core/system.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void field_complain(struct sb_json_field_reader *in, const char *where, const char *what)
{
    if (in->status)
        return;
    errno = EBADMSG;
    in->status = sb_error_set(in->error, SB_IO, "'%.200s' is no sound %s: %s%s%s: %s", in->path, in->kind,
                              in->place, where, what, in->remedy);
}

void sb_json_field_fail(struct sb_json_field_reader *in, const char *field, const char *what)
{
    char sentence[SB_JSON_FIELD_WHAT + 2];

    snprintf(sentence, sizeof sentence, " %s", what);
    field_complain(in, field, sentence);
}

/* Replaces characters other than printable ASCII with question marks. */
static void field_clean(char text[])
{
    for (; *text; text++)
        if (*text < ' ' || *text > '~')
            *text = '?';
}

static void field_unread(struct sb_json_field_reader *in, int number)
{
    in->status = sb_error_set(in->error, SB_IO, "cannot read '%.200s': %s", in->path, strerror(number));
}

/* If stat() finds no file, there are three cases: there is no file, there is a broken link, or another
 * process is creating the file right now. */
bool sb_json_field_is_there(struct sb_json_field_reader *in)
{
    struct stat about;
    bool there, link = false;
    int number = sb_file_status(in->path, false, &there, &about);

    if (number == 0 && !there) {
        number = sb_file_status(in->path, true, &link, &about);
        link = link && S_ISLNK(about.st_mode);
        if (number == 0 && !link)
            number = sb_file_status(in->path, false, &there, &about);
    }
    if (number || link)
        field_unread(in, number ? number : ENOENT);
    else if (there && !S_ISREG(about.st_mode))
        in->status = sb_error_set(in->error, SB_IO, "'%.200s' is no file, and cannot be %s: name another",
                                  in->path, in->article);
    return there && in->status == SB_OK;
}

FILE *sb_json_field_open(struct sb_json_field_reader *in)
{
    const int descriptor = sb_file_open(in->path, O_RDONLY | O_CLOEXEC | O_NOCTTY, 0);
    FILE *const stream = descriptor < 0 ? NULL : fdopen(descriptor, "rb");

    if (!stream)
        field_unread(in, errno);
    if (!stream && descriptor >= 0)
        close(descriptor);
    return stream;
}

/* Parses the stream. Returns NULL if the stream cannot be read even after retries (with errno), or is not
 * JSON (with errno 0). */
static json_t *field_parse(FILE *stream, json_error_t *fault)
{
    struct sb_retry retry = { .began = 0 };
    json_t *top;

    for (;;) {
        top = sb_json_load(stream, fault);
        if (top || !ferror(stream) || !sb_retry_again(&retry, errno) || fseek(stream, 0, SEEK_SET))
            return top;
        clearerr(stream);
    }
}

json_t *sb_json_field_load_stream(struct sb_json_field_reader *in, FILE *stream)
{
    json_error_t fault;
    struct stat there;
    char where[64];
    json_t *top;

    top = field_parse(stream, &fault);
    if (top)
        return top;
    if (errno == ENOMEM || (errno && (ferror(stream) || fault.line <= 0))) {
        field_unread(in, errno);
        return NULL;
    }
    if (fstat(fileno(stream), &there) == 0 && there.st_size == 0) {
        field_complain(in, "", "it is empty");
        return NULL;
    }
    field_clean(fault.text);
    snprintf(where, sizeof where, "line %d, column %d: ", fault.line, fault.column);
    field_complain(in, where, fault.text);
    return NULL;
}

json_t *sb_json_field_load(struct sb_json_field_reader *in)
{
    FILE *const stream = sb_json_field_open(in);
    json_t *top;

    if (!stream)
        return NULL;
    top = sb_json_field_load_stream(in, stream);
    fclose(stream);
    return top;
}

/* The first of an object's fields that is not in the list; NULL if all fields are in the list. */
static const char *field_foreign(const json_t *object, const char *const fields[])
{
    const char *key;
    json_t *value;

    json_object_foreach((json_t *)object, key, value)
    {
        size_t i = 0;

        while (fields[i] && strcmp(fields[i], key) != 0)
            i++;
        if (!fields[i])
            return key;
    }
    return NULL;
}

static bool field_begin(struct sb_json_field_reader *in, const json_t *object, const char *const fields[])
{
    const char *const foreign = field_foreign(object, fields);
    char name[32], what[64];

    if (!json_is_object(object))
        sb_json_field_fail(in, "", "must be an object");
    if (foreign) {
        snprintf(name, sizeof name, "%s", foreign);
        field_clean(name);
        snprintf(what, sizeof what, "is no field of %s", in->article);
        sb_json_field_fail(in, name, what);
    }
    return in->status == SB_OK;
}

bool sb_json_field_enter(struct sb_json_field_reader *in, const char *field, const json_t *object,
                         const char *const fields[])
{
    const size_t length = strlen(in->place);

    snprintf(in->place + length, sizeof in->place - length, "%s%s", field, field[0] ? "." : "");
    return field_begin(in, object, fields);
}

bool sb_json_field_enter_at(struct sb_json_field_reader *in, const char *field, size_t index,
                            const json_t *object, const char *const fields[])
{
    char name[SB_JSON_FIELD_PLACE];

    snprintf(name, sizeof name, "%s[%zu]", field, index);
    return sb_json_field_enter(in, name, object, fields);
}

void sb_json_field_leave(struct sb_json_field_reader *in)
{
    size_t length = strlen(in->place);

    do /* removes the last part of the place, from the end back to the previous point */
        length -= length > 0;
    while (length > 0 && in->place[length - 1] != '.');
    in->place[length] = '\0';
}

uint64_t sb_json_field_within(struct sb_json_field_reader *in, const char *field, uint64_t value,
                              uint64_t low, uint64_t high)
{
    char what[96];

    if (value >= low && value <= high)
        return value;
    snprintf(what, sizeof what, "must be an integer from %" PRIu64 " to %" PRIu64, low, high);
    sb_json_field_fail(in, field, what);
    return 0;
}

uint64_t sb_json_field_integer(struct sb_json_field_reader *in, const json_t *object, const char *field,
                               uint64_t low, uint64_t high)
{
    const json_t *const value = json_object_get(object, field);
    const json_int_t number = json_integer_value(value);
    const bool sound = json_is_integer(value) && number >= 0;

    return sb_json_field_within(in, field, sound ? (uint64_t)number : UINT64_MAX, low, high);
}

size_t sb_json_field_size(struct sb_json_field_reader *in, const json_t *object, const char *field,
                          size_t low, size_t high)
{
    /* fits, because the value is at most `high` */
    return (size_t)sb_json_field_integer(in, object, field, low, high);
}

size_t sb_json_field_choice(struct sb_json_field_reader *in, const json_t *object, const char *field,
                            const char *const names[])
{
    const char *const text = json_string_value(json_object_get(object, field));
    char what[SB_JSON_FIELD_WHAT] = "must be one of";
    size_t at = 0;

    while (names[at] && !(text && strcmp(text, names[at]) == 0))
        at++;
    if (names[at])
        return at;
    for (size_t i = 0; names[i]; i++)
        snprintf(what + strlen(what), sizeof what - strlen(what), " %s", names[i]);
    sb_json_field_fail(in, field, what);
    return 0;
}

bool sb_json_field_bool(struct sb_json_field_reader *in, const json_t *object, const char *field)
{
    const json_t *const value = json_object_get(object, field);

    if (!json_is_boolean(value))
        sb_json_field_fail(in, field, "must be true or false");
    return json_is_true(value);
}

uint64_t sb_json_field_hash(struct sb_json_field_reader *in, const char *field, const json_t *value)
{
    const char *const text = json_string_value(value);

    if (text && strlen(text) == 16 && strspn(text, "0123456789abcdef") == 16)
        return strtoull(text, NULL, 16);
    sb_json_field_fail(in, field, "must be 16 hexadecimal digits");
    return 0;
}

void sb_json_field_same(struct sb_json_field_reader *in, const json_t *object, const char *field,
                        const char *is)
{
    const char *const text = json_string_value(json_object_get(object, field));
    char what[SB_JSON_FIELD_WHAT];

    snprintf(what, sizeof what, "must be \"%s\"", is);
    if (!text || strcmp(text, is) != 0)
        sb_json_field_fail(in, field, what);
}

char *sb_json_field_copy(struct sb_json_field_reader *in, const char *text)
{
    char *const copy = text ? strdup(text) : NULL;

    if (text && !copy && in->status == SB_OK)
        in->status = sb_error_memory(in->error, in->article);
    return copy;
}

char *sb_json_field_string(struct sb_json_field_reader *in, const json_t *object, const char *field,
                           bool may_be_null)
{
    const json_t *const value = json_object_get(object, field);

    if (json_is_null(value) && may_be_null)
        return NULL;
    if (!json_is_string(value)) {
        sb_json_field_fail(in, field, may_be_null ? "must be a string or null" : "must be a string");
        return NULL;
    }
    return sb_json_field_copy(in, json_string_value(value));
}

const json_t *sb_json_field_array(struct sb_json_field_reader *in, const json_t *object, const char *field,
                                  size_t most)
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
