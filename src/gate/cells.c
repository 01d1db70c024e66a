/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cells that deviate most from their expected counts, by at least one standard deviation of a binomial
 * count: z = (c - t q)/sqrt(t q (1-q)). They are cells of the rank if the rank is rejected or each of its
 * cells has an expected count of five, because people understand permutations best. Otherwise they are
 * cells of the first family with a rejected line, which can show a bias after few permutations. If only
 * dependence between permutations is rejected, they are cells of the lag that shows it. Cost: an insertion
 * into a short list for each cell.
 */
#include "fit/test/fit.h"
#include "gate/gate_internal.h"

#include <math.h>

enum { CELLS_EXPECT = 5 }; /* the least expected count for a cell of the rank */

/* Inserts the cell by descending |z|, after cells with an equal value. */
static void cells_insert(struct sb_gate *gate, const struct sb_gate_cell *cell)
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

static void cells_of_line(const struct sb_tally *tally, size_t line, struct sb_gate *gate)
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
            cells_insert(gate, &cell);
    }
}

static bool cells_are_shown(const struct sb_gate *gate, const struct sb_tally *tally,
                            const struct sb_gate_line *line)
{
    const struct sb_gate_line *const lag = sb_gate_dependence(gate);

    return lag ? line == lag
               : line->rejected || (sb_gate_is_rank(tally) && tally->total / CELLS_EXPECT >= tally->cells);
}

void sb_gate_list_cells(const struct sb_tally tally[], size_t count, struct sb_gate *gate)
{
    size_t line = 0;

    gate->cells_count = 0;
    for (size_t i = 0; i < count && gate->cells_count == 0; i++)
        for (size_t member = 0; member < tally[i].members; member++, line++)
            if (cells_are_shown(gate, &tally[i], &gate->line[line]))
                cells_of_line(&tally[i], line, gate);
}
