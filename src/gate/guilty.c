/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who is guilty: closed testing on weighted averages. The hypothesis that no statistic of a set is off is
 * rejected at level alpha where the set's weighted average of E, and that of every larger set, reaches
 * 1/alpha. With v_i = w_i (E_i alpha - 1) the average reaches it where the sum of v does, 0; and the worst of
 * the sets around it is the one with all j whose v_j is below 0. So, -N being the sum of all v below 0,
 *   statistic i is guilty   if v_i >= N,
 *   a set is rejected       if the sum of its v above 0 is at least N.
 * The probability that ever anything is called guilty that is not is at most alpha. Where nobody is guilty
 * alone, the smallest rejected set, that of the largest v, is named together: one of them at least is off.
 *
 * With a bias that is forgiven, those are named whose own lower bound on total variation is above it: the
 * bounds hold together, their levels being shares of alpha.
 *
 * Cost: linear; quadratic in the size of the set. Marcus, Peritz and Gabriel, doi:10.1093/biomet/63.3.655.
 * Vovk and Wang, E-values: calibration, combination and applications, doi:10.1214/20-AOS2020.
 */
#include "gate/room.h"

#include <math.h>

/* v of a line. */
static double guilty_excess(const struct sb_gate *gate, const struct sb_gate_line *line)
{
    return line->weight * expm1(line->ln_e + log(gate->terms.alpha));
}

/* The largest v of those that are not named yet; lines_count where all are. */
static size_t guilty_next(const struct sb_gate *gate)
{
    size_t next = gate->lines_count;
    double most = -HUGE_VAL;

    for (size_t i = 0; i < gate->lines_count; i++) {
        const double excess = guilty_excess(gate, &gate->line[i]);

        if (!gate->line[i].guilty && excess > most) {
            most = excess;
            next = i;
        }
    }
    return next;
}

const struct sb_gate_line *sb_gate_dependence(const struct sb_gate *gate)
{
    const struct sb_gate_line *most = NULL;

    for (size_t i = 0; i < gate->lines_count; i++) {
        const struct sb_gate_line *const line = &gate->line[i];

        if (line->guilty && !line->dependence)
            return NULL;
        if (line->guilty && (!most || line->ln_e > most->ln_e))
            most = line;
    }
    return most;
}

void sb_gate_name_guilty(struct sb_gate *gate)
{
    double missing = 0, named = 0; /* N, and the sum of v of a set */
    size_t guilty = 0;

    for (size_t i = 0; i < gate->lines_count; i++)
        missing += fmax(0, -guilty_excess(gate, &gate->line[i]));
    for (size_t i = 0; i < gate->lines_count; i++) {
        struct sb_gate_line *const line = &gate->line[i];
        const double excess = guilty_excess(gate, line);

        line->guilty =
            gate->terms.tolerate > 0 ? line->tv_low > gate->terms.tolerate : excess >= 0 && excess >= missing;
        guilty += line->guilty;
    }
    gate->jointly = guilty == 0;
    while (gate->jointly && named < missing) {
        const size_t next = guilty_next(gate);

        if (next == gate->lines_count) /* E is 1/alpha but for rounding */
            break;
        gate->line[next].guilty = true;
        named += guilty_excess(gate, &gate->line[next]);
    }
}
