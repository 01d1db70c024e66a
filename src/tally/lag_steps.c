/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the function for this machine. */
#include "tally/lag_steps.h"

#include "core/system.h"

sb_lag_steps *sb_lag_steps_get(size_t index)
{
    static sb_lag_steps *const version[] = {
        sb_lag_steps_plain,
#if defined __x86_64__ || defined __i386__
        sb_lag_steps_avx2,
        sb_lag_steps_avx512,
#endif
    };
    const size_t count = sb_instruction_sets();

    return index < count ? version[count - 1 - index] : NULL;
}
