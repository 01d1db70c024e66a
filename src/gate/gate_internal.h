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

/* ---- certain.c ---- */

/* ln of the weighted average of E. Of each line's ln E, `errors` times its rounding error is subtracted. */
double sb_gate_ln_average(const struct sb_gate *gate, double errors);

/* The line's lower bound on total variation, less its rounding error. */
double sb_gate_certain_tv(const struct sb_gate *gate, const struct sb_gate_line *line);

/* Whether some line's lower bound exceeds the tolerated bias, for certain. */
bool sb_gate_exceeds(const struct sb_gate *gate);

/* Whether the upper bound that decides is below `exclude`, and fewer decks than `seeds` are ruled out, for
 * certain. */
bool sb_gate_excludes(const struct sb_gate *gate);

/* ---- schedule.c and rejected.c ---- */

/* About how many deals of a fair subject bring this line's upper bound below `exclude`; infinite if no number does. */
double sb_gate_deals_needed(const struct sb_gate_terms *terms, const struct sb_gate_line *line);

/* After a fail, marks the rejected lines. */
void sb_gate_reject(struct sb_gate *gate);
/* After sb_gate_reject(), lists the most deviant cells. */
void sb_gate_list_cells(const struct sb_tally tally[], size_t count, struct sb_gate *gate);

#endif
