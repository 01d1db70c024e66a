/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan: how many shuffles it takes to show a bias. A number that is unknown or does not apply is NaN. */
#ifndef SB_STUDY_PLAN_PLAN_RESULT_H
#define SB_STUDY_PLAN_PLAN_RESULT_H

#include "core/evidence.h"
#include "report/result.h"
#include "study/results.h"

enum { SB_PLAN_LINES_MOST = 4 };

struct sb_plan {
    /* names of the scheme, of its shuffle and of its draw; owned; NULL if there is no scheme */
    char *name, *shuffle, *draw;
    const char *title;           /* title of the shuffle; static */
    char engine[SB_ENGINE_ROOM]; /* name of the engine that found the law; empty if there is no scheme */
    bool known;                  /* whether the whole law is known; false if only the matrix is known */
    size_t n, deal;
    size_t cells;  /* number of possible deals, if each can be tallied separately; 0 if there are too many */
    double alpha;  /* the level of every test */
    double power;  /* the requested power */
    double detect; /* the requested total variation; NaN if there is none */
    uint64_t samples; /* the requested number of shuffles; 0 if there is none */
    size_t count;
    struct sb_plan_line line[SB_PLAN_LINES_MOST];
};

extern const struct sb_result_type sb_plan_result;

#endif
