/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The gate's bounds in words. A failure shows that a shuffle is biased long before it shows by how much: the lower
 * bound of the total variation is then 0, and "at least 0.0000" would look as if the shuffle could be fair. */
#include "study/gate/gate_text.h"

#include <stdio.h>

struct sb_number sb_gate_bounds(const struct sb_gate *gate, double low, double high)
{
    struct sb_number bounds;

    if (low >= 0.00005)
        snprintf(bounds.text, sizeof bounds.text, "between %.100s and %.100s", sb_number_fixed(low, 4).text,
                 sb_number_fixed(high, 4).text);
    else if (low > 0)
        snprintf(bounds.text, sizeof bounds.text, "between %.100s and %.100s", sb_number_short(low, 2).text,
                 sb_number_fixed(high, 4).text);
    else
        snprintf(bounds.text, sizeof bounds.text, "%sat most %.100s",
                 gate->verdict == SB_VERDICT_FAIL && gate->terms.tolerate <= 0 ? "above 0 and " : "",
                 sb_number_fixed(high, 4).text);
    return bounds;
}
