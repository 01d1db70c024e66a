/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The exact law of a shuffle by the engine that has it soonest: a closed form, which costs next to nothing;
 * `tree`, every series of draws in turn; or `convolve`, a walk on the permutations.
 */
#ifndef SB_EXACT_EXACT_LAW_H
#define SB_EXACT_EXACT_LAW_H

#include "exact/law.h"

/* About how many nanoseconds of one processor the law takes; HUGE_VAL where it cannot be had, NAN where no
 * memory is left to find that out. */
double sb_law_cost(const struct sb_law *law);

/*
 * The law, as exact evidence that the caller closes; evidence->engine says which engine it was. SB_TOO_LARGE:
 * no engine goes so far; SB_NO_MEMORY; SB_STOPPED by the stop flag.
 */
enum sb_status sb_law_exact(const struct sb_law *law, struct sb_error *error, struct sb_evidence *evidence);

#endif
