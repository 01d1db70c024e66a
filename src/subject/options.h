/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options of a report: their ranges, and the values that 0 stands for. */
#ifndef SB_SUBJECT_OPTIONS_H
#define SB_SUBJECT_OPTIONS_H

#include "shufflebias.h"

/* Checks n, deal and the other numbers of the options, and replaces 0 by its default. SB_INVALID. */
enum sb_status sb_options_settle(const struct sb_options *options, struct sb_error *error,
                                 struct sb_options *settled);

/* The same for permutations that are only dealt: n may be up to SB_ITEMS_MOST. */
enum sb_status sb_options_settle_dealt(const struct sb_options *options, struct sb_error *error,
                                       struct sb_options *settled);

#endif
