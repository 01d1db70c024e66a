/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A peer's questions and their answers as text for people. */
#ifndef SB_EXACT_ORACLE_ORACLE_WORDS_H
#define SB_EXACT_ORACLE_ORACLE_WORDS_H

#include "exact/oracle/oracle_run.h"

enum { SB_TRANSCRIPT_ROOM = 200 };

/* "draw 3: 1, random: 0.25, deck 0 2 1"; of a long run, only the end. */
struct sb_transcript {
    char text[SB_TRANSCRIPT_ROOM];
};

/* The first `answered` questions of the run's path with their answers; then the question `next`, or the deck
 * if `next` is NULL. */
struct sb_transcript sb_transcript_of(const struct sb_oracle_run *run, size_t answered,
                                      const struct sb_question *next, const sb_item deck[]);

/* If the run strayed: its questions up to there, and what came there; else the whole run. */
struct sb_transcript sb_transcript_now(const struct sb_oracle_run *run);

/* What the original path had at the place where the run strayed; at the end of that path, the deck of
 * `rank`. */
struct sb_transcript sb_transcript_before(const struct sb_oracle_run *run, size_t rank);

#endif
