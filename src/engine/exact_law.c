/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which engine has an exact law soonest, by their own estimates of the cost. */
#include "engine/exact_law.h"

#include "engine/closed.h"
#include "engine/convolve.h"
#include "engine/tree.h"

#include <math.h>

double sb_law_cost(const struct sb_law *law)
{
    return sb_closed_counts(law) ? 0 : fmin(sb_tree_cost(law), sb_convolve_cost(law));
}

enum sb_status sb_law_exact(const struct sb_law *law, struct sb_error *error, struct sb_evidence *evidence)
{
    const double convolve = sb_convolve_cost(law);

    if (sb_closed_counts(law))
        return sb_closed_law(law, error, evidence);
    if (convolve < HUGE_VAL && convolve <= sb_tree_cost(law))
        return sb_convolve_law(law, error, evidence);
    return sb_tree_law(law, error, evidence); /* or its word on why it cannot */
}
