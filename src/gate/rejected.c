/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rejected statistics: closed testing on weighted averages. The hypothesis that no statistic of a set
 * is biased is rejected at level alpha if the weighted average of E over the set, and over every larger
 * set, reaches 1/alpha. Let v_i = w_i (E_i alpha - 1). The average over a set reaches 1/alpha if the sum
 * of its v is at least 0. The worst larger set is the one that adds all j with v_j below 0. So, with -N
 * the sum of all v below 0,
 *   statistic i is rejected   if v_i >= N,
 *   a set is rejected         if the sum of its v above 0 is at least N.
 * The probability that an unbiased statistic is ever rejected is at most alpha. If no statistic is
 * rejected by itself, the smallest rejected set, which has the largest v, is named as a whole: at least
 * one of its statistics is biased.
 *
 * With a tolerated bias, a statistic is rejected if its own lower bound on total variation is above the
 * tolerance. The bounds hold simultaneously, because their levels are shares of alpha.
 *
 * Cost: linear; quadratic in the size of the set. Marcus, Peritz and Gabriel, doi:10.1093/biomet/63.3.655.
 * Vovk and Wang, E-values: calibration, combination and applications, doi:10.1214/20-AOS2020.
 */
#include "gate/gate_internal.h"

#include <math.h>

/* v of a line. */
static double rejected_excess(const struct sb_gate *gate, const struct sb_gate_line *line)
{
    return line->weight * expm1(line->ln_e + log(gate->terms.alpha));
}

/* The line with the largest v that is not marked yet; lines_count if all are. */
static size_t rejected_next(const struct sb_gate *gate)
{
    size_t next = gate->lines_count;
    double most = -HUGE_VAL;

    for (size_t i = 0; i < gate->lines_count; i++) {
        const double excess = rejected_excess(gate, &gate->line[i]);

        if (!gate->line[i].rejected && excess > most) {
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

        if (line->rejected && !line->dependence)
            return NULL;
        if (line->rejected && (!most || line->ln_e > most->ln_e))
            most = line;
    }
    return most;
}

void sb_gate_name_rejected(struct sb_gate *gate)
{
    double missing = 0, named = 0; /* N, and the sum of v of a set */
    size_t count = 0;

    for (size_t i = 0; i < gate->lines_count; i++)
        missing += fmax(0, -rejected_excess(gate, &gate->line[i]));
    for (size_t i = 0; i < gate->lines_count; i++) {
        struct sb_gate_line *const line = &gate->line[i];
        const double excess = rejected_excess(gate, line);

        line->rejected =
            gate->terms.tolerate > 0 ? line->tv_low > gate->terms.tolerate : excess >= 0 && excess >= missing;
        count += line->rejected;
    }
    gate->jointly = count == 0;
    while (gate->jointly && named < missing) {
        const size_t next = rejected_next(gate);

        if (next == gate->lines_count) /* E is 1/alpha up to rounding */
            break;
        gate->line[next].rejected = true;
        named += rejected_excess(gate, &gate->line[next]);
    }
}
