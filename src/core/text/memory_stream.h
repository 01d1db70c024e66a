/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text in memory, written through open_memstream(). */
#ifndef SB_CORE_TEXT_MEMORY_STREAM_H
#define SB_CORE_TEXT_MEMORY_STREAM_H

#include <stdbool.h>
#include <stdio.h>

/*
 * Closes the stream and returns whether *text, which open_memstream() has set, is complete. The caller
 * frees *text in any case. fclose() may succeed although memory ran out and the text is truncated or NULL.
 */
static inline bool sb_memory_stream_close(FILE *stream, char *const *text)
{
    const bool whole = !ferror(stream);

    return fclose(stream) == 0 && whole && *text;
}

#endif
