/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One level of a detector: the looks that include it, and its evidence from bets. */
#include "fit/sequential/detector.h"

#include <math.h>

static const double detector_unit = 0x1p-53; /* the largest relative error of one rounding */

enum { DETECTOR_PARTS = 5 }; /* level k is due at multiples of 2^(k-5) */

bool sb_detector_due(const struct sb_detector_level *level, unsigned k, uint64_t total)
{
    const unsigned place = k > DETECTOR_PARTS ? k - DETECTOR_PARTS : 0;

    return level->start && (total & ((UINT64_C(1) << place) - 1)) == 0;
}

/* An upper bound on the rounding error of the growth of a bet in `deals` deals (core/tally.h). Each of the
 * two logarithms and their difference round by a few units in the last place, too. */
static double detector_bet_error(const struct sb_tally *tally, double deals, double now, double start)
{
    const double size = fmax(fabs(now), fabs(start));
    const double sums = tally->bet_range > 0 ? 2 * (deals + 0x1p13) * (size + tally->bet_range) : 0;

    return deals * tally->bet_error + detector_unit * (sums + 64 * (size + 1));
}

/* ln of the growth of bet i, less `errors` times its rounding error. */
static double detector_grown(const struct sb_tally *tally, double deals, size_t i, double start,
                             double errors)
{
    const double now = tally->ln_bet[i], grown = now - start;

    return errors > 0 ? grown - errors * detector_bet_error(tally, deals, now, start) : grown;
}

double sb_detector_bets(const struct sb_detector *detector, unsigned k, const struct sb_tally tallies[],
                        size_t index, size_t from, double errors, size_t *best)
{
    const struct sb_tally *const tally = &tallies[index];
    const double *const start = detector->level[k].bet + from;
    const double deals = (double)(tally->total - detector->level[k].total[index]);
    double most = -HUGE_VAL, sum = 0;

    if (best)
        *best = 0;
    if (tally->round && k >= detector->round)
        return 0;
    for (size_t i = 0; i < tally->bets; i++) {
        const double grown = detector_grown(tally, deals, i, start[i], errors);

        if (best && grown > most)
            *best = i;
        most = fmax(most, grown);
    }
    for (size_t i = 0; i < tally->bets; i++)
        sum += exp(detector_grown(tally, deals, i, start[i], errors) - most);
    return most + log(sum) - log((double)tally->bets);
}
