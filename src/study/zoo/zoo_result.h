/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which test detects which bias: collected in study/zoo*.c, written in report/. */
#ifndef SB_STUDY_ZOO_ZOO_RESULT_H
#define SB_STUDY_ZOO_ZOO_RESULT_H

#include "report/result.h"
#include "shufflebias.h"

/* One shuffle of the zoo. */
struct sb_zoo_row {
    char *name; /* name of the shuffle; owned */
    bool fair;  /* whether this is a control, which no test should reject */
    bool exact; /* whether the numbers come from the law and not from runs */
    /* [columns] permutations that each statistic needs; infinite: no number suffices; NaN: more than the
     * limit; owned; NULL with a user's test. */
    double *needed;
    size_t runs, passed; /* runs of the user's test, and runs that passed it */
};

/* The zoo. The opaque handle of shufflebias.h points to this struct. */
struct sb_zoo {
    size_t n, deal;
    double alpha;
    uint64_t samples;
    unsigned seeds;
    char *test;          /* command of the user's test; owned; NULL: the statistics are tested */
    size_t columns;      /* 0 with a test */
    const char **column; /* [columns] names of statistics, static; owned */
    size_t rows;
    struct sb_zoo_row *row; /* [rows] the fair ones first; owned */
};

extern const struct sb_result_type sb_zoo_result;

#endif
