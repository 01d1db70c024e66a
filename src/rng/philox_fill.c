/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the functions that fill buffers with Philox words and that this machine can run, and calls the
 * fastest of them. */
#include "rng/philox_wide.h"

#include "core/system.h"

sb_philox_filler *sb_philox_filler_get(size_t index)
{
    static sb_philox_filler *const version[] = {
        sb_philox_fill_plain,
#if defined __x86_64__ || defined __i386__
        sb_philox_fill_avx2,
        sb_philox_fill_avx512,
#endif
    };
    const size_t count = sb_instruction_sets();

    return index < count ? version[count - 1 - index] : NULL;
}

void sb_philox_fill(uint64_t seed, uint64_t block, uint64_t first_group, size_t groups, uint32_t word[])
{
    sb_philox_filler_get(0)(seed, block, first_group, groups, word);
}
