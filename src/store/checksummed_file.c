/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that end in a checksum. To compute the checksum, the writer reads the file back. Cost: O(1)
 * memory. */
#include "store/checksummed_file.h"

#include "core/core.h"
#include "core/system.h"
#include "report/json_writer.h"
#include "store/field_table.h"
#include "store/file/atomic_file.h"
#include "store/file/file_lock.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHECKSUMMED_END = 48 }; /* the most bytes of the end of a file: the checksum and the closing brace */

const char sb_checksummed_anew[] = "restore it, or remove it and begin anew with `save`";

/* Computes the hash of the first `length` bytes, and leaves the stream after these bytes. Returns false if
 * the bytes cannot be read. */
static bool checksummed_hash(FILE *stream, uint64_t length, uint64_t *hash)
{
    unsigned char bytes[4096];

    *hash = SB_HASH_EMPTY;
    if (fseek(stream, 0, SEEK_SET))
        return false;
    while (length > 0) {
        const size_t most = length < sizeof bytes ? (size_t)length : sizeof bytes;
        const size_t got = fread(bytes, 1, most, stream);

        if (got != most)
            return false;
        *hash = sb_hash_add(*hash, bytes, got);
        length -= got;
    }
    return true;
}

/* Writes the last bytes of a file to end[], with this hash as the checksum. Returns their number, which does
 * not depend on the hash. */
static size_t checksummed_say(uint64_t hash, char end[CHECKSUMMED_END])
{
    return (size_t)snprintf(end, CHECKSUMMED_END, ",\n  \"checksum\": \"%016" PRIx64 "\"\n}\n", hash);
}

enum sb_status sb_checksummed_end(FILE *stream)
{
    char end[CHECKSUMMED_END];
    uint64_t hash;
    const long length = fflush(stream) == 0 ? ftell(stream) : -1;

    if (length < 0 || ferror(stream) || !checksummed_hash(stream, (uint64_t)length, &hash) ||
        fseek(stream, 0, SEEK_END))
        return SB_IO;
    checksummed_say(hash, end);
    return fputs(end, stream) < 0 ? SB_IO : SB_OK;
}

/* The content of a file to write. */
struct checksummed_source {
    const char *schema;
    const struct sb_store_field *fields;
    const void *record;
};

static enum sb_status checksummed_write(const void *what, FILE *stream)
{
    const struct checksummed_source *const source = what;
    struct sb_json json = { .stream = stream };

    sb_json_object(&json, NULL);
    sb_json_string(&json, "schema", source->schema);
    sb_store_write(&json, source->fields, source->record);
    return sb_checksummed_end(stream);
}

enum sb_status sb_checksummed_replace(const char *path, bool secret, const char *schema,
                                      const struct sb_store_field fields[], const void *record, int *lock,
                                      const char *again, struct sb_error *error)
{
    const struct checksummed_source source = { .schema = schema, .fields = fields, .record = record };

    return sb_atomic_file_replace_held(path, secret, checksummed_write, &source, lock, again, error);
}

/* Reads the last `end` bytes of a file, and hashes all bytes before them. Returns 0 or an errno. */
static int checksummed_look(FILE *stream, size_t end, char is[CHECKSUMMED_END], uint64_t *hash)
{
    struct sb_retry retry = { .began = 0 };
    struct stat about;
    int number = sb_file_status_open(fileno(stream), &about);

    memset(is, 0, CHECKSUMMED_END);
    while (number == 0 && (uint64_t)about.st_size > end) {
        errno = 0;
        if (checksummed_hash(stream, (uint64_t)about.st_size - end, hash) && fread(is, 1, end, stream) == end)
            break;
        if (!ferror(stream))
            break; /* another program has truncated the file */
        number = sb_retry_again(&retry, errno ? errno : EIO) ? 0 : errno;
        clearerr(stream);
    }
    return number;
}

/* Checks that the file ends in the hash of all bytes before the end. */
static void checksummed_check(struct sb_json_field_reader *in, FILE *stream, uint64_t *hash)
{
    char is[CHECKSUMMED_END], should[CHECKSUMMED_END];
    const size_t end = checksummed_say(0, should);
    const int number = checksummed_look(stream, end, is, hash);

    checksummed_say(*hash, should);
    if (number)
        in->status = sb_error_set(in->error, SB_IO, "cannot read '%.200s': %s", in->path, strerror(number));
    else if (strcmp(is, should) != 0)
        sb_json_field_fail(in, "checksum", "is not that of the file, which was edited, cut or damaged");
}

/* Opens the file. A missing file is a fault. NULL after a fault. */
static FILE *checksummed_open(struct sb_json_field_reader *in)
{
    if (sb_json_field_is_there(in))
        return sb_json_field_open(in);
    if (in->status == SB_OK)
        in->status = sb_error_set(in->error, SB_IO, "cannot read '%.200s': %s", in->path, strerror(ENOENT));
    return NULL;
}

/* Returns the function of forms[0..count-1] that reads files with the schema of `top`. If no form has this
 * schema, records a fault and returns NULL. If another command reads such files, the fault names that
 * command. */
static sb_checksummed_reader *checksummed_schema(struct sb_json_field_reader *in, const json_t *top,
                                                 const struct sb_checksummed_form forms[], size_t count)
{
    static const struct {
        const char *schema, *what, *remedy;
    } known[] = {
        { "shufflebias.evidence/1", "is that of a report's evidence", "give it to `sb_saved_new`" },
        { "shufflebias.gate-evidence/2", "is that of a gate's evidence", "give it to `sb_gate_saved_new`" },
        { "shufflebias.watching/2", "is that of a watch", "give it to `sb_watch_new`" },
    };

    for (size_t i = 0; i < count; i++) {
        in->schema = sb_store_schema(NULL, top, forms[i].schema);
        if (in->schema)
            return forms[i].read;
    }
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (sb_store_schema(NULL, top, known[i].schema)) {
            in->remedy = known[i].remedy;
            sb_json_field_fail(in, "schema", known[i].what);
        }
    sb_store_schema(in, top, forms[0].schema);
    return NULL;
}

enum sb_status sb_checksummed_read(const char *path, const struct sb_checksummed_form forms[], size_t count,
                                   const char *remedy, void *record, struct sb_error *error,
                                   uint64_t *checksum)
{
    struct sb_json_field_reader in = {
        .path = path,
        .kind = "evidence",
        .article = "saved evidence",
        .remedy = remedy,
        .error = error,
    };
    FILE *const stream = checksummed_open(&in);
    json_t *const top = stream ? sb_json_field_load_stream(&in, stream) : NULL;
    sb_checksummed_reader *const read = top ? checksummed_schema(&in, top, forms, count) : NULL;
    uint64_t hash = 0;

    if (read)
        read(&in, top, record);
    json_decref(top);
    if (in.status == SB_OK)
        /* checks the open file, because the path may already lead to another file */
        checksummed_check(&in, stream, &hash);
    if (stream)
        fclose(stream);
    if (in.status == SB_OK && checksum)
        *checksum = hash;
    return in.status;
}

enum sb_status sb_checksummed_foreign(const char *path, const char *version, struct sb_error *error)
{
    return sb_error_set(error, SB_IO,
                        "'%.200s' is no sound evidence: tallies are of other statistics than version %s has, "
                        "or of other cells: use version %.20s",
                        path, SB_VERSION, version);
}

enum sb_status sb_checksummed_version(const char *path, const char *version, struct sb_error *error)
{
    if (strcmp(version, SB_VERSION) == 0)
        return SB_OK;
    return sb_error_set(
        error, SB_INVALID,
        "'%.200s' is of version %.20s, and %s may not shuffle, or look, as that did: go on with that version",
        path, version, SB_VERSION);
}

enum sb_status sb_checksummed_lock(const char *path, uint64_t checksum, struct sb_error *error, int *lock)
{
    char is[CHECKSUMMED_END], should[CHECKSUMMED_END];
    const ssize_t end = (ssize_t)checksummed_say(checksum, should);
    struct sb_retry retry = { .began = 0 };
    struct stat about;
    ssize_t got = -1;
    int descriptor = -1, number;
    const enum sb_status status = sb_file_lock_open(path, error, &descriptor);

    if (status)
        return status;
    number = sb_file_status_open(descriptor, &about);
    if (number == 0 && about.st_size > end)
        while ((got = pread(descriptor, is, (size_t)end, about.st_size - end)) < 0 &&
               sb_retry_again(&retry, errno))
            continue;
    if (number == 0 && got == end && memcmp(is, should, (size_t)end) == 0) {
        sb_atomic_file_clean(path);
        *lock = descriptor;
        return SB_OK;
    }
    number = number ? number : about.st_size > end && got < 0 ? errno : 0;
    close(descriptor);
    errno = number ? number : ESTALE;
    if (number)
        return sb_error_set(error, SB_IO, "cannot read '%.200s': %s", path, strerror(number));
    return sb_error_set(error, SB_IO,
                        "'%.200s' was changed by another run since it was read: begin again with `saved`",
                        path);
}
