/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A verdict in words: text that grows in a fixed room, cut where that is full. */
#ifndef SB_STUDY_SENTENCE_H
#define SB_STUDY_SENTENCE_H

#include "core/report.h"

struct sb_sentence {
    char text[1024];
    size_t used;
};

__attribute__((format(printf, 2, 3))) void sb_sentence_add(struct sb_sentence *s, const char *format, ...);

/* Says the verdict of a report, which is set with everything but the sentence itself; ends in a full stop. */
void sb_sentence_judge(struct sb_sentence *s, const struct sb_report *report);

#endif
