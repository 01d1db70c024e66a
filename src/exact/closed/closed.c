/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact laws in closed form: which one, and the evidence around it. Cost: see closed_piles.c, closed_draws.c.
 */
#include "exact/closed/closed.h"

#include "core/error.h"
#include "exact/closed/closed_draws.h"
#include "exact/closed/closed_piles.h"

#include <math.h>

enum sb_status sb_closed_has(const struct sb_law *law, bool *has)
{
    const struct sb_shuffler *const shuffler = law->shuffler;

    *has = sb_piles_has(law);
    return *has || sb_cells(shuffler->n, shuffler->deal) ? SB_OK : sb_draws_has(law, has);
}

bool sb_closed_counts(const struct sb_law *law)
{
    return sb_piles_has(law) && sb_piles_countable(law);
}

static enum sb_status closed_fail(const struct sb_law *law, enum sb_status status, struct sb_error *error)
{
    if (status == SB_NO_MEMORY)
        return sb_error_memory(error, "the exact law");
    return sb_error_set(error, status, "%s: the exact law could not be had in closed form",
                        law->shuffler->shuffle.type->name);
}

enum sb_status sb_closed_law(const struct sb_law *law, struct sb_error *error, struct sb_evidence *evidence)
{
    const struct sb_shuffler *const shuffler = law->shuffler;
    struct sb_evidence made = { .by = SB_BY_EXACT, .n = shuffler->n, .deal = shuffler->deal };
    enum sb_status status = SB_OK;

    if (!sb_closed_counts(law)) {
        mpz_init(made.denominator);
    } else {
        status = sb_evidence_open(SB_BY_EXACT, shuffler->n, shuffler->deal, &made);
        if (status)
            return closed_fail(law, status, error);
        status = sb_piles_counts(law, &made);
    }
    made.engine = "closed form";
    if (status) {
        sb_evidence_close(&made);
        return closed_fail(law, status, error);
    }
    *evidence = made;
    return SB_OK;
}

enum sb_status sb_closed_effect(const struct sb_law *law, struct sb_error *error, struct sb_effect *effect)
{
    const enum sb_status status =
        sb_piles_has(law) ? sb_piles_effect(law, effect) : sb_draws_effect(law, effect);

    return status ? closed_fail(law, status, error) : SB_OK;
}
