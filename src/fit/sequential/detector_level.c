/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One level of a detector: the looks that include it, and its evidence from bets. */
#include "fit/sequential/detector.h"

#include <math.h>

enum { DETECTOR_PARTS = 5 }; /* level k is due at multiples of 2^(k-5) */

bool sb_detector_due(const struct sb_detector_level *level, unsigned k, uint64_t total)
{
    const unsigned place = k > DETECTOR_PARTS ? k - DETECTOR_PARTS : 0;

    return level->start && (total & ((UINT64_C(1) << place) - 1)) == 0;
}

double sb_detector_bets(const struct sb_detector *detector, unsigned k, const struct sb_tally *tally,
                        size_t from, size_t *best)
{
    const double *const start = detector->level[k].bet + from;
    double most = -HUGE_VAL, sum = 0;

    if (best)
        *best = 0;
    if (tally->round && k >= detector->round)
        return 0;
    for (size_t i = 0; i < tally->bets; i++) {
        const double grown = tally->ln_bet[i] - start[i];

        if (best && grown > most)
            *best = i;
        most = fmax(most, grown);
    }
    for (size_t i = 0; i < tally->bets; i++)
        sum += exp(tally->ln_bet[i] - start[i] - most);
    return most + log(sum) - log((double)tally->bets);
}
