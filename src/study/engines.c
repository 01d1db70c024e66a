/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which engine knows the exact law of a scheme; where none does, its matrix of items by positions. */
#include "engine/closed.h"
#include "engine/exact_law.h"
#include "engine/position.h"
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

/* Whether the law is to be had, or else the matrix. */
static bool engines_law(const struct sb_law *law, bool asked)
{
    const double cost = sb_law_cost(law);

    return cost < HUGE_VAL && (asked || cost <= engines_unasked_cost);
}

bool sb_engines_ready(const struct sb_law *law)
{
    return engines_law(law, false) ||
           (law->shuffler->n <= ENGINES_UNASKED_MOST && (sb_position_has(law) || sb_closed_has(law)));
}

bool sb_engines_possible(const struct sb_law *law)
{
    return engines_law(law, true) || sb_position_has(law) || sb_closed_has(law);
}

enum sb_status sb_engines_exact(const struct sb_law *law, bool asked, struct sb_error *error,
                                struct sb_evidence *evidence)
{
    const struct sb_shuffler *const shuffler = law->shuffler;

    const bool matrix = sb_position_has(law);
    enum sb_status status = SB_TOO_LARGE;

    if (engines_law(law, asked))
        return sb_law_exact(law, error, evidence);
    if (matrix)
        status = sb_position_matrix(law, shuffler->n <= ENGINES_FRACTIONS_MOST, error, evidence);
    if (status == SB_TOO_LARGE && sb_closed_has(law)) /* then the effects without the matrix */
        return sb_closed_law(law, error, evidence);
    return matrix ? status : sb_law_exact(law, error, evidence); /* or its word on why it cannot */
}
