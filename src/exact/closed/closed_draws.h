/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The law of a shuffle whose draws map one to one onto its deals: Fisher-Yates in all its forms. */
#ifndef SB_EXACT_CLOSED_CLOSED_DRAWS_H
#define SB_EXACT_CLOSED_CLOSED_DRAWS_H

#include "core/evidence.h"
#include "exact/law.h"

enum { SB_DRAWS_MOST = 20000 }; /* the largest n if the draws are not uniform; the cost is quadratic */

/* Sets *has to whether the draws of the shuffle map one to one onto its deals. This takes three shuffles.
 * SB_NO_MEMORY. */
enum sb_status sb_draws_has(const struct sb_law *law, bool *has);

/* Computes the effects of the law; the caller closes the effects. SB_TOO_LARGE: the answers of a draw have
 * too many different probabilities. SB_NO_MEMORY. SB_STOPPED. */
enum sb_status sb_draws_effect(const struct sb_law *law, struct sb_effect *effect);

#endif
