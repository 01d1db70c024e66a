/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An error level (alpha or delta) must be at least 1e-100 and below 1. */
#ifndef SB_CORE_LEVEL_H
#define SB_CORE_LEVEL_H

#include "core/calls.h"

bool sb_level_is(double level);

/* Returns SB_INVALID if the level is out of range. `name` is the name of the level in the error. */
enum sb_status sb_level_check(const char *name, double level, struct sb_error *error);

#endif
