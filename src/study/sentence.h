/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A verdict in words. The text of the verdict grows part by part. */
#ifndef SB_STUDY_SENTENCE_H
#define SB_STUDY_SENTENCE_H

#include "core/evidence.h"
#include "gate/gate.h"
#include "study/report/report_result.h"

/* A sentence. Initialise it as { 0 }. */
struct sb_sentence {
    char *text;        /* [used]; followed by a zero byte; owned; NULL if no part has been added */
    size_t used, room; /* number of bytes in the text, and capacity */
    /* whether a part is missing because memory ran out; if so, the text must not be shown */
    bool lost;
};

__attribute__((format(printf, 2, 3))) void sb_sentence_add(struct sb_sentence *s, const char *format, ...);

/* Returns the text, and resets the sentence to empty. The caller frees the text, which is "" if no part was
 * added. Returns NULL if a part is missing or memory runs out. */
char *sb_sentence_take(struct sb_sentence *s);
void sb_sentence_close(struct sb_sentence *s);

/* Writes a positive number as people write it, with three or more significant digits: "2.25", "9859". Only a
 * very large or very small number has a power of ten. */
void sb_sentence_number(double x, char text[32]);

/* Adds the verdict of a report, with a full stop at the end. All fields of the report except its sentence
 * must be set. */
void sb_sentence_judge(struct sb_sentence *s, const struct sb_report *report);

/* Labels the gate's most deviant cells in words. The tallies must be those at which the gate has looked. */
void sb_gate_label_cells(const struct sb_tally tally[], size_t count, struct sb_gate *gate);

/* Names the most deviant cell of a gate. Also names the most deviant cell that deviates in the other
 * direction, if chance does not explain that cell's deviation. */
void sb_sentence_cells(struct sb_sentence *s, const struct sb_gate *gate);

/* Adds the verdict of a gate, with a full stop at the end. All fields of the gate except its sentence must be
 * set. */
void sb_sentence_gate(struct sb_sentence *s, const struct sb_gate *gate);

#endif
