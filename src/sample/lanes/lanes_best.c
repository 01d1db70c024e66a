/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The instruction sets of this machine for which sample/lanes/lanes_wide.c was compiled. */
#include "sample/lanes/lanes.h"

const struct sb_lanes_isa *sb_lanes_get(size_t index)
{
    const struct sb_lanes_isa *here[4] = { NULL };
    size_t count = 0;

#if defined __x86_64__ || defined __i386__
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq"))
        here[count++] = &sb_lanes_avx512;
    if (__builtin_cpu_supports("avx2"))
        here[count++] = &sb_lanes_avx2;
#endif
    here[count++] = &sb_lanes_plain;
    return index < count ? here[index] : NULL;
}

const struct sb_lanes_isa *sb_lanes_best(void)
{
    return sb_lanes_get(0);
}
