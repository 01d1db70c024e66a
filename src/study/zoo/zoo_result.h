/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which test detects which bias. The files zoo*.c of this folder compute and write this result. */
#ifndef SB_STUDY_ZOO_ZOO_RESULT_H
#define SB_STUDY_ZOO_ZOO_RESULT_H

#include "report/result.h"
#include "study/results.h"

/* One shuffle of the zoo. */
struct sb_zoo_row {
    char *name; /* name of the shuffle; owned */
    bool fair;  /* whether the shuffle is fair, so that no test should reject it */
    bool exact; /* whether `needed` comes from the exact law; false: from runs */
    /* [columns]; the number of permutations that each statistic needs to detect the bias. Infinity: no number
     * suffices; NaN: the number exceeds the limit. Owned; NULL if there is a user's test. */
    double *needed;
    /* number of runs of the user's test, and number of those runs in which the test reported no bias */
    size_t runs, passed;
};

/* The zoo. The opaque handle of shufflebias.h points to this struct. */
struct sb_zoo {
    size_t n, deal;
    double alpha;
    uint64_t samples;
    unsigned seeds;
    char *test;          /* command of the user's test; owned; NULL: the zoo runs the statistics */
    size_t columns;      /* number of statistics; 0 if there is a user's test */
    const char **column; /* [columns]; owned; the names of the statistics are static */
    size_t rows;
    struct sb_zoo_row *row; /* [rows]; owned; a fair control comes first */
};

extern const struct sb_result_type sb_zoo_result;

#endif
