/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tree of draws of a law of few items, for a figure. The paths of the tree and the resulting orders come
 * from an explanation. Cost: one run of the shuffle for each path.
 */
#include "exact/tree.h"
#include "study/explain/explain.h"
#include "study/report/report_parts.h"
#include "study/results.h"

#include <stdlib.h>

enum sb_status sb_report_tree(const struct sb_law *law, const struct sb_evidence *evidence,
                              struct sb_explain **tree)
{
    *tree = NULL;
    if (evidence->n > SB_EXPLAIN_FIGURE_ITEMS || !sb_numbers_whole(&evidence->counts) ||
        sb_tree_leaves(law) > SB_EXPLAIN_FIGURE_PATHS)
        return SB_OK;
    struct sb_explain *const made = calloc(1, sizeof *made);

    if (!made)
        return SB_NO_MEMORY;
    made->n = evidence->n;
    made->deal = evidence->deal;
    enum sb_status status = sb_explain_paths(law, made);
    if (status == SB_OK)
        status = sb_explain_orders(law, evidence, made);
    if (status == SB_OK && made->draws_count && made->paths_count <= SB_EXPLAIN_FIGURE_PATHS)
        *tree = made;
    else
        sb_explain_free(made);
    return status;
}
