/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text: UTF-8, text from outside, numbers in text, names, and text in memory. */
#ifndef SB_CORE_TEXT_H
#define SB_CORE_TEXT_H

#include <locale.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Code points of UTF-8. */

enum { SB_UTF8_REPLACEMENT = 0xFFFD }; /* takes the place of what is malformed or unsafe */

/* Returns the code point at *text, and advances *text past this code point. At the end of the text, returns 0
 * without advancing. For a byte that is not part of well-formed UTF-8, returns U+FFFD and advances one
 * byte. */
uint32_t sb_utf8_next(const char **text);

/*
 * Whether no reader should get this code point in the text of somebody else: control characters except tab, LF
 * and CR; characters that change the writing direction (Bidi_Control); U+2028 and U+2029, which end lines; U+FFFE
 * and U+FFFF, which XML forbids; and what takes no room and hides text, such as zero-width spaces and joiners and
 * tag characters (Default_Ignorable_Code_Point without the variation selectors, which choose between a plain and a
 * coloured symbol).
 */
bool sb_utf8_unsafe(uint32_t point);

/* Writes a valid code point as up to 4 bytes. Returns the number of bytes. */
size_t sb_utf8_put(uint32_t point, char bytes[4]);

/* Returns the number of columns that the text takes in a terminal: two for a wide character, none for a
 * combining one (width.c). */
size_t sb_utf8_width(const char *text);

/* Makes text from outside safe for a reader, for a terminal and for the log of a CI system. */

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

/* Writes the text as one line, with the replacements of sb_log_text_next(). Truncates the line to `room` bytes. `line`
 * and `text` must be different arrays. O(length); allocates no memory. */
void sb_sanitize_log_text(const char *text, char line[], size_t room);

/* Makes text from another program safe for a reader, for a terminal and for the log of a CI system. */

enum { SB_TITLE_MOST = 200 }; /* the most bytes of a title to show */

/* Returns a safe copy on one line, with the replacements of sb_log_text_next(). If `unicode` is false, the copy is
 * plain ASCII. The caller frees the copy. NULL if memory runs out. */
char *sb_sanitize_page_text(const char *text, bool unicode);

/* Does the same in Unicode. If the copy has more than `most` bytes, it is truncated, and ends in "...". The copy has at
 * most most + 3 bytes. */
char *sb_sanitize_text(const char *text, size_t most);

/*
 * Text with numbers, written and read with a decimal point: 0.5 is "0.5", even if the program that uses the library has
 * chosen a locale with a decimal comma (setlocale(LC_ALL, "de_DE.UTF-8")).
 */

/* Switches this thread to the locale "C" and returns the locale that the thread had. Other threads do not notice. */
locale_t sb_decimal_begin(void);

/* Switches this thread back to the locale that sb_decimal_begin() returned. */
void sb_decimal_end(locale_t before);

/* Does what snprintf() does in the locale "C". */
__attribute__((format(printf, 3, 4))) int sb_decimal_format(char *text, size_t room, const char *format, ...);

/* Does what vsnprintf() does in the locale "C". */
__attribute__((format(printf, 3, 0))) int sb_decimal_format_list(char *text, size_t room, const char *format,
                                                                 va_list arguments);

/* Reads a text that is a number, as strtod() does in the locale "C". Returns false if it is none. */
bool sb_decimal_whole(const char *text, double *number);

/* Returns the number at the start of a text, as strtod() does in the locale "C"; without a number, 0. */
double sb_decimal_read(const char *text);

/* Handles names as people type them: reads numbers, and finds the known names nearest to an unknown name. */

/* Reads a number below 2^64. Returns false if `text` is not such a number in decimal digits. */
bool sb_name_number(const char *text, uint64_t *number);

/* The names nearest to `name` among all names that were passed to sb_name_offer(), in order of distance. */
struct sb_name_nearest {
    const char *name;       /* the unknown name */
    const char *nearest[3]; /* NULL if there are fewer */
    size_t distance[3];
};

void sb_name_offer(struct sb_name_nearest *nearest, const char *known);

/* Writes "; did you mean a, b or c?", or "" if no name is near, in at most `room` bytes; returns `text`. */
char *sb_name_suggest(const struct sb_name_nearest *nearest, char text[], size_t room);

/* Text in memory, written through a stream. */

/*
 * Opens a stream like POSIX's open_memstream(): its text is in *text, and its length in *length, once it is
 * closed with sb_memory_stream_close(), and not before. If memory runs out while the stream is written,
 * sb_memory_stream_close() says so. glibc's own streams lose the text of that one write and say nothing if the next
 * write finds memory again. Returns NULL if memory runs out. Sets *text to NULL.
 */
FILE *sb_memory_stream_open(char **text, size_t *length);

/* Closes the stream, which may be NULL, and returns whether *text is complete. The caller frees *text in any case. */
bool sb_memory_stream_close(FILE *stream, char *const *text);

/* Returns whether a word means itself in a shell, that is, needs no quotation marks. */
bool sb_shell_plain(const char *word);

#endif
