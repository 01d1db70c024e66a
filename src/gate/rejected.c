/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the statistics that are rejected after a fail, by closed testing on weighted averages, and lists
 * their most deviant cells.
 *
 * The null hypothesis of a set of statistics says that each statistic of the set has its null law. Closed
 * testing rejects this hypothesis at level alpha if the weighted average of E over the set, and over every
 * set that contains this set, reaches 1/alpha. Statistic i has the weight w_i and the e-value E_i. Let v_i =
 * w_i (E_i alpha - 1). The average over a set reaches 1/alpha if the sum of its v reaches 0. Of all sets that
 * contain a given set, the set with the smallest sum is the given set together with every j with v_j below 0.
 * So, if -N is the sum of all negative v,
 *
 *   statistic i is rejected   if v_i >= N,
 *   a set is rejected         if the sum of its positive v is at least N.
 *
 * The probability of ever rejecting a statistic that has its null law is at most alpha. If no single
 * statistic is rejected, the gate names the smallest rejected set, which consists of the statistics with the
 * largest v. At least one statistic of this set deviates.
 *
 * If a bias is tolerated, the gate instead rejects the statistics whose own lower bound on total variation
 * exceeds the tolerated bias. These bounds hold simultaneously, because their levels are shares of alpha.
 *
 * A cell deviates by z = (c - t q)/sqrt(t q (1-q)), where c is the cell's count among t deals and q its
 * probability. The denominator is the standard deviation of a binomial count. The gate lists cells with |z|
 * of at least 1. If all rejected lines test for dependence between permutations, the gate lists cells of the
 * line with the most evidence. Otherwise it lists cells of the rank, if the rank is rejected or each
 * permutation has an expected count of at least five. The reason is that permutations tell people more than
 * other statistics do. In all other cases it lists cells of the first family with a rejected line; or of `position`, if
 * one of its cells has the same count as the most deviant one.
 *
 * Cost: linear in the number of lines; quadratic in the size of the rejected set; and an insertion into a
 * short list for each cell. Marcus, Peritz and Gabriel, doi:10.1093/biomet/63.3.655. Vovk and Wang, E-values:
 * calibration, combination and applications, doi:10.1214/20-AOS2020.
 */
#include "fit/fit.h"
#include "gate/gate.h"

#include <math.h>
#include <string.h>

/* ln 100: the E of a fair shuffle ever reaches 100 in at most one of 100 runs. */
static const double rejected_ln_trend = 4.6051701859880914;

/* the relative error of a sum, for each of its terms */
static const double rejected_rounding = 0x1p-52;

static const double rejected_same = 1e-9; /* the relative difference of equal expected counts */

/* smallest expected count at which permutations are listed although the rank is not rejected */
enum { REJECTED_EXPECT = 5 };

/* The v of a line, as defined above. The rounding error of E is subtracted from E. */
static double rejected_excess(const struct sb_gate *gate, const struct sb_gate_line *line)
{
    return line->weight * expm1(line->ln_e - line->ln_e_error + log(gate->terms.alpha));
}

/* The index of the line with the largest v among the lines that are not rejected yet; lines_count if all are
 * rejected. */
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

        if (line->rejected && !line->dependence && !line->context && !line->outliers)
            return NULL;
        if (line->rejected && line->dependence && (!most || line->ln_e > most->ln_e))
            most = line;
    }
    return most;
}

void sb_gate_reject(struct sb_gate *gate)
{
    double missing = 0, named = 0; /* N, and the sum of v over the set */
    size_t alone = 0;

    for (size_t i = 0; i < gate->lines_count; i++)
        missing += fmax(0, -rejected_excess(gate, &gate->line[i]));
    missing *= 1 + rejected_rounding * (double)gate->lines_count;
    for (size_t i = 0; i < gate->lines_count; i++) {
        struct sb_gate_line *const line = &gate->line[i];
        const double excess = rejected_excess(gate, line);

        line->rejected = gate->terms.tolerate > 0 ? sb_gate_certain_tv(gate, line) > gate->terms.tolerate
                                                  : excess >= 0 && excess >= missing;
        alone += line->rejected;
    }
    gate->jointly = alone == 0;
    while (gate->jointly && named < missing) {
        const size_t next = rejected_next(gate);

        if (next == gate->lines_count) /* rounding made E slightly smaller than 1/alpha */
            break;
        gate->line[next].rejected = true;
        named += rejected_excess(gate, &gate->line[next]);
    }
}

/* Inserts the cell into the list after all cells with the same |z|. The list is sorted by falling |z|. */
static void rejected_insert(struct sb_gate *gate, const struct sb_gate_cell *cell)
{
    size_t at = gate->cells_count;

    while (at > 0 && fabs(cell->z) > fabs(gate->cell[at - 1].z))
        at--;
    if (at == SB_GATE_CELLS_MOST)
        return;
    if (gate->cells_count < SB_GATE_CELLS_MOST)
        gate->cells_count++;
    for (size_t i = gate->cells_count - 1; i > at; i--)
        gate->cell[i] = gate->cell[i - 1];
    gate->cell[at] = *cell;
}

static void rejected_cells(const struct sb_tally *tally, size_t line, struct sb_gate *gate)
{
    const size_t member = gate->line[line].member;

    for (size_t i = 0; i < tally->cells; i++) {
        const struct sb_cell seen = sb_cell_get(tally, member, i);
        const double variance = seen.expected * (1 - seen.expected / (double)tally->total);
        const struct sb_gate_cell cell = {
            .line = line,
            .cell = i,
            .count = tally->count[member * tally->cells + i],
            .expected = seen.expected,
            .z = seen.excess == 0 ? 0 : -seen.excess / sqrt(variance),
        };

        if (fabs(cell.z) >= 1)
            rejected_insert(gate, &cell);
    }
}

static bool rejected_shows(const struct sb_gate *gate, const struct sb_tally *tally, const struct sb_gate_line *line)
{
    const struct sb_gate_line *const lag = sb_gate_dependence(gate);

    return lag ? line == lag
               : line->rejected || (sb_gate_is_rank(tally) && tally->total / REJECTED_EXPECT >= tally->cells);
}

/* If the catalogue is rejected, lists the cells of the line with the largest E among the lines with cells,
 * provided that this E exceeds 100. The catalogue itself has no cells. Call this function only if no cells
 * are listed so far. */
static void rejected_list_most(const struct sb_tally tally[], size_t count, struct sb_gate *gate)
{
    const struct sb_tally *most = NULL;
    size_t line = 0, at = 0;
    double ln_e = rejected_ln_trend;
    bool alone = false;

    for (size_t k = 0; k < gate->lines_count; k++)
        alone = alone || (gate->line[k].rejected && strcmp(gate->line[k].statistic, "catalogue") == 0);
    for (size_t i = 0; alone && i < count; i++)
        for (size_t member = 0; member < tally[i].members; member++, line++)
            if (tally[i].cells && gate->line[line].ln_e > ln_e) {
                ln_e = gate->line[line].ln_e;
                most = &tally[i];
                at = line;
            }
    if (most)
        rejected_cells(most, at, gate);
}

/* If the first cell has the same count and probability as a cell of `position`, lists the cells of that line instead:
 * that the cycle of the first item has length 1 says that this item is at position 1. */
static void rejected_simplify(const struct sb_tally tally[], size_t count, struct sb_gate *gate)
{
    const struct sb_gate_cell first = gate->cell[0];
    size_t line = 0;

    if (gate->cells_count == 0 || gate->line[first.line].lag || gate->line[first.line].members > 1)
        return;
    for (size_t i = 0; i < count; line += tally[i++].members)
        for (size_t k = 0; strcmp(tally[i].statistic, "position") == 0 && k < tally[i].members * tally[i].cells; k++) {
            const struct sb_cell seen = sb_cell_get(&tally[i], k / tally[i].cells, k % tally[i].cells);

            if (tally[i].lag || tally[i].count[k] != first.count ||
                fabs(seen.expected - first.expected) > rejected_same * first.expected)
                continue;
            gate->cells_count = 0;
            rejected_cells(&tally[i], line + k / tally[i].cells, gate);
            return;
        }
}

/* How much an impossible value of a statistic says to people: that an item stayed at its place says more than that
 * there are two cycles, and that more than that one item was followed by another, or than the order itself. */
static int rejected_says(const struct sb_tally *tally)
{
    static const char *const less[] = { "successor", "runs", "first-k", "first-k-set" };

    if (sb_gate_is_rank(tally))
        return 1;
    for (size_t i = 0; i < sizeof less / sizeof less[0]; i++)
        if (strcmp(tally->statistic, less[i]) == 0)
            return 2;
    return strcmp(tally->statistic, "position") == 0 ? 4 : 3;
}

/* Lists the first cell that has a count although it is impossible, and whose statistic says most. Returns whether there
 * is such a cell. */
static bool rejected_list_forbidden(const struct sb_tally tally[], size_t count, struct sb_gate *gate)
{
    size_t line = 0;
    int says = 0; /* how much the listed cell says; 0: none is listed */

    for (size_t i = 0; i < count; line += tally[i++].members)
        for (size_t k = 0; tally[i].cells && k < tally[i].members * tally[i].cells; k++) {
            const size_t member = k / tally[i].cells, cell = k % tally[i].cells;
            const int more = tally[i].lag ? 0 : rejected_says(&tally[i]);

            if (more <= says || !tally[i].count[k] || sb_cell_get(&tally[i], member, cell).expected > 0)
                continue;
            says = more;
            gate->cells_count = 1;
            gate->cell[0] = (struct sb_gate_cell) { line + member, cell, tally[i].count[k], 0, HUGE_VAL, "" };
        }
    return says > 0;
}

void sb_gate_list_cells(const struct sb_tally tally[], size_t count, struct sb_gate *gate)
{
    size_t line = 0;

    gate->cells_count = 0;
    if (rejected_list_forbidden(tally, count, gate))
        return;
    for (size_t i = 0; i < count && gate->cells_count == 0; i++)
        for (size_t member = 0; member < tally[i].members; member++, line++)
            if (rejected_shows(gate, &tally[i], &gate->line[line]))
                rejected_cells(&tally[i], line, gate);
    if (gate->cells_count == 0)
        rejected_list_most(tally, count, gate);
    rejected_simplify(tally, count, gate);
}
