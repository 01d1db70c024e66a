/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which engine knows the exact law of a scheme; where none does, its matrix of items by positions. */
#include "core/error.h"
#include "exact/closed/closed.h"
#include "exact/exact_law.h"
#include "exact/position/position.h"
#include "study/study.h"

#include <math.h>

enum {
    ENGINES_FRACTIONS_MOST = 64, /* items whose matrix is had in fractions: digits by the hundred beyond */
    ENGINES_UNASKED_MOST = 200,  /* ... whose matrix is added unasked: milliseconds */
};

/* Nanoseconds of one processor that a law may take unasked. */
static const double engines_unasked_cost = 2e9;

struct sb_law sb_scheme_law(const struct sb_scheme *scheme, const struct sb_shuffler *shuffler,
                            const struct sb_options *options)
{
    return (struct sb_law) {
        .shuffler = shuffler,
        .draw = &scheme->draw,
        .largest = sb_draw_largest(&scheme->draw, scheme->rng.largest),
        .threads = options->threads,
        .stop = options->stop,
        .progress = options->progress,
        .progress_state = options->progress_state,
        .subject = scheme->name,
    };
}

/* Whether the law is to be had, or else the matrix. SB_NO_MEMORY. */
static enum sb_status engines_law(const struct sb_law *law, bool asked, bool *has)
{
    const double cost = sb_law_cost(law);

    *has = cost < HUGE_VAL && (asked || cost <= engines_unasked_cost);
    return isnan(cost) ? SB_NO_MEMORY : SB_OK;
}

/* Whether the matrix can be had, or the law in closed form. SB_NO_MEMORY. */
static enum sb_status engines_other(const struct sb_law *law, bool *has)
{
    *has = sb_position_has(law);
    return *has ? SB_OK : sb_closed_has(law, has);
}

enum sb_status sb_engines_ready(const struct sb_law *law, bool *ready)
{
    const enum sb_status status = engines_law(law, false, ready);

    if (status || *ready || law->shuffler->n > ENGINES_UNASKED_MOST)
        return status;
    return engines_other(law, ready);
}

enum sb_status sb_engines_possible(const struct sb_law *law, bool *possible)
{
    const enum sb_status status = engines_law(law, true, possible);

    return status || *possible ? status : engines_other(law, possible);
}

enum sb_status sb_engines_exact(const struct sb_law *law, bool asked, struct sb_error *error,
                                struct sb_evidence *evidence)
{
    const struct sb_shuffler *const shuffler = law->shuffler;

    const bool matrix = sb_position_has(law);
    enum sb_status status = SB_TOO_LARGE;
    bool has, closed = false;

    if (engines_law(law, asked, &has))
        return sb_error_memory(error, "the exact law");
    if (has)
        return sb_law_exact(law, error, evidence);
    if (matrix)
        status = sb_position_matrix(law, shuffler->n <= ENGINES_FRACTIONS_MOST, error, evidence);
    if (status == SB_TOO_LARGE && sb_closed_has(law, &closed))
        return sb_error_memory(error, "the exact law");
    if (closed) /* then the effects without the matrix */
        return sb_closed_law(law, error, evidence);
    return matrix ? status : sb_law_exact(law, error, evidence); /* or its word on why it cannot */
}
