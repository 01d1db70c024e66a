/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks error levels (alpha and delta). */
#include "core/level.h"

#include "core/error.h"

bool sb_level_is(double level)
{
    return level >= 1e-100 && level < 1;
}

enum sb_status sb_level_check(const char *name, double level, struct sb_error *error)
{
    if (sb_level_is(level))
        return SB_OK;
    return sb_error_set(error, SB_INVALID, "`%s = %g` must be at least 1e-100 and below 1", name, level);
}
