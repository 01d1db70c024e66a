/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether a look at an e-detector may raise an alarm. Let there be `lines` members with weights w, and L
 * levels. A member at level k adds the term min(2^k, 1/alpha)/L w E to a sum, and the alarm comes when the
 * sum reaches 1/alpha. If each term is below 1/(alpha L lines), then the sum is below 1/alpha, and there is no alarm. So
 * the sum is computed only if, by the bound of fit/sequential/e_bound.c, some member at some level of this
 * look may have ln E >= max(0, ln(1/alpha) - k ln 2) - ln(w lines).
 *
 * Cost of a look, for each distinct start of the levels that the look includes: six multiplications for each
 * count, and a logarithm for each member.
 */
#include "fit/sequential/detector.h"

#include "fit/sequential/e_bound.h"

#include <math.h>

static const double worth_ln_2 = 0.69314718055994531;

/* More than the rounding error of the bound, relative to its sum. */
static const double worth_rounding = 1e-14;

void sb_detector_worth_open(const struct sb_tally tally[], struct sb_detector *detector)
{
    struct sb_e_cell *cell = detector->cell;
    size_t line = 0;

    for (size_t i = 0; i < detector->count; i++) {
        const size_t cells = tally[i].ln_e ? 0 : tally[i].cells;
        double weight = 0;

        detector->possible[i] = cells ? sb_e_bound_cells(&tally[i], cell) : 0;
        for (size_t j = 0; j < tally[i].members; j++)
            weight = fmax(weight, detector->weight[line++]);
        for (unsigned k = 0; k < SB_DETECTOR_LEVELS; k++)
            detector->least[k * detector->count + i] = detector->ln_level -
                                                       fmin(k * worth_ln_2, detector->ln_factor) -
                                                       log(weight * (double)detector->lines);
        cell += cells;
    }
}

/* Whether ln E may be `least` or more, for the counts of some member since the start of the level. then[] holds
 * the counts of all members at that start, one member after the other. */
static bool worth_tally(const struct sb_tally *tally, const struct sb_e_cell cell[], size_t possible,
                        const uint64_t then[], uint64_t total, double least)
{
    const size_t cells = tally->cells;
    const uint64_t *now = tally->count;

    for (size_t i = 0; total && i < tally->members; i++, now += cells, then += cells) {
        const struct sb_e_bound bound = sb_e_bound_of(cell, cells, now, then, total);

        if (sb_e_bound_ln_e(&bound, possible) + worth_rounding * bound.sum >= least)
            return true;
    }
    return false;
}

static bool worth_level(const struct sb_detector *detector, unsigned k, const struct sb_tally tally[])
{
    const struct sb_detector_level *const level = &detector->level[k];
    const double *const least = detector->least + k * detector->count;
    const struct sb_e_cell *cell = detector->cell;
    const uint64_t *then = level->count;
    size_t bet = 0;

    for (size_t i = 0; i < detector->count; i++) {
        if (tally[i].ln_e) {
            if (sb_detector_bets(detector, k, tally, i, bet, 0, NULL) >= least[i])
                return true;
            bet += tally[i].bets;
            continue;
        }
        if (worth_tally(&tally[i], cell, detector->possible[i], then, tally[i].total - level->total[i],
                        least[i]))
            return true;
        cell += tally[i].cells;
        then += tally[i].members * tally[i].cells;
    }
    return false;
}

bool sb_detector_worth(const struct sb_detector *detector, const struct sb_tally tally[], uint64_t total)
{
    uint64_t start =
        /* start of the previous level. Levels come from long to short, and of two levels with the same start,
         * the longer level has the lower `least`. So the shorter level need not be checked */
        0;

    for (unsigned k = SB_DETECTOR_LEVELS; k-- > 0;) {
        const struct sb_detector_level *const level = &detector->level[k];

        if (!sb_detector_due(level, k, total) || (level->start == start && k + 1 != detector->round))
            continue;
        start = level->start;
        if (worth_level(detector, k, tally))
            return true;
    }
    return false;
}
