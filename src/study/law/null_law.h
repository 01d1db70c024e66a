/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The law of one statistic under a fair shuffle. */
#ifndef SB_STUDY_LAW_NULL_LAW_H
#define SB_STUDY_LAW_NULL_LAW_H

#include "core/permutation.h"
#include "report/result.h"
#include "shufflebias.h"
#include "statistic/window.h"

/* The opaque handle of shufflebias.h. */
struct sb_null_law {
    const char *each;                                /* what has a member; NULL: an item; static */
    const char *statistic, *title, *cite, *obtained; /* of the statistic; static */
    size_t n, deal;
    size_t member, members;  /* which, from 0, of how many */
    double mean, variance;   /* of the cells; NaN if they are not numbers */
    size_t count;            /* cells that can occur */
    struct sb_window window; /* the values of the cells, unless they are not numbers */
    size_t *cell;            /* [count] rising; owned */
    double *ln_p;            /* [count] owned */
    /* The label of a cell that is not a number, as in sb_statistic_type; else NULL. */
    void (*label)(size_t n, size_t k, size_t member, size_t cell, char text[SB_NOTATION_ROOM]);
};

/* Writes the label of the index-th cell for people. Returns `text`. */
char *sb_null_law_label(const struct sb_null_law *law, size_t index, char text[SB_NOTATION_ROOM]);

extern const struct sb_result_type sb_null_law_result;

#endif
