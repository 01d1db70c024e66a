/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the shuffle that permutations look like, by the law or by the positions.
 *
 * The catalogue knows some shuffles only by their matrices. Permutations from such a shuffle may by accident
 * fit another shuffle's law of whole decks. For example, the naive swap of 52 cards has about as many
 * descents as a sort by keys of a few bits. So the shuffle found by the law is compared with the shuffle
 * found by the positions. The shuffle found by the positions wins if the likelihood ratio of the positions is
 * more than e^7 times the likelihood ratio of the law.
 */
#include "study/catalogue/catalogue_look.h"

#include "core/error.h"
#include "fit/sequential/e_process.h"
#include "study/catalogue/catalogue_build.h"

#include <math.h>

static const double look_ln_better = 7;

/* Finds the shuffle by its law of permutations of a few items, from the counts by rank. */
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
    enum sb_status status = sb_catalogue_build_names(evidence->n, error, &catalogue);

    if (status || !catalogue)
        return status;
    sb_catalogue_read(catalogue, &rank);
    sb_e_process(&rank, &e);
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
    const bool ranked = evidence->n <= SB_CATALOGUE_RANKED && evidence->counts.form == SB_NUMBERS_U64;

    if (ranked) {
        status = look_ranks(evidence, ln_e, error, looks_like);
    } else if (catalogue && !sb_catalogue_by_rank(catalogue)) {
        for (size_t k = 0; k < catalogue->count; k++)
            best = fmax(best, catalogue->candidate[k].ln_e);
        status = sb_catalogue_look_law(catalogue, ln_e, looks_like);
    }
    if (status == SB_OK && positions && !ranked)
        status = sb_catalogue_look_positions(evidence, looks_like->scheme ? best + look_ln_better : 0, error,
                                             looks_like);
    looks_like->asked = looks_like->scheme || (positions && evidence->n <= SB_LOOK_ITEMS);
    return status == SB_NO_MEMORY ? sb_error_memory(error, "the name of a shuffle") : status;
}
