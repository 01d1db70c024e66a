/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Results for test runners: a list of cases, each with an outcome and a text. JUnit's XML and TAP are two
 * ways to write such a list.
 */
#ifndef SB_REPORT_CI_CASES_H
#define SB_REPORT_CI_CASES_H

#include "report/result.h"

enum sb_case_end {
    SB_CASE_PASSED,
    SB_CASE_SKIPPED, /* the question could not be settled, and another case says why */
    SB_CASE_FAILED,
    SB_CASE_BROKEN, /* nothing is known */
};

struct sb_case {
    const char *group; /* name of the group: a subject, whose cases are consecutive; borrowed */
    const char *name;  /* name within its group: "verdict" or a statistic; borrowed */
    const char *of;    /* a suffix that makes the name unique; "" for none; static */
    enum sb_case_end end;
    const char *kind; /* a word for why it did not pass: "fail", "inconclusive"; static */
    char *text;       /* the text, which may hold anything and have several lines; owned */
};

struct sb_cases {
    size_t count, room;
    struct sb_case *list;  /* [count]; owned */
    enum sb_status status; /* the first failure, SB_NO_MEMORY; it stays set */
};

/* Adds a case and takes ownership of its text; a NULL text means that memory ran out. */
void sb_cases_add(struct sb_cases *cases, struct sb_case one);
void sb_cases_close(struct sb_cases *cases);

/* How many cases there are from list[begin] to the end of its group, and how many of these have the given
 * outcome. */
size_t sb_cases_group(const struct sb_cases *cases, size_t begin);
size_t sb_cases_ended(const struct sb_case list[], size_t count, enum sb_case_end end);

/* Collects the cases of a result and writes their document. SB_NO_MEMORY. */
enum sb_status sb_cases_write(const struct sb_result_type *type, const void *result,
                              void (*document)(const struct sb_cases *cases, FILE *stream), FILE *stream);

#endif
