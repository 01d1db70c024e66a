/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that end in a checksum. What was written is read once more for it. Cost: O(1) memory. */
#include "study/sealed.h"

#include "core/error.h"
#include "study/field.h"

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

void sb_sealed_check(struct sb_field_reader *in)
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
