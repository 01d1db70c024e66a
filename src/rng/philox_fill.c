/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the fastest of the functions that fill buffers with Philox words, among those that this machine can
 * run. */
#include "rng/philox_wide.h"

sb_philox_filler *sb_philox_filler_get(size_t index)
{
    sb_philox_filler *here[3] = { NULL };
    size_t count = 0;

#if defined __x86_64__ || defined __i386__
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq"))
        here[count++] = sb_philox_fill_avx512;
    if (__builtin_cpu_supports("avx2"))
        here[count++] = sb_philox_fill_avx2;
#endif
    here[count++] = sb_philox_fill_plain;
    return index < count ? here[index] : NULL;
}

void sb_philox_fill(uint64_t seed, uint64_t block, uint64_t first_group, size_t groups, uint32_t word[])
{
    sb_philox_filler_get(0)(seed, block, first_group, groups, word);
}
