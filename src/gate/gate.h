/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From tallies to a verdict at any time: the error budget, when to look, e-processes, bounds on total
 * variation, and which statistics are rejected. Knows statistics as tallies beside null laws, and no shuffle.
 */
#ifndef SB_GATE_GATE_H
#define SB_GATE_GATE_H

#include "core/tally.h"
#include "gate/findings.h"

/*
 * The next look after `total` permutations: after every permutation as long as 2% of them are fewer than
 * two, then in steps of at most 2%. Depends only on `total`, so a stream has the same verdict everywhere.
 * The caller handles the limit, and the last look at the end of a stream.
 */
uint64_t sb_gate_next_look(uint64_t total);

/* The part of a level that test `share`, from 1, may spend; all parts together are the level. */
double sb_gate_share(double level, uint64_t share);

/*
 * Whether `cells` equally likely cells are few enough for a fair subject to pass within the limit. If so,
 * the gate tests the rank.
 */
bool sb_gate_reaches(const struct sb_gate_terms *terms, size_t cells);

/*
 * Makes the lines for these statistics, with their weights, and copies the terms; everything else is zero.
 * Only the shapes of the tallies matter. The statistic named "rank" has a special role; leave it out if it
 * is not tested. SB_NO_MEMORY.
 */
enum sb_status sb_gate_open(const struct sb_gate_terms *terms, const struct sb_tally tally[], size_t count,
                            struct sb_gate *gate);

/* Frees everything that the gate owns; closing twice, or closing zeroes, is allowed. */
void sb_gate_close(struct sb_gate *gate);

/* Restores the looks of an earlier gate on the same statistics and terms. SB_NO_MEMORY. */
enum sb_status sb_gate_restore(const struct sb_gate_point point[], size_t count, struct sb_gate *gate);

/*
 * Looks: the same statistics as in sb_gate_open(), with the counts of the first `total` permutations. Fills
 * in lines, bounds, a point and the verdict, which stays inconclusive until it is FAIL or PASS; then the
 * caller stops. Leaves the bounds of lines that do not decide the verdict unchanged. SB_NO_MEMORY.
 */
enum sb_status sb_gate_look(const struct sb_tally tally[], size_t count, struct sb_gate *gate);

/* If all rejected lines test for dependence between permutations, the one with the most evidence; else
 * NULL. A bettor, which sees every dependence, too, does not count. */
const struct sb_gate_line *sb_gate_dependence(const struct sb_gate *gate);

/*
 * After the last look, with its counts: fills in the bounds of all lines. After a fail, marks the rejected
 * lines and lists their most deviant cells. If the verdict is inconclusive, estimates how many more
 * permutations are needed. SB_NO_MEMORY.
 */
enum sb_status sb_gate_sum_up(const struct sb_tally tally[], size_t count, struct sb_gate *gate);

#endif
