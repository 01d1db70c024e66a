/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The law of one statistic under a fair shuffle. */
#ifndef SB_STUDY_LAW_NULL_LAW_H
#define SB_STUDY_LAW_NULL_LAW_H

#include "core/item_names.h"
#include "report/result.h"
#include "statistic/statistic.h"
#include "study/results.h"

/* The opaque handle of shufflebias.h points to this struct. */
struct sb_null_law {
    const char *each; /* noun for what `member` selects; NULL stands for "item"; static */
    /* name, title and citation of the statistic, and how its law is computed; static */
    const char *statistic, *title, *cite, *obtained;
    size_t n, deal;
    /* index of the statistic's member (one law per item, for example), and number of members */
    size_t member, members;
    double mean, variance;   /* mean and variance of the statistic; NaN if its values are not numbers */
    size_t count;            /* number of cells that can occur */
    struct sb_window window; /* the values of the cells, if the values are numbers */
    size_t *cell;            /* [count] indexes of the cells that can occur, increasing; owned */
    double *ln_p;            /* [count] ln of the probability of each cell that can occur; owned */
    /* Writes the label of a cell, as in sb_statistic_type. NULL if the values of the cells are numbers. */
    void (*label)(const struct sb_item_names *names, size_t n, size_t k, size_t member, size_t cell,
                  char text[SB_NOTATION_ROOM]);
    const struct sb_statistic_equal *equal; /* for a deck with equal items; static; NULL: all items differ */
    struct sb_item_names *names;            /* what the items are called; owned; NULL: numbers from 1 */
};

/* Returns whether the cells have labels, and not values that are numbers. */
bool sb_null_law_labelled(const struct sb_null_law *law);

/* Writes the label of cell `index` for people. Returns `text`. */
char *sb_null_law_label(const struct sb_null_law *law, size_t index, char text[SB_NOTATION_ROOM]);

extern const struct sb_result_type sb_null_law_result;

#endif
