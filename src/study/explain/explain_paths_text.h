/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The paths of a tree of draws, for text and figures. */
#ifndef SB_STUDY_EXPLAIN_EXPLAIN_PATHS_TEXT_H
#define SB_STUDY_EXPLAIN_EXPLAIN_PATHS_TEXT_H

#include "study/explain/explanation.h"

#include <stdio.h>

/* Returns the draw of a path at this depth; `depth` is below the length of the path. */
const struct sb_explain_draw *sb_path_draw(const struct sb_explain *explain, size_t path, size_t depth);

/* Returns the number of draws, counted from the root, that the two paths have in common. */
size_t sb_path_common(const struct sb_explain *explain, size_t one, size_t other);

/* Returns the number of draws of the longest path. */
size_t sb_path_depth(const struct sb_explain *explain);

/* Writes the path's answers, such as "0,2,1", as far as the answers fit. Like snprintf(), returns the length
 * of the whole text. */
size_t sb_path_answers(const struct sb_explain *explain, size_t path, char text[], size_t room);

/* Writes the answers of all paths that lead to the order with this rank, each path after a blank: " 0,0,1
 * 0,1,0". */
void sb_path_list(const struct sb_explain *explain, size_t rank, FILE *stream);

#endif
