/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the most and the least likely deals. The code makes passes over all counts. */
#include "fit/effect/effect_extremes.h"

#include <math.h>

/* Whether two ranks are equally likely. If only doubles are known, whether the doubles differ by no more than
 * their errors. */
static bool extremes_same(const struct sb_evidence *evidence, size_t a, size_t b)
{
    const struct sb_numbers *const counts = &evidence->counts;

    if (counts->form != SB_NUMBERS_SHARE)
        return sb_numbers_compare(counts, a, b) == 0;
    return fabs(counts->share[a] - counts->share[b]) <= 2 * evidence->error * counts->share[b];
}

/* Returns a rank whose count times `sign` is largest. Sets *total to the number of ranks that are as likely
 * as this rank. */
static size_t extremes_rank(const struct sb_evidence *evidence, int sign, size_t *total)
{
    size_t best = 0, found = 0;

    for (size_t i = 1; i < evidence->cells; i++)
        if (sign * sb_numbers_compare(&evidence->counts, i, best) > 0)
            best = i;
    for (size_t i = 0; i < evidence->cells; i++)
        found += extremes_same(evidence, i, best);
    *total = found;
    return best;
}

/* Does what extremes_rank() does, in one pass over counts of 64 bits. */
static size_t extremes_u64(const uint64_t count[], size_t cells, int sign, size_t *total)
{
    uint64_t value = count[0];
    size_t best = 0, found = 0;

    for (size_t i = 0; i < cells; i++) {
        if (sign > 0 ? count[i] > value : count[i] < value) {
            value = count[i];
            best = i;
            found = 0;
        }
        found += count[i] == value;
    }
    *total = found;
    return best;
}

/* Does what extremes_rank() does, but uses times[entries], where times[c] is the number of ranks with the
 * count c. */
static size_t extremes_count(const struct sb_evidence *evidence, const uint32_t times[], size_t entries,
                             int sign, size_t *total)
{
    size_t count = sign > 0 ? entries - 1 : 0, rank = 0;

    while (times[count] == 0)
        count++; /* stops at the largest count at the latest */
    *total = times[count];
    while (evidence->counts.u32[rank] != count)
        rank++;
    return rank;
}

size_t sb_effect_extremes(const struct sb_evidence *evidence, const uint32_t times[], size_t entries,
                          int sign, size_t *total, size_t *listed, size_t rank[SB_EXTREMES_MOST])
{
    size_t best, found = 0;

    if (times)
        best = extremes_count(evidence, times, entries, sign, total);
    else if (evidence->counts.form == SB_NUMBERS_U64)
        best = extremes_u64(evidence->counts.u64, evidence->cells, sign, total);
    else
        best = extremes_rank(evidence, sign, total);
    *listed = *total < SB_EXTREMES_MOST ? *total : SB_EXTREMES_MOST;
    for (size_t i = 0; found < *listed; i++)
        if (extremes_same(evidence, i, best))
            rank[found++] = i;
    return best;
}
