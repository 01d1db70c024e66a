/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the shuffles that permutations look like, by the law or by the positions.
 *
 * The catalogue knows some shuffles only by their matrices. Permutations from such a shuffle may fit another shuffle's
 * law of whole decks by accident. So, beyond a few items, the shuffles that were found by the law are compared with
 * those found by the positions.
 *
 * One name that is not rejected is still no fact if the permutations say little about it. The name is a fact only if:
 *
 *   - There are seven permutations or more. If half of all came from another shuffle, so many would look as if all came
 *     from the named one with probability 2^-7, which is below 1%. If all permutations that are possible under the named
 *     shuffle are equally likely, that is all that there is to show. Otherwise there must be ten permutations.
 *   - Otherwise, the permutations are also 100 times as likely under the shuffle as under a law that deviates in a single one
 *     of the statistics, and is otherwise fair. E of the statistic is the likelihood ratio of such a law. The factor is
 *     multiplied by the number of shuffles from which the likeliest was chosen. For example, a shuffle that gives only even
 *     permutations fails soon because of `parity`, and by then fits several shuffles whose permutations are even.
 *   - It is not one of the riffles, or sorts by keys, of any number: there are shuffles between each two of them.
 */
#include "study/catalogue/catalogue_look.h"

#include "core/core.h"
#include "fit/sequential.h"
#include "study/catalogue/catalogue_build.h"
#include "subject/scheme.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double look_ln_factor = 4.605170185988092; /* ln 100 */

/* Finds the shuffles by their laws of permutations of a few items, from the counts by rank. */
static enum sb_status look_ranks(const struct sb_look_seen *seen, double ln_e, struct sb_error *error,
                                 struct sb_looks_like *looks_like)
{
    const struct sb_tally rank = {
        .statistic = "rank",
        .members = 1,
        .cells = seen->evidence->cells,
        .total = seen->evidence->total,
        .count = seen->evidence->counts.u64,
    };
    struct sb_catalogue *catalogue;
    struct sb_e_value e;
    enum sb_status status = sb_catalogue_build_names(seen->evidence->n, error, &catalogue);

    if (status || !catalogue)
        return status;
    sb_catalogue_read(catalogue, &rank);
    sb_e_process(&rank, &e);
    status = sb_catalogue_look_law(catalogue, fmax(ln_e, e.ln_e), seen, looks_like);
    sb_catalogue_free(catalogue);
    return status;
}

/* Sets *ln_most to the largest ln E of the tallied statistics. */
static enum sb_status look_statistics(const struct sb_look_seen *seen, double *ln_most)
{
    *ln_most = 0;
    for (size_t i = 0; i < seen->tallies; i++) {
        const struct sb_tally *const tally = &seen->tally[i];
        struct sb_e_value *const e = calloc(tally->members + 1, sizeof *e);

        if (!e)
            return SB_NO_MEMORY;
        sb_e_process(tally, e);
        for (size_t member = 0; member < tally->members; member++)
            *ln_most = fmax(*ln_most, e[member].ln_e);
        free(e);
    }
    return SB_OK;
}

/* Returns whether the scheme is one of a series of shuffles of every strength. */
static bool look_serial(const char *name)
{
    struct sb_scheme scheme;

    return sb_scheme_parse(name, NULL, NULL, NULL, &scheme) == SB_OK && scheme.shuffle.type->form;
}

/* Decides whether the name may be stated as a fact. */
static enum sb_status look_judge(const struct sb_look_seen *seen, struct sb_looks_like *looks_like)
{
    double ln_most;
    const enum sb_status status = look_statistics(seen, &ln_most);

    looks_like->sure =
        status == SB_OK && looks_like->others == 0 && !look_serial(looks_like->scheme) &&
        seen->evidence->total >= (looks_like->level ? SB_LOOK_LEAST : SB_LOOK_LEAST_UNEVEN) &&
        (looks_like->level || looks_like->ln_e > ln_most + looks_like->ln_tried + look_ln_factor);
    return status;
}

enum sb_status sb_catalogue_look(const struct sb_look_seen *seen, const struct sb_catalogue *catalogue,
                                 double ln_e, bool positions, struct sb_error *error,
                                 struct sb_looks_like *looks_like)
{
    const struct sb_evidence *const evidence = seen->evidence;
    enum sb_status status = SB_OK;

    if (evidence->n < 2 || evidence->deal < evidence->n || evidence->total == 0)
        return SB_OK;
    const bool ranked = evidence->n <= SB_CATALOGUE_RANKED && evidence->counts.form == SB_NUMBERS_U64;

    if (catalogue && sb_catalogue_by_rank(catalogue))
        catalogue = NULL;
    if (ranked)
        status = look_ranks(seen, ln_e, error, looks_like);
    else if (catalogue)
        status = sb_catalogue_look_law(catalogue, ln_e, seen, looks_like);
    if (status == SB_OK && positions && !ranked)
        status = sb_catalogue_look_positions(seen, catalogue, ln_e, error, looks_like);
    if (status == SB_OK && looks_like->scheme)
        status = look_judge(seen, looks_like);
    looks_like->asked = looks_like->scheme || (positions && evidence->n <= SB_LOOK_ITEMS);
    return status == SB_NO_MEMORY ? sb_error_memory(error, "the name of a shuffle") : status;
}
