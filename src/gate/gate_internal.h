/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that the files of this folder share. */
#ifndef SB_GATE_GATE_INTERNAL_H
#define SB_GATE_GATE_INTERNAL_H

#include "gate/gate.h"

/* Whether this is the tally of the rank, which bounds the whole law. */
bool sb_gate_is_rank(const struct sb_tally *tally);

/* The share of alpha and delta of each member of tally[at]. */
double sb_gate_weight(const struct sb_tally tally[], size_t count, size_t at);

/* ln(1/(weight level)): the threshold that ln E of a line with this weight must reach at this level. */
double sb_gate_ln_level(double weight, double level);

/* About how many deals of a fair subject bring this line's upper bound below `exclude`. */
double sb_gate_deals_needed(const struct sb_gate_terms *terms, const struct sb_gate_line *line);

/* After a fail, marks the rejected lines. */
void sb_gate_reject(struct sb_gate *gate);
/* After sb_gate_reject(), lists the most deviant cells. */
void sb_gate_list_cells(const struct sb_tally tally[], size_t count, struct sb_gate *gate);

#endif
