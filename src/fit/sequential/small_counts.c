/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the operations for this machine. */
#include "fit/sequential/small_counts.h"

const struct sb_small_counts *sb_small_counts_get(size_t index)
{
    const struct sb_small_counts *here[4] = { NULL };
    size_t count = 0;

#if defined __x86_64__ || defined __i386__
    if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq"))
        here[count++] = &sb_small_counts_avx512;
    if (__builtin_cpu_supports("avx2"))
        here[count++] = &sb_small_counts_avx2;
#endif
    here[count++] = &sb_small_counts_plain;
    return index < count ? here[index] : NULL;
}
