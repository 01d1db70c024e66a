/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the gate's sentence that its files share. */
#ifndef SB_STUDY_GATE_GATE_SENTENCE_PARTS_H
#define SB_STUDY_GATE_GATE_SENTENCE_PARTS_H

#include "gate/gate.h"
#include "study/sentence.h"

/* Writes an error probability: "at most once in 1,000,000 runs, on average" if `own` is 1e-6. If runs share a ledger,
 * writes `all` instead of `own`; `all` is the bound for all of these runs together. */
void sb_sentence_once(struct sb_sentence *s, const struct sb_gate *gate, double own, double all);

/* Returns whether E is too small for a fail, although the E of a fair shuffle ever gets that far in at most one of 100
 * runs; and says so. */
bool sb_gate_doubtful(const struct sb_gate *gate);
void sb_sentence_doubt(struct sb_sentence *s, const struct sb_gate *gate);

/* Says what a pass means. */
void sb_sentence_pass(struct sb_sentence *s, const struct sb_gate *gate);

#endif
