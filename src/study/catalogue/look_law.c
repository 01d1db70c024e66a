/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The name by the law: the candidate with the largest likelihood.
 *
 * It must not be 1,000 times less likely than what the statistics that know no shuffle make of the same
 * permutations: E of these over the candidate's ratio is a likelihood ratio against the candidate, so by Ville's
 * inequality the true shuffle is turned down with a probability of at most 1/1000, at any time.
 */
#include "study/catalogue/catalogue_look.h"

#include <math.h>
#include <string.h>

static const double law_ln_against = 6.907755278982137; /* ln 1000 */
static const double law_ln_same = 1e-6; /* a smaller difference is no difference: worths are rounded */

/* Adds all names of a candidate, except the one that is shown. */
static enum sb_status law_also(const struct sb_candidate *candidate, bool own,
                               struct sb_looks_like *looks_like)
{
    enum sb_status status = own ? sb_catalogue_look_also(candidate->name, looks_like) : SB_OK;

    for (size_t i = 0; i < candidate->equivalents && status == SB_OK; i++)
        status = sb_catalogue_look_also(candidate->equivalent[i], looks_like);
    return status;
}

enum sb_status sb_catalogue_look_law(const struct sb_catalogue *catalogue, double ln_e,
                                     struct sb_looks_like *looks_like)
{
    const struct sb_candidate *best = NULL, *next = NULL;
    enum sb_status status;

    for (size_t k = 0; k < catalogue->count; k++)
        if (!best || catalogue->candidate[k].ln_e > best->ln_e)
            best = &catalogue->candidate[k];
    if (!best || best->ln_e <= 0 || best->ln_e < ln_e - law_ln_against)
        return SB_OK;
    status = sb_catalogue_look_named(best->scheme, best->name, looks_like);
    if (status == SB_OK)
        status = law_also(best, false, looks_like);
    for (size_t k = 0; k < catalogue->count && status == SB_OK; k++) {
        const struct sb_candidate *const other = &catalogue->candidate[k];

        if (other == best)
            continue;
        if (other->ln_e >= best->ln_e - law_ln_same)
            status = law_also(other, true, looks_like);
        else if (!isinf(other->ln_e) && (!next || other->ln_e > next->ln_e))
            next = other;
    }
    looks_like->ln_ratio = next ? best->ln_e - next->ln_e : HUGE_VAL;
    looks_like->next = next ? strdup(next->name) : NULL;
    return status || !next || looks_like->next ? status : SB_NO_MEMORY;
}
