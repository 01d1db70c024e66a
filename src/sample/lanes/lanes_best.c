/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the instruction sets for which sample/lanes/lanes_wide.c was compiled and that this machine has. */
#include "sample/lanes/lanes.h"

#include "core/system.h"

const struct sb_lanes_isa *sb_lanes_get(size_t index)
{
    static const struct sb_lanes_isa *const version[] = {
        &sb_lanes_plain,
#if defined __x86_64__ || defined __i386__
        &sb_lanes_avx2,
        &sb_lanes_avx512,
#endif
    };
    const size_t count = sb_instruction_sets();

    return index < count ? version[count - 1 - index] : NULL;
}

const struct sb_lanes_isa *sb_lanes_best(void)
{
    return sb_lanes_get(0);
}
