/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which engine has an exact law soonest, by their own estimates of the cost. */
#include "exact/exact_law.h"

#include "core/error.h"
#include "exact/closed/closed.h"
#include "exact/convolve/convolve.h"
#include "exact/tree.h"

#include <math.h>

double sb_law_cost(const struct sb_law *law)
{
    if (sb_closed_counts(law))
        return 0;
    const double tree = sb_tree_cost(law), convolve = sb_convolve_cost(law);

    return isnan(tree) || isnan(convolve) ? NAN : fmin(tree, convolve);
}

enum sb_status sb_law_exact(const struct sb_law *law, struct sb_error *error, struct sb_evidence *evidence)
{
    if (sb_closed_counts(law))
        return sb_closed_law(law, error, evidence);
    const double tree = sb_tree_cost(law), convolve = sb_convolve_cost(law);

    if (isnan(tree) || isnan(convolve))
        return sb_error_memory(error, "the exact law");
    if (convolve < HUGE_VAL && convolve <= tree)
        return sb_convolve_law(law, error, evidence);
    return sb_tree_law(law, error, evidence); /* or its word on why it cannot */
}
