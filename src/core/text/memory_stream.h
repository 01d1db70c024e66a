/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text of a stream in memory, from open_memstream(). */
#ifndef SB_CORE_TEXT_MEMORY_STREAM_H
#define SB_CORE_TEXT_MEMORY_STREAM_H

#include <stdbool.h>
#include <stdio.h>

/*
 * Closes the stream; whether *text, where open_memstream() was told to put it, is there and whole. It is to
 * be freed in any case. fclose() alone may succeed where the text was cut, or is NULL, for want of memory.
 */
static inline bool sb_memory_stream_close(FILE *stream, char *const *text)
{
    const bool whole = !ferror(stream);

    return fclose(stream) == 0 && whole && *text;
}

#endif
