/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which engine knows the exact law of a scheme; where none does, its matrix of items by positions. */
#include "engine/position.h"
#include "engine/tree.h"
#include "study/study.h"

enum {
    ENGINES_FRACTIONS_MOST = 64, /* items whose matrix is had in fractions: digits by the hundred beyond */
    ENGINES_UNASKED_MOST = 200,  /* ... whose matrix is added unasked: milliseconds */
};

static bool engines_tree(const struct sb_law *law)
{
    return sb_cells(law->shuffler->n, law->shuffler->deal) && sb_tree_leaves(law) <= SB_LEAVES_MOST;
}

bool sb_engines_ready(const struct sb_law *law)
{
    return engines_tree(law) ||
           (law->shuffler->shuffle.type->plan && law->shuffler->n <= ENGINES_UNASKED_MOST);
}

enum sb_status sb_engines_exact(const struct sb_law *law, struct sb_error *error,
                                struct sb_evidence *evidence)
{
    const struct sb_shuffler *const shuffler = law->shuffler;

    if (shuffler->shuffle.type->plan && !engines_tree(law))
        return sb_position_matrix(law, shuffler->n <= ENGINES_FRACTIONS_MOST, error, evidence);
    return sb_tree_law(law, error, evidence);
}
