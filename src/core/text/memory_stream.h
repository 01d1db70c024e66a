/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text in memory, written through a stream. */
#ifndef SB_CORE_TEXT_MEMORY_STREAM_H
#define SB_CORE_TEXT_MEMORY_STREAM_H

#include <stdbool.h>
#include <stdio.h>

/*
 * Opens a stream like POSIX's open_memstream(): its text is in *text, and its length in *length, once it is
 * closed with sb_memory_stream_close(), and not before. If memory runs out while the stream is written,
 * sb_memory_stream_close() says so. glibc's own streams lose the text of that one write and say nothing if the next
 * write finds memory again. Returns NULL if memory runs out. Sets *text to NULL.
 */
FILE *sb_memory_stream_open(char **text, size_t *length);

/* Closes the stream, which may be NULL, and returns whether *text is complete. The caller frees *text in any case. */
bool sb_memory_stream_close(FILE *stream, char *const *text);

#endif
