/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes the number of permutations that a statistic needs to show the bias of a known law. This is the
 * number N with which the chi-square test at level alpha has a power of 1/2. The noncentrality per
 * permutation is sum (p - q)^2/q over the statistic's cells, which are merged like those of the gate. Here p
 * is a cell's probability under the law, and q is the cell's probability under a fair shuffle. For the
 * statistic `position`, the test is the chi-square test of the whole matrix. Some other statistics have
 * several members (one per item, for example); the number is then the smallest over the members, each tested
 * at level alpha divided by the number of members. A statistic whose law is that of a fair shuffle never
 * shows the bias.
 *
 * The code adds up the law's probabilities deal by deal, in units of 2^-60. The rounding error is far smaller
 * than the bias of any scheme.
 */
#include "core/core.h"
#include "exact/engine.h"
#include "fit/fit.h"
#include "study/zoo/zoo.h"
#include "tally/tally.h"

#include <math.h>
#include <stdlib.h>

static const double law_power = 0.5;
static const double law_parts = 0x1p60;
static const double law_rounding = 1e-24; /* noncentrality per permutation that rounding alone may cause */

/* Returns the noncentrality per permutation of one member. Sets *cells to the number of cells that can
 * occur. */
static double law_effect(const struct sb_tally *tally, size_t member, size_t *cells)
{
    double sum = 0;

    *cells = 0;
    for (size_t i = 0; i < tally->cells; i++) {
        const struct sb_cell cell = sb_cell_get(tally, member, i);

        if (cell.expected > 0)
            sum += cell.excess * (cell.excess / cell.expected) / (double)tally->total;
        *cells += cell.expected > 0;
    }
    return sum;
}

static double law_shuffles(double dof, double alpha, double effect)
{
    const struct sb_power_test test = sb_power_test(dof, alpha);

    return dof > 0 && effect > law_rounding ? sb_power_shuffles(&test, law_power, effect) : INFINITY;
}

/* Returns the number of permutations that the tally's statistic needs. */
static double law_needed(const struct sb_tally *tally, double alpha)
{
    const double members = (double)tally->members;
    const bool matrix = tally->members > 1 && !tally->first && /* `first` is NULL if no cells are merged */
                        sb_statistic_find(tally->statistic) == &sb_statistic_position;
    double all = 0, fewest = INFINITY;
    size_t cells = 0;

    for (size_t member = 0; member < tally->members; member++) {
        const double effect = law_effect(tally, member, &cells);

        all += effect;
        if (!matrix)
            fewest = fmin(fewest, law_shuffles((double)cells - 1, alpha / members, effect));
    }
    if (matrix)
        return law_shuffles((members - 1) * ((double)cells - 1), alpha, all * (members - 1) / members);
    return fewest;
}

static enum sb_status law_tally(const struct sb_evidence *evidence, struct sb_observer *observer)
{
    sb_item *const a = calloc(evidence->deal + 1, sizeof *a);

    for (size_t rank = 0; a && rank < evidence->cells; rank++) {
        const uint64_t parts = (uint64_t)llround(sb_evidence_share(evidence, rank) * law_parts);

        sb_permutation_unrank(evidence->n, evidence->deal, rank, a);
        if (parts)
            sb_observer_add_times(observer, a, parts);
    }
    free(a);
    return a ? SB_OK : SB_NO_MEMORY;
}

/* Computes the numbers of permutations from the law. */
static enum sb_status law_read(const struct sb_evidence *evidence, double alpha,
                               const struct sb_statistic_type *const types[], size_t count,
                               struct sb_error *error, struct sb_zoo_row *row)
{
    struct sb_tally *const tally = calloc(count + 1, sizeof *tally);
    struct sb_observer *observer = NULL;
    enum sb_status status = tally ? SB_OK : SB_NO_MEMORY;

    if (status == SB_OK)
        status = sb_observer_new(evidence->n, evidence->deal, types, count, SB_TALLIES_CELLS_MOST, error,
                                 &observer);
    if (status == SB_OK)
        status = law_tally(evidence, observer);
    if (status == SB_OK) {
        sb_observer_read(observer, tally);
        for (size_t i = 0; i < count; i++)
            row->needed[i] = law_needed(&tally[i], alpha);
        row->exact = true;
    }
    sb_observer_free(observer);
    free(tally);
    return status;
}

enum sb_status sb_zoo_of_law(const struct sb_zoo_entrant *entrant, const struct sb_zoo_options *options,
                             const struct sb_statistic_type *const types[], size_t count,
                             struct sb_error *error, struct sb_zoo_row *row)
{
    const struct sb_scheme *const scheme = &entrant->scheme;
    struct sb_shuffler shuffler;
    struct sb_evidence evidence = { 0 };
    enum sb_status status;

    if (entrant->bits || sb_cells(options->n, options->deal) == 0)
        return SB_OK;
    if (sb_shuffler_open(scheme->shuffle, options->n, options->deal, &shuffler))
        return sb_error_memory(error, "the steps of a shuffle");
    const struct sb_law law = {
        .shuffler = &shuffler,
        .draw = &scheme->draw,
        .largest = sb_draw_largest(&scheme->draw, scheme->rng.largest),
        .threads = options->threads,
        .stop = options->stop,
        .subject = entrant->name,
    };

    status = sb_engine_law(&law, SB_COST_UNASKED, error, &evidence);
    if (status == SB_OK && evidence.cells && !sb_evidence_partial(&evidence))
        status = law_read(&evidence, options->alpha, types, count, error, row);
    sb_evidence_close(&evidence);
    sb_shuffler_close(&shuffler);
    return status == SB_NO_MEMORY ? sb_error_memory(error, "the exact law") : status;
}
