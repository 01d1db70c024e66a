/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One level of a detector: which looks include the level, and its evidence from repeats. */
#include "fit/sequential/detector.h"

enum { DETECTOR_PARTS = 5 }; /* level k is due at multiples of 2^(k-5) */

bool sb_detector_due(const struct sb_detector_level *level, unsigned k, uint64_t total)
{
    const unsigned place = k > DETECTOR_PARTS ? k - DETECTOR_PARTS : 0;

    return level->start && (total & ((UINT64_C(1) << place) - 1)) == 0;
}

double sb_detector_repeat(const struct sb_detector_level *level, const struct sb_birthday *birthday)
{
    struct sb_birthday grown = *birthday;

    for (size_t i = 0; i < SB_BIRTHDAY_ALTERNATIVES; i++)
        grown.ln_e[i] -= level->repeat[i];
    return sb_birthday_ln_e(&grown);
}
