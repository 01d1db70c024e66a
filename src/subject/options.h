/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ranges of a report's options, and their defaults, which 0 stands for. */
#ifndef SB_SUBJECT_OPTIONS_H
#define SB_SUBJECT_OPTIONS_H

#include "core/calls.h"

/* Checks the numbers in the options, and replaces 0 by the default where 0 stands for a default. Error:
 * SB_INVALID. */
enum sb_status sb_options_settle(const struct sb_options *options, struct sb_error *error,
                                 struct sb_options *settled);

/* Does what sb_options_settle() does, for permutations that are dealt but not tested: n may be up to
 * SB_ITEMS_MOST. */
enum sb_status sb_options_settle_dealt(const struct sb_options *options, struct sb_error *error,
                                       struct sb_options *settled);

/* Sets every field to its default. */
void sb_options_init(struct sb_options *options);

#endif
