/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Turns tallies into a verdict that is valid at any time: the error budget, the schedule of looks,
 * e-processes, bounds on total variation, and the rejection of statistics. The gate sees a statistic only as
 * a tally and its null law; it knows no shuffle.
 */
#ifndef SB_GATE_GATE_H
#define SB_GATE_GATE_H

#include "core/tally.h"
#include "gate/findings.h"

/*
 * Returns the number of permutations at the next look after the look at `total` permutations. This number
 * exceeds `total` by 2%, rounded down, but at least by 1. The next look depends only on `total`, so a stream
 * has the same verdict everywhere. This function takes account of neither the limit nor the last look at the
 * end of a stream.
 */
uint64_t sb_gate_next_look(uint64_t total);

/* The part of `level` that the test with the index `share` may spend. Indexes start at 1, and the parts of
 * all tests add up to `level`. */
double sb_gate_share(double level, uint64_t share);

/*
 * Whether `cells` equally likely cells are few enough for a fair subject to pass within the limit. If so,
 * the gate tests the rank.
 */
bool sb_gate_reaches(const struct sb_gate_terms *terms, size_t cells);

/*
 * Makes the lines for these statistics, sets the weights of the lines, and copies the terms. All other
 * findings are still empty. Only the shapes of the tallies matter. The statistic named "rank" has a special
 * role: tally[] must contain this statistic only if the rank is tested. SB_NO_MEMORY.
 */
enum sb_status sb_gate_open(const struct sb_gate_terms *terms, const struct sb_tally tally[], size_t count,
                            struct sb_gate *gate);

/* Frees everything that the gate owns; closing a gate twice, or closing a struct of zeroes, is allowed. */
void sb_gate_close(struct sb_gate *gate);

/* Restores the looks of an earlier gate on the same statistics and terms. SB_NO_MEMORY. */
enum sb_status sb_gate_restore(const struct sb_gate_point point[], size_t count, struct sb_gate *gate);

/*
 * Looks at the tallies so far. The statistics must be the same as in sb_gate_open(). Fills in the lines, the
 * bounds and the verdict, and adds a point. Does not change the bounds of lines that do not decide the
 * verdict. SB_NO_MEMORY.
 */
enum sb_status sb_gate_look(const struct sb_tally tally[], size_t count, struct sb_gate *gate);

/* ln of the weighted average of E, less its rounding error; and whether E has reached 1/alpha for certain. */
double sb_gate_certain_ln_e(const struct sb_gate *gate);
bool sb_gate_shows_bias(const struct sb_gate *gate);

/* Whether a single line of the lags has reached 1/alpha for certain. Then permutations depend on each other, and the upper
 * bounds on total variation do not hold. Only a run that tolerates a bias goes on after that. */
bool sb_gate_shows_dependence(const struct sb_gate *gate);

/* Returns the rejected line with the most evidence if all rejected lines test for dependence between
 * permutations, else NULL. A rejected bettor is ignored, because every dependence also lets a bettor win. */
const struct sb_gate_line *sb_gate_dependence(const struct sb_gate *gate);

/*
 * Completes the findings from the counts of the last look: fills in the bounds of all lines. After a fail,
 * marks the rejected lines and lists their most deviant cells. If the verdict is inconclusive, estimates how
 * many more permutations are needed. SB_NO_MEMORY.
 */
enum sb_status sb_gate_sum_up(const struct sb_tally tally[], size_t count, struct sb_gate *gate);

#endif
