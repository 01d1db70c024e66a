/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the name, and its cause and fix.
 *
 * A law of whole decks may happen to fit a shuffle that the catalogue knows only by its matrix: the naive swap of
 * 52 cards has about as many descents as a sort by keys of a few bits. So a name by the positions replaces a name
 * by such a law if the positions alone are e^7 times as likely as the law makes the decks.
 */
#include "study/catalogue/catalogue_look.h"

#include "core/error.h"
#include "fit/sequential/e_process.h"
#include "study/catalogue/catalogue_build.h"
#include "subject/scheme.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double look_ln_better = 7;

static const char look_draw_cause[] =
    "The number of random words is no multiple of the number of answers, so some answers have one word more "
    "than others. The fewer bits a word has, the more this matters.";
static const char look_draw_fix[] = "span = number of words - number of words mod k\n"
                                    "repeat\n"
                                    "    u = next word\n"
                                    "until u < span\n"
                                    "draw(k) = u mod k\n";

enum sb_status sb_catalogue_look_also(const char *name, struct sb_looks_like *looks_like)
{
    char **const equivalent =
        realloc(looks_like->equivalent, (looks_like->equivalents + 1) * sizeof *equivalent);

    if (!equivalent)
        return SB_NO_MEMORY;
    looks_like->equivalent = equivalent;
    equivalent[looks_like->equivalents] = strdup(name);
    return equivalent[looks_like->equivalents++] ? SB_OK : SB_NO_MEMORY;
}

/* The fair shuffle of the registry, whose pseudocode is the fix. */
static const struct sb_shuffle_type *look_fair(void)
{
    for (size_t i = 0; i < sb_shuffle_types_count; i++)
        if (strcmp(sb_shuffle_types[i]->name, "fisher-yates") == 0)
            return sb_shuffle_types[i];
    return sb_shuffle_types[0];
}

enum sb_status sb_catalogue_look_named(const char *scheme, const char *name, struct sb_looks_like *looks_like)
{
    struct sb_scheme parsed;
    struct sb_error error;

    *looks_like = (struct sb_looks_like) { .asked = true, .scheme = strdup(name), .ln_ratio = NAN };
    if (!looks_like->scheme)
        return SB_NO_MEMORY;
    if (sb_scheme_parse(scheme, NULL, NULL, &error, &parsed))
        return SB_OK;
    if (parsed.draw.type->law) {
        looks_like->title = parsed.draw.type->title;
        looks_like->cause = look_draw_cause;
        looks_like->fix = look_draw_fix;
        return SB_OK;
    }
    looks_like->title = parsed.shuffle.type->title;
    looks_like->cause = parsed.shuffle.type->why;
    looks_like->fix = look_fair()->pseudocode;
    return SB_OK;
}

/* By the law of a few items, from their counts by rank. */
static enum sb_status look_ranks(const struct sb_evidence *evidence, double ln_e, struct sb_error *error,
                                 struct sb_looks_like *looks_like)
{
    const struct sb_tally rank = {
        .statistic = "rank",
        .members = 1,
        .cells = evidence->cells,
        .total = evidence->total,
        .count = evidence->counts.u64,
    };
    struct sb_catalogue *catalogue;
    struct sb_e_value e;
    enum sb_status status = sb_catalogue_build(evidence->n, true, error, &catalogue);

    if (status || !catalogue)
        return status;
    sb_catalogue_read(catalogue, &rank);
    sb_e_process(&rank, &e);
    looks_like->asked = true;
    status = sb_catalogue_look_law(catalogue, fmax(ln_e, e.ln_e), looks_like);
    sb_catalogue_free(catalogue);
    return status;
}

enum sb_status sb_catalogue_look(const struct sb_evidence *evidence, const struct sb_catalogue *catalogue,
                                 double ln_e, bool positions, struct sb_error *error,
                                 struct sb_looks_like *looks_like)
{
    enum sb_status status = SB_OK;
    double best = -HUGE_VAL;

    if (evidence->n < 2 || evidence->deal < evidence->n || evidence->total == 0)
        return SB_OK;
    if (evidence->n <= SB_CATALOGUE_RANKED && evidence->counts.form == SB_NUMBERS_U64)
        return look_ranks(evidence, ln_e, error, looks_like);
    looks_like->asked = catalogue || positions;
    if (catalogue && !sb_catalogue_by_rank(catalogue)) {
        for (size_t k = 0; k < catalogue->count; k++)
            best = fmax(best, catalogue->candidate[k].ln_e);
        status = sb_catalogue_look_law(catalogue, ln_e, looks_like);
    }
    if (status == SB_OK && positions)
        status = sb_catalogue_look_positions(evidence, looks_like->scheme ? best + look_ln_better : 0, error,
                                             looks_like);
    return status == SB_NO_MEMORY ? sb_error_memory(error, "the name of a shuffle") : status;
}
