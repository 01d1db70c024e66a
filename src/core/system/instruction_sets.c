/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks the processor for its instruction sets. */
#include "core/system/instruction_sets.h"

size_t sb_instruction_sets(void)
{
#if defined __x86_64__ || defined __i386__
    if (!__builtin_cpu_supports("avx2"))
        return 1;
    return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
                   __builtin_cpu_supports("avx512dq")
               ? 3
               : 2;
#else
    return 1;
#endif
}
