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
#include "core/core.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

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

/* Defines the two functions of shufflebias.h that write a result: sb_odds_write() and sb_odds_text(). */
#define SB_RESULT_FUNCTIONS(name, handle, type)                                                              \
    enum sb_status name##_write(const struct handle *result, const char *format, const struct sb_look *look, \
                                struct sb_error *error, FILE *stream)                                        \
    {                                                                                                        \
        return sb_result_write(&(type), result, format, look, error, stream);                                \
    }                                                                                                        \
    enum sb_status name##_text(const struct handle *result, const char *format, const struct sb_look *look,  \
                               struct sb_error *error, char **text, size_t *length)                          \
    {                                                                                                        \
        return sb_result_text(&(type), result, format, look, error, text, length);                           \
    }

/*
 * A writer of JSON without a buffer, so that a matrix of a million cells needs no memory. Inside an object
 * every value has a key; inside an array the key is NULL. The caller finds errors of the stream with
 * ferror().
 */

enum { SB_JSON_DEPTH_MOST = 16 };

struct sb_json {
    FILE *stream;
    unsigned depth;                  /* number of open objects and arrays */
    bool full;                       /* whether the innermost object or array already has a member */
    bool flat[SB_JSON_DEPTH_MOST];   /* by depth: whether all members are on one line */
    char closer[SB_JSON_DEPTH_MOST]; /* by depth: the closing byte, '}' or ']' */
};

void sb_json_object(struct sb_json *json, const char *key);
void sb_json_array(struct sb_json *json, const char *key, bool flat);
void sb_json_close(struct sb_json *json);

void sb_json_null(struct sb_json *json, const char *key);
void sb_json_bool(struct sb_json *json, const char *key, bool value);
void sb_json_integer(struct sb_json *json, const char *key, uint64_t value);
/* Writes a number; writes null for a number that is not finite. */
void sb_json_real(struct sb_json *json, const char *key, double value);
/* Writes a string; writes null for NULL. Escapes the characters that JSON forbids, and replaces malformed
 * UTF-8. */
void sb_json_string(struct sb_json *json, const char *key, const char *value);
/* Writes an integer; writes null unless it is known. */
void sb_json_known(struct sb_json *json, const char *key, bool known, uint64_t value);
/* Writes an array on one line. */
void sb_json_strings(struct sb_json *json, const char *key, const char *const values[], size_t count);
void sb_json_integers(struct sb_json *json, const char *key, const uint64_t values[], size_t count);
void sb_json_reals(struct sb_json *json, const char *key, const double values[], size_t count);
/* Writes the names of items as the array `items`. If items are numbers from 0, writes the integer `base` instead.
 * Writes nothing if items are numbers from 1. */
void sb_json_item_names(struct sb_json *json, const struct sb_item_names *names);
/* Writes a hash as a string of 16 hexadecimal digits, because numbers in JSON may have too few bits. */
void sb_json_hash(struct sb_json *json, const char *key, uint64_t value);
/* Begins a value that the caller writes to the returned stream. */
FILE *sb_json_value(struct sb_json *json, const char *key);

/*
 * Named values in a struct: the members of an object in JSON, or columns of CSV. A list of them ends in a NULL name.
 * SB_MEMBER(struct sb_cost, draws) is the member `draws`, whose kind follows from its type.
 */
struct sb_member {
    const char *name;
    enum sb_member_kind {
        SB_MEMBER_TEXT,  /* a pointer to text */
        SB_MEMBER_CHARS, /* an array of text; SB_MEMBER_TEXT + 1 */
        SB_MEMBER_BOOL,
        SB_MEMBER_REAL,
        SB_MEMBER_32,
        SB_MEMBER_64 /* SB_MEMBER_32 + 1 */
    } kind;
    size_t at;
};
/* clang-format off */
#define SB_MEMBER_KIND(member)                                           \
    _Generic(member,                                                     \
        char *: SB_MEMBER_TEXT + (sizeof(member) > sizeof(char *)),      \
        const char *: SB_MEMBER_TEXT,                                    \
        bool: SB_MEMBER_BOOL,                                            \
        double: SB_MEMBER_REAL,                                          \
        unsigned: SB_MEMBER_32,                                          \
        unsigned long: SB_MEMBER_32 + (sizeof(long) > sizeof(unsigned)), \
        unsigned long long: SB_MEMBER_64)
/* clang-format on */
#define SB_MEMBER_OF(type, field, name)                                            \
    {                                                                              \
        name, SB_MEMBER_KIND(((type *)sizeof(type))->field), offsetof(type, field) \
    }
#define SB_MEMBER(type, field) SB_MEMBER_OF(type, field, #field)

void sb_json_members(struct sb_json *json, const struct sb_member members[], const void *of);
/* Writes the same as an object. */
void sb_json_record(struct sb_json *json, const char *key, const struct sb_member members[], const void *of);
/* Writes the values with commas between. What does not exist is empty. */
void sb_csv_members(const struct sb_member members[], const void *of, FILE *stream);

/* Writes a field, in quotes if necessary, with the replacements of sb_log_text_next(). A text that a spreadsheet would
 * run as a formula begins with an apostrophe; a number stays a number. */
void sb_csv_text(const char *text, FILE *stream);

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
