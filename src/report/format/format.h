/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formats: ways to write any result. A format is a constant of the type below, in a file of its own or in that of a format
 * like it. A format never computes results. */
#ifndef SB_REPORT_FORMAT_FORMAT_H
#define SB_REPORT_FORMAT_FORMAT_H

#include "report/result.h"

enum {
    SB_PART_PAGE = 1,
    SB_PART_HTML = 2,
    SB_PART_JSON = 4,
    SB_PART_CSV = 8,
    SB_PART_CASES = 16,
    SB_PART_SVG = 32
};

struct sb_format_type {
    const char *name, *title;
    const char *cite; /* citation of the format's definition, or NULL */
    unsigned needs;   /* parts of a result (SB_PART_...), of which the format needs one */
    /* Writes the whole result; the caller flushes and checks the stream. Errors: SB_IO if the stream failed,
     * SB_NO_MEMORY. */
    enum sb_status (*write)(const struct sb_result_type *type, const void *result, const struct sb_look *look,
                            FILE *stream);
};

extern const struct sb_format_type *const sb_format_types[];
extern const size_t sb_format_types_count;

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

/* Returns the number of cases in the group of list[begin], without the cases before list[begin]. */
size_t sb_cases_group(const struct sb_cases *cases, size_t begin);
/* Returns the number of cases in list[0..count-1] with the outcome `end`. */
size_t sb_cases_ended(const struct sb_case list[], size_t count, enum sb_case_end end);

/* Collects the cases of a result in a list, and calls `document`, which writes the list. Error:
 * SB_NO_MEMORY. */
enum sb_status sb_cases_write(const struct sb_result_type *type, const void *result,
                              void (*document)(const struct sb_cases *cases, FILE *stream), FILE *stream);

#endif
