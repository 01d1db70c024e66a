/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The questions of a peer and their answers, as text for people. */
#ifndef SB_EXACT_ORACLE_ORACLE_WORDS_H
#define SB_EXACT_ORACLE_ORACLE_WORDS_H

#include "exact/oracle/oracle_run.h"

enum { SB_TRANSCRIPT_ROOM = 200 };

/* Text such as "draw 3: 1, random: 0.25, deck 0 2 1". For a long run, only the end is shown. */
struct sb_transcript {
    char text[SB_TRANSCRIPT_ROOM];
};

/* Shows the first `answered` questions of the run's path with their answers. Then shows the question `next`
 * or, if `next` is NULL, the deck. */
struct sb_transcript sb_transcript_of(const struct sb_oracle_run *run, size_t answered,
                                      const struct sb_question *next, const sb_item deck[]);

/* If the run has strayed from its path, shows the questions that were on the path, and then the question or
 * deck that differs from the path. Otherwise shows the whole run. */
struct sb_transcript sb_transcript_now(const struct sb_oracle_run *run);

/* Shows the original path up to the question that the run did not repeat. If the run repeated all questions,
 * shows the whole path and the deck of `rank`. */
struct sb_transcript sb_transcript_before(const struct sb_oracle_run *run, size_t rank);

#endif
