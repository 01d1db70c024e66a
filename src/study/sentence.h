/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A verdict in words: text that grows. */
#ifndef SB_STUDY_SENTENCE_H
#define SB_STUDY_SENTENCE_H

#include "core/tally.h"
#include "gate/findings.h"
#include "study/report/report_result.h"

/* A sentence. Initialise it as { 0 }. */
struct sb_sentence {
    char *text;        /* [used] bytes, followed by a 0; owned; NULL while nothing was added */
    size_t used, room; /* number of bytes that the text has room for */
    /* whether a part is missing, because memory ran out; then the text must not be shown */
    bool lost;
};

__attribute__((format(printf, 2, 3))) void sb_sentence_add(struct sb_sentence *s, const char *format, ...);

/* Returns the text, "" if nothing was added, which the caller frees; the sentence is empty again. NULL: a
 * part is missing, or memory ran out. */
char *sb_sentence_take(struct sb_sentence *s);
void sb_sentence_close(struct sb_sentence *s);

/* Adds a positive number as people write it, with three digits or more: "2.25", "9859", "0.0001". Only a
 * very large or tiny number has a power of ten. */
void sb_sentence_number(double x, char text[32]);

/* Adds the verdict of a report that is complete except for its sentence; ends with a full stop. */
void sb_sentence_judge(struct sb_sentence *s, const struct sb_report *report);

/* Sets what the deviant cells mean to people. The tallies must be those that the gate has looked at. */
void sb_gate_label_cells(const struct sb_tally tally[], size_t count, struct sb_gate *gate);

/* Names the most deviant cell of a gate, and the most deviant one on the other side if chance does not
 * explain it. */
void sb_sentence_cells(struct sb_sentence *s, const struct sb_gate *gate);

/* Adds the verdict of a gate that is complete except for its sentence; ends with a full stop. */
void sb_sentence_gate(struct sb_sentence *s, const struct sb_gate *gate);

#endif
