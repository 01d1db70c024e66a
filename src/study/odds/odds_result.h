/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact odds of given permutations. */
#ifndef SB_STUDY_ODDS_ODDS_RESULT_H
#define SB_STUDY_ODDS_ODDS_RESULT_H

#include "report/result.h"
#include "shufflebias.h"

/* The result owns everything that it points to. */
struct sb_odds {
    char *name;               /* the scheme, normalised: "naive/modulo:15" */
    char *shuffle, *draw;     /* the shuffle and the draw of the scheme; owned */
    const char *title, *cite; /* title and citation of the shuffle; static */
    const char *engine;       /* name of the engine; static */
    size_t n;
    char *denominator;         /* the denominator of all counts, in decimal digits */
    size_t count;              /* number of permutations */
    struct sb_odds_line *line; /* [count]; the strings in it are owned, too */
};

extern const struct sb_result_type sb_odds_result;

#endif
