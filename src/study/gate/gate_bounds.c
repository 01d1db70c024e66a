/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The gate's bounds in words and in numbers. Lower bounds are rounded down, and upper bounds up.
 *
 * A failure shows that a shuffle is biased long before it shows by how much: the lower bound of the total variation
 * is then 0, and "at least 0.0000" would look as if the shuffle could be fair. This does not hold if only dependence
 * or repeated decks were shown: permutations that depend on each other may each have the law of a fair shuffle.
 */
#include "study/gate/gate_text.h"

#include <stdio.h>
#include <string.h>

/* Returns whether the failure shows that the law of the permutations, or of their increments, is not fair. */
static bool bounds_biased(const struct sb_gate *gate)
{
    size_t law = 0, other = 0;

    if (gate->verdict != SB_VERDICT_FAIL || gate->terms.tolerate > 0)
        return false;
    for (size_t i = 0; i < gate->lines_count; i++) {
        const struct sb_gate_line *const line = &gate->line[i];
        const bool of_law = line->cells ? !line->dependence : strcmp(line->statistic, "catalogue") == 0;

        law += line->rejected && of_law;
        other += line->rejected && !of_law;
    }
    return law > 0 && (other == 0 || !gate->jointly);
}

struct sb_number sb_gate_bounds(const struct sb_gate *gate, double low, double high)
{
    struct sb_number bounds;

    if (low > 0)
        snprintf(bounds.text, sizeof bounds.text, "between %.100s and %.100s",
                 low >= 1e-4 ? sb_number_fixed_down(low, 4).text : sb_number_short_down(low, 2).text,
                 sb_number_fixed_up(high, 4).text);
    else
        snprintf(bounds.text, sizeof bounds.text, "%sat most %.100s",
                 bounds_biased(gate) ? "above 0 and " : "", sb_number_fixed_up(high, 4).text);
    return bounds;
}

struct sb_number sb_gate_bounds_range(double low, double high)
{
    return sb_number_range(sb_number_fixed_down(low, 4), sb_number_fixed_up(high, 4));
}
