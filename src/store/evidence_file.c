/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of JSON, which are read whole. Files of evidence end in the hash of all bytes before it, FNV-1a of 64
 * bits, which detects damage but not tampering. To compute the hash, the writer reads the file back.
 */
#include "core/core.h"
#include "core/system.h"
#include "report/result.h"
#include "store/fields.h"
#include "store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    FILE_END = 48,                /* the most bytes of the end of a file: the checksum and the closing brace */
    FILE_EVIDENCE_MOST = 1 << 30, /* the most bytes of evidence: 16 for each count of the largest matrix */
    FILE_LEDGER_MOST = 1 << 26,
    FILE_BRACKETS_MOST = 1 << 21, /* the most objects and arrays, each of which takes some 200 bytes in memory */
};

static const char *const file_schemas[] = {
    [SB_STORE_EVIDENCE] = "shufflebias.evidence/1",
    [SB_STORE_LEDGER] = "shufflebias.ledger/3",
};

/* Writes the last bytes of a file to end[], with this hash as the checksum. Returns their number, which does
 * not depend on the hash. */
static size_t file_end(uint64_t hash, char end[FILE_END])
{
    return (size_t)snprintf(end, FILE_END, ",\n  \"checksum\": \"%016" PRIx64 "\"\n}\n", hash);
}

/* ---- read ---- */

static void file_unread(struct sb_json_field_reader *in, int number)
{
    in->status = sb_error_set(in->error, SB_IO, "cannot read '%.200s': %s", in->path, strerror(number));
}

/* Whether there is a file to read. If stat() finds no file, there are three cases: there is no file, there is a
 * broken link, or another process is creating the file right now. */
static bool file_is_there(struct sb_json_field_reader *in)
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
        file_unread(in, number ? number : ENOENT);
    else if (there && !S_ISREG(about.st_mode))
        in->status = sb_error_set(in->error, SB_IO, "'%.200s' is no file, and cannot be %s: name another", in->path,
                                  in->article);
    return there && in->status == SB_OK;
}

/* Reads an open file, which may become shorter meanwhile. The caller frees the text. NULL after a fault. */
static char *file_text(struct sb_json_field_reader *in, int descriptor, uint64_t most, size_t *length)
{
    struct sb_retry retry = { .began = 0 };
    struct stat about;
    const int number = sb_file_status_open(descriptor, &about);
    char what[64];
    ssize_t got = 1;

    if (number) {
        file_unread(in, number);
        return NULL;
    }
    if (about.st_size == 0)
        sb_json_field_fail(in, "it is", "empty");
    if ((uint64_t)about.st_size > most) {
        snprintf(what, sizeof what, "larger than %" PRIu64 " bytes", most);
        sb_json_field_fail(in, "it is", what);
    }
    const size_t size = (size_t)about.st_size;
    char *const text = sb_json_field_room(in, size, 1);

    for (*length = 0; text && *length < size && got; *length += got > 0 ? (size_t)got : 0) {
        got = pread(descriptor, text + *length, size - *length, (off_t)*length);
        if (got < 0 && !sb_retry_again(&retry, errno)) {
            file_unread(in, errno);
            free(text);
            return NULL;
        }
    }
    return text;
}

static json_t *file_parse(struct sb_json_field_reader *in, const char text[], size_t length)
{
    json_error_t fault = { .line = 0 };
    size_t brackets = 0;
    char where[64];

    for (size_t i = 0; i < length; i++)
        brackets += text[i] == '{' || text[i] == '[';
    if (brackets > FILE_BRACKETS_MOST)
        sb_json_field_fail(in, "it has", "too many objects and lists");
    FILE *const stream = in->status ? NULL : fmemopen((char *)text, length, "rb");
    json_t *const top = stream ? sb_json_load(stream, &fault) : NULL;
    const int number = errno;

    if (stream)
        fclose(stream);
    if (top || in->status)
        return top;
    errno = number;
    if (errno) {
        file_unread(in, errno);
        return NULL;
    }
    for (char *c = fault.text; *c; c++)
        *c = (char)(*c < ' ' || *c > '~' ? '?' : *c);
    snprintf(where, sizeof where, "line %d, column %d:", fault.line, fault.column);
    sb_json_field_fail(in, where, fault.text);
    return NULL;
}

static void file_check(struct sb_json_field_reader *in, const char text[], size_t length)
{
    char should[FILE_END];
    const size_t end = file_end(0, should), before = length > end ? length - end : 0;
    const uint64_t hash = sb_hash_add(SB_HASH_EMPTY, text, before);

    file_end(hash, should);
    if (before == 0 || memcmp(text + before, should, end) != 0)
        sb_json_field_fail(in, "checksum", "is not that of the file, which was edited, cut or damaged");
}

enum sb_status sb_store_file_read(const char *path, enum sb_store_file kind, const char *remedy, sb_store_reader *read,
                                  void *record, struct sb_error *error, bool *exists)
{
    const bool sealed = kind == SB_STORE_EVIDENCE;
    struct sb_json_field_reader in = {
        .path = path,
        .kind = sealed ? "evidence" : "ledger",
        .article = sealed ? "saved evidence" : "a ledger",
        .remedy = remedy,
        .error = error,
    };
    const bool there = file_is_there(&in);
    const int descriptor = there ? sb_file_open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY, 0) : -1;
    char what[64];
    size_t length = 0;

    if (there ? descriptor < 0 : sealed && in.status == SB_OK)
        file_unread(&in, there ? errno : ENOENT);
    char *const text =
        descriptor < 0 ? NULL : file_text(&in, descriptor, sealed ? FILE_EVIDENCE_MOST : FILE_LEDGER_MOST, &length);
    json_t *const top = text ? file_parse(&in, text, length) : NULL;
    const char *const schema = json_string_value(json_object_get(top, "schema"));

    snprintf(what, sizeof what, "must be \"%s\"", file_schemas[kind]);
    if (top && (!schema || strcmp(schema, file_schemas[kind]) != 0))
        sb_json_field_fail(&in, "schema", what);
    if (top && in.status == SB_OK)
        read(&in, top, record);
    json_decref(top);
    if (sealed && in.status == SB_OK)
        file_check(&in, text, length);
    *exists = text && in.status == SB_OK;
    free(text);
    if (descriptor >= 0)
        close(descriptor);
    return in.status;
}

/* ---- write ---- */

enum sb_status sb_checksummed_end(FILE *stream)
{
    unsigned char bytes[4096];
    char end[FILE_END];
    uint64_t hash = SB_HASH_EMPTY;

    if (fflush(stream) || ferror(stream) || fseek(stream, 0, SEEK_SET))
        return SB_IO;
    for (size_t got; (got = fread(bytes, 1, sizeof bytes, stream)) > 0;)
        hash = sb_hash_add(hash, bytes, got);
    if (ferror(stream) || fseek(stream, 0, SEEK_END))
        return SB_IO;
    file_end(hash, end);
    return fputs(end, stream) < 0 ? SB_IO : SB_OK;
}

/* The content of a file to write. */
struct file_source {
    enum sb_store_file kind;
    const struct sb_store_field *fields;
    const void *record;
};

static enum sb_status file_write(const void *what, FILE *stream)
{
    const struct file_source *const source = what;
    struct sb_json json = { .stream = stream };

    sb_json_object(&json, NULL);
    sb_json_string(&json, "schema", file_schemas[source->kind]);
    sb_store_write(&json, source->fields, source->record);
    if (source->kind == SB_STORE_EVIDENCE)
        return sb_checksummed_end(stream);
    sb_json_close(&json);
    fputc('\n', stream);
    return SB_OK;
}

enum sb_status sb_store_file_write(const char *path, bool secret, enum sb_store_file kind,
                                   const struct sb_store_field fields[], const void *record, int *lock,
                                   const char *again, struct sb_error *error)
{
    const struct file_source source = { kind, fields, record };

    return sb_atomic_file_replace(path, secret, file_write, &source, lock, again, error);
}
