/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that the files of this folder share. */
#ifndef SB_GATE_GATE_INTERNAL_H
#define SB_GATE_GATE_INTERNAL_H

#include "gate/gate.h"

/* Whether this is the tally of the rank, which bounds the whole law. */
bool sb_gate_is_rank(const struct sb_tally *tally);

/* The share of alpha and delta of each member of tally[at]. */
double sb_gate_weight(const struct sb_tally tally[], size_t count, size_t at);

/* ln(1/(weight level)): the threshold of a statistic. */
double sb_gate_ln_level(double weight, double level);

/* About how many deals a fair subject needs until this line's bound is below `exclude`. */
double sb_gate_deals_needed(const struct sb_gate_terms *terms, const struct sb_gate_line *line);

/* Marks the rejected lines of a fail, and lists their most deviant cells. */
void sb_gate_reject(struct sb_gate *gate);
void sb_gate_list_cells(const struct sb_tally tally[], size_t count, struct sb_gate *gate);

#endif
