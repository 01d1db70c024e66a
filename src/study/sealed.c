/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that end in a checksum. What was written is read once more for it. Cost: O(1) memory. */
#include "study/sealed.h"

#include "core/error.h"
#include "study/field.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { SEALED_END = 48 }; /* bytes of the end, at most */

/* The end of such a file, after the bytes from its start to where the stream stands then, as `length` says.
 * False where the stream cannot be read. */
static bool sealed_hash(FILE *stream, uint64_t length, char end[SEALED_END])
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    unsigned char bytes[4096];

    if (fseek(stream, 0, SEEK_SET))
        return false;
    while (length > 0) {
        const size_t most = length < sizeof bytes ? (size_t)length : sizeof bytes;
        const size_t got = fread(bytes, 1, most, stream);

        if (got != most)
            return false;
        for (size_t i = 0; i < got; i++)
            hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
        length -= got;
    }
    snprintf(end, SEALED_END, ",\n  \"checksum\": \"%016" PRIx64 "\"\n}\n", hash);
    return true;
}

void sb_sealed_end(FILE *stream)
{
    char end[SEALED_END];
    const long length = fflush(stream) == 0 ? ftell(stream) : -1;

    if (length < 0 || ferror(stream) || !sealed_hash(stream, (uint64_t)length, end) ||
        fseek(stream, 0, SEEK_END))
        return; /* fflush() left its mark on the stream, and what was read back has no end */
    fputs(end, stream);
}

/* Whether the file ends with the hash of all before, to the byte. */
static void sealed_check(struct sb_field_reader *in)
{
    char is[SEALED_END] = "", should[SEALED_END] = "";
    FILE *const stream = fopen(in->path, "rb");
    struct stat there;
    bool well = stream && fstat(fileno(stream), &there) == 0 && sealed_hash(stream, 0, should);
    const size_t end = strlen(should);

    well = well && (uint64_t)there.st_size > end &&
           sealed_hash(stream, (uint64_t)there.st_size - end, should) && fread(is, 1, end, stream) == end;
    if (!well || strcmp(is, should) != 0)
        sb_field_fail(in, "checksum", "is not that of the file, which was edited, cut or damaged");
    if (stream)
        fclose(stream);
}

double sb_sealed_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

enum sb_status sb_sealed_fresh(const char *path, struct sb_error *error)
{
    struct stat there;

    if (lstat(path, &there))
        return SB_OK;
    return sb_error_set(error, SB_INVALID,
                        "'%.200s' is there already: go on from it with --resume, or name another file", path);
}

/* The text of the file, which has to be there; owned by the caller. NULL after a fault. */
static json_t *sealed_load(struct sb_field_reader *in)
{
    if (sb_field_is_there(in))
        return sb_field_load(in);
    if (in->status == SB_OK)
        in->status = sb_error_set(in->error, SB_IO, "cannot read '%.200s': %s", in->path, strerror(ENOENT));
    return NULL;
}

/* Whether its schema is this; else a fault, which says what command reads it if one does. */
static void sealed_schema(struct sb_field_reader *in, const json_t *top, const char *schema)
{
    static const struct {
        const char *schema, *what, *remedy;
    } known[] = {
        { "shufflebias.evidence/1", "is that of a report's evidence", "give it to 'shufflebias report'" },
        { "shufflebias.gate-evidence/1", "is that of a gate's evidence", "give it to 'shufflebias gate'" },
        { "shufflebias.watching/1", "is that of a watch", "give it to 'shufflebias watch --save'" },
    };
    const char *const is = json_string_value(json_object_get(top, "schema"));
    char what[64];

    if (is && strcmp(is, schema) == 0)
        return;
    for (size_t i = 0; is && i < sizeof known / sizeof known[0]; i++)
        if (strcmp(is, known[i].schema) == 0) {
            in->remedy = known[i].remedy;
            sb_field_fail(in, "schema", known[i].what);
        }
    snprintf(what, sizeof what, "must be \"%s\"", schema);
    sb_field_fail(in, "schema", what);
}

enum sb_status sb_sealed_read(const char *path, const char *schema, sb_sealed_reader *read, void *into,
                              struct sb_error *error)
{
    struct sb_field_reader in = {
        .path = path,
        .kind = "evidence",
        .article = "saved evidence",
        .remedy = "restore it, or begin anew with --save",
        .error = error,
    };
    json_t *const top = sealed_load(&in);

    if (top)
        sealed_schema(&in, top, schema);
    if (in.status == SB_OK)
        read(&in, top, into);
    json_decref(top);
    if (in.status == SB_OK)
        sealed_check(&in);
    return in.status;
}
