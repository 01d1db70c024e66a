/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exact laws in closed form, by formulas instead of enumeration. For decks of 52 cards and more, this engine
 * gives effects, but not the probability of each deal. There are two forms. The first is riffles and sorts by
 * keys (closed_piles.c). The second is shuffles whose draws map one to one onto deals (closed_draws.c). These
 * two files state the costs.
 */
#include "core/core.h"
#include "exact/closed/closed_draws.h"
#include "exact/closed/closed_piles.h"
#include "exact/engine.h"

#include <math.h>

/* The cost of the law is negligible. Finding out whether the law has a closed form costs a few shuffles. */
static double closed_cost(const struct sb_law *law, enum sb_engine_task task)
{
    const struct sb_shuffler *const shuffler = law->shuffler;
    bool has = sb_piles_has(law);

    if (task == SB_TASK_LAW)
        return has && sb_piles_countable(law) ? 0 : HUGE_VAL;
    if (task != SB_TASK_EFFECT || (has && shuffler->deal < shuffler->n))
        return HUGE_VAL; /* sb_piles_effect() is for whole permutations */
    if (!has && sb_draws_has(law, &has))
        return NAN;
    return has ? 0 : HUGE_VAL;
}

static enum sb_status closed_fail(const struct sb_law *law, enum sb_status status, struct sb_error *error)
{
    if (status == SB_NO_MEMORY)
        return sb_error_memory(error, "the exact law");
    return sb_error_set(error, status, "%s: the exact law could not be had in closed form",
                        law->shuffler->shuffle.type->name);
}

static enum sb_status closed_law(const struct sb_law *law, struct sb_error *error,
                                 struct sb_evidence *evidence)
{
    struct sb_evidence made = { 0 };
    enum sb_status status = sb_evidence_open(SB_BY_EXACT, law->shuffler->n, law->shuffler->deal, &made);

    if (status == SB_OK)
        status = sb_piles_counts(law, &made);
    if (status) {
        sb_evidence_close(&made);
        return closed_fail(law, status, error);
    }
    *evidence = made;
    return SB_OK;
}

static enum sb_status closed_effect(const struct sb_law *law, struct sb_error *error,
                                    struct sb_effect *effect)
{
    const enum sb_status status =
        sb_piles_has(law) ? sb_piles_effect(law, effect) : sb_draws_effect(law, effect);

    return status ? closed_fail(law, status, error) : SB_OK;
}

const struct sb_engine_type sb_engine_closed = {
    .name = "closed form",
    .cost = closed_cost,
    .law = closed_law,
    .effect = closed_effect,
};
