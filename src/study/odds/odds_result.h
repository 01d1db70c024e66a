/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact odds of given permutations. */
#ifndef SB_STUDY_ODDS_ODDS_RESULT_H
#define SB_STUDY_ODDS_ODDS_RESULT_H

#include "report/result.h"
#include "study/results.h"

/* The result, which owns all memory to which its fields point, except static strings. */
struct sb_odds {
    char *name;               /* normalised name of the scheme: "naive/modulo:15" */
    char *shuffle, *draw;     /* the shuffle and the draw of the scheme; owned */
    const char *title, *cite; /* title and citation of the shuffle; static */
    const char *engine;       /* name of the engine; static */
    size_t n;
    char *denominator;         /* the common denominator of all counts, in decimal digits */
    size_t count;              /* number of permutations */
    struct sb_odds_line *line; /* [count]; the lines' strings are also owned */
};

extern const struct sb_result_type sb_odds_result;

#endif
