/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of the verdict of a report in words (study/sentence.h). */
#ifndef SB_STUDY_SENTENCE_PARTS_H
#define SB_STUDY_SENTENCE_PARTS_H

#include "study/sentence.h"

enum {
    SB_SENTENCE_NAMES = 4
}; /* at most this many deals are named; a sentence says how many others there are */

/* Adds a list of deals: "132, 213 and 231", or "1234 and 11 others". ranks[count] are the first of `total` deals. */
void sb_sentence_deals(struct sb_sentence *s, const struct sb_evidence *evidence, const size_t ranks[],
                       size_t count, size_t total);

/* A probability beside its fair share: the excess is accurate near 0, and the ratio is accurate if it is small. */
struct sb_sentence_size {
    double excess, ratio;
};

static inline struct sb_sentence_size sb_sentence_excess(double excess)
{
    return (struct sb_sentence_size) { excess, 1 + excess };
}

/* How the text of a number is rounded; down, so that a lower bound stays one. */
enum sb_sentence_rounding { SB_SENTENCE_NEAREST, SB_SENTENCE_DOWN };

/*
 * Adds an amount: " 11% too often", " 11% to 50% too rarely", " 2.25 times as often as they should". `near`
 * and `far` are nearest to the fair share and farthest from the fair share, on the same side. After "at least", amounts
 * are rounded down.
 */
void sb_sentence_amount(struct sb_sentence *s, struct sb_sentence_size near, struct sb_sentence_size far,
                        size_t total, enum sb_sentence_rounding rounding);

/* Adds which deals of a sample come up too often or too rarely, by their intervals. Returns false if none does. */
bool sb_sentence_sampled_deals(struct sb_sentence *s, const struct sb_report *report);

/* A cell of the matrix, and its excess over the fair share; for a sample, that of the end of the cell's interval that
 * is nearer to the fair share. */
struct sb_sentence_place {
    size_t cell;
    double excess;
};

/* Finds the cell of a sampled matrix that is farthest from its fair share, among the cells whose interval excludes it.
 * Returns false if there is none. */
bool sb_sentence_sampled_place(const struct sb_report *report, struct sb_sentence_place *place);

#endif
