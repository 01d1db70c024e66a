/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that end in a checksum. What was written is read once more for it. Cost: O(1) memory. */
#include "store/checksummed_file.h"

#include "core/error.h"
#include "core/hash.h"
#include "core/system/file_calls.h"
#include "core/system/retry.h"
#include "store/atomic_file.h"
#include "store/file_lock.h"
#include "store/json_field.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SEALED_END = 48 }; /* bytes of the end, at most */

const char sb_checksummed_anew[] = "restore it, or remove it and begin anew with `save`";
const char sb_checksummed_go_on[] = "go on from it with `saved`, or name another file";

/* The hash of so many bytes from the start, behind which the stream stands then. False where it cannot be
 * read. */
static bool sealed_hash(FILE *stream, uint64_t length, uint64_t *hash)
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

/* The end of a file with that hash, and its length, which is the same for all. */
static size_t sealed_say(uint64_t hash, char end[SEALED_END])
{
    return (size_t)snprintf(end, SEALED_END, ",\n  \"checksum\": \"%016" PRIx64 "\"\n}\n", hash);
}

enum sb_status sb_checksummed_end(FILE *stream)
{
    char end[SEALED_END];
    uint64_t hash;
    const long length = fflush(stream) == 0 ? ftell(stream) : -1;

    if (length < 0 || ferror(stream) || !sealed_hash(stream, (uint64_t)length, &hash) ||
        fseek(stream, 0, SEEK_END))
        return SB_IO;
    sealed_say(hash, end);
    return fputs(end, stream) < 0 ? SB_IO : SB_OK;
}

/* The last bytes of a file, and the hash of all before. Returns 0 or an errno. */
static int sealed_look(FILE *stream, size_t end, char is[SEALED_END], uint64_t *hash)
{
    struct sb_retry retry = { .began = 0 };
    struct stat about;
    int number = sb_file_status_open(fileno(stream), &about);

    memset(is, 0, SEALED_END);
    while (number == 0 && (uint64_t)about.st_size > end) {
        errno = 0;
        if (sealed_hash(stream, (uint64_t)about.st_size - end, hash) && fread(is, 1, end, stream) == end)
            break;
        if (!ferror(stream))
            break; /* it has become shorter */
        number = sb_retry_again(&retry, errno ? errno : EIO) ? 0 : errno;
        clearerr(stream);
    }
    return number;
}

/* Whether the file ends with the hash of all before, to the byte. */
static void sealed_check(struct sb_json_field_reader *in, FILE *stream, uint64_t *hash)
{
    char is[SEALED_END], should[SEALED_END];
    const size_t end = sealed_say(0, should);
    const int number = sealed_look(stream, end, is, hash);

    sealed_say(*hash, should);
    if (number)
        in->status = sb_error_set(in->error, SB_IO, "cannot read '%.200s': %s", in->path, strerror(number));
    else if (strcmp(is, should) != 0)
        sb_json_field_fail(in, "checksum", "is not that of the file, which was edited, cut or damaged");
}

/* The file, which has to be there. NULL after a fault. */
static FILE *sealed_open(struct sb_json_field_reader *in)
{
    if (sb_json_field_is_there(in))
        return sb_json_field_open(in);
    if (in->status == SB_OK)
        in->status = sb_error_set(in->error, SB_IO, "cannot read '%.200s': %s", in->path, strerror(ENOENT));
    return NULL;
}

/* Who reads its schema, of forms[0..count-1]; else NULL after a fault, which says what command reads it if
 * one does. */
static sb_checksummed_reader *sealed_schema(struct sb_json_field_reader *in, const json_t *top,
                                            const struct sb_checksummed_form forms[], size_t count)
{
    static const struct {
        const char *schema, *what, *remedy;
    } known[] = {
        { "shufflebias.evidence/1", "is that of a report's evidence", "give it to `sb_saved_new`" },
        { "shufflebias.gate-evidence/1", "is that of a gate's evidence", "give it to `sb_gate_saved_new`" },
        { "shufflebias.gate-evidence/2", "is that of a gate's evidence", "give it to `sb_gate_saved_new`" },
        { "shufflebias.watching/1", "is that of a watch", "give it to `sb_watch_new`" },
        { "shufflebias.watching/2", "is that of a watch", "give it to `sb_watch_new`" },
    };
    const char *const is = json_string_value(json_object_get(top, "schema"));
    char what[64];

    for (size_t i = 0; is && i < count; i++)
        if (strcmp(is, forms[i].schema) == 0)
            return forms[i].read;
    for (size_t i = 0; is && i < sizeof known / sizeof known[0]; i++)
        if (strcmp(is, known[i].schema) == 0) {
            in->remedy = known[i].remedy;
            sb_json_field_fail(in, "schema", known[i].what);
        }
    snprintf(what, sizeof what, "must be \"%s\"", forms[0].schema);
    sb_json_field_fail(in, "schema", what);
    return NULL;
}

enum sb_status sb_checksummed_read(const char *path, const struct sb_checksummed_form forms[], size_t count,
                                   const char *remedy, void *into, struct sb_error *error, uint64_t *seal)
{
    struct sb_json_field_reader in = {
        .path = path,
        .kind = "evidence",
        .article = "saved evidence",
        .remedy = remedy,
        .error = error,
    };
    FILE *const stream = sealed_open(&in);
    json_t *const top = stream ? sb_json_field_load_stream(&in, stream) : NULL;
    sb_checksummed_reader *const read = top ? sealed_schema(&in, top, forms, count) : NULL;
    uint64_t hash = 0;

    if (read)
        read(&in, top, into);
    json_decref(top);
    if (in.status == SB_OK)
        sealed_check(&in, stream, &hash); /* of what was read, whatever the path leads to by now */
    if (stream)
        fclose(stream);
    if (in.status == SB_OK && seal)
        *seal = hash;
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

enum sb_status sb_checksummed_hold(const char *path, uint64_t seal, struct sb_error *error, int *held)
{
    char is[SEALED_END], should[SEALED_END];
    const ssize_t end = (ssize_t)sealed_say(seal, should);
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
        *held = descriptor;
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
