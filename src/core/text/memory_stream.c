/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A stream into memory as a stream of its own, with fopencookie() of glibc and musl, which knows of each write that fails.
 * Other systems use their open_memstream().
 */
#define _GNU_SOURCE /* fopencookie() */

#include "core/text/memory_stream.h"

#include <stdlib.h>
#include <string.h>

#if SB_HAS_FOPENCOOKIE

struct memory_stream {
    char **text;
    size_t *length;
    char *bytes;          /* [room]; NULL before the first write */
    size_t written, room; /* there is always room for a 0 after the bytes that are written */
    bool failed;          /* whether a write has failed */
};

/* Makes room for `more` bytes and a 0. */
static bool memory_stream_grow(struct memory_stream *memory, size_t more)
{
    if (memory->room - memory->written > more)
        return true;
    const size_t room = 2 * memory->room + more + 1;
    char *const bytes = realloc(memory->bytes, room);

    if (!bytes)
        return false;
    memory->bytes = bytes;
    memory->room = room;
    return true;
}

static ssize_t memory_stream_write(void *cookie, const char *bytes, size_t count)
{
    struct memory_stream *const memory = cookie;

    if (!memory_stream_grow(memory, count)) {
        memory->failed = true;
        return 0; /* which marks a stream of glibc, but not one of musl */
    }
    memcpy(memory->bytes + memory->written, bytes, count);
    memory->written += count;
    return (ssize_t)count;
}

static int memory_stream_end(void *cookie)
{
    struct memory_stream *const memory = cookie;
    const bool failed = memory->failed;

    if (memory_stream_grow(memory, 0))
        memory->bytes[memory->written] = '\0';
    else
        memory->written = 0;
    *memory->text = memory->bytes;
    *memory->length = memory->written;
    free(memory);
    return failed ? EOF : 0;
}

FILE *sb_memory_stream_open(char **text, size_t *length)
{
    const cookie_io_functions_t calls = { .write = memory_stream_write, .close = memory_stream_end };
    struct memory_stream *const memory = malloc(sizeof *memory);

    *text = NULL;
    if (!memory)
        return NULL;
    *memory = (struct memory_stream) { .text = text };
    memory->length = length;
    FILE *const stream = fopencookie(memory, "w", calls);

    if (!stream)
        free(memory);
    return stream;
}

#else

FILE *sb_memory_stream_open(char **text, size_t *length)
{
    *text = NULL;
    return open_memstream(text, length);
}

#endif

bool sb_memory_stream_close(FILE *stream, char *const *text)
{
    if (!stream)
        return false;
    const bool failed = ferror(stream);

    return fclose(stream) == 0 && !failed && *text;
}
