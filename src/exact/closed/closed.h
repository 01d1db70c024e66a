/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exact laws in closed form: what mathematics says of a shuffle, without trying its draws. So it reaches as
 * far as decks of cards and beyond; but for small decks it knows the effects alone, and not every
 * probability.
 */
#ifndef SB_EXACT_CLOSED_CLOSED_H
#define SB_EXACT_CLOSED_CLOSED_H

#include "core/finding.h"
#include "exact/law.h"

/* Whether there is a closed form: for a riffle, a sort by keys, or a shuffle whose draws map one to one onto
 * deals that are too many to count. Costs a few shuffles. SB_NO_MEMORY. */
enum sb_status sb_closed_has(const struct sb_law *law, bool *has);

/* Whether it gives the probability of each deal. */
bool sb_closed_counts(const struct sb_law *law);

/*
 * The law, as exact evidence that the caller closes; its cells are 0 unless sb_closed_counts(). Only where
 * sb_closed_has(). SB_NO_MEMORY; SB_STOPPED by the stop flag.
 */
enum sb_status sb_closed_law(const struct sb_law *law, struct sb_error *error, struct sb_evidence *evidence);

/*
 * The effects of the law, also where the deals are too many to count; the caller closes them with
 * sb_effect_close(). Its deals have no ranks. Only where sb_closed_has(). SB_TOO_LARGE, SB_NO_MEMORY,
 * SB_STOPPED.
 */
enum sb_status sb_closed_effect(const struct sb_law *law, struct sb_error *error, struct sb_effect *effect);

#endif
