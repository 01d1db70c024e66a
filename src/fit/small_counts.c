/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the operations for this machine. */
#include "fit/small_counts.h"

#include "core/system.h"

const struct sb_small_counts *sb_small_counts_get(size_t index)
{
    static const struct sb_small_counts *const version[] = {
        &sb_small_counts_plain,
#if defined __x86_64__ || defined __i386__
        &sb_small_counts_avx2,
        &sb_small_counts_avx512,
#endif
    };
    const size_t count = sb_instruction_sets();

    return index < count ? version[count - 1 - index] : NULL;
}

uint8_t sb_small_counts_largest(const struct sb_tally *tally)
{
    if (tally->small_most)
        return tally->small_most;
    return sb_small_counts_get(0)->largest(tally->small, tally->members * tally->cells);
}
