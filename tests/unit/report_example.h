/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reports made by hand, for the tests of the formats. The library's engines and fits compute nothing in
 * them.
 */
#ifndef REPORT_EXAMPLE_H
#define REPORT_EXAMPLE_H

#include "study/report/report_result.h"

enum example {
    /* n = 3, exact and sampled each: naive 4 5 5 5 4 4 of 27 and 27000 shuffles, fisher-yates 1 1 1 1 1 1
       of 6. */
    EXAMPLE_DETAILS,
    /* The same as a report on all shuffles. */
    EXAMPLE_ALL,
    /*
     * One report each, what is rare: [0] an empty deck; [1] deals of 2 of 5, interrupted, 12 of 20 in the
     * table; [2] a matrix alone, 13 items; [3] an exact law beyond 64 bits, n = 2; [4] a name that wants
     * escaping in every format and numbers that do not exist; [5] 9 items, whose counts are not listed.
     */
    EXAMPLE_ODD,
};

/* Owned by the caller, who gives them back with example_free(). Ends the program where there is no memory. */
struct sb_reports *example_new(enum example which);
void example_free(struct sb_reports *reports);

/* What the format of that name writes. Text is plain without `look`. The caller frees it. */
char *example_print(const struct sb_reports *reports, const char *format, const struct sb_look *look);

/* The name of EXAMPLE_ODD's [4]. */
extern const char example_hostile[];

#endif
