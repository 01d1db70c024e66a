/* SPDX-License-Identifier: GPL-3.0-or-later */
/* If the bettor's bets on the cards showed that the shuffle is not fair, adds a sentence that says what its
 * predictions were based on. */
#include "report/number.h"
#include "study/gate/gate_text.h"
#include "study/sentence.h"

const struct sb_gate_line *sb_gate_predicted(const struct sb_gate *gate)
{
    for (size_t i = 0; i < gate->lines_count && gate->cells_count == 0; i++)
        if (gate->line[i].rejected && gate->line[i].context)
            return &gate->line[i];
    return NULL;
}

void sb_sentence_predicted(struct sb_sentence *s, const struct sb_gate *gate,
                           const struct sb_gate_line *bettor)
{
    sb_sentence_add(s, "its %s can be predicted from %s: bets on such predictions multiplied a stake by %s. ",
                    gate->chained ? "steps" : "cards", bettor->context, sb_number_exp(bettor->ln_e).text);
}
