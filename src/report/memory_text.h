/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text in memory that the library returns to its caller: how the sb_..._text() functions are made of the
 * sb_..._write() functions. */
#ifndef SB_REPORT_MEMORY_TEXT_H
#define SB_REPORT_MEMORY_TEXT_H

#include "core/calls.h"

/* A text in the making. The stream writes to the two other members, so the struct must not move. */
struct sb_memory_text {
    FILE *stream; /* the caller writes here, and does not close the stream */
    char *text;
    size_t length; /* bytes, without the final NUL */
};

/* Opens the stream. After SB_OK the caller must call sb_memory_text_close(). SB_NO_MEMORY. */
enum sb_status sb_memory_text_open(struct sb_memory_text *memory, struct sb_error *error);

/*
 * Closes the stream. `status` says how the writing ended. If the writing was successful and the text is
 * complete, sets *text to the text, which the caller frees with sb_text_free(), and *length, unless NULL, to
 * its length. Otherwise frees the text. Returns `status`, or SB_NO_MEMORY if the stream failed, since a
 * stream in memory fails for no other reason.
 */
enum sb_status sb_memory_text_close(struct sb_memory_text *memory, enum sb_status status,
                                    struct sb_error *error, char **text, size_t *length);

#endif
