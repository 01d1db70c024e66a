/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Repeats among N decks of D. After d different decks, the next deck is one of them with probability d/D,
 * and d = t - r after t decks with r repeats. This gives the law of r, deck by deck:
 *
 *     P(t+1, r) = P(t, r) (1 - (t-r)/D) + P(t, r-1) (t-r+1)/D.
 *
 * Cost: N times the largest number of repeats.
 */
#include "calibration/fair_repeats.h"

#include "core/core.h"

#include <math.h>
#include <stdlib.h>

static double fair_repeats_mean(size_t n, uint64_t samples)
{
    return 0.5 * (double)samples * (double)samples / (double)sb_deals(n, n);
}

bool fair_repeats_happen(size_t n, uint64_t samples)
{
    const double mean = fair_repeats_mean(n, samples);

    return sb_deals(n, n) < UINT64_MAX && mean > 0.001 && mean < 1000;
}

void fair_repeats_open(size_t n, uint64_t samples, struct fair_repeats *repeats)
{
    const double decks = (double)sb_deals(n, n), mean = fair_repeats_mean(n, samples);

    repeats->most = (size_t)(mean + 12 * sqrt(mean) + 30); /* more have less than 1e-16 */
    repeats->law = calloc(repeats->most + 1, sizeof repeats->law[0]);
    if (!repeats->law)
        abort();
    repeats->law[0] = 1;
    for (double t = 0; t < (double)samples; t++)
        for (size_t r = repeats->most + 1; r-- > 0;) {
            const double known = fmax(0, t - (double)r); /* different decks after r repeats */

            repeats->law[r] *= 1 - known / decks;
            if (r)
                repeats->law[r] += repeats->law[r - 1] * (known + 1) / decks;
        }
}

void fair_repeats_close(struct fair_repeats *repeats)
{
    free(repeats->law);
    repeats->law = NULL;
}

double fair_repeats_p(const struct fair_repeats *repeats, uint64_t again, double u)
{
    double p = 0;

    for (size_t r = repeats->most; r > again; r--)
        p += repeats->law[r];
    return again <= repeats->most ? p + u * repeats->law[again] : 0;
}
