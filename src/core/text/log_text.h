/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes text from outside safe for a reader, for a terminal and for the log of a CI system. */
#ifndef SB_CORE_TEXT_LOG_TEXT_H
#define SB_CORE_TEXT_LOG_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A text from outside, such as the name of a card or of a file, on its way to a reader. Every format gets such text
 * from sb_log_text_next(); JSON, HTML and SVG, which have escapes for everything, keep the text and escape what
 * sb_utf8_unsafe() and sb_log_text_begins() say. Initialise the struct as { .rest = text, }.
 */
struct sb_log_text {
    const char *rest;      /* the text that is not read yet */
    uint32_t last, before; /* the last code point, and the one before; 0 at the start */
};

/*
 * Returns the next code point, or 0 at the end. Replaces malformed and unsafe code points by U+FFFD, and puts a blank
 * between two colons or two hashes that may begin a command of a CI system.
 */
uint32_t sb_log_text_next(struct sb_log_text *text);

/* Whether `point`, after the code points `last` and `before`, may begin a command of a CI system. */
bool sb_log_text_begins(uint32_t before, uint32_t last, uint32_t point);

/* Writes the text as one line, with the replacements of sb_log_text_next(). Truncates the line to `room` bytes. `line` and
 * `text` must be different arrays. O(length); allocates no memory. */
void sb_sanitize_log_text(const char *text, char line[], size_t room);

#endif
