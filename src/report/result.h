/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every command produces one result, of a type that says which parts its results have. A format (formats.c) uses the
 * part that it needs, and adds what all results share, such as the head of a JSON object or the frame of a page. */
#ifndef SB_REPORT_RESULT_H
#define SB_REPORT_RESULT_H

#include "core/core.h"

struct sb_html;
struct sb_json;
struct sb_page;

enum sb_case_end {
    SB_CASE_PASSED,
    SB_CASE_SKIPPED, /* the run could not settle this case; another case says why */
    SB_CASE_FAILED,
    SB_CASE_BROKEN, /* the subject could not be tested */
};

struct sb_case {
    /* name of the group, that is, the subject; the cases of a group are consecutive; borrowed */
    const char *group;
    const char *name; /* name of the case in the group: "verdict" or a statistic; borrowed */
    const char *of;   /* a suffix that makes the name unique; "" if there is none; static */
    enum sb_case_end end;
    const char *kind; /* why the case did not pass, in a word: "fail", "inconclusive"; static */
    char *text;       /* the text, which may have any characters and several lines; owned */
};

struct sb_cases {
    const char *title; /* the title of the list; borrowed; NULL: the program's name */
    size_t count, room;
    struct sb_case *list;  /* [count]; owned */
    enum sb_status status; /* SB_NO_MEMORY after a failure; later calls do not reset the status */
};

/* Adds a case and takes ownership of its text; a NULL text means that memory ran out. */
void sb_cases_add(struct sb_cases *cases, struct sb_case one);

/* A format that only one type of result has. */
struct sb_result_format {
    const char *name;
    enum sb_status (*write)(const void *result, FILE *stream); /* writes the whole result, without flushing */
};

/* A type of result. Results lack the part whose method is NULL, and the formats that need it. A method reports errors
 * through the stream, the page or the cases that it receives. */
struct sb_result_type {
    const char *what;   /* names the result in "cannot write the odds" */
    const char *of;     /* names the results in "unknown format 'x' of odds" */
    const char *schema; /* name of the schema: "shufflebias.odds/1" */
    /* writes a page for people, in text and Markdown, and also in HTML if the method `html` is NULL */
    void (*page)(const void *result, struct sb_page *page);
    void (*html)(const void *result, struct sb_html *html);
    const char *title; /* title of the window, unless `html` sets the title */
    /* writes all members except `schema` and `version`, which come first */
    void (*json)(const void *result, struct sb_json *json);
    void (*csv)(const void *result, FILE *stream);             /* writes a header line, then a line per row */
    void (*cases)(const void *result, struct sb_cases *cases); /* writes the cases for junit and tap */
    /* draws the figure with this name; NULL: the default figure */
    enum sb_status (*svg)(const void *result, const char *figure, FILE *stream);
    /* returns the name of figure `index` of the figures that `svg` can draw; NULL after the last figure */
    const char *(*figure)(size_t index);
    const struct sb_result_format *own; /* [own_count] formats that only this type has */
    size_t own_count;
};

enum { SB_PART_PAGE = 1, SB_PART_HTML = 2, SB_PART_JSON = 4, SB_PART_CSV = 8, SB_PART_CASES = 16, SB_PART_SVG = 32 };

struct sb_format_type {
    const char *name, *title;
    const char *cite; /* citation of the format's definition, or NULL */
    unsigned needs;   /* parts of a result (SB_PART_...), of which the format needs one */
    /* writes the whole result; the caller flushes and checks the stream. SB_IO, SB_NO_MEMORY. */
    enum sb_status (*write)(const struct sb_result_type *type, const void *result, const struct sb_look *look,
                            FILE *stream);
};

extern const struct sb_format_type *const sb_format_types[];
extern const size_t sb_format_types_count;

/* Returns whether results of this type can be written in the format; `format` may be NULL. */
bool sb_result_has(const struct sb_result_type *type, const char *format);

/* List the type's formats, "text, markdown or json", and the figures of the format svg. One of these is "terminal", the
 * text in colours. Longer lists are truncated. */
enum { SB_RESULT_FORMATS_ROOM = 128 };
const char *sb_result_formats(const struct sb_result_type *type, char text[SB_RESULT_FORMATS_ROOM]);
const char *sb_result_figures(const struct sb_result_type *type, char text[SB_RESULT_FORMATS_ROOM]);
bool sb_result_draws(const struct sb_result_type *type, const char *figure);

/* Writes the result and flushes the stream. `look` may be NULL: plain text. SB_INVALID: the result has no such format;
 * SB_IO, SB_NO_MEMORY. */
enum sb_status sb_result_write(const struct sb_result_type *type, const void *result, const char *format,
                               const struct sb_look *look, struct sb_error *error, FILE *stream);

/* Does the same to memory. The caller frees *text with sb_text_free(); `length` may be NULL. SB_INVALID,
 * SB_NO_MEMORY. */
enum sb_status sb_result_text(const struct sb_result_type *type, const void *result, const char *format,
                              const struct sb_look *look, struct sb_error *error, char **text, size_t *length);

/* A writer of JSON without a buffer, so that a matrix of a million cells needs no memory. Inside an object every value
 * has a key; inside an array the key is NULL. The caller finds errors of the stream with ferror(). */

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
/* These write null for a number that is not finite, for NULL, and for an integer that is not known. */
void sb_json_real(struct sb_json *json, const char *key, double value);
void sb_json_string(struct sb_json *json, const char *key, const char *value);
void sb_json_known(struct sb_json *json, const char *key, bool known, uint64_t value);
/* Write an array on one line. */
void sb_json_strings(struct sb_json *json, const char *key, const char *const values[], size_t count);
void sb_json_integers(struct sb_json *json, const char *key, const uint64_t values[], size_t count);
void sb_json_reals(struct sb_json *json, const char *key, const double values[], size_t count);
/* Writes the names of items as the array `items`; of numbers from 0 the integer `base`, and of others nothing. Of sets
 * and hands also writes the sizes of the groups, the array `groups`. */
void sb_json_item_names(struct sb_json *json, const struct sb_item_names *names);
/* Writes a hash as a string of 16 hexadecimal digits, because numbers in JSON may have too few bits. */
void sb_json_hash(struct sb_json *json, const char *key, uint64_t value);
/* Begins a value that the caller writes to the returned stream. */
FILE *sb_json_value(struct sb_json *json, const char *key);

/* Named values in a struct: the members of an object in JSON, or columns of CSV. A list of them ends in a NULL name.
 * SB_MEMBER(struct sb_cost, draws) is the member `draws`, whose kind follows from its type. */
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

/* Writes the members, or nulls if `of` is NULL. */
void sb_json_members(struct sb_json *json, const struct sb_member members[], const void *of);
/* Writes them as an object, or null. */
void sb_json_record(struct sb_json *json, const char *key, const struct sb_member members[], const void *of);
/* Writes the values with commas between. What does not exist is empty. */
__attribute__((nonnull)) void sb_csv_members(const struct sb_member members[], const void *of, FILE *stream);

/* Writes a field, in quotes if necessary, with the replacements of sb_log_text_next(). A text that a spreadsheet would
 * run as a formula begins with an apostrophe; a number stays a number. */
void sb_csv_text(const char *text, FILE *stream);

void sb_text_free(char *text);

#endif
