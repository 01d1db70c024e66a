/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every command produces one result. The program writes a result in one or more formats. Each type of result
 * declares which parts its results have. A format (report/format/) uses the part that it needs, and adds what
 * all results share, such as the head of a JSON object or the frame of a page. So a new format for all
 * results needs only one new file, and a new type of result needs only one new descriptor.
 */
#ifndef SB_REPORT_RESULT_H
#define SB_REPORT_RESULT_H

#include "core/calls.h"

struct sb_cases;
struct sb_html;
struct sb_json;
struct sb_page;

/* A format that only one type of result has. */
struct sb_result_format {
    const char *name;
    enum sb_status (*write)(const void *result, FILE *stream); /* writes the whole result, without flushing */
};

/* A type of result. Each method is for one part of a result. If a method is NULL, the results lack the part,
 * and cannot be written in the formats that need the part. A method reports errors through the stream, the
 * page or the cases that it receives. */
struct sb_result_type {
    const char *what;   /* names the result in "cannot write the odds" */
    const char *of;     /* names the results in "unknown format 'x' of odds" */
    const char *schema; /* name of the schema: "shufflebias.odds/1" */
    void (*page)(const void *result,
                 /* writes a page for people, in the formats text and markdown, and also in html if the method
                  * `html` is NULL */
                 struct sb_page *page);
    /* writes the page for browsers, in the format html */
    void (*html)(const void *result, struct sb_html *html);
    const char *title; /* title of the window, unless `html` sets the title */
    /* writes all members except `schema` and `version`, which come first */
    void (*json)(const void *result, struct sb_json *json);
    void (*csv)(const void *result, FILE *stream);             /* writes a header line, then a line per row */
    void (*cases)(const void *result, struct sb_cases *cases); /* writes the cases for junit and tap */
    enum sb_status (*svg)(const void *result, const char *figure,
                          FILE *stream); /* draws the figure with this name; NULL: the default figure */
    /* returns the name of figure `index` of the figures that `svg` can draw; NULL after the last figure */
    const char *(*figure)(size_t index);
    const struct sb_result_format *own; /* [own_count] formats that only this type has */
    size_t own_count;
};

/* Returns whether results of this type can be written in the format; `format` may be NULL. */
bool sb_result_has(const struct sb_result_type *type, const char *format);

/* Lists the names of the type's formats: "text, markdown or json". Longer lists are truncated. */
enum { SB_RESULT_FORMATS_ROOM = 128 };
const char *sb_result_formats(const struct sb_result_type *type, char text[SB_RESULT_FORMATS_ROOM]);

/* Lists the figures of the format svg: the figures of the type, and "terminal", which is the text in
 * colours. */
const char *sb_result_figures(const struct sb_result_type *type, char text[SB_RESULT_FORMATS_ROOM]);
bool sb_result_draws(const struct sb_result_type *type, const char *figure);

/* Writes the result and flushes the stream. `look` may be NULL, which means plain text. Errors: SB_INVALID if
 * the result has no such format, SB_IO, SB_NO_MEMORY. */
enum sb_status sb_result_write(const struct sb_result_type *type, const void *result, const char *format,
                               const struct sb_look *look, struct sb_error *error, FILE *stream);

/* Writes the result to memory, as sb_result_write() does to a stream. The caller frees *text with
 * sb_text_free(); `length` may be NULL. Errors: SB_INVALID, SB_NO_MEMORY. */
enum sb_status sb_result_text(const struct sb_result_type *type, const void *result, const char *format,
                              const struct sb_look *look, struct sb_error *error, char **text,
                              size_t *length);

/* Returns whether `format` is a format that sb_reports_write() can write. */
bool sb_format_known(const char *format);

void sb_text_free(char *text);

#endif
