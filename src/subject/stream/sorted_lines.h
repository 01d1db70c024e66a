/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recognises lines that are sorted: the numbers of a lottery in ascending order, hole cards with the high card
 * first, a bridge deal whose hands are sorted. Such lines show which items were drawn, but not in which order.
 */
#ifndef SB_SUBJECT_STREAM_SORTED_LINES_H
#define SB_SUBJECT_STREAM_SORTED_LINES_H

#include "core/calls.h"
#include "core/item_names.h"
#include "core/permutation.h"

struct sb_sorted_lines;

/* Begins with no lines. `names` may be NULL. The caller frees *made. SB_NO_MEMORY. */
enum sb_status sb_sorted_lines_new(const struct sb_item_names *names, size_t n, size_t deal,
                                   struct sb_sorted_lines **made);

/* Takes the next lines, items[count * deal]. Cost: a few comparisons for each line, until the lines so far are
 * not sorted; then nothing. */
void sb_sorted_lines_add(struct sb_sorted_lines *sorted, const sb_item items[], size_t count);

/*
 * Checks that chance would sort the lines so far with probability 1e-6 or more. Otherwise the lines do not show
 * the order of the draw, and every test of that order would reject a fair shuffle. `sorted` may be NULL; `name`
 * is the subject's. Error: SB_SUBJECT.
 */
enum sb_status sb_sorted_lines_check(const struct sb_sorted_lines *sorted, const char *name,
                                     struct sb_error *error);

/* Frees the lines; NULL is allowed. */
void sb_sorted_lines_free(struct sb_sorted_lines *sorted);

#endif
