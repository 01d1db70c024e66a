/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says that permutations depend on each other, but otherwise look fair. */
#include "gate/gate.h"
#include "study/gate/gate_text.h"
#include "study/sentence.h"

#include <string.h>

void sb_sentence_dependent(struct sb_sentence *s, const struct sb_gate *gate)
{
    const struct sb_gate_line *const line = sb_gate_dependence(gate);
    const bool lines = strcmp(gate->kind, "scheme") != 0 && strcmp(gate->kind, "callback") != 0;
    const size_t lag = line ? line->lag : 1;
    const char *const each = gate->chained ? "step" : lines && lag == 1 ? "line" : "permutation";
    const struct sb_gate_line *const bettor = sb_gate_predicted(gate);

    if (gate->chain)
        sb_sentence_add(s, "each %s looks like a shuffle of the one before: use `chained`; ", each);
    else if (lag == 1)
        sb_sentence_add(s, "each %s depends on the one before; ", each);
    else
        sb_sentence_add(s, "each %s depends on the one %zu before; ", each, lag);
    sb_sentence_cells(s, gate);
    if (bettor)
        sb_sentence_predicted(s, gate, bettor);
}
